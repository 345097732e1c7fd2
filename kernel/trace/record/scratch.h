/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Scratch records: memory outside the ring buffer, in which a record is built that a filter or a
 * trigger reads before it is known whether the record is wanted. Only a wanted record is copied
 * into the ring buffer, so that a rejected one need not be discarded there.
 *
 *	preempt_disable_notrace();
 *	ent = trace_scratch_start(len);
 *	if (ent) {
 *		... fill in *ent, its header included ...
 *		if (wanted(ent))
 *			trace_scratch_keep(buffer, ent, len, NULL);
 *		trace_scratch_end();
 *	} else {
 *		... reserve the record in the buffer, and discard it if it is not wanted ...
 *	}
 *	preempt_enable_notrace();
 */
#ifndef _KERNEL_TRACE_SCRATCH_H
#define _KERNEL_TRACE_SCRATCH_H

#include <linux/compiler.h>
#include <linux/percpu.h>
#include <linux/types.h>

struct trace_buffer;
struct trace_entry;

/* Maximum size of a scratch record in bytes: what fits a 4 KB page of the ring buffer. */
#define TRACE_SCRATCH_MAX	4072U

/* Number of contexts that can nest on a CPU: task, softirq, hardirq, NMI. */
#define TRACE_SCRATCH_CONTEXTS	4U
/*
 * Number of interrupts that can nest in addition, since preempt_count() does not count them yet
 * when they begin. The recursion guard (guard/) allows one of them to record in each context but
 * NMI.
 */
#define TRACE_SCRATCH_EARLY	3U
/*
 * Maximum number of synthetic events, each caused by the one before, in each context. It is lower
 * where the kernel stack is smaller, or has interrupted contexts on it.
 */
#define TRACE_SCRATCH_DEPTH_TASK		4U
#define TRACE_SCRATCH_DEPTH_SOFTIRQ	3U
#define TRACE_SCRATCH_DEPTH_HARDIRQ	2U
#define TRACE_SCRATCH_DEPTH_NMI		1U
#define TRACE_SCRATCH_DEPTHS	(TRACE_SCRATCH_DEPTH_TASK + TRACE_SCRATCH_DEPTH_SOFTIRQ + \
				 TRACE_SCRATCH_DEPTH_HARDIRQ + TRACE_SCRATCH_DEPTH_NMI)
/**
 * enum trace_scratch_use - why scratch records are needed, which decides how many
 * @TRACE_SCRATCH_READ: a filter or a trigger reads the record of an event
 * @TRACE_SCRATCH_PROBE: an eprobe reads the record of an event, and makes a record of its own
 * @TRACE_SCRATCH_SYNTH: the record of an event causes a synthetic event, whose record may cause
 *	more of them
 * @TRACE_SCRATCH_USES: number of the values above
 *
 * Each value needs at least as many scratch records at once as those before it.
 */
enum trace_scratch_use {
	TRACE_SCRATCH_READ,
	TRACE_SCRATCH_PROBE,
	TRACE_SCRATCH_SYNTH,
	TRACE_SCRATCH_USES,
};

/**
 * struct trace_scratch - the memory of a CPU for scratch records
 * @room: the memory, an array of places for one scratch record each; NULL while there is no user,
 *	and for a CPU for which there was no memory
 * @places: number of places in @room that may be used
 * @taken: number of places in use, and so the index of the next free one
 *
 * A context that interrupts another one ends its scratch records before the other one continues. So
 * the places are a stack.
 */
struct trace_scratch {
	void		*room;
	unsigned int	places;
	unsigned int	taken;
};

DECLARE_PER_CPU(struct trace_scratch, trace_scratch);

/**
 * trace_scratch_get - become a user of scratch records
 * @use: why they are needed
 *
 * Allocates the memory that all users together need, for each CPU that is online. While there is
 * no user, there is no memory, and trace_scratch_start() fails. A CPU that comes up gets its memory
 * before, or has none if the allocation fails. Each successful call needs a trace_scratch_put().
 *
 * Waits for a grace period of RCU if there was memory already, but too little.
 *
 * Context: may sleep; takes scratch_lock, inside which no lock is taken.
 * Return: 0 or -ENOMEM.
 */
int trace_scratch_get(enum trace_scratch_use use);

/**
 * trace_scratch_put - stop being a user of scratch records
 * @use: argument of the trace_scratch_get() that this undoes
 *
 * The last user waits for a grace period of RCU, and frees all memory. Other users free none.
 *
 * Context: may sleep; takes scratch_lock.
 */
void trace_scratch_put(enum trace_scratch_use use);

/**
 * trace_scratch_take - take the memory for a scratch record
 * @level: trace_scratch.taken of this CPU: index of the first free place
 * @len: bytes of the record
 *
 * Part of trace_scratch_start() and trace_scratch_start_first().
 *
 * Context: any, NMI included; preemption off.
 * Return: the record, or NULL.
 */
static __always_inline struct trace_entry *trace_scratch_take(unsigned int level, unsigned int len)
{
	void *room = __this_cpu_read(trace_scratch.room);

	if (unlikely(!room || len > TRACE_SCRATCH_MAX))
		return NULL;
	__this_cpu_inc(trace_scratch.taken);
	/*
	 * A context that interrupts from here on finds the place taken. Pairs with the barrier in
	 * trace_scratch_end().
	 */
	barrier();
	return room + level * TRACE_SCRATCH_MAX;
}

/**
 * trace_scratch_start - begin a scratch record
 * @len: bytes of the whole record
 *
 * A context that interrupts another one gets memory of its own.
 *
 * Context: any, NMI included; preemption off until trace_scratch_end().
 * Return: the record, aligned as a long; NULL if @len is too large, all memory is in use, or the
 * CPU has none, see trace_scratch_get(). After NULL, trace_scratch_end() must not be called.
 */
static __always_inline struct trace_entry *trace_scratch_start(unsigned int len)
{
	unsigned int level = __this_cpu_read(trace_scratch.taken);

	if (unlikely(level >= __this_cpu_read(trace_scratch.places)))
		return NULL;
	return trace_scratch_take(level, len);
}

/**
 * trace_scratch_start_first - begin the first scratch record of a CPU
 * @len: bytes of the whole record
 *
 * Context: a task that has not interrupted a scratch record; preemption off until
 * trace_scratch_end().
 * Return: as trace_scratch_start(); NULL also if a scratch record is in use on the CPU.
 */
static __always_inline struct trace_entry *trace_scratch_start_first(unsigned int len)
{
	return likely(!__this_cpu_read(trace_scratch.taken)) ? trace_scratch_take(0, len) : NULL;
}

/**
 * trace_scratch_keep - record a scratch record: copy it into a ring buffer
 * @buffer: the buffer
 * @ent: from trace_scratch_start(), complete
 * @len: bytes of the record
 * @time: set to the time of the record, if it is recorded; or NULL
 *
 * The time of the record is that of this call.
 *
 * Context: between trace_scratch_start() and trace_scratch_end().
 * Return: true; false if there was no room, which the ring buffer has counted.
 */
bool trace_scratch_keep(struct trace_buffer *buffer, const struct trace_entry *ent,
			unsigned int len, u64 *time);

/**
 * trace_scratch_end - release a scratch record that has been copied or rejected
 *
 * Context: as for trace_scratch_start(), on the same CPU.
 */
static __always_inline void trace_scratch_end(void)
{
	/*
	 * The record is not accessed any more when an interrupt may take its place. Pairs with the
	 * barrier in trace_scratch_take().
	 */
	barrier();
	__this_cpu_dec(trace_scratch.taken);
}

#endif /* _KERNEL_TRACE_SCRATCH_H */
