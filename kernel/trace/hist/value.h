/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Values of fields at a hit. Numbers of plain fields and their powers of two are read inline. All
 * of this may be called in any context, NMI included, with preemption off, and inside the recursion
 * guard (guard/guard.h).
 */
#ifndef _KERNEL_TRACE_HIST_VALUE_H
#define _KERNEL_TRACE_HIST_VALUE_H

#include <linux/kconfig.h>
#include <linux/types.h>
#include <linux/unaligned.h>

#include "actions/action.h"
#include "fields.h"
#include "modifier.h"

struct hist;
struct hist_now;

/**
 * hist_number - get the number of a field for a hit
 * @h: histogram that uses the field
 * @f: the field, which is a number
 * @hit: hit of the trigger
 * @refs: values of @h->refs
 *
 * Context: any, NMI included; preemption off, inside the recursion guard.
 * Return: the number, with the modifier applied.
 */
u64 hist_number(const struct hist *h, const struct hist_field *f, struct action_hit *hit,
		const u64 *refs);

/**
 * hist_find_array - find the array that a __data_loc or __rel_loc field refers to
 * @f: the field
 * @rec: record of the event
 * @len: set to the length of the array in bytes
 *
 * Context: any, NMI included.
 * Return: the array.
 */
const void *hist_find_array(const struct hist_field *f, const void *rec, unsigned int *len);

/**
 * hist_store_field - store text or a stack
 * @to: where to store it; @f->len bytes are written
 * @f: the field, which is not a number
 * @now: state of the hit
 *
 * Context: any, NMI included; preemption off, inside the recursion guard.
 */
void hist_store_field(void *to, const struct hist_field *f, const struct hist_now *now);

/**
 * hist_store_non_number - store text or a stack of the hit or of the record
 * @to: where to store it
 * @f: the field, which is neither a number nor a variable
 * @hit: hit of the trigger
 *
 * Context: any, NMI included; preemption off, inside the recursion guard.
 */
void hist_store_non_number(void *to, const struct hist_field *f, const struct action_hit *hit);

/* The slow path of hist_read_number(). */
u64 hist_number_slow(const struct hist *h, const struct hist_field *f, struct action_hit *hit,
		     const u64 *refs);

/*
 * Get a number from the last bytes in memory of a word. In little endian these are the highest
 * bits; in big endian they are moved there first. Shifting them down extends the sign.
 */
static __always_inline u64 hist_extract_number(const struct hist_field *f, u64 word)
{
	if (IS_ENABLED(CONFIG_CPU_BIG_ENDIAN))
		word <<= f->rec.shift;
	return f->is_signed ? (u64)((s64)word >> f->rec.shift) : word >> f->rec.shift;
}

static __always_inline u64 hist_read_word(const struct hist_field *f, const void *rec)
{
	return hist_extract_number(f, get_unaligned((u64 *)(rec + f->rec.word)));
}

/* Do the same as hist_number(), inline. */
static __always_inline u64 hist_read_number(const struct hist *h, const struct hist_field *f,
					    struct action_hit *hit, const u64 *refs)
{
	if (likely(f->way == HIST_WAY_PLAIN))
		return hist_read_word(f, hit->rec);
	return f->way == HIST_WAY_LOG2 ? hist_log2(hist_read_word(f, hit->rec)) :
					 hist_number_slow(h, f, hit, refs);
}

#endif /* _KERNEL_TRACE_HIST_VALUE_H */
