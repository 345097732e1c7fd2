// SPDX-License-Identifier: GPL-2.0
/*
 * Reserving a record, and committing or discarding it: the functions for who has no need
 * of a straight line.
 *
 * As in write.c, everything here runs on the CPU that owns the stream, in any context.
 */
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/preempt.h>
#include <linux/string.h>

#include "write.h"

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
 * rb_discard - the reserved record shall not be
 * @cb: what rb_reserve() left
 * @event: what it returned
 *
 * Takes the place of rb_commit(). The room is free again unless an interrupt wrote behind
 * the record.
 *
 * Context: that of the rb_reserve() before.
 */
void rb_discard(struct rb_cpu *cb, struct ring_buffer_event *event)
{
	struct rb_page *page = rb_page_of(cb, event);

	if (page)
		local_dec(&page->events);
	if (!page || !rb_unwrite(cb, page, event))
		rb_void_record(event);
	rb_commit(cb);
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
	rb_discard(rb_this_cpu(buffer), event);
}
EXPORT_SYMBOL_GPL(ring_buffer_discard_commit);

/**
 * rb_time_of - the time of a record that is being written
 * @cb: what rb_reserve() left
 * @event: what it returned
 *
 * It is the time that readers will get of it. No interrupt is at work any more
 * that nested, so @event is that of the innermost writer: the outermost one has
 * its time in stamp, another has its time before it.
 *
 * Context: between the rb_reserve() and rb_commit() or rb_discard(), in the same context.
 * Return: the time, in units of the buffer's clock.
 */
u64 rb_time_of(struct rb_cpu *cb, struct ring_buffer_event *event)
{
	const struct rb_page *page;

	if (READ_ONCE(cb->depth) == 1)
		return cb->stamp;
	page = rb_page_of(cb, event);
	if (page && (unsigned long)event == rb_page_base(page))
		return page->data->time_stamp;
	return rb_full_stamp(rb_get_stamp((void *)event - RB_STAMP_SIZE),
			     rb_clock(cb));
}

/**
 * ring_buffer_event_time_stamp - the time of a record that is being written
 * @buffer: the buffer
 * @event: what ring_buffer_lock_reserve() returned
 *
 * It is the time that readers will get of it.
 *
 * Context: between the ring_buffer_lock_reserve() and the commit or discard, in
 *	the same context.
 * Return: the time, in units of the buffer's clock.
 */
u64 ring_buffer_event_time_stamp(struct trace_buffer *buffer,
				 struct ring_buffer_event *event)
{
	return rb_time_of(rb_this_cpu(buffer), event);
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
