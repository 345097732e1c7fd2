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
#include <linux/preempt.h>
#include <linux/types.h>

#include "function_graph.h"
#include "graph_lines.h"
#include "record/record.h"

struct trace_array;

/**
 * struct latency_kind - what the tracers of a file have in common
 * @called: the callback of functions
 * @entered: likewise, with option display-graph
 * @returned: told of their returns then
 * @hook: have somebody told when a time begins and ends; nothing is measured before @start.
 *	0 or a negative errno: then nothing is hooked
 * @unhook: undo it; nobody is told any more
 * @start: measure from now on; nothing that began before counts
 * @halt: no time is measured, and none is being kept, until @start
 * @detach: ends what is attached; NULL if nothing is. Under trace_lock.
 * @user: the instance that has one of these tracers, or NULL. Under trace_lock.
 */
struct latency_kind {
	ftrace_func_t		called;
	ftrace_func_t		entered;
	graph_told_t		returned;
	int			(*hook)(void);
	void			(*unhook)(void);
	void			(*start)(struct trace_array *tr);
	void			(*halt)(struct trace_array *tr);
	int			(*detach)(struct trace_array *tr);
	struct trace_array	*user;
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
 * latency_call - record a call, if this CPU records
 * @tr: the instance, as @op of the callback has it
 * @ip: what the callback was given
 * @parent_ip: likewise
 * @word: trace_preempt_word() there
 * @here: asked with preemption off; inlined
 *
 * Context: the callback.
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
 * latency_enter - the same with option display-graph
 * @tr: the instance, as @op of the callback has it
 * @ip: what the callback was given
 * @fregs: likewise
 * @here: asked with preemption off; inlined
 *
 * Context: the callback.
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
 * latency_may_begin - the may_begin() of such a tracer, see struct tracer
 * @tr: the instance
 * @kind: what it is
 *
 * Context: caller holds trace_lock.
 * Return: 0; -EBUSY if another instance has one of these.
 */
int latency_may_begin(struct trace_array *tr, const struct latency_kind *kind);

/**
 * latency_begin - a tracer begins
 * @tr: the instance
 * @kind: what it is; its functions are attached if option function-trace is on
 *
 * What can be read of the buffer is in latency format from then on, and what is old is
 * overwritten.
 *
 * Context: may sleep; trace_lock held, and no callback is to be called yet.
 * Return: 0, or why nobody can be told, or functions cannot be traced: nothing was changed.
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
 * Return: 0, or why functions are traced on: then it measures on, from anew.
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
