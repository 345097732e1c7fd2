/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Takes snapshots at the request of other rooms: commands on functions, and triggers.
 * Callers outside of the tracer use <linux/kernel.h>.
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
 * Context: any but NMI; interrupts off; calls are serialised. If the function itself, or a
 * traced function that it calls, requests a snapshot of an instance with a condition, none is
 * taken.
 * Return: true if the snapshot is to be taken.
 */
typedef bool (*cond_update_fn_t)(struct trace_array *tr, void *cond_data);

/**
 * snapshot_condition_begin() - set a condition of the tracer itself for snapshots
 * @tr: the instance
 * @cond_data: data for tracing_cond_snapshot_data()
 * @update: the condition
 *
 * Makes room for snapshots.
 *
 * Context: may sleep; trace_lock held.
 * Return: 0; -EBUSY if there is a condition already, if the current tracer uses the snapshot,
 * or if the buffer is mapped; -ENOMEM; -ENODEV without CONFIG_TRACER_SNAPSHOT.
 */
int snapshot_condition_begin(struct trace_array *tr, void *cond_data, cond_update_fn_t update);

/**
 * snapshot_condition_take() - take a snapshot if the condition of the tracer itself holds
 * @tr: the instance
 * @cond_data: passed to the update() of snapshot_condition_begin(), which gets NULL for other
 *	requests
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
 * Without room for a snapshot, recording stops, so that the records to be kept stay in the
 * buffer.
 *
 * Context: any, NMI included; RCU is watching.
 */
#ifdef CONFIG_TRACER_SNAPSHOT
void trace_snapshot(struct trace_array *tr);
#else
static inline void trace_snapshot(struct trace_array *tr) { }
#endif

#endif /* _KERNEL_TRACE_RECORD_SNAPSHOT_H */
