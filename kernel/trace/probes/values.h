/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Values that probes fetch from: fields in the record of another event, and function arguments.
 */
#ifndef _KERNEL_TRACE_PROBES_VALUES_H
#define _KERNEL_TRACE_PROBES_VALUES_H

#include <linux/bitops.h>
#include <linux/ptrace.h>
#include <linux/types.h>

#include "fetch.h"
#include "types/types.h"

/* Location word of FETCH_FIELD_DATA_LOC or FETCH_FIELD_REL_LOC: size << 16 | offset. */
static inline u32 fetch_field_word(const struct fetch *f, const void *rec)
{
	return record_number(rec + f->value, sizeof(u32));
}

/**
 * fetch_field - get a field in the record of another event
 * @f: fetch program with source FETCH_FIELD
 * @rec: the record
 *
 * Context: any.
 * Return: the number, or the address of the text.
 */
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
		number = record_number(rec + f->value, f->field_size);
		return f->field_signed && f->field_size < sizeof(number) ?
		       sign_extend64(number, f->field_size * BITS_PER_BYTE - 1) : number;
	}
}

/* Return: size of the text in the field, in bytes; the text need not have a NUL. Context: any. */
static inline unsigned int fetch_field_len(const struct fetch *f, const void *rec)
{
	return f->field_kind == FETCH_FIELD_TEXT ? f->field_size :
						   fetch_field_word(f, rec) >> 16;
}

/* Return: argument @n, from 0, of a function that has just been entered. Context: any. */
static __always_inline unsigned long fetch_argument(struct pt_regs *regs, unsigned int n)
{
#ifdef CONFIG_HAVE_FUNCTION_ARG_ACCESS_API
	return regs_get_kernel_argument(regs, n);
#else
	return 0;
#endif
}

/**
 * fetch_save_args - save arguments of a function that has just been entered, for its return
 * @kept: filled in with @nr values
 * @args: indices of the arguments to save, from 0
 * @nr: number of arguments to save
 * @regs: registers at the entry of the function
 *
 * Context: any.
 */
static __always_inline void fetch_save_args(unsigned long *kept, const u8 *args, unsigned int nr,
					    struct pt_regs *regs)
{
	for (unsigned int i = 0; i < nr; i++)
		kept[i] = fetch_argument(regs, args[i]);
}

#endif /* _KERNEL_TRACE_PROBES_VALUES_H */
