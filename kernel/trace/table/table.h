/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A table that counts the hits of keys, and adds up numbers for each key. All CPUs may update it in
 * any context at the same time, without a lock, and never wait.
 *
 *	t = table_alloc(2048, sizeof(key), 0, 1);
 *	...
 *	row = table_row(t, &key);		any context, NMI included
 *	if (row) {
 *		atomic64_add(value, &row->sums[0]);
 *		atomic64_inc(&row->hits);
 *	}
 *	...
 *	err = table_copy(t, &copy);		may sleep
 *
 * All rows are allocated with the table. When all of them have a key, hits of further keys are
 * counted as dropped. So while no hit is in flight, the sum of the hits of all rows and of the
 * dropped hits is the number of calls.
 */
#ifndef _KERNEL_TRACE_TABLE_H
#define _KERNEL_TRACE_TABLE_H

#include <linux/atomic.h>
#include <linux/percpu.h>
#include <linux/types.h>

/* Most keys that a table can have. */
#define TABLE_ROWS_MAX	0x20000U

/**
 * struct table_row - counts of a key
 * @hash: hash of the key
 * @hits: number of hits
 * @sums: &table.nr_sums sums; the key follows, and behind it the note
 */
struct table_row {
	u32		hash;
	atomic64_t	hits;
	atomic64_t	sums[];
};

/* Number of contexts that can nest on a CPU: task, softirq, interrupt, NMI. */
#define TABLE_LEVELS	4

/**
 * struct table_spares - rows that a CPU has taken but not used
 * @row: numbers of the rows, which start at 1; 0 for none
 */
struct table_spares {
	unsigned int	row[TABLE_LEVELS];
};

/**
 * struct table - a table
 * @nr_rows: most keys
 * @nr_all: number of allocated rows, which is more than @nr_rows: see table.c
 * @used: number of rows that CPUs have taken for the first time
 * @spares: rows that each CPU has taken but not used
 * @keys: number of keys that have a row, or are about to get one
 * @dropped: number of hits that found no row
 * @key_size: bytes of a key
 * @note_size: bytes of a note, which is stored with the first hit of a key
 * @nr_sums: number of sums of a row
 * @row_size: bytes of a row
 * @mask: number of @slots minus 1; the number is a power of 2
 * @shift: bits by which a hash is shifted to get the index of a slot
 * @slots: numbers of rows, which start at 1, found by the hash of the key; 0 for an empty slot
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
 * table_alloc - allocate a table
 * @nr_rows: most keys of the table; 1 to TABLE_ROWS_MAX
 * @key_size: bytes of a key; a multiple of 8, all of which are compared
 * @note_size: bytes of a note behind each key, which is stored with its first hit
 * @nr_sums: number of sums for each key
 *
 * Context: may sleep.
 * Return: the table, for table_free(); NULL if there is no memory, or @nr_rows is invalid.
 */
struct table *table_alloc(unsigned int nr_rows, unsigned int key_size, unsigned int note_size,
			  unsigned int nr_sums);

/**
 * table_free - free a table
 * @t: table from table_alloc() that is no longer in use, or NULL
 *
 * Context: may sleep.
 */
void table_free(struct table *t);

/**
 * table_row - find or add the row of a key
 * @t: the table
 * @key: the key, followed by the note
 *
 * The hits and sums of a new row are 0.
 *
 * Context: any, NMI included; preemption off.
 * Return: the row, valid until table_free(); NULL if the table is full, which has been counted
 * as a dropped hit.
 */
struct table_row *table_row(struct table *t, const void *key);

/**
 * table_find - find the row of a key
 * @t: the table
 * @key: the key
 *
 * Context: any, NMI included.
 * Return: the row, valid until table_free(); NULL if there is none.
 */
struct table_row *table_find(struct table *t, const void *key);

/* Return: the key of a row, followed by the note. Context: any. */
static inline void *table_key(const struct table *t, const struct table_row *row)
{
	return (void *)&row->sums[t->nr_sums];
}

/**
 * table_hits - count all hits
 * @t: the table, which may be hit meanwhile
 *
 * Context: any.
 * Return: number of hits of all keys, dropped ones included.
 */
u64 table_hits(const struct table *t);

/**
 * struct table_copy - a copy of the rows of a table
 * @nr: number of @rows
 * @rows: copies of the rows, in no particular order; table_key() works for them
 * @memory: memory of the copies
 */
struct table_copy {
	unsigned int		nr;
	struct table_row	**rows;
	void			*memory;
};

/**
 * table_copy - copy the rows of a table
 * @t: the table, which may be hit meanwhile
 * @copy: filled in, for table_copy_free()
 *
 * Each number is one that the row had during the call. A concurrent hit may be in some numbers of
 * its row and not in others.
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int table_copy(struct table *t, struct table_copy *copy);

/**
 * table_copy_free - free a copy of the rows of a table
 * @copy: copy from table_copy()
 *
 * Context: may sleep.
 */
void table_copy_free(struct table_copy *copy);

#endif /* _KERNEL_TRACE_TABLE_H */
