/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Joint callbacks: one call for several users of graph/ that belong to function_graph, if a
 * function has no other users.
 */
#ifndef _KERNEL_TRACE_TRACERS_GRAPH_JOINT_H
#define _KERNEL_TRACE_TRACERS_GRAPH_JOINT_H

#include <linux/ftrace.h>

/**
 * graph_joint() - process the entry of a function for several users
 * @ip: address of the function
 * @parent_ip: address that the function was called from
 * @op: first entry of an array of ops, see dispatch_call(), cast to the type of a callback
 * @fregs: registers at the entry of the function
 *
 * This is the &ftrace_ops.joint of instances with function_graph, and of the markers.
 *
 * Context: any, NMI included; preemption as in the traced function.
 */
void graph_joint(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
		 struct ftrace_regs *fregs);

/**
 * graph_joint_notify() - process the return of a function for two users
 * @first: user that is called first
 * @call: the call
 * @r: return registers
 * @now: time of the return
 * @second: user that is called second
 *
 * This is the &fgraph_ops.notify_joint of instances with function_graph, and of the markers.
 *
 * Context: any, NMI included; preemption off.
 */
void graph_joint_notify(struct fgraph_ops *first, const struct ftrace_ret_stack *call,
			const struct ftrace_return *r, u64 now, struct fgraph_ops *second);

#endif /* _KERNEL_TRACE_TRACERS_GRAPH_JOINT_H */
