/* SPDX-License-Identifier: GPL-2.0 */
/* Users of entries and returns: interface between the files of graph/. */
#ifndef _KERNEL_TRACE_GRAPH_USERS_H
#define _KERNEL_TRACE_GRAPH_USERS_H

#include <linux/mutex_types.h>

#include "stack.h"

/* Maximum number of users; the number of a user is stored in 16 bits. */
#define GRAPH_IDX_MAX		16384

/* Protects the registration of users and the stacks of tasks. Taken outside of ftrace_lock. */
extern struct mutex graph_lock;

/* Users by their idx, never NULL. Changed under graph_lock, read in any context. */
extern struct fgraph_ops *graph_users[GRAPH_USERS];

/**
 * graph_other_user() - find a user that has no bit of its own
 * @idx: &fgraph_ops.idx of the user, or any other number
 *
 * Context: any.
 * Return: the user; a user that does nothing if there is none with that number; never NULL.
 */
struct fgraph_ops *graph_other_user(unsigned int idx);

/**
 * graph_limit_users() - limit the numbers of users, to test what happens when they run out
 * @end: first number that is not used any more; at most GRAPH_IDX_MAX
 *
 * Context: may sleep; takes graph_lock.
 */
void graph_limit_users(unsigned int end);

/**
 * graph_notify_others() - notify the users of a call that have no bit of their own of its return
 * @gops: unused
 * @call: the call
 * @r: return values of the function
 * @now: time of the return, by trace_clock_local()
 *
 * Context: as graph_return(), preemption off.
 */
void graph_notify_others(struct fgraph_ops *gops, const struct ftrace_ret_stack *call,
			 const struct ftrace_return *r, u64 now);

/**
 * graph_notify_others_abandoned() - notify the users without a bit that a call was abandoned
 * @gops: unused
 * @task: the task of the call, as for graph_abandoned_t
 * @call: the call
 *
 * Context: as for graph_abandoned_t.
 */
void graph_notify_others_abandoned(struct fgraph_ops *gops, struct task_struct *task,
				   const struct ftrace_ret_stack *call);

/**
 * graph_notify_abandoned() - notify the users of a call that it ended without a return
 * @task: current, a task that has ended, or the idle task of an offline CPU
 * @call: the call, which the caller pops or has popped
 *
 * Context: current with interrupts off; or any context that does not run @task, preemption
 * off.
 */
void graph_notify_abandoned(struct task_struct *task, const struct ftrace_ret_stack *call);

/**
 * graph_call() - callback for users whose ops has no function
 * @ip: address of the traced function
 * @parent_ip: its return address
 * @op: the ops of the user
 * @fregs: registers at the entry of the function
 *
 * Context: as the callback of an ops with FTRACE_OPS_FL_RECURSION.
 */
void graph_call(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
		struct ftrace_regs *fregs);

/**
 * graph_notify_retfunc() - notify a user of a return by its retfunc: default of &fgraph_ops.notify
 * @gops: the user
 * @call: the call
 * @r: return values of the function
 * @now: time of the return, by trace_clock_local()
 *
 * Context: as graph_return(), preemption off.
 */
void graph_notify_retfunc(struct fgraph_ops *gops, const struct ftrace_ret_stack *call,
			  const struct ftrace_return *r, u64 now);

/**
 * graph_report_lost_return() - report a return that matches no call, and stop function_graph
 * @call: the call that the return is taken for
 * @retp: the &ftrace_ret_stack.retp that was searched for
 *
 * No calls are traced any more until the next boot: see ftrace_graph_stop().
 *
 * Context: any, NMI included.
 */
void graph_report_lost_return(const struct ftrace_ret_stack *call, unsigned long *retp);

#endif /* _KERNEL_TRACE_GRAPH_USERS_H */
