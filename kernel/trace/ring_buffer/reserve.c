// SPDX-License-Identifier: GPL-2.0
/*
 * Reserving a record, and committing or discarding it: out-of-line functions for callers
 * that do not need the inlined fast path of write.h.
 *
 * Everything here runs on the CPU that owns the stream, in any context, NMI included; it
 * must never take a lock, wait, or allocate.
 */
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/preempt.h>
#include <linux/string.h>

#include "internal.h"
#include "write.h"

/**
 * rb_reserve - reserve a record, and tell the caller in which stream
 * @buffer: the buffer
 * @length: bytes of data
 * @cb: set to the CPU's stream, for rb_commit() or rb_discard()
 *
 * For callers whose pointer to the buffer may change before the commit: they commit to @cb.
 *
 * Context: any, NMI included. Returns with preemption disabled if not NULL.
 * Return: the record; NULL if the buffer is off, is full and does not overwrite,
 *	or @length is more than ring_buffer_max_event_size().
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
 * rb_commit - commit a record that rb_reserve() reserved
 * @cb: stream from rb_reserve()
 *
 * Context: the context that called rb_reserve(); preemption is enabled again.
 */
void rb_commit(struct rb_cpu *cb)
{
	rb_commit_slow(cb);
	preempt_enable_notrace();
}

/**
 * ring_buffer_lock_reserve - reserve a record
 * @buffer: the buffer
 * @length: bytes of data
 *
 * The caller writes all of the data to ring_buffer_event_data() of the record. Then it
 * calls ring_buffer_unlock_commit() or ring_buffer_discard_commit(), soon, in the same
 * context.
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
 * ring_buffer_unlock_commit - commit a record that ring_buffer_lock_reserve() reserved
 * @buffer: the buffer
 *
 * Context: the context that called ring_buffer_lock_reserve(); preemption is enabled again.
 * Return: 0.
 */
int ring_buffer_unlock_commit(struct trace_buffer *buffer)
{
	rb_commit(rb_this_cpu(buffer));
	return 0;
}
EXPORT_SYMBOL_GPL(ring_buffer_unlock_commit);

/* Find the page that @event, a record that is not committed yet, was reserved on. */
static struct rb_page *rb_find_reserved_page(struct rb_cpu *cb,
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
 * Free the room of a record, if it is the last one. Returns false if it is not. A timestamp in
 * front of the record remains: an interrupted writer has to find rb_cpu.write moved, as
 * internal.h explains, even if the nested writer has discarded its record. The first record
 * of a page has no timestamp in front of it. After it was discarded, a limit of 0 makes the
 * next writer use the slow path.
 */
static bool rb_take_back_record(struct rb_cpu *cb, const struct rb_page *page,
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
 * rb_discard - discard a record that rb_reserve() reserved
 * @cb: stream from rb_reserve()
 * @event: record from rb_reserve()
 *
 * To be called instead of rb_commit(). The room of the record is free again, unless an
 * interrupt has written a record behind it.
 *
 * Context: the context that called rb_reserve(); preemption is enabled again.
 */
void rb_discard(struct rb_cpu *cb, struct ring_buffer_event *event)
{
	struct rb_page *page = rb_find_reserved_page(cb, event);

	if (page)
		local_dec(&page->nr_slow);
	if (!page || !rb_take_back_record(cb, page, event))
		rb_make_padding(event);
	rb_commit(cb);
}

/**
 * ring_buffer_discard_commit - discard a record that ring_buffer_lock_reserve() reserved
 * @buffer: the buffer
 * @event: record from ring_buffer_lock_reserve()
 *
 * To be called instead of ring_buffer_unlock_commit(). The room of the record is free again,
 * unless an interrupt has written a record behind it.
 *
 * Context: the context that called ring_buffer_lock_reserve(); preemption is enabled again.
 */
void ring_buffer_discard_commit(struct trace_buffer *buffer,
				struct ring_buffer_event *event)
{
	rb_discard(rb_this_cpu(buffer), event);
}
EXPORT_SYMBOL_GPL(ring_buffer_discard_commit);

/**
 * rb_event_time - get the time of a record that is being written
 * @cb: stream from rb_reserve()
 * @event: record from rb_reserve()
 *
 * If the caller is the outermost writer, the time is rb_cpu.stamp. The record of a nested
 * writer has a full timestamp in front of it, or is the first one of its page, which has its
 * time. rb_cpu.depth tells the two cases apart, as no other writer is nested in the caller now.
 *
 * Context: between rb_reserve() and rb_commit() or rb_discard(), in the same context.
 * Return: the time that readers will get for the record, in units of the buffer's clock.
 */
u64 rb_event_time(struct rb_cpu *cb, struct ring_buffer_event *event)
{
	const struct rb_page *page;

	if (READ_ONCE(cb->depth) == 1)
		return cb->stamp;
	page = rb_find_reserved_page(cb, event);
	if (page && (unsigned long)event == rb_page_base(page))
		return page->data->time_stamp;
	return rb_full_stamp(rb_get_stamp((void *)event - RB_STAMP_SIZE),
			     rb_clock(cb));
}

/**
 * ring_buffer_event_time_stamp - get the time of a record that is being written
 * @buffer: the buffer
 * @event: record from ring_buffer_lock_reserve()
 *
 * Context: between ring_buffer_lock_reserve() and the commit or discard, in the same
 *	context.
 * Return: the time that readers will get for the record, in units of the buffer's clock.
 */
u64 ring_buffer_event_time_stamp(struct trace_buffer *buffer,
				 struct ring_buffer_event *event)
{
	return rb_event_time(rb_this_cpu(buffer), event);
}
EXPORT_SYMBOL_GPL(ring_buffer_event_time_stamp);

/**
 * ring_buffer_write - write a record
 * @buffer: the buffer
 * @length: bytes of data
 * @data: the data
 *
 * Context: any, NMI included.
 * Return: 0, or -EBUSY if ring_buffer_lock_reserve() returns NULL.
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
