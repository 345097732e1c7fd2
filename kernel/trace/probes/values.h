/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Numbers in records of probes, which stand where the one before them ends.
 */
#ifndef _KERNEL_TRACE_PROBES_VALUES_H
#define _KERNEL_TRACE_PROBES_VALUES_H

#include <linux/bitops.h>
#include <linux/types.h>
#include <linux/unaligned.h>

#include "fetch.h"

/* A number of 1, 2, 4 or 8 bytes. Context: any. */
static inline u64 fetch_get(const void *at, unsigned int size)
{
	switch (size) {
	case 1:
		return *(const u8 *)at;
	case 2:
		return get_unaligned((const u16 *)at);
	case 4:
		return get_unaligned((const u32 *)at);
	default:
		return get_unaligned((const u64 *)at);
	}
}

/* Likewise; what does not fit is cut off. Context: any. */
static inline void fetch_put(void *at, unsigned int size, u64 number)
{
	switch (size) {
	case 1:
		*(u8 *)at = number;
		break;
	case 2:
		put_unaligned(number, (u16 *)at);
		break;
	case 4:
		put_unaligned(number, (u32 *)at);
		break;
	default:
		put_unaligned(number, (u64 *)at);
	}
}

/* The word of FETCH_FIELD_DATA_LOC or FETCH_FIELD_REL_LOC. */
static inline u32 fetch_field_word(const struct fetch *f, const void *rec)
{
	return fetch_get(rec + f->value, sizeof(u32));
}

/* Where a text in the record of another event is, or what its number is. Context: any. */
static inline unsigned long fetch_field(const struct fetch *f, const void *rec)
{
	u64 number;

	switch (f->field_kind) {
	case FETCH_FIELD_TEXT:
		return (unsigned long)rec + f->value;
	case FETCH_FIELD_DATA_LOC:
		return (unsigned long)rec + (fetch_field_word(f, rec) & 0xffff);
	case FETCH_FIELD_REL_LOC:
		return (unsigned long)rec + f->value + sizeof(u32) +
		       (fetch_field_word(f, rec) & 0xffff);
	default:
		number = fetch_get(rec + f->value, f->field_size);
		return f->field_signed && f->field_size < sizeof(number) ?
		       sign_extend64(number, f->field_size * BITS_PER_BYTE - 1) : number;
	}
}

/* How many bytes such a text can have. Context: any. */
static inline unsigned int fetch_field_len(const struct fetch *f, const void *rec)
{
	return f->field_kind == FETCH_FIELD_TEXT ? f->field_size :
						   fetch_field_word(f, rec) >> 16;
}

#endif /* _KERNEL_TRACE_PROBES_VALUES_H */
