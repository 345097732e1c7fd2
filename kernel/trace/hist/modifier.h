/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Modifiers of fields, ``FIELD.MODIFIER``: the rows of a table in modifier.c. A row says which
 * fields may have the modifier, how it changes a number before the number is counted, and how keys
 * and values are shown. Only modifier.c knows single modifiers: a new one is a row there.
 *
 * A field without a modifier has none of these: &hist_field.as is NULL.
 */
#ifndef _KERNEL_TRACE_HIST_MODIFIER_H
#define _KERNEL_TRACE_HIST_MODIFIER_H

#include <linux/bitops.h>
#include <linux/types.h>

#include "fields.h"

struct hist;
struct seq_file;

/**
 * struct hist_shown_val - a value that is shown in a row
 * @number: the number
 * @total: sum of the value over all rows
 * @highest: highest number of all rows
 */
struct hist_shown_val {
	u64	number;
	u64	total;
	u64	highest;
};

/**
 * struct hist_modifier - a modifier
 * @name: the modifier as it is written, without the dot
 * @alias: another way to write it, or NULL
 * @whom: HIST_FOR_*: uses of a field that may have the modifier
 * @takes_width: ``=WIDTH`` follows the name, for &hist_field.width
 * @takes_percentile: ``.percentile`` may follow
 * @in_usecs: the number is a time in microseconds
 * @names_task: the field stands for the name of the task: a variable or parameter has the name as
 *	its value; a key stays a PID, and is shown with the name, which rows keep
 * @keeps: enum hist_keeps: what a row keeps of the numbers of a value
 * @word_way: enum hist_way of a HIST_WORD, if hits need not call @apply for it; 0 is always right
 * @fits: true if the modifier makes sense for a field. NULL if it does for each one
 * @apply: change a number of a key or of a value, sign-extended if &hist_field.is_signed, before
 *	it is counted. NULL if it is not changed. Context: any, NMI included, inside the guard
 * @result: calculate the number that is shown from what a row keeps, and from its hits. Such a
 *	number is shown and sorted with its sign. NULL if the kept number is shown
 * @show_key: print the number of a key. NULL for a decimal number
 * @show_val: print a value with its name. NULL for a decimal number
 */
struct hist_modifier {
	const char	*name;
	const char	*alias;
	unsigned int	whom;
	bool		takes_width;
	bool		takes_percentile;
	bool		in_usecs;
	bool		names_task;
	u8		keeps;
	u8		word_way;
	bool		(*fits)(const struct hist_field *f);
	u64		(*apply)(const struct hist *h, const struct hist_field *f, u64 number);
	u64		(*result)(const struct hist_field *f, u64 kept, u64 hits);
	void		(*show_key)(struct seq_file *m, const struct hist *h,
				    const struct hist_field *f, const void *key);
	void		(*show_val)(struct seq_file *m, const struct hist_field *f,
				    const struct hist_shown_val *val);
};

/**
 * hist_modifier_parse - parse the modifier of a field
 * @word: the modifier, without the dot; it is cut into words
 * @whom: HIST_FOR_*: how the field is used
 * @f: the field; its modifier is filled in
 *
 * Context: any.
 * Return: 0; -EINVAL if there is no such modifier for such a use.
 */
int hist_modifier_parse(char *word, unsigned int whom, struct hist_field *f);

/**
 * hist_modifier_fits - does the modifier of a field make sense for it?
 * @f: the field, which has been parsed
 *
 * Context: any.
 * Return: true if it does, or if there is none.
 */
bool hist_modifier_fits(const struct hist_field *f);

/**
 * hist_modifier_way - choose how hits get the number of a field
 * @f: the field, which has been parsed
 *
 * Context: any.
 * Return: enum hist_way.
 */
enum hist_way hist_modifier_way(const struct hist_field *f);

/* The &hist_modifier.apply of common modifiers, so that hits need no indirect call for them. */
u64 hist_usecs_of_time(const struct hist *h, const struct hist_field *f, u64 number);
u64 hist_bucket_start(const struct hist *h, const struct hist_field *f, u64 number);

/**
 * hist_show_key_number - print the number of a key
 * @m: where to print
 * @h: the histogram
 * @f: the key
 * @key: all keys of the row
 *
 * Context: may sleep.
 */
void hist_show_key_number(struct seq_file *m, const struct hist *h, const struct hist_field *f,
			  const void *key);

/**
 * hist_show_val - print a value with its name
 * @m: where to print
 * @f: the value
 * @val: what to print
 *
 * Context: may sleep.
 */
void hist_show_val(struct seq_file *m, const struct hist_field *f,
		   const struct hist_shown_val *val);

/* The number of a value that is shown, of what a row keeps. */
static inline u64 hist_val_result(const struct hist_field *f, u64 kept, u64 hits)
{
	return f->as && f->as->result ? f->as->result(f, kept, hits) : kept;
}

/* Sums are shown and sorted as unsigned numbers, as in the stock kernel. */
static inline bool hist_val_has_sign(const struct hist_field *f)
{
	return f->is_signed && f->as && f->as->result;
}

/* True if the number of a field is a time in microseconds. */
static inline bool hist_in_usecs(const struct hist_field *f)
{
	return f->as && f->as->in_usecs;
}

/* True if a field stands for the name of the task. */
static inline bool hist_names_task(const struct hist_field *f)
{
	return f->as && f->as->names_task;
}

/* Exponent of the next power of two. */
static inline u64 hist_log2(u64 number)
{
	return number > 1 ? fls64(number - 1) : 0;
}

#endif /* _KERNEL_TRACE_HIST_MODIFIER_H */
