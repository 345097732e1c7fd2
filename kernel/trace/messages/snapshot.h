/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Asking for a snapshot, from wherever something is found to be worth one: the rest of
 * the kernel (<linux/kernel.h>), commands on functions, triggers.
 */
#ifndef _KERNEL_TRACE_RECORD_SNAPSHOT_H
#define _KERNEL_TRACE_RECORD_SNAPSHOT_H

#include <linux/errno.h>
#include <linux/types.h>

struct trace_array;

/**
 * cond_update_fn_t - is the snapshot to be taken
 * @tr: the instance
 * @cond_data: what the caller of tracing_snapshot_cond() gave, NULL from others
 *
 * What it notes down about the snapshot, tracing_cond_snapshot_data() leads to.
 *
 * Context: any but NMI, interrupts off, one at a time. If it asks for a snapshot itself, of
 * an instance with a condition, as what it calls may do when that is traced, none is taken.
 */
typedef bool (*cond_update_fn_t)(struct trace_array *tr, void *cond_data);

void tracing_snapshot_cond(struct trace_array *tr, void *cond_data);
int tracing_snapshot_cond_enable(struct trace_array *tr, void *cond_data,
				 cond_update_fn_t update);
int tracing_snapshot_cond_disable(struct trace_array *tr);
void *tracing_cond_snapshot_data(struct trace_array *tr);
int tracing_alloc_snapshot(void);

/**
 * snapshot_condition_begin - tracing_snapshot_cond_enable(), for who has the lock
 * @tr: the instance
 * @cond_data: as there
 * @update: as there
 *
 * Context: may sleep; trace_lock is held.
 * Return: as there; -ENODEV without CONFIG_TRACER_SNAPSHOT.
 */
int snapshot_condition_begin(struct trace_array *tr, void *cond_data, cond_update_fn_t update);

/**
 * snapshot_condition_ask - tracing_snapshot_cond(), for who has begun
 * @tr: the instance
 * @cond_data: for the update() of snapshot_condition_begin(), which gets NULL from others
 *
 * Context: as there.
 */
void snapshot_condition_ask(struct trace_array *tr, void *cond_data);

/**
 * snapshot_condition_end - tracing_snapshot_cond_disable(), for who has begun
 * @tr: the instance
 *
 * Context: may sleep; trace_lock may be held.
 * Return: as there.
 */
int snapshot_condition_end(struct trace_array *tr);

/**
 * trace_snapshot - take a snapshot, or say in the trace why not
 * @tr: the instance
 *
 * Without room for one, recording stops: so what was to be kept is kept.
 *
 * Context: any, NMI included; RCU is watching.
 */
#ifdef CONFIG_TRACER_SNAPSHOT
void trace_snapshot(struct trace_array *tr);
#else
static inline void trace_snapshot(struct trace_array *tr) { }
#endif

#endif /* _KERNEL_TRACE_RECORD_SNAPSHOT_H */
