/* SPDX-License-Identifier: GPL-2.0 */
/* Users of entries and returns of functions, for the files of graph/. */
#ifndef _KERNEL_TRACE_GRAPH_USERS_H
#define _KERNEL_TRACE_GRAPH_USERS_H

#include <linux/mutex_types.h>

#include "stack.h"

/* Upper bound of &fgraph_ops.idx, and so of the number of users; see GRAPH_DATA_IDX_SHIFT. */
#define GRAPH_IDX_MAX		16384

extern struct mutex graph_lock;

/*
 * The users that have a bit of their own, indexed by the bit. An unused bit has a placeholder, so
 * no pointer is NULL. The last one stands for all sharers, see GRAPH_SHARED_BIT. Changed under
 * graph_lock, read in any context.
 */
extern struct fgraph_ops *graph_users[GRAPH_USERS];

/**
 * graph_sharer() - find a sharer, see GRAPH_SHARED_BIT
 * @idx: &fgraph_ops.idx of the sharer, or any other number
 *
 * Context: any.
 * Return: the sharer; a placeholder, which ignores all notifications, if no sharer has that idx.
 * Never NULL.
 */
struct fgraph_ops *graph_sharer(unsigned int idx);

/**
 * graph_limit_idxs() - limit &fgraph_ops.idx, to test what happens when there are too many users
 * @end: first idx that is not given to users any more; at most GRAPH_IDX_MAX
 *
 * Context: may sleep; takes graph_lock.
 */
void graph_limit_idxs(unsigned int end);

/**
 * graph_notify_sharers() - notify the sharers of a call that it returns
 * @gops: ignored
 * @call: the call
 * @r: return values of the function
 * @now: time of the return, by trace_clock_local()
 *
 * Context: that of the traced function, NMI included; preemption off.
 */
void graph_notify_sharers(struct fgraph_ops *gops, const struct ftrace_ret_stack *call,
			  const struct ftrace_return *r, u64 now);

/**
 * graph_notify_sharers_abandoned() - notify the sharers of a call that it was abandoned
 * @gops: ignored
 * @task: the task of the call: current, a task that has ended, or the idle task of an offline CPU
 * @call: the call
 *
 * Context: that of the traced function with interrupts off; or the code that brings up the CPU or
 * frees the task, with preemption off.
 */
void graph_notify_sharers_abandoned(struct fgraph_ops *gops, struct task_struct *task,
				    const struct ftrace_ret_stack *call);

/**
 * graph_notify_abandoned() - notify all users of a call that it was abandoned
 * @task: the task of the call: current, a task that has ended, or the idle task of an offline CPU
 * @call: the call, which the caller pops afterwards
 *
 * Context: current with interrupts off; or any context that does not run @task, preemption
 * off.
 */
void graph_notify_abandoned(struct task_struct *task, const struct ftrace_ret_stack *call);

/**
 * graph_default_callback() - callback of the ops of users that do not set &fgraph_ops.ops.func
 * @ip: address of the traced function
 * @parent_ip: its return address
 * @op: the ops of the user
 * @fregs: registers at the entry of the function
 *
 * Context: that of the traced function, NMI included; preemption off, inside the guard that
 * FTRACE_OPS_FL_RECURSION asks for.
 */
void graph_default_callback(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
			    struct ftrace_regs *fregs);

/**
 * graph_notify_retfunc() - call the retfunc of a user at a return: default of &fgraph_ops.notify
 * @gops: the user
 * @call: the call
 * @r: return values of the function
 * @now: time of the return, by trace_clock_local()
 *
 * Context: that of the traced function, NMI included; preemption off.
 */
void graph_notify_retfunc(struct fgraph_ops *gops, const struct ftrace_ret_stack *call,
			  const struct ftrace_return *r, u64 now);

/**
 * graph_report_lost_return() - report a return that matches no traced call, and stop graph/
 * @call: the newest call, whose return address the function will return to as a guess
 * @retp: return address slot of the return, which is &ftrace_ret_stack.retp of no call
 *
 * No calls are traced any more until the next boot: see ftrace_graph_stop().
 *
 * Context: any, NMI included.
 */
void graph_report_lost_return(const struct ftrace_ret_stack *call, unsigned long *retp);

#endif /* _KERNEL_TRACE_GRAPH_USERS_H */
