/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The numbers of the functions that were called on one CPU: inside of profile/.
 *
 * A function is found by the address of its call site, through a hash. The number of its
 * record in the table of sites will not do: that of all later ones changes when a site is
 * found while it runs, and when a module comes it would need a second table.
 *
 * Only its CPU writes to a table, with interrupts off, so only an NMI or an exception can
 * come in between. One that finds the table being written leaves a note; whoever was
 * interrupted takes the notes when it is done. So no lock is needed, and nothing is lost
 * as long as there is room for notes. Readers are told by @seq to try again. A hit of a
 * function that has a row is counted without all that, in one piece, on 64 bits: rows
 * stay, and are in place before they can be found.
 *
 * All memory is there before it begins, in single pages: those can be had, and no access
 * to them faults, which the function behind the fault would not survive if it is counted.
 */
#ifndef _KERNEL_TRACE_PROFILE_TABLE_H
#define _KERNEL_TRACE_PROFILE_TABLE_H

#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/hash.h>
#include <linux/irqflags.h>
#include <linux/mm.h>
#include <linux/seqlock.h>
#include <linux/types.h>
#include <asm/local.h>

#include "profile.h"

/**
 * struct profile_row - a function
 * @numbers: its numbers; on 64 bits the hits are not protected by @seq of the table
 * @next: the next one with the same hash
 */
struct profile_row {
	struct profile_numbers	numbers;
	struct profile_row	*next;
};

/**
 * struct profile_note - what was to be counted while the table was written
 * @ip: the function
 * @time: how long it took, if it has returned
 * @returns: it has
 */
struct profile_note {
	unsigned long		ip;
	u64			time;
	bool			returns;
};

#define PROFILE_HEADS_A_PAGE	(PAGE_SIZE / sizeof(struct profile_row *))
#define PROFILE_ROWS_A_PAGE	(PAGE_SIZE / sizeof(struct profile_row))
#define PROFILE_NOTES		(PAGE_SIZE / sizeof(struct profile_note))

/**
 * struct profile_table - the functions of one CPU
 * @seq: odd while it is written
 * @spare_bits: of a long, what a hash does not have
 * @heads: the first row of each hash, in pages; NULL behind profile_table_trim()
 * @rows: the rows, in pages
 * @nr: how many rows are in use; they stay that
 * @room: how many there are
 * @lost: what found no row, or no room for a note
 * @nr_notes: how many notes were left, those for which there was no room too
 * @notes: a page of them
 */
struct profile_table {
	seqcount_t		seq;
	unsigned int		spare_bits;
	struct profile_row	***heads;
	struct profile_row	**rows;
	unsigned int		nr;
	unsigned int		room;
	u64			lost;
	local_t			nr_notes;
	struct profile_note	*notes;
};

/**
 * profile_table_alloc - make an empty table
 * @room: for how many functions at least
 * @node: where its memory is to be
 *
 * Context: may sleep.
 * Return: the table, NULL without memory, or if the task is being killed.
 */
struct profile_table *profile_table_alloc(unsigned int room, int node);

/**
 * profile_table_free - the end of a table
 * @t: the table, which nobody counts in any more; may be NULL
 *
 * Context: may sleep.
 */
void profile_table_free(struct profile_table *t);

/**
 * profile_table_trim - free what is only needed to count
 * @t: the table, which nobody counts in any more
 *
 * It can be read as before.
 *
 * Context: may sleep.
 */
void profile_table_trim(struct profile_table *t);

/**
 * profile_table_forget - there was nothing in a stretch of text
 * @t: the table
 * @start: where that begins
 * @size: its bytes
 *
 * Context: may sleep; no function in there is running.
 */
void profile_table_forget(struct profile_table *t, unsigned long start, size_t size);

/**
 * profile_table_list - a copy of what is in a table
 * @t: the table
 *
 * Context: may sleep; the table must stay.
 * Return: as profile_read().
 */
struct profile_list *profile_table_list(const struct profile_table *t);

/**
 * profile_table_lost - profile_table.lost
 * @t: the table
 *
 * Context: any in which the table is not being written.
 */
u64 profile_table_lost(const struct profile_table *t);

/*
 * What is rare in profile_count(), which is itself where the straight lines below will not
 * do. profile_row_new() is called while the table is written, the other two while it is
 * not, or by someone else.
 */
struct profile_row *profile_row_new(struct profile_table *t, unsigned long ip);
void profile_square_long(struct profile_wide *squares, u64 time);
bool profile_note_leave(struct profile_table *t, unsigned long ip, bool returns, u64 time);
void profile_notes_take(struct profile_table *t);

/* Where the rows with the hash of @ip begin. */
static __always_inline struct profile_row **
profile_head(const struct profile_table *t, unsigned long ip)
{
	/* So that the shift of the product is at hand. */
	unsigned int hash = hash_long(ip, BITS_PER_LONG - t->spare_bits);

	return &t->heads[hash / PROFILE_HEADS_A_PAGE][hash % PROFILE_HEADS_A_PAGE];
}

static __always_inline struct profile_row *
profile_row_find(const struct profile_table *t, unsigned long ip)
{
	/* Filled in before it is here: see profile_row_new(). */
	struct profile_row *row = READ_ONCE(*profile_head(t, ip));

	while (row && row->numbers.ip != ip)
		row = row->next;
	return row;
}

/* Up to four seconds have a square of 64 bits. */
static __always_inline void profile_square_add(struct profile_wide *squares, u64 time)
{
	u64 square = (u64)(u32)time * (u32)time;

	if (unlikely(upper_32_bits(time))) {
		profile_square_long(squares, time);
		return;
	}
	squares->low += square;
	squares->high += squares->low < square;
}

static_assert(!IS_ENABLED(CONFIG_64BIT) || sizeof(local_t) == sizeof(u64));

/* On 64 bits nothing can come in between. */
static __always_inline void profile_row_hit(struct profile_row *row)
{
	if (IS_ENABLED(CONFIG_64BIT))
		local_inc((local_t *)&row->numbers.hits);
	else
		row->numbers.hits++;
}

static __always_inline void profile_row_return(struct profile_row *row, u64 time)
{
	row->numbers.returns++;
	row->numbers.time += time;
	profile_square_add(&row->numbers.squares, time);
}

/* While the table is written. Return: false if there is no row for it. */
static __always_inline bool profile_apply(struct profile_table *t, unsigned long ip,
					  bool returns, u64 time)
{
	struct profile_row *row = profile_row_find(t, ip);

	if (unlikely(!row)) {
		row = profile_row_new(t, ip);
		if (!row)
			return false;
	}
	if (returns)
		profile_row_return(row, time);
	else
		profile_row_hit(row);
	return true;
}

/* Somebody is writing, who was interrupted. */
static __always_inline bool profile_table_is_written(const struct profile_table *t)
{
	return READ_ONCE(t->seq.sequence) & 1;
}

/* Notes wait: profile_notes_take() is due, once the table is not written. */
static __always_inline bool profile_has_notes(const struct profile_table *t)
{
	return local_read(&t->nr_notes);
}

/**
 * profile_count - count the entry of a function, or its return
 * @t: this CPU's table
 * @ip: address of its call site
 * @returns: which of the two; best a constant
 * @time: how long it took, in ns, if it returns
 *
 * Context: any, NMI included; preemption off. Calls nothing that is traced.
 * Return: false if there was no room for it, which is counted.
 */
static __always_inline bool profile_count(struct profile_table *t, unsigned long ip,
					  bool returns, u64 time)
{
	unsigned long flags;
	bool done;

	raw_local_irq_save(flags);
	if (unlikely(profile_table_is_written(t))) {
		done = profile_note_leave(t, ip, returns, time);
	} else {
		raw_write_seqcount_begin(&t->seq);
		done = profile_apply(t, ip, returns, time);
		raw_write_seqcount_end(&t->seq);
		/* Who comes later is not told to leave one. */
		if (unlikely(profile_has_notes(t)))
			profile_notes_take(t);
	}
	raw_local_irq_restore(flags);
	return done;
}

/*
 * profile_count() without what is rare: they call nothing. The caller of the second one
 * looks at profile_has_notes() when it is done.
 *
 * Context: as for profile_count().
 * Return: false, and nothing has happened: profile_count() knows what to do.
 */
static __always_inline bool profile_hit_straight(const struct profile_table *t,
						 unsigned long ip)
{
	struct profile_row *row;

	if (!IS_ENABLED(CONFIG_64BIT))
		return false;
	row = profile_row_find(t, ip);
	if (unlikely(!row))
		return false;
	profile_row_hit(row);
	return true;
}

static __always_inline bool profile_return_straight(struct profile_table *t,
						    unsigned long ip, u64 time)
{
	struct profile_row *row = profile_row_find(t, ip);
	unsigned long flags;

	if (unlikely(!row || upper_32_bits(time)))
		return false;
	raw_local_irq_save(flags);
	if (unlikely(profile_table_is_written(t))) {
		raw_local_irq_restore(flags);
		return false;
	}
	raw_write_seqcount_begin(&t->seq);
	profile_row_return(row, time);
	raw_write_seqcount_end(&t->seq);
	raw_local_irq_restore(flags);
	return true;
}

#endif /* _KERNEL_TRACE_PROFILE_TABLE_H */
