/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Snapshots: what was recorded up to a moment, put aside in no time.
 *
 * An instance has two ring buffers, and records go to one of them. To take a snapshot is
 * to have them go to the other from now on: a store, whatever is in the buffers. So what
 * was in the snapshot before is found in front of what is recorded next. Who is in the
 * middle of recording still adds his record to the snapshot.
 *
 * The other buffer is as small as can be until it is needed; then it gets the size of the
 * first, and follows it. This is the mechanism; what there is to say to somebody who asks
 * for a snapshot that cannot be is in messages/snapshot.c, and the files are in
 * files/snapshot.c.
 */
#ifndef _KERNEL_TRACE_SNAPSHOT_H
#define _KERNEL_TRACE_SNAPSHOT_H

#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/types.h>

#include "instance.h"

/**
 * snapshot_is_kept - does the tracer of an instance keep records in the snapshot?
 * @tr: the instance
 *
 * Then it is nobody else's: it is not read, taken, cleared or freed.
 *
 * Context: any. It stays so under trace_lock, and while a file keeps the tracer.
 */
static inline bool snapshot_is_kept(const struct trace_array *tr)
{
	return READ_ONCE(tr->current_tracer)->uses_snapshot;
}

/**
 * snapshot_is_taken_up - has somebody the snapshot of an instance for himself?
 * @tr: the instance
 *
 * Its tracer, or who has snapshots depend on a condition.
 *
 * Context: any. What is not taken up stays so under trace_lock.
 */
static inline bool snapshot_is_taken_up(const struct trace_array *tr)
{
	return snapshot_is_kept(tr) || READ_ONCE(tr->condition);
}

#ifdef CONFIG_TRACER_MAX_TRACE

/* The buffer of an instance that is not @buffer. */
static inline struct trace_buffer *trace_array_other(const struct trace_array *tr,
						     const struct trace_buffer *buffer)
{
	return tr->buffers[buffer == tr->buffers[0]];
}

/**
 * trace_array_snapshot - the buffer with the snapshot
 * @tr: the instance
 *
 * It is another one after each snapshot. Good to look at while the instance is there,
 * whether or not there ever was a snapshot: then it is empty.
 *
 * Context: any.
 */
static inline struct trace_buffer *trace_array_snapshot(const struct trace_array *tr)
{
	return trace_array_other(tr, READ_ONCE(tr->buffer));
}

/**
 * snapshot_is_ready - has an instance got what a snapshot needs
 * @tr: the instance
 *
 * Context: any. It stays so under trace_lock, or until preemption is enabled.
 */
static inline bool snapshot_is_ready(const struct trace_array *tr)
{
	/* Pairs with the release in snapshot_alloc(): then the sizes are the same. */
	return smp_load_acquire(&tr->has_snapshot);
}

/**
 * snapshot_of - the other buffer, if it is to have the size of the first
 * @tr: the instance
 * @buffer: the first
 *
 * Context: caller holds trace_lock.
 * Return: the buffer, or NULL.
 */
static inline struct trace_buffer *snapshot_of(const struct trace_array *tr,
					       const struct trace_buffer *buffer)
{
	return tr->has_snapshot ? trace_array_other(tr, buffer) : NULL;
}

/**
 * snapshot_alloc - get what a snapshot needs
 * @tr: the instance
 *
 * Counts as use of the instance: its buffer expands.
 *
 * Context: may sleep; caller holds trace_lock.
 * Return: 0, also if it is there already; -ENOMEM, or -EBUSY while somebody looks at what
 * was the snapshot before and has pages of another size: nothing was changed. -EINVAL
 * without CONFIG_TRACER_MAX_TRACE.
 */
int snapshot_alloc(struct trace_array *tr);

/**
 * snapshot_free - drop the snapshot and give back its memory
 * @tr: the instance
 *
 * Context: may sleep; caller holds trace_lock.
 * Return: 0, also if there is none; -ENOMEM: it is all still there.
 */
int snapshot_free(struct trace_array *tr);

/**
 * snapshot_follow - the size of one buffer could not be changed: give the other its old one
 * @tr: the instance
 * @other: from snapshot_of() of the first, or NULL
 * @buffer: the first
 *
 * If even that cannot be had, the snapshot is dropped.
 *
 * Context: may sleep; caller holds trace_lock.
 */
void snapshot_follow(struct trace_array *tr, struct trace_buffer *other,
		     struct trace_buffer *buffer);

/**
 * snapshot_clear - forget what is in the snapshot
 * @tr: the instance
 * @cpu: of which CPU, or RING_BUFFER_ALL_CPUS
 *
 * Context: may sleep; takes consume_lock(), may be called under trace_lock. If others take
 * snapshots meanwhile, what is forgotten may be what they put aside or what was recorded
 * since.
 */
void snapshot_clear(struct trace_array *tr, int cpu);

/**
 * snapshot_use - somebody is going to take snapshots
 * @tr: the instance
 *
 * Context: process, may sleep; trace_lock may be held.
 * Return: 0 until snapshot_unuse(); -EBUSY while the buffer is mapped.
 */
int snapshot_use(struct trace_array *tr);

/**
 * snapshot_unuse - undo snapshot_use()
 * @tr: the instance
 *
 * Context: as snapshot_use().
 */
void snapshot_unuse(struct trace_array *tr);

/**
 * snapshot_exclude - the buffer of an instance is to stay where it is
 * @tr: the instance; an open file sees to it that its tracer stays
 *
 * For a user who maps it. A tracer that takes snapshots is not looked for here.
 *
 * Context: may sleep; mmap_lock may be held, which is why trace_lock is not taken.
 * Return: 0 until snapshot_admit(), and always if it is excluded already; -EBUSY if
 * somebody is going to take snapshots.
 */
int snapshot_exclude(struct trace_array *tr);

/**
 * snapshot_exclude_again - once more, while it is excluded; nobody has to be waited for
 * @tr: the instance
 *
 * Context: as snapshot_exclude().
 */
void snapshot_exclude_again(struct trace_array *tr);

/**
 * snapshot_admit - undo snapshot_exclude()
 * @tr: the instance
 *
 * Context: as snapshot_exclude().
 */
void snapshot_admit(struct trace_array *tr);

/**
 * snapshot_take - put aside what was recorded
 * @tr: the instance
 *
 * Of two that come at the same moment, one is taken.
 *
 * Context: any, NMI included; RCU is watching.
 * Return: false if there is no room (see snapshot_is_ready()), or the buffer is mapped.
 */
bool snapshot_take(struct trace_array *tr);

/**
 * snapshot_take_here - put aside what was recorded on this CPU
 * @tr: the instance
 *
 * Context: any but NMI, interrupts off, the lock of a run queue may be held.
 * Return: 0; -ENODEV if there is no room; as ring_buffer_swap_cpu() if the records could
 * not be exchanged: nothing was changed.
 */
int snapshot_take_here(struct trace_array *tr);

/**
 * snapshot_take_cpu - put aside what was recorded on one CPU
 * @tr: the instance
 * @cpu: the CPU, up or down
 *
 * If the CPU is just recording, or somebody is reading, it is tried again for a moment.
 *
 * Context: may sleep; takes cpus_read_lock(); caller holds trace_lock.
 * Return: as snapshot_take_here().
 */
int snapshot_take_cpu(struct trace_array *tr, int cpu);

#else

static inline struct trace_buffer *trace_array_snapshot(const struct trace_array *tr)
{
	return tr->buffer;
}

static inline struct trace_buffer *snapshot_of(const struct trace_array *tr,
					       const struct trace_buffer *buffer)
{
	return NULL;
}

static inline int snapshot_alloc(struct trace_array *tr)
{
	return -EINVAL;
}

static inline void snapshot_exclude_again(struct trace_array *tr) { }

static inline int snapshot_use(struct trace_array *tr)
{
	return 0;
}

static inline void snapshot_unuse(struct trace_array *tr) { }

static inline int snapshot_exclude(struct trace_array *tr)
{
	return 0;
}

static inline void snapshot_admit(struct trace_array *tr) { }

static inline int snapshot_free(struct trace_array *tr)
{
	return 0;
}

static inline void snapshot_follow(struct trace_array *tr, struct trace_buffer *other,
				   struct trace_buffer *buffer) { }
static inline void snapshot_clear(struct trace_array *tr, int cpu) { }

#endif /* CONFIG_TRACER_MAX_TRACE */

#endif /* _KERNEL_TRACE_SNAPSHOT_H */
