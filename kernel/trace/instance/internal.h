/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of this room tell each other.
 */
#ifndef _KERNEL_TRACE_INSTANCE_INTERNAL_H
#define _KERNEL_TRACE_INSTANCE_INTERNAL_H

#include <linux/init.h>

struct trace_array;
struct tracer;

/**
 * instance_idle_tracer - current where nothing is traced: nop
 */
struct tracer *instance_idle_tracer(void);

/**
 * instance_tracer_start - tell the tracer that recording goes on, or begins anew
 * @tr: the instance
 *
 * Context: may sleep; caller holds trace_lock.
 */
void instance_tracer_start(struct trace_array *tr);

/**
 * instance_tracer_stop - tell the tracer that recording was switched off
 * @tr: the instance
 *
 * Context: as instance_tracer_start().
 */
void instance_tracer_stop(struct trace_array *tr);

/**
 * instance_empty_buffer - forget what was recorded
 * @tr: the instance
 * @cpu: whose, or RING_BUFFER_ALL_CPUS
 *
 * Context: may sleep; takes consume_lock().
 */
void instance_empty_buffer(struct trace_array *tr, int cpu);

/**
 * instance_parts_init - make what other rooms keep with an instance
 * @tr: the instance, which has all else
 *
 * Context: may sleep, once that is possible.
 * Return: 0, or a negative errno: then nothing is left of them.
 */
int instance_parts_init(struct trace_array *tr);

/**
 * instance_parts_let_go - see struct instance_part
 * @tr: the instance
 *
 * Context: may sleep; caller holds trace_lock.
 * Return: 0, or why the instance has to stay.
 */
int instance_parts_let_go(struct trace_array *tr);

/**
 * instance_parts_gone - see struct instance_part
 * @tr: the instance
 *
 * Context: may sleep; trace_lock is not held.
 */
void instance_parts_gone(struct trace_array *tr);

/**
 * instance_parts_exit - free what instance_parts_init() has made
 * @tr: the instance
 *
 * Context: may sleep; trace_lock is not held.
 */
void instance_parts_exit(struct trace_array *tr);

/**
 * instance_parts_emptied - tell the parts that the buffer was emptied
 * @tr: the instance
 * @cpu: whose, or RING_BUFFER_ALL_CPUS
 *
 * Context: may sleep.
 */
void instance_parts_emptied(struct trace_array *tr, int cpu);

#endif /* _KERNEL_TRACE_INSTANCE_INTERNAL_H */
