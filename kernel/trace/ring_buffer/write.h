/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The fast path of writing a record, which consists of a reserve and a commit. Tracers that
 * write many records inline it. In the less common cases (a nested writer, a new page, a time
 * delta that is too long for the head) it calls the slow path in write.c.
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
 * internal.h has the rules that this file relies on. Functions in this file must not take
 * locks, and must not call anything but the clock and the slow path.
 */
#ifndef _KERNEL_TRACE_RING_BUFFER_WRITE_H
#define _KERNEL_TRACE_RING_BUFFER_WRITE_H

#include <linux/compiler.h>
#include <asm/trace_clock_inline.h>

#include "event.h"
#include "stream.h"

/**
 * struct rb_write_ctx - state of a writer from reserve to commit
 * @cb: the CPU's stream
 * @next: address behind the record; 0 if the slow path reserved the record
 */
struct rb_write_ctx {
	struct rb_cpu	*cb;
	unsigned long	next;
};

struct ring_buffer_event *rb_reserve_busy(struct rb_cpu *cb, unsigned int len);
struct ring_buffer_event *rb_reserve_slow(struct rb_cpu *cb, unsigned int len);
void rb_commit_outermost(struct rb_cpu *cb);
void rb_commit_slow(struct rb_cpu *cb);
struct ring_buffer_event *rb_reserve(struct trace_buffer *buffer,
				     unsigned long length, struct rb_cpu **cb);
void rb_commit(struct rb_cpu *cb);
void rb_discard(struct rb_cpu *cb, struct ring_buffer_event *event);
u64 rb_event_time(struct rb_cpu *cb, struct ring_buffer_event *event);

/* Stream of this CPU; preemption is off. */
static __always_inline struct rb_cpu *rb_this_cpu(struct trace_buffer *buffer)
{
	return this_cpu_ptr(buffer->streams);
}

/* Count a record as dropped, for a caller that could not try to reserve it; preemption is off. */
static inline void rb_count_dropped(struct trace_buffer *buffer)
{
	local_inc(&rb_this_cpu(buffer)->dropped);
}

/*
 * True if the fast path must not be used, because this context has interrupted a writer, or
 * rb_cpu.write_flags is not 0. Then the caller has to use rb_reserve_busy().
 */
static __always_inline bool rb_busy(struct rb_cpu *cb)
{
	if (!IS_ENABLED(CONFIG_64BIT)) {
		/* Other CPUs may change write_flags at any time; it may be noticed late. */
		return data_race(cb->depth | cb->write_flags);
	}
	/* Other CPUs may change write_flags at any time; it may be noticed late. */
	return data_race(cb->busy);
}

/* Address of the data of a record with @len bytes of data. */
static __always_inline void *rb_data_of(struct ring_buffer_event *event,
					unsigned int len)
{
	return rb_is_long(len) ? &event->array[1] : &event->array[0];
}

/*
 * True if a record of @len bytes is too long for any page, tested on 32 bits only: there, the sum
 * of its address and its size could wrap, so a comparison with rb_cpu.limit would not refuse it.
 */
static __always_inline bool rb_sum_wraps(const struct rb_cpu *cb, unsigned int len)
{
	return !IS_ENABLED(CONFIG_64BIT) && !__builtin_constant_p(len) && len > cb->payload;
}

/* rb_reserve_inline_at() with the time in *@now, or rb_reserve_inline() if @now is NULL. */
static __always_inline struct ring_buffer_event *
__rb_reserve_inline(struct rb_cpu *cb, unsigned int len, const u64 *now,
		    unsigned long *next)
{
	struct ring_buffer_event *event;
	unsigned long at;
	u64 ts, delta;

	/* From here on, writers in interrupts are nested ones, and use the slow path. */
	WRITE_ONCE(cb->depth, 1);
	barrier();
	at = READ_ONCE(cb->write);
	/* Values loaded from here on are valid for a record at @at, or the cmpxchg fails. */
	barrier();
	ts = now ? *now : arch_trace_clock();
	delta = ts - cb->stamp;
	*next = at + rb_event_size(len);
	if (unlikely(delta > RB_DELTA_MAX || *next > cb->limit || rb_sum_wraps(cb, len)))
		return NULL;
	event = (struct ring_buffer_event *)at;
	if (unlikely(!try_cmpxchg_local(&cb->write, &at, *next)))
		return NULL;
	/* Tell the compiler that the result is not NULL: saves a test in the caller. */
	if (!event)
		__builtin_unreachable();

	/* Store the stamp last: then @ts is still in a register, if the caller uses it, too. */
	rb_put_head(event, len, delta);
	cb->nr_fast++;
	cb->stamp = ts;
	return event;
}

/**
 * rb_reserve_inline - reserve a record and write its head, on the fast path only
 * @cb: this CPU's stream, for which rb_busy() has returned false
 * @len: bytes of data; preferably a constant
 * @next: set to the address behind the record, for rb_commit_inline()
 *
 * Context: any, NMI included; preemption must be off until after the commit.
 * Return: the record; NULL if the caller has to call rb_reserve_slow(), without testing
 *	rb_busy() again.
 */
static __always_inline struct ring_buffer_event *
rb_reserve_inline(struct rb_cpu *cb, unsigned int len, unsigned long *next)
{
	return __rb_reserve_inline(cb, len, NULL, next);
}

/**
 * rb_reserve_inline_at - reserve a record on the fast path, with a time that the caller has read
 * @cb: this CPU's stream, for which rb_busy() has returned false
 * @len: bytes of data; preferably a constant
 * @now: the time, read on this CPU since preemption was disabled; if a later record was
 *	written meanwhile, NULL is returned, and rb_reserve_slow() reads the time again
 * @next: set to the address behind the record, for rb_commit_inline()
 *
 * Context: any, NMI included; preemption must be off until after the commit.
 * Return: the record; NULL if the caller has to call rb_reserve_slow(), without testing
 *	rb_busy() again.
 */
static __always_inline struct ring_buffer_event *
rb_reserve_inline_at(struct rb_cpu *cb, unsigned int len, u64 now, unsigned long *next)
{
	return __rb_reserve_inline(cb, len, &now, next);
}

/**
 * rb_commit_inline - commit a record that was reserved on the fast path
 * @cb: the stream that the record was reserved on
 * @next: address behind the record, from rb_reserve_inline() or rb_reserve_inline_at()
 *
 * Context: any, NMI included; on the CPU that reserved the record, preemption is off.
 * Return: true if that was all; false if the caller has to call rb_commit_outermost().
 */
static __always_inline bool rb_commit_inline(struct rb_cpu *cb, unsigned long next)
{
	unsigned long base = cb->commit_base;

	/* Pair A: store the record before the commit that publishes it. */
	smp_store_release((unsigned long *)(base - RB_PAGE_HEAD +
					    offsetof(struct rb_data_page, commit)),
			  next - base);
	barrier();
	WRITE_ONCE(cb->depth, 0);
	barrier();
	/* A writer that nested before depth was 0 has left it to this one to publish its record. */
	if (unlikely(cb->write != next))
		return false;
	/* A waiter may set it at any time; if it is seen too late, a timer wakes: see wait.c. */
	return !data_race(cb->waiting);
}

/**
 * rb_reserve_on - reserve a record on a stream, on the fast or the slow path
 * @cb: this CPU's stream
 * @len: bytes of data; preferably a constant
 * @ctx: filled in for rb_commit_fast()
 *
 * Context: any, NMI included; preemption must be off until after the commit.
 * Return: the record; NULL if it was dropped (and counted, unless the buffer is off),
 *	and must not be committed.
 */
static __always_inline struct ring_buffer_event *
rb_reserve_on(struct rb_cpu *cb, unsigned int len, struct rb_write_ctx *ctx)
{
	struct ring_buffer_event *event;

	ctx->cb = cb;
	ctx->next = 0;
	if (unlikely(rb_busy(cb)))
		return rb_reserve_busy(cb, len);
	event = rb_reserve_inline(cb, len, &ctx->next);
	if (likely(event))
		return event;
	ctx->next = 0;
	return rb_reserve_slow(cb, len);
}

/**
 * rb_reserve_event - reserve a record in a buffer, on the fast or the slow path
 * @buffer: the buffer
 * @len: bytes of data; preferably a constant
 * @ctx: filled in for rb_commit_fast()
 *
 * Context: any, NMI included; preemption must be off until after the commit.
 * Return: the record; NULL if it was dropped (and counted, unless the buffer is off),
 *	and must not be committed.
 */
static __always_inline struct ring_buffer_event *
rb_reserve_event(struct trace_buffer *buffer, unsigned int len,
		 struct rb_write_ctx *ctx)
{
	return rb_reserve_on(rb_this_cpu(buffer), len, ctx);
}

/**
 * rb_reserve_fast - reserve room for @len bytes of data, on the fast or the slow path
 * @buffer: the buffer
 * @len: bytes of data; preferably a constant
 * @ctx: filled in for rb_commit_fast()
 *
 * Context: any, NMI included; preemption must be off until after the commit.
 * Return: address to write the data to; NULL if the record was dropped (and counted,
 *	unless the buffer is off), and must not be committed.
 */
static __always_inline void *rb_reserve_fast(struct trace_buffer *buffer,
					     unsigned int len,
					     struct rb_write_ctx *ctx)
{
	struct ring_buffer_event *event = rb_reserve_event(buffer, len, ctx);

	return likely(event) ? rb_data_of(event, len) : NULL;
}

/**
 * rb_commit_fast - commit a record
 * @ctx: state from rb_reserve_on(), rb_reserve_event() or rb_reserve_fast()
 *
 * Readers see the record once the outermost writer on the CPU has committed.
 *
 * Context: any, NMI included; on the CPU that reserved the record, preemption is off.
 */
static __always_inline void rb_commit_fast(const struct rb_write_ctx *ctx)
{
	if (unlikely(!ctx->next))
		rb_commit_slow(ctx->cb);
	else if (unlikely(!rb_commit_inline(ctx->cb, ctx->next)))
		rb_commit_outermost(ctx->cb);
}

#endif /* _KERNEL_TRACE_RING_BUFFER_WRITE_H */
