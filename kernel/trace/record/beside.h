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
#ifndef _KERNEL_TRACE_BESIDE_H
#define _KERNEL_TRACE_BESIDE_H

#include <linux/compiler.h>
#include <linux/percpu.h>
#include <linux/types.h>

struct trace_buffer;
struct trace_entry;

/* Bytes of the longest scratch record: the capacity of a 4 KB page of the ring buffer. */
#define TRACE_BESIDE_MAX	4072U

/* Contexts that can nest: task, softirq, hardirq, NMI. */
#define TRACE_BESIDE_CONTEXTS	4U
/*
 * Interrupts at their entry, where the guard does not see them yet: it lets one pass in each
 * context but the last.
 */
#define TRACE_BESIDE_EARLY	3U
/*
 * How many synthetic events may cause each other in a context. The limit is lower where the stack
 * is shorter, or shared with the interrupted contexts.
 */
#define TRACE_BESIDE_DEPTH_TASK		4U
#define TRACE_BESIDE_DEPTH_SOFTIRQ	3U
#define TRACE_BESIDE_DEPTH_HARDIRQ	2U
#define TRACE_BESIDE_DEPTH_NMI		1U
#define TRACE_BESIDE_DEPTHS	(TRACE_BESIDE_DEPTH_TASK + TRACE_BESIDE_DEPTH_SOFTIRQ + \
				 TRACE_BESIDE_DEPTH_HARDIRQ + TRACE_BESIDE_DEPTH_NMI)
/* An eprobe has two records in use: the one that it reads, and its own, which a filter may read. */
#define TRACE_BESIDE_RECORDS	2U

/* Number of places of a CPU: the number of scratch records that can be in use at a time. */
#define TRACE_BESIDE_PLACES_LOOK	(TRACE_BESIDE_CONTEXTS + TRACE_BESIDE_EARLY)
#define TRACE_BESIDE_PLACES_PROBE	(TRACE_BESIDE_RECORDS * TRACE_BESIDE_PLACES_LOOK)
#define TRACE_BESIDE_PLACES_SYNTH	\
	(TRACE_BESIDE_PLACES_PROBE + TRACE_BESIDE_RECORDS * TRACE_BESIDE_DEPTHS)

/**
 * enum trace_beside_use - why scratch records are needed
 * @TRACE_BESIDE_LOOK: a filter or a trigger reads the record
 * @TRACE_BESIDE_PROBE: an eprobe makes a second record from the first one
 * @TRACE_BESIDE_SYNTH: a synthetic event makes a second record from the first one, which may
 *	cause more synthetic events
 * @TRACE_BESIDE_USES: number of uses
 *
 * Each use needs at least as many places as the ones before it.
 */
enum trace_beside_use {
	TRACE_BESIDE_LOOK,
	TRACE_BESIDE_PROBE,
	TRACE_BESIDE_SYNTH,
	TRACE_BESIDE_USES,
};

/**
 * struct trace_beside - memory of a CPU for scratch records
 * @room: memory for all places; NULL while there is no user, and for a CPU that got no memory
 * @places: number of places in @room; for a moment smaller than that while the room grows
 * @taken: number of places in use
 *
 * A context that interrupts another one ends its records before the other one goes on, so the
 * places are a stack, and @taken is the level of the next record.
 */
struct trace_beside {
	void		*room;
	unsigned int	places;
	unsigned int	taken;
};

DECLARE_PER_CPU(struct trace_beside, trace_beside);

/**
 * trace_beside_get - allocate memory for scratch records
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
int trace_beside_get(enum trace_beside_use use);

/**
 * trace_beside_put - undo trace_scratch_get()
 * @use: as given to trace_scratch_get()
 *
 * The last user waits for a grace period of RCU and frees all memory. Nothing is freed before.
 *
 * Context: may sleep; takes scratch_lock.
 */
void trace_beside_put(enum trace_beside_use use);

/**
 * trace_beside_take - take a place for a scratch record
 * @level: number of the place: trace_beside.taken of the CPU
 * @len: bytes of the record
 *
 * Part of trace_scratch_start() and trace_scratch_start_first().
 *
 * Context: any, NMI included; preemption off.
 * Return: the record, or NULL.
 */
static __always_inline struct trace_entry *trace_beside_take(unsigned int level, unsigned int len)
{
	void *room = __this_cpu_read(trace_beside.room);

	if (unlikely(!room || len > TRACE_BESIDE_MAX))
		return NULL;
	__this_cpu_inc(trace_beside.taken);
	/*
	 * A context that interrupts from here on finds the place taken. Pairs with the barrier in
	 * trace_scratch_end().
	 */
	barrier();
	return room + level * TRACE_BESIDE_MAX;
}

/**
 * trace_beside_start - begin a scratch record
 * @len: bytes of the whole record
 *
 * Contexts that nest get different places.
 *
 * Context: any, NMI included; preemption off until trace_scratch_end().
 * Return: the record, aligned as a long; NULL if @len is too large, all places are in use, or the
 * CPU has no memory (trace_scratch_get()): then trace_scratch_end() is not called.
 */
static __always_inline struct trace_entry *trace_beside_start(unsigned int len)
{
	unsigned int level = __this_cpu_read(trace_beside.taken);

	if (unlikely(level >= __this_cpu_read(trace_beside.places)))
		return NULL;
	return trace_beside_take(level, len);
}

/**
 * trace_beside_start_first - begin a scratch record in a context that interrupts nothing
 * @len: bytes of the whole record
 *
 * Context: a task that has not interrupted a scratch record; preemption off until
 * trace_scratch_end().
 * Return: as trace_scratch_start(); NULL also if the CPU has a scratch record in use already.
 */
static __always_inline struct trace_entry *trace_beside_start_first(unsigned int len)
{
	return likely(!__this_cpu_read(trace_beside.taken)) ? trace_beside_take(0, len) : NULL;
}

/**
 * trace_beside_keep - copy a scratch record into a buffer
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
bool trace_beside_keep(struct trace_buffer *buffer, const struct trace_entry *ent,
		       unsigned int len, u64 *time);

/**
 * trace_beside_end - release a scratch record that has been copied or rejected
 *
 * Context: as for trace_scratch_start(), on the same CPU.
 */
static __always_inline void trace_beside_end(void)
{
	/*
	 * The last access to the record comes before this. Pairs with the barrier in
	 * trace_scratch_take().
	 */
	barrier();
	__this_cpu_dec(trace_beside.taken);
}

#endif /* _KERNEL_TRACE_BESIDE_H */
