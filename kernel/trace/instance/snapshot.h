/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Snapshots: the records up to a moment, saved without copying.
 *
 * An instance has two ring buffers, and records are written to one of them. A snapshot lets
 * records be written to the other one from now on: one store, however full the buffers are. So
 * the records of the previous snapshot precede the next records in that buffer. A record that
 * is being written at that moment is completed in the snapshot.
 *
 * The other buffer has the minimum size until it is needed. Then it gets the size of the first
 * one, and is resized together with it. This file is the mechanism only: messages/snapshot.c
 * reports snapshots that cannot be taken, and the files are in files/snapshot.c.
 */
#ifndef _KERNEL_TRACE_SNAPSHOT_H
#define _KERNEL_TRACE_SNAPSHOT_H

#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/types.h>

#include "instance.h"

/**
 * snapshot_is_owned() - true if the tracer of an instance keeps records in the snapshot
 * @tr: the instance
 *
 * Then nobody else may read, take, clear or free the snapshot.
 *
 * Context: any. The result is stable under trace_lock, and while a file keeps the tracer.
 */
static inline bool snapshot_is_owned(const struct trace_array *tr)
{
	return READ_ONCE(tr->current_tracer)->uses_snapshot;
}

/**
 * snapshot_is_reserved() - true if the snapshot of an instance is reserved
 * @tr: the instance
 *
 * A snapshot is reserved for a tracer that keeps records in it, or for the user that has set a
 * snapshot condition.
 *
 * Context: any. A result of false is stable under trace_lock.
 */
static inline bool snapshot_is_reserved(const struct trace_array *tr)
{
	return snapshot_is_owned(tr) || READ_ONCE(tr->condition);
}

#ifdef CONFIG_TRACER_MAX_TRACE

/* The buffer of an instance other than @buffer. */
static inline struct trace_buffer *trace_array_other(const struct trace_array *tr,
						     const struct trace_buffer *buffer)
{
	return tr->buffers[buffer == tr->buffers[0]];
}

/**
 * trace_array_snapshot() - get the buffer that holds the snapshot
 * @tr: the instance
 *
 * Each snapshot exchanges the buffers, so the next call may return the other one. The buffer
 * may be read while the instance exists; it is empty before the first snapshot.
 *
 * Context: any.
 */
static inline struct trace_buffer *trace_array_snapshot(const struct trace_array *tr)
{
	return trace_array_other(tr, READ_ONCE(tr->buffer));
}

/**
 * snapshot_is_ready() - true if the memory for snapshots is allocated
 * @tr: the instance
 *
 * Context: any. A result of true is stable under trace_lock, and until preemption is enabled.
 */
static inline bool snapshot_is_ready(const struct trace_array *tr)
{
	/* Pairs with the release in snapshot_alloc(): if true, both buffers have one size. */
	return smp_load_acquire(&tr->has_snapshot);
}

/**
 * snapshot_alloc() - allocate the memory for snapshots
 * @tr: the instance
 *
 * Counts as use of the instance: its buffer expands.
 *
 * Context: may sleep; caller holds trace_lock.
 * Return: 0, also if the memory is allocated already; -ENOMEM; -EBUSY while an old snapshot
 * with pages of another size is being read; -EINVAL without CONFIG_TRACER_MAX_TRACE. Nothing
 * has changed after an error.
 */
int snapshot_alloc(struct trace_array *tr);

/**
 * snapshot_free() - drop the snapshot and free its memory
 * @tr: the instance
 *
 * Context: may sleep; caller holds trace_lock.
 * Return: 0, also if there is none; -ENOMEM if snapshot and memory are unchanged.
 */
int snapshot_free(struct trace_array *tr);

/**
 * snapshot_clear() - discard the records in the snapshot
 * @tr: the instance
 * @cpu: the CPU whose records are discarded, or RING_BUFFER_ALL_CPUS
 *
 * If snapshots are taken meanwhile, the records of one of them may be discarded, or those
 * recorded since.
 *
 * Context: may sleep; takes consume_lock(), may be called under trace_lock.
 */
void snapshot_clear(struct trace_array *tr, int cpu);

/**
 * snapshot_use() - announce a user that will take snapshots
 * @tr: the instance
 *
 * Context: process, may sleep; trace_lock may be held.
 * Return: 0 until snapshot_unuse(); -EBUSY while the buffer is mapped.
 */
int snapshot_use(struct trace_array *tr);

/**
 * snapshot_unuse() - end one snapshot_use()
 * @tr: the instance
 *
 * Context: process, may sleep; trace_lock may be held.
 */
void snapshot_unuse(struct trace_array *tr);

/**
 * snapshot_block() - prevent snapshots, so that the buffer of an instance is not exchanged
 * @tr: the instance; an open file keeps its tracer
 *
 * For a user that maps the buffer. The caller checks for a tracer that takes snapshots.
 *
 * Context: may sleep; mmap_lock may be held, so trace_lock is not taken.
 * Return: 0 until snapshot_unblock(), and always if snapshots are prevented already; -EBUSY if
 * somebody has announced to take snapshots.
 */
int snapshot_block(struct trace_array *tr);

/**
 * snapshot_block_again() - count one more mapping while snapshots are prevented already
 * @tr: the instance
 *
 * No grace period is needed.
 *
 * Context: may sleep; mmap_lock may be held.
 */
void snapshot_block_again(struct trace_array *tr);

/**
 * snapshot_unblock() - end one snapshot_block() or snapshot_block_again()
 * @tr: the instance
 *
 * Context: may sleep; mmap_lock may be held.
 */
void snapshot_unblock(struct trace_array *tr);

/**
 * snapshot_take() - save the current records by exchanging the buffers
 * @tr: the instance
 *
 * Only one of two simultaneous calls exchanges the buffers.
 *
 * Context: any, NMI included; RCU is watching.
 * Return: false if there is no memory (see snapshot_is_ready()), or if the buffer is mapped.
 */
bool snapshot_take(struct trace_array *tr);

/**
 * snapshot_take_here() - save the current records of this CPU
 * @tr: the instance
 *
 * Context: any but NMI, interrupts off, the lock of a run queue may be held.
 * Return: 0; -ENODEV if there is no memory; else the error of ring_buffer_swap_cpu(). Nothing
 * has changed after an error.
 */
int snapshot_take_here(struct trace_array *tr);

/**
 * snapshot_take_cpu() - save the current records of one CPU
 * @tr: the instance
 * @cpu: the CPU, online or offline
 *
 * Tried again for some jiffies, if the CPU is writing a record or its records are being read.
 *
 * Context: may sleep; takes cpus_read_lock(); caller holds trace_lock.
 * Return: 0; -ENODEV if there is no memory; else the error of ring_buffer_swap_cpu(). Nothing
 * has changed after an error.
 */
int snapshot_take_cpu(struct trace_array *tr, int cpu);

#else

static inline struct trace_buffer *trace_array_snapshot(const struct trace_array *tr)
{
	return tr->buffer;
}

static inline int snapshot_alloc(struct trace_array *tr)
{
	return -EINVAL;
}

static inline void snapshot_block_again(struct trace_array *tr) { }

static inline int snapshot_use(struct trace_array *tr)
{
	return 0;
}

static inline void snapshot_unuse(struct trace_array *tr) { }

static inline int snapshot_block(struct trace_array *tr)
{
	return 0;
}

static inline void snapshot_unblock(struct trace_array *tr) { }

static inline int snapshot_free(struct trace_array *tr)
{
	return 0;
}

static inline void snapshot_clear(struct trace_array *tr, int cpu) { }

#endif /* CONFIG_TRACER_MAX_TRACE */

#endif /* _KERNEL_TRACE_SNAPSHOT_H */
