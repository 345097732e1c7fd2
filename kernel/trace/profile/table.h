/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tables with the numbers of the functions called on one CPU. Only for profile/.
 *
 * A row is found by a hash of the address of the function's call site. The index of the call
 * site in the table of sites (sites/) cannot be used instead: the indices of all later call sites
 * change when one is discovered at run time, and each module would need a second table.
 *
 * Only its own CPU writes to a table, with interrupts off, so only an NMI or an exception can
 * interrupt a writer. If the function that counts finds that it has interrupted a writer, it does
 * not write, but leaves a note; the writer counts what is noted when it has finished. So no lock is
 * needed, and nothing is lost while there is room for notes. Readers on other CPUs use @seq to
 * notice that they have to read again. On 64 bits, the hit of a function that has a row needs
 * neither @seq nor notes: it is one atomic increment. That is safe because rows are never removed,
 * and are complete before they can be found.
 *
 * All memory is allocated before counting begins, in single pages: these are in the linear mapping,
 * so accesses do not fault. In the fault handler, a profiled function would count again.
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

#include "numbers.h"

/**
 * struct profile_row - a function in a table
 * @numbers: numbers of the function; on 64 bits, the hits are not protected by &profile_table.seq
 * @next: next row with the same hash, or NULL
 */
struct profile_row {
	struct profile_numbers	numbers;
	struct profile_row	*next;
};

/**
 * struct profile_note - an entry or return that has interrupted a writer of the table
 * @ip: address of the function's call site
 * @time: time of the call in ns, if @returns
 * @returns: true for a return, false for an entry
 */
struct profile_note {
	unsigned long		ip;
	u64			time;
	bool			returns;
};

#define PROFILE_HEADS_PER_PAGE	(PAGE_SIZE / sizeof(struct profile_row *))
#define PROFILE_ROWS_PER_PAGE	(PAGE_SIZE / sizeof(struct profile_row))
#define PROFILE_NOTES		(PAGE_SIZE / sizeof(struct profile_note))

/**
 * struct profile_table - the functions of one CPU
 * @seq: sequence count, odd while the table is being written
 * @spare_bits: BITS_PER_LONG minus the number of bits of a hash: shift that computes a hash
 * @heads: the first row of the list of each hash; an array of pages; NULL after
 *	profile_table_trim()
 * @rows: the rows; an array of pages
 * @nr: number of rows in use; a row that is in use remains so
 * @room: number of rows that are allocated
 * @lost: number of entries and returns that found no row, or no room for a note
 * @nr_notes: number of notes added, including those that did not fit into @notes
 * @notes: one page of notes
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
 * profile_table_alloc() - allocate an empty table
 * @room: minimum number of functions
 * @node: NUMA node to allocate from
 *
 * Context: may sleep.
 * Return: the table; NULL if there is no memory, or if a fatal signal is pending.
 */
struct profile_table *profile_table_alloc(unsigned int room, int node);

/**
 * profile_table_free() - free a table
 * @t: the table, or NULL; no callback may use it any more
 *
 * Context: may sleep.
 */
void profile_table_free(struct profile_table *t);

/**
 * profile_table_trim() - free the memory that is only needed for counting
 * @t: the table; no callback may use it any more
 *
 * The table can still be read.
 *
 * Context: may sleep.
 */
void profile_table_trim(struct profile_table *t);

/**
 * profile_table_clear_text() - reset the numbers of all functions in a range of text
 * @t: the table, or NULL
 * @start: first address of the range
 * @size: size of the range in bytes
 *
 * Context: may sleep; no function in the range is running.
 */
void profile_table_clear_text(struct profile_table *t, unsigned long start, size_t size);

/**
 * profile_table_list() - copy the numbers of a table into a sorted list
 * @t: the table, or NULL for an empty list
 *
 * Context: may sleep; the caller keeps the table from being freed.
 * Return: a list to be freed with kvfree(), or ERR_PTR(-ENOMEM).
 */
struct profile_list *profile_table_list(const struct profile_table *t);

/**
 * profile_table_lost() - read &profile_table.lost
 * @t: the table
 *
 * Context: any that has not interrupted a writer of the table: it waits for the writer.
 * Return: number of entries and returns that could not be counted.
 */
u64 profile_table_lost(const struct profile_table *t);

/* The following functions are slow paths of profile_count(), called with preemption off. */

/**
 * profile_row_new() - take a free row for a function
 * @t: table of this CPU
 * @ip: address of the function's call site
 *
 * Context: inside the write section of &profile_table.seq.
 * Return: the row; NULL if none is free: then &profile_table.lost is incremented.
 */
struct profile_row *profile_row_new(struct profile_table *t, unsigned long ip);

/**
 * profile_square_add_slow() - add the square of a time to a sum, for times of any length
 * @squares: the sum
 * @time: time in ns; any number
 *
 * Context: any.
 */
void profile_square_add_slow(struct profile_wide *squares, u64 time);

/**
 * profile_note_add() - add a note for an interrupted writer
 * @t: table of this CPU
 * @ip: address of the function's call site
 * @returns: true for a return, false for an entry
 * @time: time of the call in ns, if @returns
 *
 * Context: NMI or exception that has interrupted a writer of the table.
 * Return: false if there is no room: the interrupted writer adds that to &profile_table.lost.
 */
bool profile_note_add(struct profile_table *t, unsigned long ip, bool returns, u64 time);

/**
 * profile_notes_drain() - count all notes and remove them
 * @t: table of this CPU
 *
 * Context: any in which the table is not being written.
 */
void profile_notes_drain(struct profile_table *t);

/* Head of the list of rows with the hash of @ip. */
static __always_inline struct profile_row **
profile_head(const struct profile_table *t, unsigned long ip)
{
	/* hash_long() shifts by @spare_bits: the compiler cancels the two subtractions. */
	unsigned int hash = hash_long(ip, BITS_PER_LONG - t->spare_bits);

	return &t->heads[hash / PROFILE_HEADS_PER_PAGE][hash % PROFILE_HEADS_PER_PAGE];
}

static __always_inline struct profile_row *
profile_row_find(const struct profile_table *t, unsigned long ip)
{
	/* Pairs with WRITE_ONCE() in profile_row_new(): a row on the list is complete. */
	struct profile_row *row = READ_ONCE(*profile_head(t, ip));

	while (row && row->numbers.ip != ip)
		row = row->next;
	return row;
}

/* Add the square of @time to a sum. The square of a time up to four seconds has at most 64 bits. */
static __always_inline void profile_square_add(struct profile_wide *squares, u64 time)
{
	u64 square = (u64)(u32)time * (u32)time;

	if (unlikely(upper_32_bits(time))) {
		profile_square_add_slow(squares, time);
		return;
	}
	squares->low += square;
	squares->high += squares->low < square;
}

static_assert(!IS_ENABLED(CONFIG_64BIT) || sizeof(local_t) == sizeof(u64));

/* The increment is atomic on this CPU on 64 bits. On 32 bits, the caller is in a write section. */
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

/*
 * Count an entry or a return in the function's row, inside the write section of &profile_table.seq.
 * Return: false if there is no row for the function.
 */
static __always_inline bool profile_count_in_row(struct profile_table *t, unsigned long ip,
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

/* True if the caller has interrupted a writer of the table. */
static __always_inline bool profile_table_is_written(const struct profile_table *t)
{
	return READ_ONCE(t->seq.sequence) & 1;
}

/* True if there are notes: profile_notes_drain() is due, once the table is not being written. */
static __always_inline bool profile_has_notes(const struct profile_table *t)
{
	return local_read(&t->nr_notes);
}

/**
 * profile_count() - count the entry or the return of a function
 * @t: table of this CPU
 * @ip: address of the function's call site
 * @returns: true for a return, false for an entry; best a constant
 * @time: time of the call in ns, if @returns
 *
 * Context: any, NMI included; preemption off. Calls nothing that is traced.
 * Return: false if there was no room: then &profile_table.lost is incremented.
 */
static __always_inline bool profile_count(struct profile_table *t, unsigned long ip,
					  bool returns, u64 time)
{
	unsigned long flags;
	bool done;

	raw_local_irq_save(flags);
	if (unlikely(profile_table_is_written(t))) {
		done = profile_note_add(t, ip, returns, time);
	} else {
		raw_write_seqcount_begin(&t->seq);
		done = profile_count_in_row(t, ip, returns, time);
		raw_write_seqcount_end(&t->seq);
		/* From here on, interruptions find no writer, and add no notes. */
		if (unlikely(profile_has_notes(t)))
			profile_notes_drain(t);
	}
	raw_local_irq_restore(flags);
	return done;
}

/**
 * profile_hit_fast() - fast path of profile_count() for an entry, without function calls
 * @t: table of this CPU
 * @ip: address of the function's call site
 *
 * Context: any, NMI included; preemption off.
 * Return: false if nothing was counted, and the caller must use profile_count().
 */
static __always_inline bool profile_hit_fast(const struct profile_table *t,
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

/**
 * profile_return_fast() - fast path of profile_count() for a return, without function calls
 * @t: table of this CPU
 * @ip: address of the function's call site
 * @time: time of the call in ns
 *
 * Does not count notes: if profile_has_notes(), the caller must use profile_notes_drain().
 *
 * Context: any, NMI included; preemption off.
 * Return: false if nothing was counted, and the caller must use profile_count().
 */
static __always_inline bool profile_return_fast(struct profile_table *t,
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
