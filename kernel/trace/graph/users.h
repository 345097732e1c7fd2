/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Who wants to know of entries and returns: inside of graph/.
 */
#ifndef _KERNEL_TRACE_GRAPH_USERS_H
#define _KERNEL_TRACE_GRAPH_USERS_H

#include "stack.h"

/* By their idx, never NULL.  Changes under graph_lock, read anywhere. */
extern struct fgraph_ops *graph_users[GRAPH_USERS];

/**
 * graph_other_user - a user that has no bit of its own
 * @idx: its idx, or anything else
 *
 * Context: any.
 * Return: the user, or one that does nothing; never NULL.
 */
struct fgraph_ops *graph_other_user(unsigned int idx);

/*
 * Numbers end at @end from now on, for tests of what happens then; GRAPH_IDX_MAX at most.
 * Context: may sleep; takes graph_lock.
 */
void graph_limit_users(unsigned int end);

/* How those are told of a return, and that there will be none. */
void graph_tell_others(struct fgraph_ops *gops, const struct ftrace_ret_stack *call,
		       const struct ftrace_return *r, u64 now);
void graph_left_to_others(struct fgraph_ops *gops, struct task_struct *task,
			  const struct ftrace_ret_stack *call);

/**
 * graph_tell_left - calls of a task are over without a return
 * @task: current, one that has ended, or the idle task of a CPU that is offline
 * @call: the call; the caller pops it, or has
 *
 * Context: current, interrupts off; or any that does not run @task, preemption off.
 */
void graph_tell_left(struct task_struct *task, const struct ftrace_ret_stack *call);

/* The callback of users that do not bring their own. */
void graph_call(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
		struct ftrace_regs *fregs);

/* How users that do not bring their own way are told of a return. */
void graph_tell_retfunc(struct fgraph_ops *gops, const struct ftrace_ret_stack *call,
			const struct ftrace_return *r, u64 now);

/**
 * graph_report_lost - a return was not found, and the end of it all
 * @call: the call that it is taken for
 * @retp: what was looked for
 *
 * Context: any, NMI included.
 */
void graph_report_lost(const struct ftrace_ret_stack *call, unsigned long *retp);

#endif /* _KERNEL_TRACE_GRAPH_USERS_H */
