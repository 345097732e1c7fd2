/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How a tracer has functions call it: by the ops of its instance, which has the instance's
 * filters.
 */
#ifndef _KERNEL_TRACE_TRACERS_ATTACH_H
#define _KERNEL_TRACE_TRACERS_ATTACH_H

#include <linux/ftrace.h>

struct trace_array;

/**
 * attach_prepare - fill in the ops of an instance
 * @tr: the instance; nothing is attached
 * @func: the callback
 *
 * Context: trace_lock held.
 */
void attach_prepare(struct trace_array *tr, ftrace_func_t func);

/**
 * attach_calls - have functions call a tracer
 * @tr: the instance
 * @func: the callback
 *
 * Context: may sleep; trace_lock held.
 * Return: 0, or what register_ftrace_function() says: then nothing was changed.
 */
int attach_calls(struct trace_array *tr, ftrace_func_t func);

/**
 * detach_calls - the end of attach_calls()
 * @tr: the instance
 *
 * Context: may sleep; trace_lock held.
 * Return: 0, and nothing is called any more; or why it is called as before.
 */
int detach_calls(struct trace_array *tr);

/**
 * attach_tracer - a tracer of functions begins
 * @tr: the instance
 * @attach: has functions call it
 *
 * Comms of tasks are saved from then on.
 *
 * Context: may sleep; trace_lock held.
 * Return: 0, or why it does not: then nothing was changed.
 */
int attach_tracer(struct trace_array *tr, int (*attach)(struct trace_array *tr));

/**
 * detach_tracer - the end of attach_tracer()
 * @tr: the instance
 * @detach: undoes what attach has done
 *
 * Context: may sleep; trace_lock held.
 * Return: 0, or why it goes on.
 */
int detach_tracer(struct trace_array *tr, int (*detach)(struct trace_array *tr));

#endif /* _KERNEL_TRACE_TRACERS_ATTACH_H */
