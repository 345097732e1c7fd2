/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A record beside the buffer: who wants to look at a record before it is decided whether
 * there is to be one at all (a filter) has it made here, and only what is wanted is
 * copied into the buffer. So what is not wanted touches no buffer.
 *
 *	preempt_disable_notrace();
 *	ent = trace_beside_start(len);
 *	if (ent) {
 *		... fill in *ent, its header included ...
 *		if (wanted(ent))
 *			trace_beside_keep(buffer, ent, len);
 *		trace_beside_end();
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

/* The longest record that there is room for: what a page of 4 KB of the ring buffer holds. */
#define TRACE_BESIDE_MAX	4072U

/* A task, a softirq, an interrupt, an NMI. */
#define TRACE_BESIDE_CONTEXTS	4U
/* Interrupts of all but the last, of which the guard does not know yet, and lets one through. */
#define TRACE_BESIDE_EARLY	3U
/*
 * How many synthetic events deep a context may be, where one makes another one come: the less,
 * the shorter its stack is, or the more it shares it with those that it interrupts.
 */
#define TRACE_BESIDE_DEPTH_TASK		4U
#define TRACE_BESIDE_DEPTH_SOFTIRQ	3U
#define TRACE_BESIDE_DEPTH_HARDIRQ	2U
#define TRACE_BESIDE_DEPTH_NMI		1U
#define TRACE_BESIDE_DEPTHS	(TRACE_BESIDE_DEPTH_TASK + TRACE_BESIDE_DEPTH_SOFTIRQ + \
				 TRACE_BESIDE_DEPTH_HARDIRQ + TRACE_BESIDE_DEPTH_NMI)
/* The record that a probe of an event looks at, and its own, at which a filter may look. */
#define TRACE_BESIDE_RECORDS	2U

/* A CPU has as many places as it can have records at a time that are looked at. */
#define TRACE_BESIDE_PLACES_LOOK	(TRACE_BESIDE_CONTEXTS + TRACE_BESIDE_EARLY)
#define TRACE_BESIDE_PLACES_PROBE	(TRACE_BESIDE_RECORDS * TRACE_BESIDE_PLACES_LOOK)
#define TRACE_BESIDE_PLACES_SYNTH	\
	(TRACE_BESIDE_PLACES_PROBE + TRACE_BESIDE_RECORDS * TRACE_BESIDE_DEPTHS)

/**
 * enum trace_beside_use - why a record is looked at before it is kept
 * @TRACE_BESIDE_LOOK: a filter or a trigger looks at it
 * @TRACE_BESIDE_PROBE: a probe of an event makes another one of it meanwhile
 * @TRACE_BESIDE_SYNTH: a synthetic event comes of it meanwhile, of which others may come
 * @TRACE_BESIDE_USES: how many these are
 *
 * Each needs all places that those before it need.
 */
enum trace_beside_use {
	TRACE_BESIDE_LOOK,
	TRACE_BESIDE_PROBE,
	TRACE_BESIDE_SYNTH,
	TRACE_BESIDE_USES,
};

/**
 * struct trace_beside - a CPU's room for records beside the buffer
 * @room: for all that can nest; NULL while nobody wants it, or the CPU has got none
 * @places: how many records @room is for, or fewer
 * @taken: how many of them have a record in it
 *
 * Whoever interrupts is done before who is interrupted goes on, so a count that each leaves
 * as it was tells whose place is whose.
 */
struct trace_beside {
	void		*room;
	unsigned int	places;
	unsigned int	taken;
};

DECLARE_PER_CPU(struct trace_beside, trace_beside);

/**
 * trace_beside_get - have room for records beside the buffer
 * @use: why
 *
 * Counted: each call that succeeded needs its trace_beside_put(). Without any,
 * trace_beside_start() finds none, and there is no memory for it. CPUs that are offline have
 * none either; one that comes up gets its own before, or is without if there is no memory.
 *
 * Waits for a grace period of RCU if there is room already, but too little.
 *
 * Context: may sleep; takes beside_lock, inside which nothing is taken.
 * Return: 0 or -ENOMEM.
 */
int trace_beside_get(enum trace_beside_use use);

/**
 * trace_beside_put - end of a trace_beside_get()
 * @use: what that was called with
 *
 * Waits for a grace period of RCU when it is the last. Until then nothing is given back.
 *
 * Context: may sleep; takes beside_lock.
 */
void trace_beside_put(enum trace_beside_use use);

/* In the room of a context: what the two below have in common. */
static __always_inline struct trace_entry *trace_beside_take(unsigned int level, unsigned int len)
{
	void *room = __this_cpu_read(trace_beside.room);

	if (unlikely(!room || len > TRACE_BESIDE_MAX))
		return NULL;
	__this_cpu_inc(trace_beside.taken);
	/* Pairs with that of trace_beside_end(): a context that nests finds it taken. */
	barrier();
	return room + level * TRACE_BESIDE_MAX;
}

/**
 * trace_beside_start - begin a record beside the buffer
 * @len: bytes of the whole record
 *
 * Contexts that nest have places of their own.
 *
 * Context: any, NMI included; preemption off until trace_beside_end().
 * Return: where to write it, as aligned as a long; NULL if it is too long, all places are
 * taken, or the CPU has none (trace_beside_get()): then there is no trace_beside_end().
 */
static __always_inline struct trace_entry *trace_beside_start(unsigned int len)
{
	unsigned int level = __this_cpu_read(trace_beside.taken);

	if (unlikely(level >= __this_cpu_read(trace_beside.places)))
		return NULL;
	return trace_beside_take(level, len);
}

/**
 * trace_beside_start_first - the same in a context that interrupts nothing
 * @len: likewise
 *
 * Context: a task, nothing of which is interrupted; preemption off.
 * Return: as there; NULL also if it has a record there already.
 */
static __always_inline struct trace_entry *trace_beside_start_first(unsigned int len)
{
	return likely(!__this_cpu_read(trace_beside.taken)) ? trace_beside_take(0, len) : NULL;
}

/**
 * trace_beside_keep - the record is wanted
 * @buffer: where
 * @ent: from trace_beside_start(), complete
 * @len: bytes of it
 * @time: set to the time of the record, if that is kept; or NULL
 *
 * Its time is that of this call.
 *
 * Context: between trace_beside_start() and trace_beside_end().
 * Return: false if it could not be recorded: the ring buffer has counted it.
 */
bool trace_beside_keep(struct trace_buffer *buffer, const struct trace_entry *ent,
		       unsigned int len, u64 *time);

/**
 * trace_beside_end - the record has been copied, or is not wanted
 *
 * Context: that of trace_beside_start(), on the same CPU.
 */
static __always_inline void trace_beside_end(void)
{
	/* Pairs with that of trace_beside_take(). */
	barrier();
	__this_cpu_dec(trace_beside.taken);
}

#endif /* _KERNEL_TRACE_BESIDE_H */
