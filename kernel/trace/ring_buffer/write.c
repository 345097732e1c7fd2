// SPDX-License-Identifier: GPL-2.0
/*
 * Writing into the ring buffer: the slow paths, which the fast path in write.h calls.
 *
 * Everything here runs on the CPU that owns the stream, with preemption off, in any
 * context, and may be interrupted at each instruction by another writer that runs the same
 * code. It must never take a lock, wait, or allocate. The rules are in internal.h.
 */
#include <linux/errno.h>
#include <linux/irqflags.h>

#include "internal.h"
#include "write.h"

/**
 * struct rb_place - the place of a record that is being reserved on the slow path
 * @outer: true if this is the outermost writer on this CPU
 * @size: bytes of the record
 * @at: address of the record, or of the stamp in front of it
 * @ts: time of the record, read after @at was
 * @delta: time delta for the head of the record
 */
struct rb_place {
	bool		outer;
	unsigned int	size;
	unsigned long	at;
	u64		ts;
	u32		delta;
};

/*
 * How often a reservation is tried, while nested writers write records meanwhile, before
 * rb_find_place_exclusive() makes nested writers drop their records.
 */
#define RB_RESERVE_TRIES	4

/**
 * struct rb_timing - encoding of the time of a record
 * @kind: kind of the stamp in front of the record, TIME_STAMP or TIME_EXTEND; 0 for no stamp
 * @value: value of the stamp or, without a stamp, time delta for the head of the record
 */
struct rb_timing {
	unsigned int	kind;
	u64		value;
};

/* True if ring_buffer_set_time_stamp_abs() demands a full timestamp for a record of @size bytes. */
static bool rb_wants_full_stamp(const struct rb_cpu *cb, unsigned int size)
{
	return unlikely(READ_ONCE(cb->write_flags) & RB_ABSOLUTE) &&
	       size + RB_STAMP_SIZE <= cb->payload;
}

/* Encoding of the time of the first record of a page. It needs no stamp: the page has its time. */
static __always_inline struct rb_timing rb_choose_first_timing(const struct rb_cpu *cb,
							       const struct rb_place *place)
{
	if (rb_wants_full_stamp(cb, place->size))
		return (struct rb_timing) { RINGBUF_TYPE_TIME_STAMP, place->ts };
	return (struct rb_timing) { 0, 0 };
}

/* Encoding of the time of any record. @first: the record is the first one of its page. */
static struct rb_timing rb_choose_timing(struct rb_cpu *cb, const struct rb_place *place,
					 bool first)
{
	u64 delta = place->ts - cb->stamp;

	if (first || rb_wants_full_stamp(cb, place->size))
		return rb_choose_first_timing(cb, place);
	if (!place->outer || !READ_ONCE(cb->limit) || delta >> RB_STAMP_BITS)
		return (struct rb_timing) { RINGBUF_TYPE_TIME_STAMP, place->ts };
	if (delta > RB_DELTA_MAX)
		return (struct rb_timing) { RINGBUF_TYPE_TIME_EXTEND, delta };
	return (struct rb_timing) { 0, delta };
}

/* Write the stamp of @time, if any, in front of the record, and set the delta for its head. */
static __always_inline void rb_write_time(struct rb_place *place, struct rb_timing time)
{
	place->delta = time.value;
	if (!time.kind)
		return;
	rb_put_stamp((void *)place->at, time.kind, time.value);
	place->at += RB_STAMP_SIZE;
	place->delta = 0;
}

/* Number of bytes of the record with the stamp in front of it. */
static unsigned int rb_timed_size(const struct rb_place *place, struct rb_timing time)
{
	return place->size + (time.kind ? RB_STAMP_SIZE : 0);
}

/*
 * Update rb_cpu.stamp and rb_cpu.limit after a record that ends at @next was reserved on a
 * page that ends at @end. Only the outermost writer may leave limit at a value other than 0,
 * and only if its record is the last one.
 */
static void rb_update_stamp(struct rb_cpu *cb, const struct rb_place *place,
			    unsigned long next, unsigned long end)
{
	if (!place->outer) {
		WRITE_ONCE(cb->limit, 0);
		return;
	}
	cb->stamp = place->ts;
	WRITE_ONCE(cb->limit, end);
	barrier();
	/* Stamp is invalid if a nested writer has written a record, or has ended the page. */
	if (READ_ONCE(cb->write) != next || READ_ONCE(cb->tail_end) != end)
		WRITE_ONCE(cb->limit, 0);
}

/*
 * Claim a slot that is AWAY for page @no, the next one that the writer opens. Moves the page to be
 * overwritten, which has the number @no - @cb->ring->nr, from the old ring to the new one. Returns
 * the page to write to; NULL if the page to be overwritten must be kept. Not inlined, because
 * resizes are rare.
 */
static noinline struct rb_page *rb_claim_away_page(struct rb_cpu *cb, unsigned long no)
{
	struct rb_ring *old = cb->spare_ring, *ring = cb->ring;
	unsigned long *from = rb_slot(old, no - ring->nr);
	struct rb_page *page = &ring->pages[rb_word_index(*rb_slot(ring, no))];
	const struct rb_page *there;
	unsigned long word;

	do {
		word = smp_load_acquire(from);		/* pair D */
		there = &old->pages[rb_word_index(word)];
		if (rb_word_state(word) == RB_CLOSED && rb_must_keep_page(cb, there))
			return NULL;
		/* Pair C. If the cmpxchg fails, a reader took the page and left an EMPTY one. */
	} while (cmpxchg(from, word, rb_word_with_state(word, RB_AWAY)) != word);

	*page = *there;
	return page;
}

/*
 * Claim @slot for page @no, the next one that the writer opens. Returns the page to write to;
 * NULL if the slot cannot be claimed: then the record is counted as dropped or overtaken.
 */
static struct rb_page *rb_claim_slot(struct rb_cpu *cb, unsigned long *slot, unsigned long no)
{
	struct rb_ring *ring = cb->ring;
	unsigned long word = smp_load_acquire(slot);	/* pair D */
	unsigned long empty = rb_slot_word(ring, no, rb_word_index(word), RB_EMPTY);
	struct rb_page *page;

	if (unlikely(rb_word_state(word) == RB_AWAY)) {
		page = rb_claim_away_page(cb, no);
		if (!page)
			local_inc(&cb->dropped);
		return page;
	}
	if (rb_word_state(word) == RB_OPEN) {
		local_inc(&cb->overtaken);
		return NULL;
	}
	if (rb_word_state(word) == RB_CLOSED) {
		if (rb_must_keep_page(cb, &ring->pages[rb_word_index(word)])) {
			local_inc(&cb->dropped);
			return NULL;
		}
		/* Pair C: the slot word tells readers that later copies of the page are invalid. */
		if (cmpxchg(slot, word, empty) == word)
			return &ring->pages[rb_word_index(word)];
		/* A reader took the page and left one that is EMPTY. */
		word = smp_load_acquire(slot);		/* pair D */
	}
	return &ring->pages[rb_word_index(word)];
}

/*
 * Move the origin if page @no is far away from it. The slot of a page follows from the
 * distance between its number and the origin; that distance must not wrap, although page
 * numbers do. The origin moves by rb_origin_step(), so each page keeps its slot and its slot
 * word. If the floor is older than all pages of the ring, it moves, too: were it even further
 * behind, it would seem to be ahead when page numbers wrap.
 */
static void rb_advance_origin(struct rb_cpu *cb, unsigned long no)
{
	struct rb_ring *ring = cb->ring;

	if (likely(no - ring->origin <= RB_ORIGIN_DISTANCE_MAX))
		return;
	WRITE_ONCE(ring->origin, ring->origin + rb_origin_step(ring));
	if (no - cb->floor >= ring->nr)
		WRITE_ONCE(cb->floor, no - ring->nr + 1);
}

/*
 * Open @page in @slot as page @no, with the record of @place as its first one. Interrupts
 * are off and rb_cpu.exclusive is set, so no other writer can interfere.
 */
static void rb_open_page(struct rb_cpu *cb, struct rb_page *page, unsigned long *slot,
			 unsigned long no, struct rb_place *place)
{
	struct rb_timing time = rb_choose_first_timing(cb, place);
	unsigned long base = rb_page_base(page);
	struct rb_ring *ring = cb->ring;

	rb_advance_origin(cb, no);
	WRITE_ONCE(page->no, no);
	page->dropped_before = local_read(&cb->dropped) + local_read(&cb->overtaken);
	page->data->time_stamp = place->ts;
	page->data->commit = 0;
	local_set(&page->nr_slow, 1);
	/* Pair B: store the page before the word that lets readers use it. */
	smp_store_release(slot, rb_slot_word(ring, no, page - ring->pages, RB_OPEN));

	cb->tail->end = place->at;
	cb->tail = page;
	cb->tail_end = base + cb->payload;
	WRITE_ONCE(cb->write, base + rb_timed_size(place, time));
	WRITE_ONCE(cb->limit, place->outer ? cb->tail_end : 0);
	if (place->outer)
		cb->stamp = place->ts;
	/* Pair E: store the slot word before the number. */
	smp_store_release(&cb->tail_no, no);
	place->at = base;
	rb_write_time(place, time);
}

/* Close the commit page, which is complete, and make the next page the commit page. */
static void rb_close_page(struct rb_cpu *cb)
{
	struct rb_page *page = cb->commit_page;
	struct rb_ring *ring = cb->ring;
	unsigned long size = page->end - rb_page_base(page);
	unsigned long no = page->no;
	unsigned long *slot = rb_slot(ring, no);
	struct rb_page *next;

	next = &ring->pages[rb_word_index(READ_ONCE(*rb_slot(ring, no + 1)))];
	page->records = rb_count_page_records(page, cb->nr_fast);
	next->first_record = page->first_record + page->records;
	next->nr_fast_before = cb->nr_fast;
	next->bytes_before = page->bytes_before + size;
	/* Pair A: store the records before the commit that publishes them. */
	smp_store_release(&page->data->commit, size);
	cb->commit_base = rb_page_base(next);
	/* Pair G: store the counts of the page before making it the commit page. */
	smp_store_release(&cb->commit_page, next);
	/* Pair B: store the page before CLOSED. From here on a reader may take the page. */
	smp_store_release(slot, rb_word_with_state(*slot, RB_CLOSED));
}

/*
 * End the tail at @end, because a record was dropped for lack of a next page. A smaller record
 * must not be written on the rest of the tail: readers learn of dropped records only at the
 * start of a page, so they would take this record for one without a loss before it.
 */
static void rb_end_tail_early(struct rb_cpu *cb, unsigned long end)
{
	cb->tail_end = end;
	WRITE_ONCE(cb->limit, 0);
}

/*
 * Place the record on the next page. Returns 0; -EAGAIN if a nested writer wrote meanwhile;
 * -ENOSPC if there is no next page.
 */
static int rb_place_on_new_page(struct rb_cpu *cb, struct rb_place *place)
{
	unsigned long flags, no, *slot;
	struct rb_page *page;
	int ret = -EAGAIN;

	raw_local_irq_save(flags);
	WRITE_ONCE(cb->exclusive, true);
	barrier();
	if (READ_ONCE(cb->write) == place->at) {
		no = cb->tail_no + 1;
		slot = rb_slot(cb->ring, no);
		page = rb_claim_slot(cb, slot, no);
		if (page)
			rb_open_page(cb, page, slot, no, place);
		else
			rb_end_tail_early(cb, place->at);
		/* The outermost writer has no uncommitted record, so earlier pages are complete. */
		while (place->outer && cb->commit_page != cb->tail)
			rb_close_page(cb);
		ret = page ? 0 : -ENOSPC;
	}
	barrier();
	WRITE_ONCE(cb->exclusive, false);
	raw_local_irq_restore(flags);
	return ret;
}

/* Place the record on @page if it fits, with the stamp that it needs; else on the next page. */
static int rb_place_on_page(struct rb_cpu *cb, struct rb_page *page, unsigned long end,
			    struct rb_place *place)
{
	struct rb_timing time = rb_choose_timing(cb, place, place->at == rb_page_base(page));
	unsigned long next = place->at + rb_timed_size(place, time);

	if (next > end)
		return rb_place_on_new_page(cb, place);
	if (cmpxchg_local(&cb->write, place->at, next) != place->at)
		return -EAGAIN;

	if (place->at == rb_page_base(page))
		page->data->time_stamp = place->ts;
	local_inc(&page->nr_slow);
	rb_update_stamp(cb, place, next, end);
	rb_write_time(place, time);
	return 0;
}

/*
 * Find a place for the record. Returns 0; -EAGAIN if a nested writer wrote meanwhile: then
 * the caller has to try again, which reads the time again; -ENOSPC if there is no room.
 */
static int rb_find_place(struct rb_cpu *cb, struct rb_place *place)
{
	struct rb_page *page;
	unsigned long end;

	place->at = READ_ONCE(cb->write);
	barrier();
	page = READ_ONCE(cb->tail);
	end = READ_ONCE(cb->tail_end);
	place->ts = rb_clock(cb);
	/* The most frequent reason for the slow path: even without a stamp, it does not fit. */
	if (place->at + place->size > end)
		return rb_place_on_new_page(cb, place);
	return rb_place_on_page(cb, page, end, place);
}

/*
 * Find a place with interrupts off and rb_cpu.exclusive set, so that nested writers drop
 * their records. A clock whose functions are traced causes a nested record each time that it
 * is read: rb_find_place() would return -EAGAIN for ever.
 */
static int rb_find_place_exclusive(struct rb_cpu *cb, struct rb_place *place)
{
	unsigned long flags;
	int ret;

	raw_local_irq_save(flags);
	WRITE_ONCE(cb->exclusive, true);
	barrier();
	ret = rb_find_place(cb, place);
	barrier();
	WRITE_ONCE(cb->exclusive, false);
	raw_local_irq_restore(flags);
	return ret;
}

/**
 * rb_reserve_slow - reserve a record on the slow path
 * @cb: the CPU's stream, whose depth the caller has raised
 * @len: bytes of data
 *
 * Context: any, NMI included; on the owning CPU, preemption is off.
 * Return: the record; NULL if it was dropped: then depth is again what it was before the caller
 *	raised it.
 */
noinline struct ring_buffer_event *rb_reserve_slow(struct rb_cpu *cb,
						   unsigned int len)
{
	struct rb_place place;
	unsigned int tries = RB_RESERVE_TRIES;
	int ret = -EAGAIN;

	place.outer = READ_ONCE(cb->depth) == 1;
	place.size = rb_event_size(len);
	if (READ_ONCE(cb->exclusive)) {
		local_inc(&cb->dropped);
		ret = -EBUSY;
	} else if (len > rb_event_max_len(cb->payload)) {
		ret = -E2BIG;
	}
	while (ret == -EAGAIN && tries--)
		ret = rb_find_place(cb, &place);
	if (ret == -EAGAIN)
		ret = rb_find_place_exclusive(cb, &place);
	if (ret) {
		rb_commit_slow(cb);
		return NULL;
	}
	rb_put_head((void *)place.at, len, place.delta);
	return (void *)place.at;
}

/**
 * rb_reserve_busy - reserve a record after rb_busy() returned true
 * @cb: the CPU's stream
 * @len: bytes of data
 *
 * Context: any, NMI included; on the owning CPU, preemption is off.
 * Return: the record; NULL if the buffer is off, or if the record was dropped.
 */
noinline struct ring_buffer_event *rb_reserve_busy(struct rb_cpu *cb,
						   unsigned int len)
{
	u32 depth = READ_ONCE(cb->depth);

	if (READ_ONCE(cb->write_flags) & RB_BLOCKED)
		return NULL;
	if (unlikely(depth >= RB_MAX_DEPTH)) {
		local_inc(&cb->dropped);
		return NULL;
	}
	WRITE_ONCE(cb->depth, depth + 1);
	barrier();
	return rb_reserve_slow(cb, len);
}

/**
 * rb_publish - publish all records that were written
 * @cb: the CPU's stream
 *
 * Context: any, on the owning CPU or while that CPU is down; the caller is the outermost
 *	writer.
 * Return: the address up to which all records are published.
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
		/* @write points into @tail, unless a writer has opened another page meanwhile. */
	} while (READ_ONCE(cb->tail) != tail);

	/* Pair A: store the records before the commit that publishes them. */
	smp_store_release(&tail->data->commit, write - rb_page_base(tail));
	return write;
}

/**
 * rb_publish_all - publish all records, and set depth to 0
 * @cb: the CPU's stream
 *
 * A writer that nests before depth is 0 does not publish its records; a later one does. If
 * rb_cpu.write has moved, this function publishes again, because the record may be one of a
 * writer that nested before.
 *
 * Context: any, on the owning CPU; the caller is the outermost writer.
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
 * rb_commit_outermost - publish all records and wake waiters, as the outermost writer
 * @cb: the CPU's stream
 *
 * Context: any, NMI included; on the owning CPU, preemption is off.
 */
noinline void rb_commit_outermost(struct rb_cpu *cb)
{
	rb_publish_all(cb);
	if (unlikely(READ_ONCE(cb->waiting)))
		rb_wake_any(cb);
}

/**
 * rb_commit_slow - commit a record, as a nested or as the outermost writer
 * @cb: the CPU's stream
 *
 * Context: any, NMI included; on the owning CPU, preemption is off.
 */
noinline void rb_commit_slow(struct rb_cpu *cb)
{
	u32 depth = READ_ONCE(cb->depth);

	barrier();
	if (depth > 1)
		WRITE_ONCE(cb->depth, depth - 1);
	else
		rb_commit_outermost(cb);
}
