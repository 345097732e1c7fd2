/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions from their entry to their return as other tracers record them, in the way of
 * function_graph: those that keep the longest time, with option display-graph.
 *
 * Without CONFIG_FUNCTION_GRAPH_TRACER there is no such option, and nothing of this is
 * ever called.
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
 * function_graph_caller - where the newest call of current was called from
 * @ip: what was found as the place
 *
 * The call itself asks, or what cannot be traced asks in it.
 *
 * Context: any.
 * Return: the place, if @ip is what return addresses are replaced by; else @ip.
 */
static __always_inline unsigned long function_graph_caller(unsigned long ip)
{
	return ftrace_graph_ret_addr_in(current, ip, NULL, (unsigned long *)ULONG_MAX);
}

/**
 * function_graph_attach - have functions call back from now on
 * @tr: the instance; its filters hold
 * @call: called when one is entered, as the callback of an ops
 * @told: called when one returns
 *
 * Context: may sleep; trace_lock held.
 * Return: 0; else as register_ftrace_graph(): nothing was changed.
 */
int function_graph_attach(struct trace_array *tr, ftrace_func_t call, graph_told_t told);

/**
 * function_graph_detach - the end of function_graph_attach()
 * @tr: the instance
 *
 * A callback that runs is waited for only if the instance can go.
 *
 * Context: may sleep; trace_lock held.
 * Return: 0; -ENOMEM: nothing was changed.
 */
int function_graph_detach(struct trace_array *tr);

/**
 * function_graph_enter - record that a function is entered, and wait for its return
 * @tr: the instance
 * @ip: as @call of function_graph_attach() was given it, and
 * @fregs: likewise
 *
 * Unless the files that limit function_graph say otherwise; the options of that tracer are
 * not looked at, nor is tracing_thresh.
 *
 * Context: @call; it has disabled preemption once.
 */
void function_graph_enter(struct trace_array *tr, unsigned long ip,
			  struct ftrace_regs *fregs);

/**
 * function_graph_return - record that it returns
 * @tr: the instance
 * @call: as @told of function_graph_attach() was given it, and
 * @r: so was
 * @now: this
 *
 * Context: @told.
 */
void function_graph_return(struct trace_array *tr, const struct ftrace_ret_stack *call,
			   const struct ftrace_return *r, u64 now);

/**
 * function_graph_mark - record a place as a function that takes no time
 * @tr: the instance
 * @ip: the place
 * @ctx: the context
 *
 * Context: any, NMI included; preemption off.
 */
void function_graph_mark(struct trace_array *tr, unsigned long ip, unsigned int ctx);

#else /* !CONFIG_FUNCTION_GRAPH_TRACER */

static inline unsigned long function_graph_caller(unsigned long ip)
{
	return ip;
}

static inline int function_graph_attach(struct trace_array *tr, ftrace_func_t call,
					graph_told_t told)
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
