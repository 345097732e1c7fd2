// SPDX-License-Identifier: GPL-2.0
/*
 * Tables with the numbers of the functions called on one CPU: allocating and freeing them, the
 * slow paths of counting, and reading. profile.c has one table for each CPU.
 *
 * Functions that are called from profile_count() or from callbacks in profile.c must not sleep,
 * lock, allocate or print, and must not call functions that can be traced.
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

#include "numbers.h"
#include "table.h"

/* ------------------------------------------------------------------ */
/* Memory								*/

/* A table may need megabytes: its allocation shall fail rather than invoke the OOM killer. */
#define PROFILE_TABLE_GFP	(GFP_KERNEL | __GFP_RETRY_MAYFAIL | __GFP_NOWARN)

static void *profile_zeroed_page(int node)
{
	struct page *page = alloc_pages_node(node, PROFILE_TABLE_GFP | __GFP_ZERO, 0);

	return page ? page_address(page) : NULL;
}

/* Free the pages of @pages from index @keep on; @nr is the length of @pages. */
static void profile_free_pages_from(void **pages, unsigned int keep, unsigned int nr)
{
	for (unsigned int i = keep; pages && i < nr; i++) {
		free_page((unsigned long)pages[i]);
		pages[i] = NULL;
	}
}

/* Free @nr pages, and the array @pages of them. Return: NULL, for the caller to store as @pages. */
static void *profile_pages_free(void *pages, unsigned int nr)
{
	profile_free_pages_from(pages, 0, nr);
	kfree(pages);
	return NULL;
}

static void *profile_pages_alloc(unsigned int nr, int node)
{
	void **pages = kcalloc(nr, sizeof(*pages), PROFILE_TABLE_GFP);

	for (unsigned int i = 0; pages && i < nr; i++) {
		if (!fatal_signal_pending(current))
			pages[i] = profile_zeroed_page(node);
		if (!pages[i])
			return profile_pages_free(pages, nr);
		cond_resched();
	}
	return pages;
}

static unsigned int profile_head_pages(const struct profile_table *t)
{
	return (1U << (BITS_PER_LONG - t->spare_bits)) / PROFILE_HEADS_PER_PAGE;
}

static unsigned int profile_row_pages(const struct profile_table *t)
{
	return t->room / PROFILE_ROWS_PER_PAGE;
}

static struct profile_table *profile_table_init(struct profile_table *t, int node)
{
	seqcount_init(&t->seq);
	local_set(&t->nr_notes, 0);
	t->heads = profile_pages_alloc(profile_head_pages(t), node);
	t->rows = profile_pages_alloc(profile_row_pages(t), node);
	t->notes = profile_zeroed_page(node);
	if (t->heads && t->rows && t->notes)
		return t;
	profile_table_free(t);
	return NULL;
}

struct profile_table *profile_table_alloc(unsigned int room, int node)
{
	struct profile_table *t = kzalloc_node(sizeof(*t), PROFILE_TABLE_GFP, node);

	if (!t)
		return NULL;
	t->room = roundup(room, PROFILE_ROWS_PER_PAGE);
	room = max_t(unsigned int, room, PROFILE_HEADS_PER_PAGE);
	t->spare_bits = BITS_PER_LONG - ilog2(roundup_pow_of_two(room));
	return profile_table_init(t, node);
}

void profile_table_trim(struct profile_table *t)
{
	if (t->heads)
		t->heads = profile_pages_free(t->heads, profile_head_pages(t));
	free_page((unsigned long)t->notes);
	t->notes = NULL;
	profile_free_pages_from((void **)t->rows, DIV_ROUND_UP(t->nr, PROFILE_ROWS_PER_PAGE),
				profile_row_pages(t));
}

void profile_table_free(struct profile_table *t)
{
	if (!t)
		return;
	profile_table_trim(t);
	if (t->rows)
		profile_pages_free(t->rows, profile_row_pages(t));
	kfree(t);
}

/* ------------------------------------------------------------------ */
/* Counting								*/

static struct profile_row *profile_row_at(const struct profile_table *t, unsigned int i)
{
	return &t->rows[i / PROFILE_ROWS_PER_PAGE][i % PROFILE_ROWS_PER_PAGE];
}

struct profile_row *profile_row_new(struct profile_table *t, unsigned long ip)
{
	struct profile_row **head = profile_head(t, ip);
	struct profile_row *row;

	if (t->nr == t->room) {
		t->lost++;
		return NULL;
	}
	row = profile_row_at(t, t->nr++);
	row->numbers.ip = ip;
	row->next = *head;
	/*
	 * Pairs with READ_ONCE() in profile_row_find(): an interruption on this CPU finds the
	 * complete row or none.
	 */
	barrier();
	WRITE_ONCE(*head, row);
	return row;
}

static void profile_wide_add(struct profile_wide *sum, u64 high, u64 low)
{
	sum->low += low;
	sum->high += high + (sum->low < low);
}

/* The formula is (a * 2^32 + b)^2 = a^2 * 2^64 + a * b * 2^33 + b^2. */
void profile_square_add_slow(struct profile_wide *squares, u64 time)
{
	u64 a = upper_32_bits(time), b = lower_32_bits(time);

	profile_wide_add(squares, a * a, b * b);
	profile_wide_add(squares, a * b >> 31, a * b << 33);
}

/* Called from an NMI or exception that has interrupted a writer of the table. */
bool profile_note_add(struct profile_table *t, unsigned long ip, bool returns, u64 time)
{
	unsigned long nr = local_inc_return(&t->nr_notes);

	if (nr > PROFILE_NOTES)
		return false;
	t->notes[nr - 1] = (struct profile_note) {
		.ip = ip, .time = time, .returns = returns,
	};
	return true;
}

static void profile_count_note(struct profile_table *t, const struct profile_note *note)
{
	if (note->returns)
		profile_count_in_row(t, note->ip, true, note->time);
	else
		profile_count_in_row(t, note->ip, false, 0);
}

/* Count all that is noted, including what is noted meanwhile, and remove the notes. */
static void profile_count_notes(struct profile_table *t)
{
	unsigned long i = 0, nr;

	do {
		nr = local_read(&t->nr_notes);
		/*
		 * Read @nr before the notes. All @nr notes are complete: the interrupt that has
		 * written them has returned.
		 */
		barrier();
		for (; i < min(nr, PROFILE_NOTES); i++)
			profile_count_note(t, &t->notes[i]);
	} while (local_cmpxchg(&t->nr_notes, nr, 0) != nr);
	if (nr > PROFILE_NOTES)
		t->lost += nr - PROFILE_NOTES;
}

/* Called while the table is not being written, with preemption off. */
void profile_notes_drain(struct profile_table *t)
{
	unsigned long flags;

	raw_local_irq_save(flags);
	/*
	 * Repeat: an interruption between the end of profile_count_notes() and the end of the write
	 * section finds the table being written, and adds another note.
	 */
	while (local_read(&t->nr_notes)) {
		raw_write_seqcount_begin(&t->seq);
		profile_count_notes(t);
		raw_write_seqcount_end(&t->seq);
	}
	raw_local_irq_restore(flags);
}

/* ------------------------------------------------------------------ */
/* Reading								*/

static unsigned int profile_rows_used(const struct profile_table *t)
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

static void profile_copy_row(const struct profile_table *t, unsigned int i,
			     struct profile_numbers *copy)
{
	const struct profile_row *row = profile_row_at(t, i);
	unsigned int seq;

	do {
		seq = raw_read_seqcount_begin(&t->seq);
		*copy = row->numbers;
	} while (read_seqcount_retry(&t->seq, seq));
}

/* Sort by descending time, then by descending hits, then by address. */
static int profile_numbers_cmp(const void *a, const void *b)
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
	unsigned int nr = t ? profile_rows_used(t) : 0;
	struct profile_numbers *copy;
	struct profile_list *list;

	list = kvmalloc(struct_size(list, at, nr), GFP_KERNEL);
	if (!list)
		return ERR_PTR(-ENOMEM);
	list->nr = 0;
	for (unsigned int i = 0; i < nr; i++) {
		copy = &list->at[list->nr];
		profile_copy_row(t, i, copy);
		if (copy->hits || copy->returns)
			list->nr++;
	}
	sort(list->at, list->nr, sizeof(list->at[0]), profile_numbers_cmp, NULL);
	return list;
}

/*
 * The rows of the functions stay, for the next functions at the same addresses. The write section
 * is not needed: no callback writes to these rows, because the functions do not run, and nobody
 * reads them, because the caller holds profile_lock.
 */
void profile_table_clear_text(struct profile_table *t, unsigned long start, size_t size)
{
	unsigned int nr = t ? profile_rows_used(t) : 0;

	for (unsigned int i = 0; i < nr; i++) {
		struct profile_numbers *n = &profile_row_at(t, i)->numbers;

		if (n->ip - start < size)
			*n = (struct profile_numbers) { .ip = n->ip };
	}
}
