/* SPDX-License-Identifier: GPL-2.0 */
/* Interface between the files of instance/. */
#ifndef _KERNEL_TRACE_INSTANCE_INTERNAL_H
#define _KERNEL_TRACE_INSTANCE_INTERNAL_H

#include <linux/rculist.h>
#include <linux/types.h>

#include "instance.h"
#include "options.h"

/* Default size in bytes per CPU that a buffer expands to when it is first used. */
#define TRACE_BUF_SIZE_DEFAULT	1441792UL
/* Size in bytes per CPU before that: the ring buffer rounds up to its minimum. */
#define TRACE_BUF_SIZE_BOOT	1UL

/* Options that are set in the first instance at boot. */
#define TRACE_OPT_DEFAULTS						\
	(TRACE_OPT_PRINT_PARENT | TRACE_OPT_PRINTK | TRACE_OPT_ANNOTATE | \
	 TRACE_OPT_CONTEXT_INFO | TRACE_OPT_RECORD_CMD |		\
	 TRACE_OPT_OVERWRITE | TRACE_OPT_IRQ_INFO | TRACE_OPT_MARKERS |	\
	 TRACE_OPT_HASH_PTR | TRACE_OPT_PRINTK_DEST | TRACE_OPT_FUNCTION)

/* Options that latency tracers set while they are current, see tracers/latency.c. */
#define TRACE_OPT_LATENCY_TRACER						\
	(TRACE_OPT_OVERWRITE | TRACE_OPT_LATENCY_FMT | TRACE_OPT_PAUSE_ON_TRACE)

/* For callers with preemption off: an instance is freed after an RCU grace period. */
#define for_each_trace_array_rcu(tr) \
	list_for_each_entry_rcu(tr, &trace_arrays, list, true)

/**
 * instance_idle_tracer() - get the tracer that is current when nothing is traced: nop
 *
 * Context: any, after the first tracer was registered.
 * Return: the tracer.
 */
struct tracer *instance_idle_tracer(void);

/**
 * instance_tracer_start() - notify the current tracer that recording was switched on
 * @tr: the instance
 *
 * Context: may sleep; caller holds trace_lock.
 */
static inline void instance_tracer_start(struct trace_array *tr)
{
	if (tr->current_tracer->start)
		tr->current_tracer->start(tr);
}

/**
 * instance_tracer_stop() - notify the current tracer that recording was switched off
 * @tr: the instance
 *
 * Context: may sleep; caller holds trace_lock.
 */
static inline void instance_tracer_stop(struct trace_array *tr)
{
	if (tr->current_tracer->stop)
		tr->current_tracer->stop(tr);
}

/**
 * instance_empty_buffer() - discard what was recorded
 * @tr: the instance
 * @cpu: the CPU whose buffer is emptied, or RING_BUFFER_ALL_CPUS
 *
 * Context: may sleep; takes consume_lock().
 */
void instance_empty_buffer(struct trace_array *tr, int cpu);

/**
 * instance_parts_init() - set up the parts of an instance
 * @tr: the instance, set up except for its parts
 *
 * Context: may sleep, once that is possible.
 * Return: 0, or a negative errno: then all parts were undone.
 */
int instance_parts_init(struct trace_array *tr);

/**
 * instance_parts_release() - call @release of each part, see struct instance_part
 * @tr: the instance
 *
 * Context: may sleep; caller holds trace_lock.
 * Return: 0, or the error of a part that refuses to let the instance be removed.
 */
int instance_parts_release(struct trace_array *tr);

/**
 * instance_parts_unlisted() - call @unlisted of each part, see struct instance_part
 * @tr: the instance
 *
 * Context: may sleep; trace_lock is not held.
 */
void instance_parts_unlisted(struct trace_array *tr);

/**
 * instance_parts_exit() - clean up the parts of an instance, undoing instance_parts_init()
 * @tr: the instance
 *
 * Context: may sleep; trace_lock is not held.
 */
void instance_parts_exit(struct trace_array *tr);

/**
 * instance_parts_emptied() - notify the parts that the buffer was emptied
 * @tr: the instance
 * @cpu: the CPU whose buffer was emptied, or RING_BUFFER_ALL_CPUS
 *
 * Context: may sleep.
 */
void instance_parts_emptied(struct trace_array *tr, int cpu);

/**
 * tracing_stop_tracer() - make nop the current tracer
 * @tr: the instance
 *
 * Context: may sleep; caller holds trace_lock.
 * Return: 0; or the error of the tracer, which continues to trace then.
 */
int tracing_stop_tracer(struct trace_array *tr);

/**
 * trace_options_bound() - get the options that stand for something outside of an instance
 *
 * Context: any.
 * Return: mask of these options, TRACE_OPT_*.
 */
u32 trace_options_bound(void);

/**
 * trace_options_release() - clear bound options, and reset the options of tracers to their
 * defaults
 * @tr: an instance whose tracer is nop, about to be removed
 *
 * Some tracers count the instances that have an option set.
 *
 * Context: may sleep; caller holds trace_lock.
 */
void trace_options_release(struct trace_array *tr);

#endif /* _KERNEL_TRACE_INSTANCE_INTERNAL_H */
