/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The straight line of writing a record: reserve and commit, inlined into the
 * tracer that writes many records of one size. Everything unusual (a nested
 * writer, a new page, a long pause) is a call into write.c.
 *
 *	struct rb_write_ctx ctx;
 *
 *	preempt_disable_notrace();
 *	entry = rb_reserve_fast(buffer, sizeof(*entry), &ctx);
 *	if (entry) {
 *		... fill *entry, all of it ...
 *		rb_commit_fast(&ctx);
 *	}
 *	preempt_enable_notrace();
 *
 * The rules that this file rests on are in internal.h. What stands
 * here must not lock, or call anything but the clock.
 */
#ifndef _KERNEL_TRACE_RING_BUFFER_WRITE_H
#define _KERNEL_TRACE_RING_BUFFER_WRITE_H

#include <linux/compiler.h>
#include <asm/trace_clock_inline.h>

#include "internal.h"

/**
 * struct rb_write_ctx - what a writer keeps from reserve to commit
 * @cb: the CPU's stream
 * @next: address behind the record; 0 if it was not reserved in a straight line
 */
struct rb_write_ctx {
	struct rb_cpu	*cb;
	unsigned long	next;
};

struct ring_buffer_event *rb_reserve_enter(struct rb_cpu *cb, unsigned int len);
struct ring_buffer_event *rb_reserve_long(struct rb_cpu *cb, unsigned int len);
void rb_commit_rest(struct rb_cpu *cb);
void rb_commit_long(struct rb_cpu *cb);
struct ring_buffer_event *rb_reserve(struct trace_buffer *buffer,
				     unsigned long length, struct rb_cpu **cb);
void rb_commit(struct rb_cpu *cb);
void rb_discard(struct rb_cpu *cb, struct ring_buffer_event *event);
u64 rb_time_of(struct rb_cpu *cb, struct ring_buffer_event *event);

/* The stream of this CPU; preemption is off. */
static __always_inline struct rb_cpu *rb_this_cpu(struct trace_buffer *buffer)
{
	return this_cpu_ptr(buffer->cpu);
}

/* Count a record that cannot even be tried to write as dropped; preemption is off. */
static inline void rb_lose(struct trace_buffer *buffer)
{
	local_inc(&rb_this_cpu(buffer)->dropped);
}

/* The time now on this CPU; preemption is off. */
static __always_inline u64 rb_clock(struct rb_cpu *cb)
{
	rb_clock_fn clock = READ_ONCE(cb->clock);

	return clock ? clock() : arch_trace_clock();
}

/* Is this no case for the straight line? Somebody writes, or something is set. */
static __always_inline bool rb_busy(struct rb_cpu *cb)
{
	if (!IS_ENABLED(CONFIG_64BIT)) {
		/* Others set special at any time: seen late is as good. */
		return data_race(cb->depth | cb->special);
	}
	/* As above. */
	return data_race(cb->busy);
}

/* Where the data of a record with @len bytes of it begins. */
static __always_inline void *rb_data_of(struct ring_buffer_event *event,
					unsigned int len)
{
	return rb_is_long(len) ? &event->array[1] : &event->array[0];
}

/* True if @len fits no page, where an address and a size are too narrow to tell by their sum. */
static __always_inline bool rb_sum_wraps(const struct rb_cpu *cb, unsigned int len)
{
	return !IS_ENABLED(CONFIG_64BIT) && !__builtin_constant_p(len) && len > cb->payload;
}

/* As the two below, with the time now, or that at @now. */
static __always_inline struct ring_buffer_event *
__rb_reserve_straight(struct rb_cpu *cb, unsigned int len, const u64 *now,
		      unsigned long *next)
{
	struct ring_buffer_event *event;
	unsigned long at;
	u64 ts, delta;

	/* From here on, interrupts are nested writers. */
	WRITE_ONCE(cb->depth, 1);
	barrier();
	at = READ_ONCE(cb->write);
	/* What is loaded from here on belongs to @at, or the cmpxchg fails. */
	barrier();
	ts = now ? *now : arch_trace_clock();
	delta = ts - cb->stamp;
	*next = at + rb_event_size(len);
	if (unlikely(delta > RB_DELTA_MAX || *next > cb->limit || rb_sum_wraps(cb, len)))
		return NULL;
	event = (struct ring_buffer_event *)at;
	if (unlikely(!try_cmpxchg_local(&cb->write, &at, *next)))
		return NULL;
	/* Saves the caller's test of what it gets. */
	if (!event)
		__builtin_unreachable();

	/* The caller may want the stamp: then it is at hand, being stored last. */
	rb_put_head(event, len, delta);
	cb->count++;
	cb->stamp = ts;
	return event;
}

/**
 * rb_reserve_straight - reserve a record, and write its head
 * @cb: this CPU's stream, found not to be rb_busy()
 * @len: bytes of data; best a constant
 * @next: set to the address behind the record, for rb_commit_straight()
 *
 * Context: any, NMI included; preemption off until after the commit.
 * Return: the record, or NULL: then the caller goes on with rb_reserve_long(),
 *	without testing rb_busy() again.
 */
static __always_inline struct ring_buffer_event *
rb_reserve_straight(struct rb_cpu *cb, unsigned int len, unsigned long *next)
{
	return __rb_reserve_straight(cb, len, NULL, next);
}

/**
 * rb_reserve_straight_at - the same, with a time that has been read already
 * @cb: as for rb_reserve_straight(), as
 * @len: and
 * @now: the time, read on this CPU since preemption is off; if there is a later record
 *	meanwhile, it is read again by rb_reserve_long()
 * @next: as there
 *
 * Context and return: as there.
 */
static __always_inline struct ring_buffer_event *
rb_reserve_straight_at(struct rb_cpu *cb, unsigned int len, u64 now, unsigned long *next)
{
	return __rb_reserve_straight(cb, len, &now, next);
}

/**
 * rb_commit_straight - a reserved record is complete; let readers see it
 * @cb: as for rb_reserve_straight()
 * @next: what that one left
 *
 * Context: as for rb_reserve_straight(), on the same CPU.
 * Return: false if the caller has to call rb_commit_rest().
 */
static __always_inline bool rb_commit_straight(struct rb_cpu *cb, unsigned long next)
{
	unsigned long base = cb->commit_base;

	/* Pair A: the record before the word that uncovers it. */
	smp_store_release((unsigned long *)(base - RB_PAGE_HEAD +
					    offsetof(struct rb_data_page, commit)),
			  next - base);
	barrier();
	WRITE_ONCE(cb->depth, 0);
	barrier();
	/* Someone who nested before depth fell relies on us to publish. */
	if (unlikely(cb->write != next))
		return false;
	/* A waiter sets it at any time; see wait.c for one seen late. */
	return !data_race(cb->waiting);
}

/**
 * rb_reserve_on - reserve a record on a stream, whatever way that takes
 * @cb: this CPU's stream
 * @len: bytes of data; best a constant
 * @ctx: for rb_commit_fast()
 *
 * Context: any, NMI included; preemption off until after the commit.
 * Return: the record, or NULL: then it was dropped (and counted, unless the
 *	buffer is off), and nothing is to be committed.
 */
static __always_inline struct ring_buffer_event *
rb_reserve_on(struct rb_cpu *cb, unsigned int len, struct rb_write_ctx *ctx)
{
	struct ring_buffer_event *event;

	ctx->cb = cb;
	ctx->next = 0;
	if (unlikely(rb_busy(cb)))
		return rb_reserve_enter(cb, len);
	event = rb_reserve_straight(cb, len, &ctx->next);
	if (likely(event))
		return event;
	ctx->next = 0;
	return rb_reserve_long(cb, len);
}

/**
 * rb_reserve_event - the same in a buffer
 * @buffer: the buffer
 * @len: as for rb_reserve_on(), as is
 * @ctx: this
 */
static __always_inline struct ring_buffer_event *
rb_reserve_event(struct trace_buffer *buffer, unsigned int len,
		 struct rb_write_ctx *ctx)
{
	return rb_reserve_on(rb_this_cpu(buffer), len, ctx);
}

/**
 * rb_reserve_fast - reserve room for @len bytes of data
 * @buffer: the buffer
 * @len: bytes of data; best a constant
 * @ctx: for rb_commit_fast()
 *
 * As rb_reserve_event(), but returns where the data goes.
 */
static __always_inline void *rb_reserve_fast(struct trace_buffer *buffer,
					     unsigned int len,
					     struct rb_write_ctx *ctx)
{
	struct ring_buffer_event *event = rb_reserve_event(buffer, len, ctx);

	return likely(event) ? rb_data_of(event, len) : NULL;
}

/**
 * rb_commit_fast - a reserved record is complete; let readers see it
 * @ctx: what rb_reserve_fast() left
 *
 * Readers see it once the outermost writer on the CPU has committed.
 *
 * Context: as for rb_reserve_event(), on the same CPU.
 */
static __always_inline void rb_commit_fast(const struct rb_write_ctx *ctx)
{
	if (unlikely(!ctx->next))
		rb_commit_long(ctx->cb);
	else if (unlikely(!rb_commit_straight(ctx->cb, ctx->next)))
		rb_commit_rest(ctx->cb);
}

#endif /* _KERNEL_TRACE_RING_BUFFER_WRITE_H */
