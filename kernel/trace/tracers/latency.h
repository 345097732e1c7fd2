/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the tracers that keep the longest time of some kind have in common: irqsoff and its
 * like (sections.c), wakeup and its like (wakeup.c). One instance at a time can use those
 * of a file.
 *
 * Keeping a time is instance/latency.h; here is what they record, and the options that go
 * with them.
 */
#ifndef _KERNEL_TRACE_TRACERS_LATENCY_H
#define _KERNEL_TRACE_TRACERS_LATENCY_H

#include <linux/ftrace.h>
#include <linux/types.h>

struct trace_array;

/**
 * latency_record_call - record that one place was called by another
 * @tr: the instance
 * @ip: the place
 * @parent_ip: the other
 * @ctx: the context
 *
 * Context: any, NMI included; preemption off.
 */
void latency_record_call(struct trace_array *tr, unsigned long ip, unsigned long parent_ip,
			 unsigned int ctx);

/**
 * latency_begin - a tracer of this kind begins
 * @tr: the instance
 * @func: the callback of functions; attached if option function-trace is on
 *
 * What can be read of the buffer is in latency format from then on, and what is old is
 * overwritten.
 *
 * Context: may sleep; trace_lock held, and no callback is to be called yet.
 * Return: 0, or why functions cannot be traced: nothing was changed.
 */
int latency_begin(struct trace_array *tr, ftrace_func_t func);

/**
 * latency_end - it ends
 * @tr: the instance
 *
 * The options are what they were before.
 *
 * Context: may sleep; trace_lock held.
 * Return: 0, or why functions are traced on: nothing was changed.
 */
int latency_end(struct trace_array *tr);

/**
 * latency_flag_changing - the flag_changing() of such a tracer, see struct tracer
 * @tr: the instance
 * @mask: the option
 * @on: what it is to be
 *
 * Return: 0; -EINVAL for not overwriting; as latency_begin() for function-trace.
 */
int latency_flag_changing(struct trace_array *tr, u32 mask, bool on);

#endif /* _KERNEL_TRACE_TRACERS_LATENCY_H */
