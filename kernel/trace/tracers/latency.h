/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Common parts of the latency tracers, which keep the trace of the longest latency: irqsoff,
 * preemptoff and preemptirqsoff (sections.c); wakeup, wakeup_rt and wakeup_dl (wakeup.c). Only
 * one instance at a time can use the tracers of one of these files.
 *
 * This header is about recording and about the options of the tracers; keeping a latency is in
 * instance/latency.h.
 */
#ifndef _KERNEL_TRACE_TRACERS_LATENCY_H
#define _KERNEL_TRACE_TRACERS_LATENCY_H

#include <linux/ftrace.h>
#include <linux/preempt.h>
#include <linux/types.h>

#include "function_graph.h"
#include "graph_lines.h"
#include "record/record.h"

struct trace_array;

/**
 * struct latency_kind - common data of the latency tracers of one file
 * @called: callback for the entry of functions, without option display-graph
 * @entered: callback for the entry of functions, with option display-graph
 * @returned: callback for the return of functions, with option display-graph
 * @hook: registers the tracepoint probes that see latencies begin and end; nothing is measured
 *	before @start. 0 or a negative errno; in case of an error no probe is registered.
 * @unhook: unregisters the probes; called after @halt
 * @start: starts measuring; a latency that began earlier does not count
 * @halt: stops measuring until @start, and waits until no latency is being kept
 * @detach: unregisters the function callbacks; NULL if there are none. Under trace_lock.
 * @user: instance that uses one of the tracers, or NULL. Under trace_lock.
 */
struct latency_kind {
	ftrace_func_t		called;
	ftrace_func_t		entered;
	graph_notify_t		returned;
	int			(*hook)(void);
	void			(*unhook)(void);
	void			(*start)(struct trace_array *tr);
	void			(*halt)(struct trace_array *tr);
	int			(*detach)(struct trace_array *tr);
	struct trace_array	*user;
};

/* The &tracer.graph_opts of latency tracers: columns shown with option display-graph. */
#define LATENCY_GRAPH_OPTS							\
	(GRAPH_OPT_RELTIME | GRAPH_OPT_CPU | GRAPH_OPT_PROC | GRAPH_OPT_DURATION |	\
	 GRAPH_OPT_IRQS)

/**
 * latency_record_call() - record a call of a function
 * @tr: the instance
 * @ip: address of the function
 * @parent_ip: address that the function was called from
 * @ctx: context to record, from trace_ctx() or trace_ctx_full()
 *
 * Context: any, NMI included; preemption off.
 */
void latency_record_call(struct trace_array *tr, unsigned long ip, unsigned long parent_ip,
			 unsigned int ctx);

/**
 * latency_record_place() - record the code address where a latency begins or ends
 * @tr: the instance
 * @ip: the code address
 * @parent_ip: address of its caller; 0 if not known
 * @ctx: context to record, from trace_ctx() or trace_ctx_full()
 *
 * The record is that of a called function or, with option display-graph, those of the entry
 * and the return of a function.
 *
 * Context: any, NMI included; preemption off.
 */
void latency_record_place(struct trace_array *tr, unsigned long ip, unsigned long parent_ip,
			  unsigned int ctx);

/**
 * latency_call() - record a call of a function, unless the tracer declines it
 * @tr: the instance
 * @ip: address of the function, as passed to the callback
 * @parent_ip: address that the function was called from, as passed to the callback
 * @word: trace_preempt_word() of the callback
 * @here: returns true if calls on this CPU are to be recorded; called with preemption off,
 *	and inlined
 *
 * Context: &latency_kind.called.
 */
static __always_inline void latency_call(struct trace_array *tr, unsigned long ip,
					 unsigned long parent_ip, unsigned int word,
					 bool (*here)(void))
{
	unsigned int old;

	preempt_disable_notrace();
	if (here() && trace_guard_enter(word, &old)) {
		latency_record_call(tr, ip, parent_ip, trace_ctx_full(word));
		trace_guard_exit(old);
	}
	preempt_enable_notrace();
}

/**
 * latency_enter() - record the entry of a function with option display-graph
 * @tr: the instance
 * @ip: address of the function, as passed to the callback
 * @fregs: registers, as passed to the callback
 * @here: returns true if calls on this CPU are to be recorded; called with preemption off,
 *	and inlined
 *
 * Context: &latency_kind.entered.
 */
static __always_inline void latency_enter(struct trace_array *tr, unsigned long ip,
					  struct ftrace_regs *fregs, bool (*here)(void))
{
	preempt_disable_notrace();
	if (here())
		function_graph_enter(tr, ip, fregs);
	preempt_enable_notrace();
}

/**
 * latency_may_begin() - check whether an instance can use a tracer, for &tracer.can_start
 * @tr: the instance
 * @kind: common data of the tracer
 *
 * Context: trace_lock held.
 * Return: 0; -EBUSY if another instance uses a tracer of this kind.
 */
int latency_may_begin(struct trace_array *tr, const struct latency_kind *kind);

/**
 * latency_begin() - start a latency tracer, for &tracer.init
 * @tr: the instance
 * @kind: common data of the tracer
 *
 * Attaches the function callbacks if option function-trace is on. Switches the options
 * overwrite, latency-format and pause-on-trace on.
 *
 * Context: may sleep; trace_lock held; no callback of @kind is registered.
 * Return: 0, or an error of @kind->hook, of starting to save comms or of attaching the
 * function callbacks, in which case nothing has changed.
 */
int latency_begin(struct trace_array *tr, struct latency_kind *kind);

/**
 * latency_end() - stop a latency tracer, for &tracer.reset
 * @tr: the instance
 * @kind: common data of the tracer
 *
 * Restores the options that latency_begin() has switched on.
 *
 * Context: may sleep; trace_lock held.
 * Return: 0, or the error of detaching the function callbacks, in which case the tracer
 * continues and starts a new measurement.
 */
int latency_end(struct trace_array *tr, struct latency_kind *kind);

/**
 * latency_flag_changing() - react to a change of an option, for &tracer.flag_changing
 * @tr: the instance
 * @kind: common data of the tracer
 * @mask: the option, TRACE_OPT_*
 * @on: new value of the option
 *
 * A change of display-graph empties the buffer and drops the kept latency.
 *
 * Context: may sleep; trace_lock held.
 * Return: 0; -EINVAL if option overwrite is to be switched off; for function-trace and
 * display-graph also the errors of attaching or detaching the function callbacks. If after
 * such an error neither the new nor the old callbacks can be attached, functions are not
 * traced until function-trace is set again.
 */
int latency_flag_changing(struct trace_array *tr, struct latency_kind *kind, u32 mask,
			  bool on);

#endif /* _KERNEL_TRACE_TRACERS_LATENCY_H */
