/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Snapshots at the request of traced code, for commands on functions and for triggers. Callers
 * outside of the tracer use <linux/kernel.h>.
 */
#ifndef _KERNEL_TRACE_RECORD_SNAPSHOT_H
#define _KERNEL_TRACE_RECORD_SNAPSHOT_H

#include <linux/errno.h>
#include <linux/types.h>

struct trace_array;

/**
 * typedef cond_update_fn_t - condition of snapshots
 * @tr: the instance
 * @cond_data: data passed by the caller of tracing_snapshot_cond(); NULL for other requests
 *
 * The function may store information about the snapshot in memory that
 * tracing_cond_snapshot_data() leads to.
 *
 * Context: any but NMI; interrupts off; calls are serialized. If the function, or a traced
 * function that it calls, requests a snapshot of an instance with a condition, that request is
 * ignored.
 * Return: true if the snapshot is to be taken.
 */
typedef bool (*cond_update_fn_t)(struct trace_array *tr, void *cond_data);

/**
 * snapshot_condition_begin() - set a condition for snapshots, with the tracer itself as its owner
 * @tr: the instance
 * @cond_data: data for tracing_cond_snapshot_data()
 * @update: the condition
 *
 * Also allocates the memory for snapshots.
 *
 * Context: may sleep; trace_lock held.
 * Return: 0; -EBUSY if there is a condition already, if the current tracer uses the snapshot,
 * or if the buffer is mapped; -ENOMEM; -ENODEV without CONFIG_TRACER_SNAPSHOT.
 */
int snapshot_condition_begin(struct trace_array *tr, void *cond_data, cond_update_fn_t update);

/**
 * snapshot_condition_take() - take a snapshot if the condition of snapshot_condition_begin() holds
 * @tr: the instance
 * @cond_data: data of this request, passed to update(), which gets NULL for requests of others
 *
 * Context: any; in an NMI, or from an update(), a condition does not hold.
 */
void snapshot_condition_take(struct trace_array *tr, void *cond_data);

/**
 * snapshot_condition_end() - remove the condition set by snapshot_condition_begin()
 * @tr: the instance
 *
 * Context: may sleep; trace_lock may be held.
 * Return: 0 once update() no longer runs; -EINVAL if there is no such condition.
 */
int snapshot_condition_end(struct trace_array *tr);

/**
 * trace_snapshot() - take a snapshot, or record the reason why none is taken
 * @tr: the instance
 *
 * If no memory was allocated for snapshots, recording stops, so that the records of which a
 * snapshot should have been taken stay in the buffer.
 *
 * Context: any, NMI included; RCU is watching.
 */
#ifdef CONFIG_TRACER_SNAPSHOT
void trace_snapshot(struct trace_array *tr);
#else
static inline void trace_snapshot(struct trace_array *tr) { }
#endif

#endif /* _KERNEL_TRACE_RECORD_SNAPSHOT_H */
