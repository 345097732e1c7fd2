// SPDX-License-Identifier: GPL-2.0
/*
 * Looking at a CPU's records without consuming them.
 *
 * An iterator has a page of its own and copies the stream's pages into it one
 * by one, large ones in pieces, so neither writers nor consuming readers notice
 * it. It shows what was in the buffer when it was started or last reset: it ends
 * there, however much is being written meanwhile. What is overwritten before it
 * comes by is missing, and ring_buffer_iter_dropped() says so.
 *
 * An iterator is used by one task at a time. Any context, but for making and
 * freeing it.
 */
#include <linux/err.h>
#include <linux/export.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "internal.h"

/**
 * struct ring_buffer_iter - a place in a CPU's stream
 * @cb: the stream
 * @order: of the page at @cur.page
 * @no: number of the page being looked at
 * @cur: the place in the copy of it
 * @closed: the copy is complete
 * @started: a page was looked at since the reset
 * @dropped: something was missing, and nobody was told
 * @next: number of the next record, if nothing is missing
 * @end_no: number of the page on which to end
 * @end_pos: offset in that page
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

/* End where the writer stands now. */
static void rb_iter_set_end(struct ring_buffer_iter *iter)
{
	struct rb_cpu *cb = iter->cb;
	struct rb_ring *ring = cb->ring;
	unsigned long tail = smp_load_acquire(&cb->tail_no);	/* pair E */
	unsigned long word = smp_load_acquire(rb_slot(ring, tail));	/* pair B */
	unsigned int pos;

	/* If the page is left or overwritten just now, its end is as good. */
	pos = READ_ONCE(ring->pages[rb_word_index(word)].data->commit);
	iter->end_no = tail;
	iter->end_pos = cb->payload;
	if (rb_word_state(word) == RB_OPEN && rb_page_in(ring, word, tail))
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
 * Does page @a come after page @b? Told by how many pages it is from there to the
 * next one: what is with the reader may be so old that it looks ahead.
 */
static bool rb_iter_after(const struct ring_buffer_iter *iter, unsigned long a,
			  unsigned long b)
{
	unsigned long next = READ_ONCE(iter->cb->tail_no) + 1;

	return next - a < next - b;
}

/* Is @iter at the place where it is to end? */
static bool rb_iter_at_end(const struct ring_buffer_iter *iter)
{
	if (iter->no == iter->end_no)
		return iter->cur.pos >= iter->end_pos;
	return rb_iter_after(iter, iter->no, iter->end_no);
}

/* Is what @iter sees next in the reader's hands? */
static bool rb_iter_with_reader(const struct ring_buffer_iter *iter)
{
	const struct rb_reader *reader = &iter->cb->reader;

	if (reader->no != iter->no)
		return false;
	return reader->whole || (iter->cur.pos >= reader->cur.pos &&
				 iter->cur.pos < reader->cur.size);
}

/* Copy from the page that is with the reader. */
static void rb_iter_copy_reader(struct ring_buffer_iter *iter, struct rb_copied *got)
{
	const struct rb_reader *reader = &iter->cb->reader;
	const struct rb_data_page *from = reader->cur.page;
	unsigned int pos = iter->cur.pos, size = reader->cur.size;

	got->size = rb_piece_end(from, pos, size);
	got->closed = reader->whole && got->size == size;
	got->first = reader->whole ? reader->page->first : reader->next;
	iter->cur.page->time_stamp = from->time_stamp;
	if (pos < got->size)
		memcpy(iter->cur.page->data + pos, from->data + pos, got->size - pos);
}

/* Have a copy of page @iter->no, or more of it. */
static bool rb_iter_copy(struct ring_buffer_iter *iter)
{
	struct rb_copied got;

	if (rb_iter_with_reader(iter))
		rb_iter_copy_reader(iter, &got);
	else if (!rb_copy_page(iter->cb, iter->no, iter->cur.page, iter->cur.pos, &got))
		return false;

	iter->closed = got.closed;
	iter->cur.size = max(got.size, iter->cur.pos);
	if (iter->no == iter->end_no)
		iter->cur.size = min(iter->cur.size, iter->end_pos);
	if (iter->cur.pos || !iter->cur.size)
		return true;
	if (iter->started && rb_ahead(got.first, iter->next) > 0)
		iter->dropped = true;
	iter->next = got.first;
	iter->cur.ts = iter->cur.page->time_stamp;
	return true;
}

/* The page is no longer there, nor is what the reader consumed since. */
static void rb_iter_skip_lost(struct ring_buffer_iter *iter)
{
	unsigned long no = rb_oldest_no(iter->cb);

	if (!rb_iter_after(iter, no, iter->no)) {
		if (rb_iter_with_reader(iter))
			return;
		/* That with the reader may be far older than all others. */
		no = rb_remaining_no(iter->cb, iter->no);
		if (no == iter->no)
			return;
	}
	rb_iter_go_to_page(iter, no);
	/* Everything up to the end was overwritten before it could be seen. */
	if (rb_iter_after(iter, no, iter->end_no) && !iter->started)
		rb_iter_set_end(iter);
}

/* All that @iter has a copy of was seen: get more. */
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
		if (!rb_iter_copy(iter)) {
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
 * ring_buffer_iter_peek - look at the record that an iterator stands on
 * @iter: the iterator
 * @ts: set to the record's time, if not NULL
 *
 * The record stays valid until the iterator is advanced or reset.
 *
 * Context: any; in an NMI or an oops it gives up rather than wait.
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
 * ring_buffer_iter_advance - step over the record that an iterator stands on
 * @iter: the iterator
 *
 * Context: as for ring_buffer_iter_peek().
 */
void ring_buffer_iter_advance(struct ring_buffer_iter *iter)
{
	struct ring_buffer_event *event = ring_buffer_iter_peek(iter, NULL);

	if (!event)
		return;
	rb_cursor_pass(&iter->cur, event);
	iter->next++;
}
EXPORT_SYMBOL_GPL(ring_buffer_iter_advance);

/**
 * ring_buffer_iter_empty - is an iterator at its end?
 * @iter: the iterator
 *
 * Context: as for ring_buffer_iter_peek().
 * Return: 1 if so, else 0.
 */
int ring_buffer_iter_empty(struct ring_buffer_iter *iter)
{
	return !ring_buffer_iter_peek(iter, NULL);
}
EXPORT_SYMBOL_GPL(ring_buffer_iter_empty);

/**
 * ring_buffer_iter_dropped - were records overwritten before they could be seen?
 * @iter: the iterator
 *
 * Asked after ring_buffer_iter_peek(): a gap before the record that it returned.
 *
 * Context: any.
 * Return: true once for each gap.
 */
bool ring_buffer_iter_dropped(struct ring_buffer_iter *iter)
{
	bool dropped = iter->dropped;

	iter->dropped = false;
	return dropped;
}
EXPORT_SYMBOL_GPL(ring_buffer_iter_dropped);

/* Stand where the consuming reader stands, with what it has in its hands. */
static void rb_iter_start(struct ring_buffer_iter *iter)
{
	const struct rb_reader *reader = &iter->cb->reader;

	rb_iter_go_to_page(iter, reader->no);
	iter->started = false;
	iter->dropped = false;
	iter->next = reader->next;
	rb_iter_set_end(iter);
	/* What is there is copied when it is looked at. */
	iter->closed = reader->whole && reader->cur.pos >= reader->cur.size;
	iter->cur.pos = reader->cur.pos;
	iter->cur.size = reader->cur.pos;
	iter->cur.ts = reader->cur.ts;
}

/**
 * ring_buffer_iter_reset - go back to the oldest record, and end at the newest
 * @iter: the iterator
 *
 * Context: as for ring_buffer_iter_peek().
 */
void ring_buffer_iter_reset(struct ring_buffer_iter *iter)
{
	unsigned long flags;

	if (!rb_lock_reader(iter->cb, &flags))
		return;
	rb_iter_start(iter);
	rb_unlock_reader(iter->cb, flags);
}
EXPORT_SYMBOL_GPL(ring_buffer_iter_reset);

/**
 * ring_buffer_read_start - make an iterator
 * @buffer: the buffer
 * @cpu: the CPU whose stream to look at
 * @flags: for the allocation
 *
 * While there are iterators the size of sub-buffers cannot be changed; their
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
