/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The layout of a row of a histogram's table. Behind the hit count of the row there are words for
 *
 *	- each value: the sum of its numbers, or their minimum or maximum
 *	- each variable: its number; text and stacks go on in the next words
 *	- the mark of variables, if there are any: a bit for each one that is set
 *	- each action of onmax() or onchange(): the tracked value
 *	- each parameter of save(), and each stack that is a parameter of a synthetic event
 *
 * Histograms that share a table have the same layout.
 */
#ifndef _KERNEL_TRACE_HIST_LAYOUT_H
#define _KERNEL_TRACE_HIST_LAYOUT_H

#include "action.h"
#include "internal.h"
#include "table/table.h"
#include "vars.h"

/**
 * hist_lay_out - assign words of a row to variables and actions
 * @h: the histogram, whose actions have been resolved
 *
 * Context: any; before @h is attached.
 */
void hist_lay_out(struct hist *h);

/**
 * hist_layouts_equal - do two histograms use the words of a row the same way?
 * @a: a histogram, after hist_lay_out()
 * @b: another histogram with the same values, variables and actions, after hist_lay_out()
 *
 * Context: any.
 * Return: true if they do, so that they can share a table.
 */
bool hist_layouts_equal(const struct hist *a, const struct hist *b);

/* The word of the value with index @val. */
static inline atomic64_t *hist_row_val(struct table_row *row, unsigned int val)
{
	return &row->sums[val];
}

/* The first word of a variable. */
static inline atomic64_t *hist_row_var(struct table_row *row, const struct hist_var *var)
{
	return &row->sums[var->slot];
}

/* The mark of the variables of @h that are set, by their index. */
static inline atomic64_t *hist_row_mark(const struct hist *h, struct table_row *row)
{
	return &row->sums[h->mark_slot];
}

/* The highest or latest value of the variable that an action tracks. */
static inline atomic64_t *hist_row_tracked(struct table_row *row, const struct hist_action *a)
{
	return &row->sums[a->slot];
}

/* The first word of a parameter that the row keeps. */
static inline atomic64_t *hist_row_param(struct table_row *row, const struct hist_param *param)
{
	return &row->sums[param->slot];
}

#endif /* _KERNEL_TRACE_HIST_LAYOUT_H */
