/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions that only the tests of this room use.
 */
#ifndef _KERNEL_TRACE_TABLE_INTERNAL_H
#define _KERNEL_TRACE_TABLE_INTERNAL_H

#include <linux/atomic.h>
#include <linux/types.h>

#include "table.h"

/**
 * table_add - count a hit
 * @t: the table
 * @row: row of the key, from table_row()
 * @values: number to add to each sum
 *
 * Context: any, NMI included.
 */
static inline void table_add(const struct table *t, struct table_row *row, const u64 *values)
{
	for (unsigned int i = 0; i < t->nr_sums; i++)
		atomic64_add(values[i], &row->sums[i]);
	atomic64_inc(&row->hits);
}

/**
 * table_clear - remove all keys and counts
 * @t: the table, which must not be in use meanwhile
 *
 * Context: may sleep.
 */
void table_clear(struct table *t);

#endif /* _KERNEL_TRACE_TABLE_INTERNAL_H */
