/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A table that counts: by a key of some bytes, how often it was hit, and sums. It is updated
 * in any context of any CPU at once, without a lock, and never waits.
 *
 *	t = table_alloc(2048, sizeof(key), 1);
 *	...
 *	row = table_row(t, &key);		any context, NMI included
 *	if (row)
 *		table_add(t, row, &value);
 *	...
 *	rows = table_copy(t, &nr);		may sleep
 *
 * Rows are made beforehand. When all of them have a key, hits by others are counted as
 * dropped. So at any time when nobody is in the middle of a hit, the hits of all rows and
 * those dropped are how often something was to be counted.
 */
#ifndef _KERNEL_TRACE_TABLE_H
#define _KERNEL_TRACE_TABLE_H

#include <linux/atomic.h>
#include <linux/percpu.h>
#include <linux/types.h>

/* The most rows that a table may have. */
#define TABLE_ROWS_MAX	0x20000U

/**
 * struct table_row - what is counted of a key
 * @hash: of the key
 * @hits: how often it came
 * @sums: &table.nr_sums of them; behind them is the key, and behind that its note
 */
struct table_row {
	u32		hash;
	atomic64_t	hits;
	atomic64_t	sums[];
};

/* A task, a softirq, an interrupt, an NMI. */
#define TABLE_LEVELS	4

/**
 * struct table_spares - rows that a CPU has been handed out and did not need
 * @row: their numbers, from 1; 0 for none
 */
struct table_spares {
	unsigned int	row[TABLE_LEVELS];
};

/**
 * struct table - a table
 * @nr_rows: how many keys there can be
 * @nr_all: how many rows are made: some more, see table.c
 * @used: how many of these have been handed out; may go beyond
 * @spares: of each CPU, rows that were handed out and not needed
 * @keys: how many rows have a key
 * @dropped: how many hits found no row
 * @key_size: bytes of a key
 * @note_size: bytes behind it that came with its first hit
 * @nr_sums: sums of a row
 * @row_size: bytes of a row
 * @mask: number of @slots less 1; a power of 2 less 1
 * @shift: from a hash to a slot
 * @slots: numbers of rows, from 1, by the hashes of their keys; 0 for none
 * @rows: the rows
 */
struct table {
	unsigned int		nr_rows;
	unsigned int		nr_all;
	atomic_t		used;
	struct table_spares __percpu *spares;
	atomic_t		keys;
	atomic64_t		dropped;
	unsigned int		key_size;
	unsigned int		note_size;
	unsigned int		nr_sums;
	unsigned int		row_size;
	unsigned int		mask;
	unsigned int		shift;
	atomic_t		*slots;
	void			*rows;
};

/**
 * table_alloc - make a table
 * @nr_rows: how many keys there can be, at most TABLE_ROWS_MAX
 * @key_size: bytes of a key, which is words of 64 bits; what is compared is all of them
 * @note_size: bytes behind a key that are kept as they were when it came first
 * @nr_sums: sums of each
 *
 * Context: may sleep.
 * Return: the table, for table_free(); NULL without memory, or for too many rows.
 */
struct table *table_alloc(unsigned int nr_rows, unsigned int key_size, unsigned int note_size,
			  unsigned int nr_sums);

/**
 * table_free - the end of a table
 * @t: from table_alloc(), or NULL; nobody uses it any more
 *
 * Context: may sleep.
 */
void table_free(struct table *t);

/**
 * table_row - the row of a key
 * @t: the table
 * @key: the key, and its note
 *
 * One that is not there yet is made, with the hits and sums of nothing.
 *
 * Context: any, NMI included; preemption off.
 * Return: the row, until table_clear(); NULL if the table is full: that is counted.
 */
struct table_row *table_row(struct table *t, const void *key);

/**
 * table_find - the row of a key, if there is one
 * @t: the table
 * @key: the key
 *
 * Context: any, NMI included.
 * Return: the row, until table_clear(); or NULL.
 */
struct table_row *table_find(struct table *t, const void *key);

/* The key of a row, and its note. Context: any. */
static inline void *table_key(const struct table *t, const struct table_row *row)
{
	return (void *)&row->sums[t->nr_sums];
}

/**
 * table_add - count a hit
 * @t: the table
 * @row: from table_row()
 * @values: what to add to each sum
 *
 * Context: as table_row().
 */
static inline void table_add(const struct table *t, struct table_row *row, const u64 *values)
{
	for (unsigned int i = 0; i < t->nr_sums; i++)
		atomic64_add(values[i], &row->sums[i]);
	atomic64_inc(&row->hits);
}

/**
 * table_hits - how often something was counted, or dropped
 * @t: the table, which goes on
 *
 * Context: any.
 */
u64 table_hits(const struct table *t);

/**
 * table_clear - forget all
 * @t: the table; nobody is in the middle of a hit
 *
 * Context: may sleep.
 */
void table_clear(struct table *t);

/**
 * struct table_copy - a table as it was
 * @nr: how many rows
 * @rows: the rows, in no order, for table_key() as well; each by itself is a copy
 * @memory: where they are
 */
struct table_copy {
	unsigned int		nr;
	struct table_row	**rows;
	void			*memory;
};

/**
 * table_copy - have the rows of a table stand still
 * @t: the table, which goes on
 * @copy: filled in, for table_copy_free()
 *
 * Each hit and each sum is one that the row had meanwhile; those that come at the same time
 * may be in one and not in the other.
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int table_copy(struct table *t, struct table_copy *copy);

/* The end of it. Context: may sleep. */
void table_copy_free(struct table_copy *copy);

#endif /* _KERNEL_TRACE_TABLE_H */
