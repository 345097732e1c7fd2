/* SPDX-License-Identifier: GPL-2.0 */
/* Interface between the files of instance/. */
#ifndef _KERNEL_TRACE_INSTANCE_INTERNAL_H
#define _KERNEL_TRACE_INSTANCE_INTERNAL_H

#include <linux/init.h>

struct trace_array;
struct tracer;

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
void instance_tracer_start(struct trace_array *tr);

/**
 * instance_tracer_stop() - notify the current tracer that recording was switched off
 * @tr: the instance
 *
 * Context: may sleep; caller holds trace_lock.
 */
void instance_tracer_stop(struct trace_array *tr);

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

#endif /* _KERNEL_TRACE_INSTANCE_INTERNAL_H */
