// SPDX-License-Identifier: GPL-2.0
/*
 * The numbers of the functions that were called on one CPU: memory, what is rare while
 * they are counted, and reading them. profile.c has a table for each CPU.
 *
 * What profile_count() and profile.c's callbacks call must not sleep, lock, allocate or
 * print, and must not call what can be traced.
 */
#include <linux/bug.h>
#include <linux/err.h>
#include <linux/gfp.h>
#include <linux/log2.h>
#include <linux/math.h>
#include <linux/minmax.h>
#include <linux/overflow.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/sort.h>

#include "table.h"

/* ------------------------------------------------------------------ */
/* Memory								*/

/* Megabytes on a machine with many functions: to fail rather than to have tasks killed. */
#define TABLE_GFP	(GFP_KERNEL | __GFP_RETRY_MAYFAIL | __GFP_NOWARN)

static void *zeroed_page(int node)
{
	struct page *page = alloc_pages_node(node, TABLE_GFP | __GFP_ZERO, 0);

	return page ? page_address(page) : NULL;
}

/* What is behind @keep of @nr pages. */
static void free_pages_behind(void **pages, unsigned int keep, unsigned int nr)
{
	for (unsigned int i = keep; pages && i < nr; i++) {
		free_page((unsigned long)pages[i]);
		pages[i] = NULL;
	}
}

static void *pages_free(void *pages, unsigned int nr)
{
	free_pages_behind(pages, 0, nr);
	kfree(pages);
	return NULL;
}

static void *pages_alloc(unsigned int nr, int node)
{
	void **pages = kcalloc(nr, sizeof(*pages), TABLE_GFP);

	for (unsigned int i = 0; pages && i < nr; i++) {
		if (!fatal_signal_pending(current))
			pages[i] = zeroed_page(node);
		if (!pages[i])
			return pages_free(pages, nr);
		cond_resched();
	}
	return pages;
}

static unsigned int head_pages(const struct profile_table *t)
{
	return (1U << (BITS_PER_LONG - t->spare_bits)) / PROFILE_HEADS_A_PAGE;
}

static unsigned int row_pages(const struct profile_table *t)
{
	return t->room / PROFILE_ROWS_A_PAGE;
}

static struct profile_table *fill_in(struct profile_table *t, int node)
{
	seqcount_init(&t->seq);
	local_set(&t->nr_notes, 0);
	t->heads = pages_alloc(head_pages(t), node);
	t->rows = pages_alloc(row_pages(t), node);
	t->notes = zeroed_page(node);
	if (t->heads && t->rows && t->notes)
		return t;
	profile_table_free(t);
	return NULL;
}

struct profile_table *profile_table_alloc(unsigned int room, int node)
{
	struct profile_table *t = kzalloc_node(sizeof(*t), TABLE_GFP, node);

	if (!t)
		return NULL;
	t->room = roundup(room, PROFILE_ROWS_A_PAGE);
	t->spare_bits = BITS_PER_LONG -
			ilog2(roundup_pow_of_two(max_t(unsigned int, room, PROFILE_HEADS_A_PAGE)));
	return fill_in(t, node);
}

void profile_table_trim(struct profile_table *t)
{
	if (t->heads)
		t->heads = pages_free(t->heads, head_pages(t));
	free_page((unsigned long)t->notes);
	t->notes = NULL;
	free_pages_behind((void **)t->rows, DIV_ROUND_UP(t->nr, PROFILE_ROWS_A_PAGE),
			  row_pages(t));
}

void profile_table_free(struct profile_table *t)
{
	if (!t)
		return;
	profile_table_trim(t);
	if (t->rows)
		pages_free(t->rows, row_pages(t));
	kfree(t);
}

/* ------------------------------------------------------------------ */
/* Counting								*/

static struct profile_row *row_at(const struct profile_table *t, unsigned int i)
{
	return &t->rows[i / PROFILE_ROWS_A_PAGE][i % PROFILE_ROWS_A_PAGE];
}

struct profile_row *profile_row_new(struct profile_table *t, unsigned long ip)
{
	struct profile_row **head = profile_head(t, ip);
	struct profile_row *row;

	if (t->nr == t->room) {
		t->lost++;
		return NULL;
	}
	row = row_at(t, t->nr++);
	row->numbers.ip = ip;
	row->next = *head;
	/* Pairs with profile_row_find(): who interrupts finds all of the row, or none. */
	barrier();
	WRITE_ONCE(*head, row);
	return row;
}

static void wide_add(struct profile_wide *sum, u64 high, u64 low)
{
	sum->low += low;
	sum->high += high + (sum->low < low);
}

/* (a * 2^32 + b)^2 = a^2 * 2^64 + a * b * 2^33 + b^2 */
void profile_square_long(struct profile_wide *squares, u64 time)
{
	u64 a = upper_32_bits(time), b = lower_32_bits(time);

	wide_add(squares, a * a, b * b);
	wide_add(squares, a * b >> 31, a * b << 33);
}

/* In the middle of somebody's writing, who goes on when this is over. */
bool profile_note_leave(struct profile_table *t, unsigned long ip, bool returns, u64 time)
{
	unsigned long nr = local_inc_return(&t->nr_notes);

	if (nr > PROFILE_NOTES)
		return false;
	t->notes[nr - 1] = (struct profile_note) {
		.ip = ip, .time = time, .returns = returns,
	};
	return true;
}

static void apply_note(struct profile_table *t, const struct profile_note *note)
{
	if (note->returns)
		profile_apply(t, note->ip, true, note->time);
	else
		profile_apply(t, note->ip, false, 0);
}

/* All that are there, and those that come meanwhile. */
static void apply_notes(struct profile_table *t)
{
	unsigned long i = 0, nr;

	do {
		nr = local_read(&t->nr_notes);
		/* Whoever left that many has written them, and returned to here. */
		barrier();
		for (; i < min(nr, PROFILE_NOTES); i++)
			apply_note(t, &t->notes[i]);
	} while (local_cmpxchg(&t->nr_notes, nr, 0) != nr);
	if (nr > PROFILE_NOTES)
		t->lost += nr - PROFILE_NOTES;
}

/* The table is not written, preemption is off. */
void profile_notes_take(struct profile_table *t)
{
	unsigned long flags;

	raw_local_irq_save(flags);
	/* One may be left behind the last look at them, before the end of writing. */
	while (local_read(&t->nr_notes)) {
		raw_write_seqcount_begin(&t->seq);
		apply_notes(t);
		raw_write_seqcount_end(&t->seq);
	}
	raw_local_irq_restore(flags);
}

/* ------------------------------------------------------------------ */
/* Reading								*/

static unsigned int rows_used(const struct profile_table *t)
{
	unsigned int seq, nr;

	do {
		seq = raw_read_seqcount_begin(&t->seq);
		nr = t->nr;
	} while (read_seqcount_retry(&t->seq, seq));
	return nr;
}

u64 profile_table_lost(const struct profile_table *t)
{
	unsigned int seq;
	u64 lost;

	do {
		seq = raw_read_seqcount_begin(&t->seq);
		lost = t->lost;
	} while (read_seqcount_retry(&t->seq, seq));
	return lost;
}

static void copy_row(const struct profile_table *t, unsigned int i,
		     struct profile_numbers *copy)
{
	const struct profile_row *row = row_at(t, i);
	unsigned int seq;

	do {
		seq = raw_read_seqcount_begin(&t->seq);
		*copy = row->numbers;
	} while (read_seqcount_retry(&t->seq, seq));
}

/* The longest time first, then the most hits. */
static int numbers_cmp(const void *a, const void *b)
{
	const struct profile_numbers *x = a, *y = b;

	if (x->time != y->time)
		return x->time > y->time ? -1 : 1;
	if (x->hits != y->hits)
		return x->hits > y->hits ? -1 : 1;
	return (x->ip > y->ip) - (x->ip < y->ip);
}

struct profile_list *profile_table_list(const struct profile_table *t)
{
	unsigned int nr = t ? rows_used(t) : 0;
	struct profile_numbers *copy;
	struct profile_list *list;

	list = kvmalloc(struct_size(list, at, nr), GFP_KERNEL);
	if (!list)
		return ERR_PTR(-ENOMEM);
	list->nr = 0;
	for (unsigned int i = 0; i < nr; i++) {
		copy = &list->at[list->nr];
		copy_row(t, i, copy);
		if (copy->hits || copy->returns)
			list->nr++;
	}
	sort(list->at, list->nr, sizeof(list->at[0]), numbers_cmp, NULL);
	return list;
}

/*
 * The row stays, for what comes to the same address. Nobody else writes to it, for the
 * function does not run; and no reader looks at it: see profile_lock.
 */
void profile_table_forget(struct profile_table *t, unsigned long start, size_t size)
{
	unsigned int nr = t ? rows_used(t) : 0;

	for (unsigned int i = 0; i < nr; i++) {
		struct profile_numbers *n = &row_at(t, i)->numbers;

		if (n->ip - start < size)
			*n = (struct profile_numbers) { .ip = n->ip };
	}
}
