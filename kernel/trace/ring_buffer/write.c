// SPDX-License-Identifier: GPL-2.0
/*
 * Writing into the ring buffer: the long ways out of the straight line of
 * write.h, and the exported functions.
 *
 * Everything here runs on the CPU that owns the stream, with preemption off, in
 * any context, and may be interrupted by itself at each instruction. It must
 * never take a lock, wait, or allocate. The rules are in internal.h.
 */
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/irqflags.h>
#include <linux/preempt.h>
#include <linux/string.h>

#include "write.h"

/**
 * struct rb_place - a place for a record, being looked for
 * @outer: no other writer is at work on this CPU
 * @size: bytes of the record
 * @at: address of the record, or of the time that precedes it
 * @ts: the time, read after @at
 * @delta: time delta for the record's head
 */
struct rb_place {
	bool		outer;
	unsigned int	size;
	unsigned long	at;
	u64		ts;
	u32		delta;
};

/* How often a record is given a later time before nested writers are held off. */
#define RB_TRIES	4

/**
 * struct rb_timing - how a record's time is told
 * @kind: a stamp of this kind precedes the record; 0 for none
 * @value: of the stamp, or of the record's own delta
 */
struct rb_timing {
	unsigned int	kind;
	u64		value;
};

static struct rb_timing rb_timing(struct rb_cpu *cb, bool outer, u64 ts)
{
	u64 delta = ts - cb->stamp;

	if (!outer || !READ_ONCE(cb->limit) || delta >> RB_STAMP_BITS)
		return (struct rb_timing) { RINGBUF_TYPE_TIME_STAMP, ts };
	if (delta > RB_DELTA_MAX)
		return (struct rb_timing) { RINGBUF_TYPE_TIME_EXTEND, delta };
	return (struct rb_timing) { 0, delta };
}

/* The record that ends at @next is the last, and its time known; or is it? */
static void rb_note_time(struct rb_cpu *cb, const struct rb_place *place,
			 unsigned long next, unsigned long end)
{
	if (!place->outer) {
		WRITE_ONCE(cb->limit, 0);
		return;
	}
	cb->stamp = place->ts;
	WRITE_ONCE(cb->limit, end);
	barrier();
	if (READ_ONCE(cb->write) != next)
		WRITE_ONCE(cb->limit, 0);
}

/*
 * Make the slot of page @no the writer's. Returns the page in it, or NULL if
 * the slot is not to be had: then a record is lost, and counted.
 */
static struct rb_page *rb_claim_slot(struct rb_cpu *cb, unsigned long no)
{
	struct rb_ring *ring = cb->ring;
	unsigned long *slot = rb_slot(ring, no);
	unsigned long word = smp_load_acquire(slot);	/* pair D */
	unsigned long empty = rb_slot_word(ring, no, rb_word_index(word), RB_EMPTY);
	struct rb_page *page;

	if (unlikely(rb_word_state(word) == RB_AWAY)) {
		page = rb_claim_away(cb, no);
		if (!page)
			local_inc(&cb->dropped);
		return page;
	}
	if (rb_word_state(word) == RB_OPEN) {
		local_inc(&cb->overtaken);
		return NULL;
	}
	if (rb_word_state(word) == RB_CLOSED) {
		if (rb_must_keep(cb, &ring->pages[rb_word_index(word)])) {
			local_inc(&cb->dropped);
			return NULL;
		}
		/* Pair C: from here on, copies of the page are void. */
		if (cmpxchg(slot, word, empty) == word)
			return &ring->pages[rb_word_index(word)];
		/* A reader was first and left a page to write on. */
		word = smp_load_acquire(slot);		/* pair D */
	}
	return &ring->pages[rb_word_index(word)];
}

/*
 * The slots of pages are told by their distance from the origin, which must not
 * wrap as their numbers do. Once it is large, the origin goes on, by as many laps
 * as slot words can tell apart: so neither slots nor words change. The floor goes
 * with it, lest it look like being ahead.
 */
static void rb_renew_origin(struct rb_cpu *cb, unsigned long no)
{
	struct rb_ring *ring = cb->ring;

	if (likely(no - ring->origin <= RB_ORIGIN_FAR))
		return;
	WRITE_ONCE(ring->origin, ring->origin + rb_origin_step(ring));
	if (no - cb->floor >= ring->nr)
		WRITE_ONCE(cb->floor, no - ring->nr + 1);
}

/* Begin @page with the record of @place. Nobody can come between. */
static void rb_open_page(struct rb_cpu *cb, struct rb_page *page,
			 struct rb_place *place)
{
	unsigned long base = rb_page_base(page);
	unsigned long no = cb->tail_no + 1;
	struct rb_ring *ring = cb->ring;

	rb_renew_origin(cb, no);
	WRITE_ONCE(page->no, no);
	page->missed = local_read(&cb->dropped) + local_read(&cb->overtaken);
	page->data->time_stamp = place->ts;
	page->data->commit = 0;
	local_set(&page->events, 1);
	/* Pair B: all of the above before the page can be looked at. */
	smp_store_release(rb_slot(ring, no),
			  rb_slot_word(ring, no, page - ring->pages, RB_OPEN));

	cb->tail->end = place->at;
	cb->tail = page;
	cb->tail_end = base + cb->payload;
	WRITE_ONCE(cb->write, base + place->size);
	WRITE_ONCE(cb->limit, place->outer ? cb->tail_end : 0);
	if (place->outer)
		cb->stamp = place->ts;
	/* Pair E: the page before its number. */
	smp_store_release(&cb->tail_no, no);
	place->at = base;
	place->delta = 0;
}

/* The commit page is complete and a later one is open: hand it to readers. */
static void rb_close_page(struct rb_cpu *cb)
{
	struct rb_page *page = cb->commit_page;
	struct rb_ring *ring = cb->ring;
	unsigned long size = page->end - rb_page_base(page);
	unsigned long no = page->no;
	struct rb_page *next;

	next = &ring->pages[rb_word_index(READ_ONCE(*rb_slot(ring, no + 1)))];
	page->records = rb_page_records(page, cb->count);
	next->first = page->first + page->records;
	next->straight = cb->count;
	next->bytes = page->bytes + size;
	/* Pair A: also of what was written since the page was last published. */
	smp_store_release(&page->data->commit, size);
	cb->commit_base = rb_page_base(next);
	/* Pair G: where the page's counts begin, then that it is counted on. */
	smp_store_release(&cb->commit_page, next);
	/* Pair B: a reader may have the page from here on. */
	smp_store_release(rb_slot(ring, no),
			  rb_slot_word(ring, no, page - ring->pages, RB_CLOSED));
}

static int rb_place_on_next_page(struct rb_cpu *cb, struct rb_place *place)
{
	struct rb_page *page;
	unsigned long flags;
	int ret = -EAGAIN;

	raw_local_irq_save(flags);
	WRITE_ONCE(cb->advancing, true);
	barrier();
	if (READ_ONCE(cb->write) == place->at) {
		page = rb_claim_slot(cb, cb->tail_no + 1);
		if (page)
			rb_open_page(cb, page, place);
		/* The outermost has nothing open on the pages before. */
		while (place->outer && cb->commit_page != cb->tail)
			rb_close_page(cb);
		ret = page ? 0 : -ENOSPC;
	}
	barrier();
	WRITE_ONCE(cb->advancing, false);
	raw_local_irq_restore(flags);
	return ret;
}

/* Returns -EAGAIN if someone nested and wrote: look again, at a later time. */
static int rb_find_place(struct rb_cpu *cb, struct rb_place *place)
{
	unsigned long end, next;
	struct rb_timing time;
	struct rb_page *page;

	place->at = READ_ONCE(cb->write);
	barrier();
	page = READ_ONCE(cb->tail);
	end = READ_ONCE(cb->tail_end);
	place->ts = rb_clock(cb);
	time = rb_timing(cb, place->outer, place->ts);
	/* The first record of a page has the page's own time. */
	if (place->at == rb_page_base(page))
		time = (struct rb_timing) { 0, 0 };
	next = place->at + place->size + (time.kind ? RB_STAMP_SIZE : 0);
	if (next > end)
		return rb_place_on_next_page(cb, place);
	if (cmpxchg_local(&cb->write, place->at, next) != place->at)
		return -EAGAIN;

	if (place->at == rb_page_base(page))
		page->data->time_stamp = place->ts;
	local_inc(&page->events);
	rb_note_time(cb, place, next, end);
	place->delta = time.value;
	if (time.kind) {
		rb_put_stamp((void *)place->at, time.kind, time.value);
		place->at += RB_STAMP_SIZE;
		place->delta = 0;
	}
	return 0;
}

/*
 * A clock that is itself traced makes a nested record each time it is read, and
 * looking again would never end. Drop such records for once.
 */
static int rb_find_place_alone(struct rb_cpu *cb, struct rb_place *place)
{
	unsigned long flags;
	int ret;

	raw_local_irq_save(flags);
	WRITE_ONCE(cb->advancing, true);
	barrier();
	ret = rb_find_place(cb, place);
	barrier();
	WRITE_ONCE(cb->advancing, false);
	raw_local_irq_restore(flags);
	return ret;
}

/**
 * rb_reserve_long - reserve a record where the straight line could not
 * @cb: the CPU's stream, its depth raised
 * @len: bytes of data
 *
 * Return: the record, or NULL with depth taken back.
 */
noinline struct ring_buffer_event *rb_reserve_long(struct rb_cpu *cb,
						   unsigned int len)
{
	struct rb_place place = {
		.outer	= READ_ONCE(cb->depth) == 1,
		.size	= rb_event_size(len),
	};
	unsigned int tries = RB_TRIES;
	int ret = -EAGAIN;

	if (READ_ONCE(cb->advancing)) {
		local_inc(&cb->dropped);
		ret = -EBUSY;
	} else if (len > rb_event_max_len(cb->payload)) {
		ret = -E2BIG;
	}
	while (ret == -EAGAIN && tries--)
		ret = rb_find_place(cb, &place);
	if (ret == -EAGAIN)
		ret = rb_find_place_alone(cb, &place);
	if (ret) {
		rb_commit_long(cb);
		return NULL;
	}
	rb_put_head((void *)place.at, len, place.delta);
	return (void *)place.at;
}

/**
 * rb_reserve_enter - reserve a record, where rb_busy() said so
 * @cb: the CPU's stream
 * @len: bytes of data
 *
 * Return: the record, or NULL if writing is forbidden or there is no room.
 */
noinline struct ring_buffer_event *rb_reserve_enter(struct rb_cpu *cb,
						    unsigned int len)
{
	u32 depth = READ_ONCE(cb->depth);

	if (READ_ONCE(cb->special) & RB_BLOCKED)
		return NULL;
	if (unlikely(depth >= RB_MAX_DEPTH)) {
		local_inc(&cb->dropped);
		return NULL;
	}
	WRITE_ONCE(cb->depth, depth + 1);
	barrier();
	return rb_reserve_long(cb, len);
}

/**
 * rb_publish - let readers see all that was written
 * @cb: the CPU's stream; the caller is the outermost writer
 *
 * Return: the address up to which everything is published.
 */
unsigned long rb_publish(struct rb_cpu *cb)
{
	struct rb_page *tail;
	unsigned long write;

	do {
		tail = READ_ONCE(cb->tail);
		while (cb->commit_page != tail)
			rb_close_page(cb);
		barrier();
		write = READ_ONCE(cb->write);
		barrier();
		/* The address is one of this page if no page came between. */
	} while (READ_ONCE(cb->tail) != tail);

	/* Pair A: the records before the word that uncovers them. */
	smp_store_release(&tail->data->commit, write - rb_page_base(tail));
	return write;
}

/**
 * rb_publish_all - publish, and leave as the outermost writer
 * @cb: the CPU's stream
 *
 * Who nests before depth falls to 0 leaves publishing to us; who comes after
 * does it alone. In doubt both do.
 */
noinline void rb_publish_all(struct rb_cpu *cb)
{
	unsigned long end;

	do {
		WRITE_ONCE(cb->depth, 1);
		barrier();
		end = rb_publish(cb);
		barrier();
		WRITE_ONCE(cb->depth, 0);
		barrier();
	} while (READ_ONCE(cb->write) != end);

	if (unlikely(READ_ONCE(cb->full_want)))
		rb_wake_full(cb);
}

/**
 * rb_commit_rest - what remains to be done after the outermost writer's commit
 * @cb: the CPU's stream
 */
noinline void rb_commit_rest(struct rb_cpu *cb)
{
	rb_publish_all(cb);
	if (unlikely(READ_ONCE(cb->waiting)))
		rb_wake_any(cb);
}

/**
 * rb_commit_long - leave as a writer, whichever
 * @cb: the CPU's stream
 */
noinline void rb_commit_long(struct rb_cpu *cb)
{
	u32 depth = READ_ONCE(cb->depth);

	barrier();
	if (depth > 1)
		WRITE_ONCE(cb->depth, depth - 1);
	else
		rb_commit_rest(cb);
}

/**
 * rb_reserve - reserve a record, and remember where
 * @buffer: the buffer
 * @length: bytes of data
 * @cb: set to the CPU's stream, for rb_commit()
 *
 * For who finds the buffer by a pointer that may change before the commit.
 *
 * Context and return: as for ring_buffer_lock_reserve().
 */
struct ring_buffer_event *rb_reserve(struct trace_buffer *buffer,
				     unsigned long length, struct rb_cpu **cb)
{
	struct ring_buffer_event *event;
	struct rb_write_ctx ctx;

	if (unlikely(length > READ_ONCE(buffer->max_len)))
		return NULL;
	preempt_disable_notrace();
	event = rb_reserve_event(buffer, length, &ctx);
	*cb = ctx.cb;
	if (unlikely(!event))
		preempt_enable_notrace();
	return event;
}

/**
 * rb_commit - the reserved record is complete
 * @cb: what rb_reserve() left
 *
 * Context: that of the rb_reserve() before.
 */
void rb_commit(struct rb_cpu *cb)
{
	rb_commit_long(cb);
	preempt_enable_notrace();
}

/**
 * ring_buffer_lock_reserve - reserve a record
 * @buffer: the buffer
 * @length: bytes of data
 *
 * The data goes to ring_buffer_event_data() of what is returned; all of it must
 * be written. Then ring_buffer_unlock_commit() or ring_buffer_discard_commit()
 * must be called, soon, in the same context.
 *
 * Context: any, NMI included. Returns with preemption disabled if not NULL.
 * Return: the record; NULL if the buffer is off, is full and does not overwrite,
 *	or @length is more than ring_buffer_max_event_size().
 */
struct ring_buffer_event *
ring_buffer_lock_reserve(struct trace_buffer *buffer, unsigned long length)
{
	struct rb_cpu *cb;

	return rb_reserve(buffer, length, &cb);
}
EXPORT_SYMBOL_GPL(ring_buffer_lock_reserve);

/**
 * ring_buffer_unlock_commit - the reserved record is complete
 * @buffer: the buffer
 *
 * Context: that of the ring_buffer_lock_reserve() before.
 * Return: 0
 */
int ring_buffer_unlock_commit(struct trace_buffer *buffer)
{
	rb_commit(rb_this_cpu(buffer));
	return 0;
}
EXPORT_SYMBOL_GPL(ring_buffer_unlock_commit);

/* The page that @event was reserved on: one of those not closed yet. */
static struct rb_page *rb_page_of(struct rb_cpu *cb,
				  const struct ring_buffer_event *event)
{
	unsigned long addr = (unsigned long)event;
	struct rb_page *page = cb->commit_page;
	struct rb_ring *ring = cb->ring;
	unsigned long word;

	while (addr - rb_page_base(page) >= cb->payload) {
		if (WARN_ON_ONCE(page == READ_ONCE(cb->tail)))
			return NULL;
		word = READ_ONCE(*rb_slot(ring, page->no + 1));
		page = &ring->pages[rb_word_index(word)];
	}
	return page;
}

/*
 * Take the record back if it is the last. What preceded it remains, so that who
 * nested there and is gone has moved write by his time at least. Except at the
 * beginning of a page, where the time stands in the page: there the next writer
 * has to go the long way.
 */
static bool rb_unwrite(struct rb_cpu *cb, const struct rb_page *page,
		       struct ring_buffer_event *event)
{
	unsigned long at = (unsigned long)event;
	unsigned long next = at + rb_record_size(event);
	u32 delta = event->time_delta;

	if (cmpxchg_local(&cb->write, next, at) != next)
		return false;
	if (at == rb_page_base(page))
		WRITE_ONCE(cb->limit, 0);
	else if (READ_ONCE(cb->depth) == 1)
		cb->stamp -= delta;
	return true;
}

/**
 * ring_buffer_discard_commit - the reserved record shall not be
 * @buffer: the buffer
 * @event: what ring_buffer_lock_reserve() returned
 *
 * Takes the place of ring_buffer_unlock_commit(). The room is free again unless
 * an interrupt wrote behind the record.
 *
 * Context: that of the ring_buffer_lock_reserve() before.
 */
void ring_buffer_discard_commit(struct trace_buffer *buffer,
				struct ring_buffer_event *event)
{
	struct rb_cpu *cb = rb_this_cpu(buffer);
	struct rb_page *page = rb_page_of(cb, event);

	if (page)
		local_dec(&page->events);
	if (!page || !rb_unwrite(cb, page, event))
		rb_void_record(event);
	rb_commit(cb);
}
EXPORT_SYMBOL_GPL(ring_buffer_discard_commit);

/**
 * ring_buffer_event_time_stamp - the time of a record that is being written
 * @buffer: the buffer
 * @event: what ring_buffer_lock_reserve() returned
 *
 * It is the time that readers will get of it. No interrupt is at work any more
 * that nested, so @event is that of the innermost writer: the outermost one has
 * its time in stamp, another has its time before it.
 *
 * Context: between the ring_buffer_lock_reserve() and the commit or discard, in
 *	the same context.
 * Return: the time, in units of the buffer's clock.
 */
u64 ring_buffer_event_time_stamp(struct trace_buffer *buffer,
				 struct ring_buffer_event *event)
{
	struct rb_cpu *cb = rb_this_cpu(buffer);
	const struct rb_page *page;

	if (READ_ONCE(cb->depth) == 1)
		return cb->stamp;
	page = rb_page_of(cb, event);
	if (page && (unsigned long)event == rb_page_base(page))
		return page->data->time_stamp;
	return rb_full_stamp(rb_get_stamp((void *)event - RB_STAMP_SIZE),
			     rb_clock(cb));
}
EXPORT_SYMBOL_GPL(ring_buffer_event_time_stamp);

/**
 * ring_buffer_write - write a record
 * @buffer: the buffer
 * @length: bytes of data
 * @data: the data
 *
 * Context: any, NMI included.
 * Return: 0, or -EBUSY for what makes ring_buffer_lock_reserve() return NULL.
 */
int ring_buffer_write(struct trace_buffer *buffer, unsigned long length,
		      void *data)
{
	struct ring_buffer_event *event;

	event = ring_buffer_lock_reserve(buffer, length);
	if (!event)
		return -EBUSY;
	memcpy(ring_buffer_event_data(event), data, length);
	return ring_buffer_unlock_commit(buffer);
}
EXPORT_SYMBOL_GPL(ring_buffer_write);
