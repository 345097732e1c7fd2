/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Entry and return records in the style of function_graph, for other tracers: the latency
 * tracers use them with option display-graph.
 *
 * Without CONFIG_FUNCTION_GRAPH_TRACER the option does not exist, and the stubs below are
 * never called.
 */
#ifndef _KERNEL_TRACE_TRACERS_FUNCTION_GRAPH_H
#define _KERNEL_TRACE_TRACERS_FUNCTION_GRAPH_H

#include <linux/errno.h>
#include <linux/ftrace.h>
#include <linux/limits.h>
#include <linux/sched.h>

struct trace_array;

#ifdef CONFIG_FUNCTION_GRAPH_TRACER

/**
 * function_graph_caller() - find the real return address of the newest call of current
 * @ip: the return address as found on the stack
 *
 * For use in the called function itself, or in a function below it that cannot be traced.
 *
 * Context: any.
 * Return: the original return address if @ip is the address of the return trampoline;
 * otherwise @ip.
 */
static __always_inline unsigned long function_graph_caller(unsigned long ip)
{
	return ftrace_graph_ret_addr_in(current, ip, NULL, (unsigned long *)ULONG_MAX);
}

/**
 * function_graph_attach() - register callbacks for entries and returns of functions
 * @tr: the instance, whose filters apply
 * @on_entry: ops callback for the entry of a function; calls function_graph_enter()
 * @on_return: callback for the return of a function; calls function_graph_return()
 *
 * Context: may sleep; trace_lock held.
 * Return: 0, or an error of register_ftrace_graph(), in which case nothing has changed.
 */
int function_graph_attach(struct trace_array *tr, ftrace_func_t on_entry,
			  graph_notify_t on_return);

/**
 * function_graph_detach() - undo function_graph_attach()
 * @tr: the instance
 *
 * Waits for running callbacks only if the instance can be removed.
 *
 * Context: may sleep; trace_lock held.
 * Return: 0; -ENOMEM if the callbacks are still registered.
 */
int function_graph_detach(struct trace_array *tr);

/**
 * function_graph_enter() - record the entry of a function and trace its return
 * @tr: the instance
 * @ip: address of the function, as passed to the entry callback
 * @fregs: registers, as passed to the entry callback
 *
 * Does nothing if set_graph_function, set_graph_notrace or max_graph_depth exclude the
 * function. Ignores tracing_thresh and the options of function_graph.
 *
 * Context: the entry callback of function_graph_attach(), which has disabled preemption once.
 */
void function_graph_enter(struct trace_array *tr, unsigned long ip,
			  struct ftrace_regs *fregs);

/**
 * function_graph_return() - record the return of a function
 * @tr: the instance
 * @call: the call, as passed to the return callback
 * @r: return registers, as passed to the return callback
 * @now: time of the return, as passed to the return callback
 *
 * Context: the return callback of function_graph_attach().
 */
void function_graph_return(struct trace_array *tr, const struct ftrace_ret_stack *call,
			   const struct ftrace_return *r, u64 now);

/**
 * function_graph_mark() - record a code address as the call of a function that takes no time
 * @tr: the instance
 * @ip: the code address
 * @ctx: context to record, from trace_ctx() or trace_ctx_full()
 *
 * Context: any, NMI included; preemption off.
 */
void function_graph_mark(struct trace_array *tr, unsigned long ip, unsigned int ctx);

#else /* !CONFIG_FUNCTION_GRAPH_TRACER */

static inline unsigned long function_graph_caller(unsigned long ip)
{
	return ip;
}

static inline int function_graph_attach(struct trace_array *tr, ftrace_func_t on_entry,
					graph_notify_t on_return)
{
	return -ENODEV;
}

static inline int function_graph_detach(struct trace_array *tr)
{
	return 0;
}

static inline void function_graph_enter(struct trace_array *tr, unsigned long ip,
					struct ftrace_regs *fregs)
{
}

static inline void function_graph_return(struct trace_array *tr,
					 const struct ftrace_ret_stack *call,
					 const struct ftrace_return *r, u64 now)
{
}

static inline void function_graph_mark(struct trace_array *tr, unsigned long ip,
				       unsigned int ctx)
{
}

#endif /* CONFIG_FUNCTION_GRAPH_TRACER */

#endif /* _KERNEL_TRACE_TRACERS_FUNCTION_GRAPH_H */
