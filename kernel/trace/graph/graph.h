/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions from their entry to their return (SPEC T3): what other rooms call.
 *
 * <linux/ftrace_graph.h> is for all users.  A tracer, for which each instruction
 * counts, calls graph_enter() itself from the callback of its ops, with its own
 * function inlined into it.
 */
#ifndef _KERNEL_TRACE_GRAPH_H
#define _KERNEL_TRACE_GRAPH_H

#include <linux/ftrace.h>
#include <linux/ftrace_arch.h>
#include <linux/sched.h>
#include <linux/trace_clock.h>
#include <asm/trace_clock_inline.h>

#include "stack.h"

/* Protects who is a user, and the stacks of tasks.  Outside of ftrace_lock. */
extern struct mutex graph_lock;

/* By ftrace_graph_stop(): no more calls are waited for. */
extern bool graph_is_dead;

/* What a new call is marked with; see fgraph_ops.since. */
extern u32 graph_seq;

/* Set once reading the clock in place is possible. */
extern bool graph_clock_fast;

/* How often a task without a stack was not traced; since boot. */
unsigned long graph_missed(void);

/* trace_clock_local(); preemption is off. */
static __always_inline u64 graph_clock(void)
{
	return likely(READ_ONCE(graph_clock_fast)) ? arch_trace_clock() : trace_clock_local();
}

/* Is the newest call of the task this one, which another user has pushed? */
static __always_inline bool graph_is_same_call(const struct ftrace_ret_stack *call,
					       unsigned long func, unsigned long *retp,
					       unsigned long ret, u16 user)
{
	/*
	 * A function that jumps to itself in place of a call begins a new one with the
	 * same address and stack.  For the first user it is, for it is in the old one.
	 */
	return ret == (unsigned long)return_to_handler && call->retp == retp &&
	       call->func == func && !(call->users & user);
}

static __always_inline struct ftrace_ret_stack *
graph_begin(struct task_struct *task, unsigned long func, unsigned long ret,
	    unsigned long *retp)
{
	struct ftrace_ret_stack *call = graph_push(task);

	if (unlikely(!call)) {
		atomic_inc(&task->trace_overrun);
		return NULL;
	}
	call->ret = ret;
	call->func = func;
	call->retp = retp;
	call->users = 0;
	call->seq = READ_ONCE(graph_seq);
	call->calltime = graph_clock();
	return call;
}

/* What @entry says decides whether the return is waited for, and what stays. */
static __always_inline void graph_ask(struct fgraph_ops *gops, struct task_struct *task,
				      struct ftrace_ret_stack *call, unsigned long *ret,
				      trace_func_graph_ent_t entry)
{
	struct ftrace_graph_ent ent = {
		.func = call->func,
		.depth = task->curr_ret_depth - 1,
	};
	u8 words = call->words;

	if (entry(&ent, gops)) {
		if (!call->users)
			WRITE_ONCE(*ret, (unsigned long)return_to_handler);
		call->users |= BIT(gops->idx);
	} else if (!call->users) {
		graph_pop(task, call);
	} else {
		/* What it has reserved goes. */
		WRITE_ONCE(call->words, words);
	}
}

/**
 * graph_enter - a function is entered
 * @gops: a user; its ops was called
 * @ip: as the callback of its ops was given it, and
 * @fregs: likewise
 * @entry: its entryfunc, best inlined
 *
 * Context: the callback; preemption off, so that nobody sees a stamp of another CPU.
 */
static __always_inline void graph_enter(struct fgraph_ops *gops, unsigned long ip,
					struct ftrace_regs *fregs,
					trace_func_graph_ent_t entry)
{
	unsigned long *retp = arch_graph_retp(fregs);
	unsigned long *ret = arch_graph_ret(fregs);
	struct task_struct *task = current;
	struct ftrace_ret_stack *call;

	if (unlikely(!READ_ONCE(task->ret_stack))) {
		graph_stack_missing();
		return;
	}
	if (unlikely(atomic_read(&task->tracing_graph_pause) || READ_ONCE(graph_is_dead)))
		return;
	call = graph_newest(task);
	if (likely(!graph_is_same_call(call, ip, retp, *ret, BIT(gops->idx)))) {
		call = graph_begin(task, ip, *ret, retp);
		if (unlikely(!call))
			return;
	}
	graph_ask(gops, task, call, ret, entry);
}

#endif /* _KERNEL_TRACE_GRAPH_H */
