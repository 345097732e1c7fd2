// SPDX-License-Identifier: GPL-2.0
/*
 * Writing into the ring buffer: the long ways out of the straight line of
 * write.h.
 *
 * Everything here runs on the CPU that owns the stream, with preemption off, in
 * any context, and may be interrupted by itself at each instruction. It must
 * never take a lock, wait, or allocate. The rules are in internal.h.
 */
#include <linux/errno.h>
#include <linux/irqflags.h>

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

/* Does a record of @size have the whole time before it? */
static bool rb_is_absolute(const struct rb_cpu *cb, unsigned int size)
{
	return unlikely(READ_ONCE(cb->special) & RB_ABSOLUTE) &&
	       size + RB_STAMP_SIZE <= cb->payload;
}

/* Of the first record of a page, which has the page's own time. */
static __always_inline struct rb_timing rb_timing_first(const struct rb_cpu *cb,
							const struct rb_place *place)
{
	if (rb_is_absolute(cb, place->size))
		return (struct rb_timing) { RINGBUF_TYPE_TIME_STAMP, place->ts };
	return (struct rb_timing) { 0, 0 };
}

static struct rb_timing rb_timing(struct rb_cpu *cb, const struct rb_place *place,
				  bool first)
{
	u64 delta = place->ts - cb->stamp;

	if (first || rb_is_absolute(cb, place->size))
		return rb_timing_first(cb, place);
	if (!place->outer || !READ_ONCE(cb->limit) || delta >> RB_STAMP_BITS)
		return (struct rb_timing) { RINGBUF_TYPE_TIME_STAMP, place->ts };
	if (delta > RB_DELTA_MAX)
		return (struct rb_timing) { RINGBUF_TYPE_TIME_EXTEND, delta };
	return (struct rb_timing) { 0, delta };
}

/* Tell the time: in front of the record, or in its head. */
static __always_inline void rb_put_time(struct rb_place *place, struct rb_timing time)
{
	place->delta = time.value;
	if (!time.kind)
		return;
	rb_put_stamp((void *)place->at, time.kind, time.value);
	place->at += RB_STAMP_SIZE;
	place->delta = 0;
}

static unsigned int rb_timed_size(const struct rb_place *place, struct rb_timing time)
{
	return place->size + (time.kind ? RB_STAMP_SIZE : 0);
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
	/* Who nested has gone on, or has found that there is no more room. */
	if (READ_ONCE(cb->write) != next || READ_ONCE(cb->tail_end) != end)
		WRITE_ONCE(cb->limit, 0);
}

/*
 * Make the slot of page @no the writer's. Returns the page in it, or NULL if
 * the slot is not to be had: then a record is lost, and counted.
 */
static struct rb_page *rb_claim_slot(struct rb_cpu *cb, unsigned long *slot, unsigned long no)
{
	struct rb_ring *ring = cb->ring;
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

/*
 * Begin @page, in @slot, as number @no, with the record of @place. Nobody can come between.
 */
static void rb_open_page(struct rb_cpu *cb, struct rb_page *page, unsigned long *slot,
			 unsigned long no, struct rb_place *place)
{
	struct rb_timing time = rb_timing_first(cb, place);
	unsigned long base = rb_page_base(page);
	struct rb_ring *ring = cb->ring;

	rb_renew_origin(cb, no);
	WRITE_ONCE(page->no, no);
	page->missed = local_read(&cb->dropped) + local_read(&cb->overtaken);
	page->data->time_stamp = place->ts;
	page->data->commit = 0;
	local_set(&page->events, 1);
	/* Pair B: all of the above before the page can be looked at. */
	smp_store_release(slot, rb_slot_word(ring, no, page - ring->pages, RB_OPEN));

	cb->tail->end = place->at;
	cb->tail = page;
	cb->tail_end = base + cb->payload;
	WRITE_ONCE(cb->write, base + rb_timed_size(place, time));
	WRITE_ONCE(cb->limit, place->outer ? cb->tail_end : 0);
	if (place->outer)
		cb->stamp = place->ts;
	/* Pair E: the page before its number. */
	smp_store_release(&cb->tail_no, no);
	place->at = base;
	rb_put_time(place, time);
}

/* The commit page is complete and a later one is open: hand it to readers. */
static void rb_close_page(struct rb_cpu *cb)
{
	struct rb_page *page = cb->commit_page;
	struct rb_ring *ring = cb->ring;
	unsigned long size = page->end - rb_page_base(page);
	unsigned long no = page->no;
	unsigned long *slot = rb_slot(ring, no);
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
	/* Pair B: a reader may have the page from here on. While open it was the writer's. */
	smp_store_release(slot, rb_word_as(*slot, RB_CLOSED));
}

/*
 * There is no room for a record: nor is there for a smaller one that comes later, lest readers
 * find it where they are told of no gap.
 */
static void rb_end_page(struct rb_cpu *cb, unsigned long end)
{
	cb->tail_end = end;
	WRITE_ONCE(cb->limit, 0);
}

static int rb_place_on_next_page(struct rb_cpu *cb, struct rb_place *place)
{
	unsigned long flags, no, *slot;
	struct rb_page *page;
	int ret = -EAGAIN;

	raw_local_irq_save(flags);
	WRITE_ONCE(cb->advancing, true);
	barrier();
	if (READ_ONCE(cb->write) == place->at) {
		no = cb->tail_no + 1;
		slot = rb_slot(cb->ring, no);
		page = rb_claim_slot(cb, slot, no);
		if (page)
			rb_open_page(cb, page, slot, no, place);
		else
			rb_end_page(cb, place->at);
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

/* Behind @page's last record, if there is room for the time as well. */
static int rb_place_on(struct rb_cpu *cb, struct rb_page *page, unsigned long end,
		       struct rb_place *place)
{
	struct rb_timing time = rb_timing(cb, place, place->at == rb_page_base(page));
	unsigned long next = place->at + rb_timed_size(place, time);

	if (next > end)
		return rb_place_on_next_page(cb, place);
	if (cmpxchg_local(&cb->write, place->at, next) != place->at)
		return -EAGAIN;

	if (place->at == rb_page_base(page))
		page->data->time_stamp = place->ts;
	local_inc(&page->events);
	rb_note_time(cb, place, next, end);
	rb_put_time(place, time);
	return 0;
}

/* Returns -EAGAIN if someone nested and wrote: look again, at a later time. */
static int rb_find_place(struct rb_cpu *cb, struct rb_place *place)
{
	struct rb_page *page;
	unsigned long end;

	place->at = READ_ONCE(cb->write);
	barrier();
	page = READ_ONCE(cb->tail);
	end = READ_ONCE(cb->tail_end);
	place->ts = rb_clock(cb);
	/* Most that come here: no need to know what the time takes. */
	if (place->at + place->size > end)
		return rb_place_on_next_page(cb, place);
	return rb_place_on(cb, page, end, place);
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
	struct rb_place place;
	unsigned int tries = RB_TRIES;
	int ret = -EAGAIN;

	place.outer = READ_ONCE(cb->depth) == 1;
	place.size = rb_event_size(len);
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
