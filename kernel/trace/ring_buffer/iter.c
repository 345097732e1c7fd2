// SPDX-License-Identifier: GPL-2.0
/*
 * Iterators: reading a CPU's records without consuming them.
 *
 * An iterator has a page of its own, to which it copies the pages of the stream one by one,
 * large pages in pieces. It must never change anything that writers or consuming readers use.
 * An iterator shows the records that were in the buffer when it was created or last reset; it
 * ends at the newest of them, however much is written meanwhile. It skips records that were
 * overwritten before it has reached them; ring_buffer_iter_dropped() reports that.
 *
 * An iterator is used by one task at a time, in any context; creating and freeing an
 * iterator needs process context.
 */
#include <linux/err.h>
#include <linux/export.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "internal.h"

/**
 * struct ring_buffer_iter - an iterator over the stream of a CPU
 * @cb: the stream
 * @order: @cur.page is 2^order pages of memory
 * @no: number of the page being read
 * @cur: position in the copy of that page
 * @closed: the copy has all records of the page, and no more are written to it
 * @started: a record was returned to the caller since the last reset
 * @dropped: records were skipped before the current one, and the caller does not know that yet
 * @next: number of the next record in the stream, if none is skipped
 * @end_no: number of the page where the iterator ends
 * @end_pos: offset in that page where the iterator ends
 */
struct ring_buffer_iter {
	struct rb_cpu		*cb;
	unsigned int		order;
	unsigned long		no;
	struct rb_cursor	cur;
	bool			closed;
	bool			started;
	bool			dropped;
	unsigned long		next;
	unsigned long		end_no;
	unsigned int		end_pos;
};

/* Make @iter end at the last record that is published now. */
static void rb_iter_set_end(struct ring_buffer_iter *iter)
{
	struct rb_cpu *cb = iter->cb;
	struct rb_ring *ring = cb->ring;
	unsigned long tail = smp_load_acquire(&cb->tail_no);	/* pair E */
	unsigned long word = smp_load_acquire(rb_slot(ring, tail));	/* pair B */
	unsigned int pos;

	/* If the page is not OPEN any more, @pos may be wrong: then end at the end of the page. */
	pos = READ_ONCE(ring->pages[rb_word_index(word)].data->commit);
	iter->end_no = tail;
	iter->end_pos = cb->payload;
	if (rb_word_state(word) == RB_OPEN && rb_word_to_page(ring, word, tail))
		iter->end_pos = pos;
}

static void rb_iter_go_to_page(struct ring_buffer_iter *iter, unsigned long no)
{
	iter->no = no;
	iter->closed = false;
	iter->cur.pos = 0;
	iter->cur.size = 0;
}

/*
 * True if page number @a comes after @b. Compares their distances to the page after the tail,
 * rather than the numbers: that of the page that the reader has may be so old that it seems
 * to be ahead, since page numbers wrap.
 */
static bool rb_iter_page_after(const struct ring_buffer_iter *iter, unsigned long a,
			       unsigned long b)
{
	unsigned long next = READ_ONCE(iter->cb->tail_no) + 1;

	return next - a < next - b;
}

/* True if @iter has reached its end. */
static bool rb_iter_at_end(const struct ring_buffer_iter *iter)
{
	if (iter->no == iter->end_no)
		return iter->cur.pos >= iter->end_pos;
	return rb_iter_page_after(iter, iter->no, iter->end_no);
}

/* True if the page of the consuming reader has the next records of @iter. */
static bool rb_reader_has_iter_page(const struct ring_buffer_iter *iter)
{
	const struct rb_reader *reader = &iter->cb->reader;

	if (reader->no != iter->no)
		return false;
	return reader->whole || (iter->cur.pos >= reader->cur.pos &&
				 iter->cur.pos < reader->cur.size);
}

/* Copy the next records of @iter from the page of the consuming reader. */
static void rb_iter_copy_from_reader(struct ring_buffer_iter *iter, struct rb_copied *got)
{
	const struct rb_reader *reader = &iter->cb->reader;
	const struct rb_data_page *from = reader->cur.page;
	unsigned int pos = iter->cur.pos, size = reader->cur.size;

	got->size = rb_piece_end(from, pos, size);
	got->closed = reader->whole && got->size == size;
	got->first_record = reader->whole ? reader->page->first_record : reader->next;
	iter->cur.page->time_stamp = from->time_stamp;
	if (pos < got->size)
		memcpy(iter->cur.page->data + pos, from->data + pos, got->size - pos);
}

/* Copy more records of page @iter->no. False if the page is not in the ring any more. */
static bool rb_iter_copy_page(struct ring_buffer_iter *iter)
{
	struct rb_copied got;

	if (rb_reader_has_iter_page(iter))
		rb_iter_copy_from_reader(iter, &got);
	else if (!rb_copy_page(iter->cb, iter->no, iter->cur.page, iter->cur.pos, &got))
		return false;

	iter->closed = got.closed;
	iter->cur.size = max(got.size, iter->cur.pos);
	if (iter->no == iter->end_no)
		iter->cur.size = min(iter->cur.size, iter->end_pos);
	if (iter->cur.pos || !iter->cur.size)
		return true;
	if (iter->started && rb_ahead(got.first_record, iter->next) > 0)
		iter->dropped = true;
	iter->next = got.first_record;
	iter->cur.ts = iter->cur.page->time_stamp;
	return true;
}

/* Skip pages that were overwritten or consumed since @iter has reached the one before them. */
static void rb_iter_skip_lost(struct ring_buffer_iter *iter)
{
	unsigned long no = rb_oldest_unread_no(iter->cb);

	if (!rb_iter_page_after(iter, no, iter->no)) {
		if (rb_reader_has_iter_page(iter))
			return;
		/* The reader has an older page. Test whether the page of @iter was overwritten. */
		no = rb_first_remaining_no(iter->cb, iter->no);
		if (no == iter->no)
			return;
	}
	rb_iter_go_to_page(iter, no);
	/* All that @iter had to show was overwritten: show the records that are there instead. */
	if (rb_iter_page_after(iter, no, iter->end_no) && !iter->started)
		rb_iter_set_end(iter);
}

/* Copy more records after the current copy was used up. False if @iter is at its end. */
static bool rb_iter_refill(struct ring_buffer_iter *iter)
{
	struct rb_cpu *cb = iter->cb;

	if (iter->order != cb->ring->order)
		return false;
	while (iter->cur.pos >= iter->cur.size) {
		if (iter->closed)
			rb_iter_go_to_page(iter, iter->no + 1);
		rb_iter_skip_lost(iter);
		if (rb_iter_at_end(iter))
			return false;
		if (!rb_iter_copy_page(iter)) {
			if (iter->no == READ_ONCE(cb->tail_no))
				return false;
			rb_iter_go_to_page(iter, iter->no + 1);
		} else if (!iter->closed && iter->cur.pos >= iter->cur.size) {
			return false;
		}
	}
	return true;
}

static bool rb_iter_refill_locked(struct ring_buffer_iter *iter)
{
	unsigned long flags;
	bool more;

	if (!rb_lock_reader(iter->cb, &flags))
		return false;
	more = rb_iter_refill(iter);
	rb_unlock_reader(iter->cb, flags);
	return more;
}

/**
 * ring_buffer_iter_peek - get the current record of an iterator
 * @iter: the iterator
 * @ts: set to the time of the record, if not NULL
 *
 * The record stays valid until the iterator is advanced or reset.
 *
 * Context: any; in an NMI or an oops it waits for rb_cpu.lock only for a limited time.
 * Return: the record; NULL at the end.
 */
struct ring_buffer_event *
ring_buffer_iter_peek(struct ring_buffer_iter *iter, u64 *ts)
{
	struct ring_buffer_event *event;

	do {
		event = rb_cursor_next(&iter->cur);
	} while (!event && rb_iter_refill_locked(iter));
	if (!event)
		return NULL;
	iter->started = true;
	if (ts)
		*ts = iter->cur.ts + event->time_delta;
	return event;
}
EXPORT_SYMBOL_GPL(ring_buffer_iter_peek);

/**
 * ring_buffer_iter_advance - step over the current record of an iterator
 * @iter: the iterator
 *
 * Context: any; in an NMI or an oops it waits for rb_cpu.lock only for a limited time.
 */
void ring_buffer_iter_advance(struct ring_buffer_iter *iter)
{
	struct ring_buffer_event *event = ring_buffer_iter_peek(iter, NULL);

	if (!event)
		return;
	rb_cursor_advance(&iter->cur, event);
	iter->next++;
}
EXPORT_SYMBOL_GPL(ring_buffer_iter_advance);

/**
 * ring_buffer_iter_empty - test whether an iterator is at its end
 * @iter: the iterator
 *
 * Context: any; in an NMI or an oops it waits for rb_cpu.lock only for a limited time.
 * Return: 1 at the end, otherwise 0.
 */
int ring_buffer_iter_empty(struct ring_buffer_iter *iter)
{
	return !ring_buffer_iter_peek(iter, NULL);
}
EXPORT_SYMBOL_GPL(ring_buffer_iter_empty);

/**
 * ring_buffer_iter_dropped - test whether records before the current one are missing
 * @iter: the iterator
 *
 * To be called after ring_buffer_iter_peek(), for the record that it returned.
 *
 * Context: any.
 * Return: true once for each gap where records were overwritten before they were read.
 */
bool ring_buffer_iter_dropped(struct ring_buffer_iter *iter)
{
	bool dropped = iter->dropped;

	iter->dropped = false;
	return dropped;
}
EXPORT_SYMBOL_GPL(ring_buffer_iter_dropped);

/* Start at the position of the consuming reader, and end at the last published record. */
static void rb_iter_start_at_reader(struct ring_buffer_iter *iter)
{
	const struct rb_reader *reader = &iter->cb->reader;

	rb_iter_go_to_page(iter, reader->no);
	iter->started = false;
	iter->dropped = false;
	iter->next = reader->next;
	rb_iter_set_end(iter);
	/* The copy is empty; rb_iter_refill() copies records at the first peek. */
	iter->closed = reader->whole && reader->cur.pos >= reader->cur.size;
	iter->cur.pos = reader->cur.pos;
	iter->cur.size = reader->cur.pos;
	iter->cur.ts = reader->cur.ts;
}

/**
 * ring_buffer_iter_reset - move an iterator to the oldest record, and its end to the newest
 * @iter: the iterator
 *
 * Context: any; in an NMI or an oops it waits for rb_cpu.lock only for a limited time.
 */
void ring_buffer_iter_reset(struct ring_buffer_iter *iter)
{
	unsigned long flags;

	if (!rb_lock_reader(iter->cb, &flags))
		return;
	rb_iter_start_at_reader(iter);
	rb_unlock_reader(iter->cb, flags);
}
EXPORT_SYMBOL_GPL(ring_buffer_iter_reset);

/**
 * ring_buffer_read_start - create an iterator
 * @buffer: the buffer
 * @cpu: the CPU whose stream to read
 * @flags: allocation flags
 *
 * While a buffer has iterators the size of its sub-buffers cannot be changed, but their
 * number can.
 *
 * Context: may sleep if @flags allow.
 * Return: the iterator; NULL if there is no memory, or the CPU has no stream.
 */
struct ring_buffer_iter *
ring_buffer_read_start(struct trace_buffer *buffer, int cpu, gfp_t flags)
{
	struct ring_buffer_iter *iter;
	struct page *page;

	if (!cpumask_test_cpu(cpu, buffer->cpumask))
		return NULL;
	iter = kzalloc(sizeof(*iter), flags);
	if (!iter)
		return NULL;
	iter->cb = rb_cpu_of(buffer, cpu);
	atomic_inc(&iter->cb->iterators);
	iter->order = READ_ONCE(buffer->order);
	page = alloc_pages(flags | __GFP_COMP, iter->order);
	if (!page) {
		ring_buffer_read_finish(iter);
		return NULL;
	}
	iter->cur.page = page_address(page);
	ring_buffer_iter_reset(iter);
	return iter;
}
EXPORT_SYMBOL_GPL(ring_buffer_read_start);

/**
 * ring_buffer_read_finish - free an iterator
 * @iter: the iterator
 *
 * Context: process.
 */
void ring_buffer_read_finish(struct ring_buffer_iter *iter)
{
	atomic_dec(&iter->cb->iterators);
	if (iter->cur.page)
		free_pages((unsigned long)iter->cur.page, iter->order);
	kfree(iter);
}
EXPORT_SYMBOL_GPL(ring_buffer_read_finish);
