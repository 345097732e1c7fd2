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

#include "graph_lines.h"

struct trace_array;

/**
 * struct latency_kind - what the tracers of a file have in common
 * @called: the callback of functions
 * @entered: likewise, with option display-graph
 * @returned: told of their returns then
 * @halt: no time is measured, and none is being kept, until the start() of the tracer
 * @detach: ends what is attached; NULL if nothing is. Under trace_lock.
 */
struct latency_kind {
	ftrace_func_t	called;
	ftrace_func_t	entered;
	graph_told_t	returned;
	void		(*halt)(struct trace_array *tr);
	int		(*detach)(struct trace_array *tr);
};

/* What their lines come with, with option display-graph. */
#define LATENCY_GRAPH_OPTS							\
	(GRAPH_OPT_RELTIME | GRAPH_OPT_CPU | GRAPH_OPT_PROC | GRAPH_OPT_DURATION |	\
	 GRAPH_OPT_IRQS)

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
 * latency_record_place - record where a time begins or ends
 * @tr: the instance
 * @ip: the place
 * @parent_ip: what has called it, if it is known
 * @ctx: the context
 *
 * Among functions that were called, or among blocks with option display-graph.
 *
 * Context: any, NMI included; preemption off.
 */
void latency_record_place(struct trace_array *tr, unsigned long ip, unsigned long parent_ip,
			  unsigned int ctx);

/**
 * latency_begin - a tracer begins
 * @tr: the instance
 * @kind: what it is; its functions are attached if option function-trace is on
 *
 * What can be read of the buffer is in latency format from then on, and what is old is
 * overwritten.
 *
 * Context: may sleep; trace_lock held, and no callback is to be called yet.
 * Return: 0, or why functions cannot be traced: nothing was changed.
 */
int latency_begin(struct trace_array *tr, struct latency_kind *kind);

/**
 * latency_end - it ends
 * @tr: the instance
 * @kind: what it is
 *
 * The options are what they were before.
 *
 * Context: may sleep; trace_lock held.
 * Return: 0, or why functions are traced on: nothing was changed.
 */
int latency_end(struct trace_array *tr, struct latency_kind *kind);

/**
 * latency_flag_changing - the flag_changing() of such a tracer, see struct tracer
 * @tr: the instance
 * @kind: what it is
 * @mask: the option
 * @on: what it is to be
 *
 * When display-graph changes, what is kept and what was recorded is forgotten.
 *
 * Return: 0; -EINVAL for not overwriting; as latency_begin() for function-trace and
 * display-graph. If functions can be attached in neither way then, they are left out until
 * function-trace is set anew.
 */
int latency_flag_changing(struct trace_array *tr, struct latency_kind *kind, u32 mask,
			  bool on);

#endif /* _KERNEL_TRACE_TRACERS_LATENCY_H */
