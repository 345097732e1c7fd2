/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Scratch records: a record that a filter or a trigger reads before it is known whether it is
 * kept is built here, outside the ring buffer. Only a record that is kept is copied into the
 * buffer, so a rejected one never touches it.
 *
 *	preempt_disable_notrace();
 *	ent = trace_scratch_start(len);
 *	if (ent) {
 *		... fill in *ent, its header included ...
 *		if (wanted(ent))
 *			trace_scratch_keep(buffer, ent, len, NULL);
 *		trace_scratch_end();
 *	} else {
 *		... reserve in the buffer, and discard what is not wanted ...
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

/* Bytes of the longest scratch record: the capacity of a 4 KB page of the ring buffer. */
#define TRACE_SCRATCH_MAX	4072U

/* Contexts that can nest: task, softirq, hardirq, NMI. */
#define TRACE_SCRATCH_CONTEXTS	4U
/*
 * Interrupts at their entry, where the guard does not see them yet: it lets one pass in each
 * context but the last.
 */
#define TRACE_SCRATCH_EARLY	3U
/*
 * How many synthetic events may cause each other in a context. The limit is lower where the stack
 * is shorter, or shared with the interrupted contexts.
 */
#define TRACE_SCRATCH_DEPTH_TASK		4U
#define TRACE_SCRATCH_DEPTH_SOFTIRQ	3U
#define TRACE_SCRATCH_DEPTH_HARDIRQ	2U
#define TRACE_SCRATCH_DEPTH_NMI		1U
#define TRACE_SCRATCH_DEPTHS	(TRACE_SCRATCH_DEPTH_TASK + TRACE_SCRATCH_DEPTH_SOFTIRQ + \
				 TRACE_SCRATCH_DEPTH_HARDIRQ + TRACE_SCRATCH_DEPTH_NMI)
/**
 * enum trace_scratch_use - why scratch records are needed
 * @TRACE_SCRATCH_READ: a filter or a trigger reads the record
 * @TRACE_SCRATCH_PROBE: an eprobe makes a second record from the first one
 * @TRACE_SCRATCH_SYNTH: a synthetic event makes a second record from the first one, which may
 *	cause more synthetic events
 * @TRACE_SCRATCH_USES: number of uses
 *
 * Each use needs at least as many places as the ones before it.
 */
enum trace_scratch_use {
	TRACE_SCRATCH_READ,
	TRACE_SCRATCH_PROBE,
	TRACE_SCRATCH_SYNTH,
	TRACE_SCRATCH_USES,
};

/**
 * struct trace_scratch - memory of a CPU for scratch records
 * @room: memory for all places; NULL while there is no user, and for a CPU that got no memory
 * @places: number of places in @room; for a moment smaller than that while the room grows
 * @taken: number of places in use
 *
 * A context that interrupts another one ends its records before the other one goes on, so the
 * places are a stack, and @taken is the level of the next record.
 */
struct trace_scratch {
	void		*room;
	unsigned int	places;
	unsigned int	taken;
};

DECLARE_PER_CPU(struct trace_scratch, trace_scratch);

/**
 * trace_scratch_get - allocate memory for scratch records
 * @use: why they are needed
 *
 * Counted: each call that succeeded needs its trace_scratch_put(). While there is no user, no
 * memory is allocated and trace_scratch_start() fails. CPUs that are offline have no memory; a
 * CPU that comes up gets its own first, or none if the allocation fails.
 *
 * Waits for a grace period of RCU if there is memory already, but too little.
 *
 * Context: may sleep; takes scratch_lock, inside which no lock is taken.
 * Return: 0 or -ENOMEM.
 */
int trace_scratch_get(enum trace_scratch_use use);

/**
 * trace_scratch_put - undo trace_scratch_get()
 * @use: as given to trace_scratch_get()
 *
 * The last user waits for a grace period of RCU and frees all memory. Nothing is freed before.
 *
 * Context: may sleep; takes scratch_lock.
 */
void trace_scratch_put(enum trace_scratch_use use);

/**
 * trace_scratch_take - take a place for a scratch record
 * @level: number of the place: trace_scratch.taken of the CPU
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
 * Contexts that nest get different places.
 *
 * Context: any, NMI included; preemption off until trace_scratch_end().
 * Return: the record, aligned as a long; NULL if @len is too large, all places are in use, or the
 * CPU has no memory (trace_scratch_get()): then trace_scratch_end() is not called.
 */
static __always_inline struct trace_entry *trace_scratch_start(unsigned int len)
{
	unsigned int level = __this_cpu_read(trace_scratch.taken);

	if (unlikely(level >= __this_cpu_read(trace_scratch.places)))
		return NULL;
	return trace_scratch_take(level, len);
}

/**
 * trace_scratch_start_first - begin a scratch record in a context that interrupts nothing
 * @len: bytes of the whole record
 *
 * Context: a task that has not interrupted a scratch record; preemption off until
 * trace_scratch_end().
 * Return: as trace_scratch_start(); NULL also if the CPU has a scratch record in use already.
 */
static __always_inline struct trace_entry *trace_scratch_start_first(unsigned int len)
{
	return likely(!__this_cpu_read(trace_scratch.taken)) ? trace_scratch_take(0, len) : NULL;
}

/**
 * trace_scratch_keep - copy a scratch record into a buffer
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
	 * The last access to the record comes before this. Pairs with the barrier in
	 * trace_scratch_take().
	 */
	barrier();
	__this_cpu_dec(trace_scratch.taken);
}

#endif /* _KERNEL_TRACE_SCRATCH_H */
