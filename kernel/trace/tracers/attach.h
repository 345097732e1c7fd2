/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Attaches a tracer to functions, through the ftrace_ops of its instance and thus with the
 * filters of the instance. For the tracers in this directory.
 *
 * A callback gets the instance as &ftrace_ops.private. It returns if &trace_cpu.skip is set, reads
 * trace_preempt_word() and disables preemption, asks trace_pids_allow(), and enters the guard; then
 * it may record. function_trace_options() and function_trace_guarded() in function.c do just that.
 */
#ifndef _KERNEL_TRACE_TRACERS_ATTACH_H
#define _KERNEL_TRACE_TRACERS_ATTACH_H

#include <linux/ftrace.h>

struct trace_array;

/**
 * attach_prepare() - fill in the ops of an instance
 * @tr: the instance; its ops is not registered
 * @func: callback for the entry of functions
 *
 * Context: trace_lock held.
 */
void attach_prepare(struct trace_array *tr, ftrace_func_t func);

/**
 * attach_calls() - register a callback for the entry of functions
 * @tr: the instance
 * @func: the callback
 *
 * Context: may sleep; trace_lock held.
 * Return: 0, or an error of register_ftrace_function(), in which case nothing has changed.
 */
int attach_calls(struct trace_array *tr, ftrace_func_t func);

/**
 * detach_calls() - undo attach_calls()
 * @tr: the instance
 *
 * Context: may sleep; trace_lock held.
 * Return: 0 if the callback is no longer called; an error of unregister_ftrace_function() if
 * it is still registered.
 */
int detach_calls(struct trace_array *tr);

/**
 * attach_tracer() - start a function tracer
 * @tr: the instance
 * @attach: registers the callbacks of the tracer; 0 or a negative errno
 *
 * Also starts saving the comms of tasks.
 *
 * Context: may sleep; trace_lock held.
 * Return: 0, -ENOMEM or the error of @attach; in case of an error nothing has changed.
 */
int attach_tracer(struct trace_array *tr, int (*attach)(struct trace_array *tr));

/**
 * detach_tracer() - stop a function tracer, undo attach_tracer()
 * @tr: the instance
 * @detach: unregisters the callbacks of the tracer; 0 or a negative errno
 *
 * Context: may sleep; trace_lock held.
 * Return: 0, or the error of @detach, in which case the tracer continues.
 */
int detach_tracer(struct trace_array *tr, int (*detach)(struct trace_array *tr));

#endif /* _KERNEL_TRACE_TRACERS_ATTACH_H */
