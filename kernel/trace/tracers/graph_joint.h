/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One call for several users of graph/ that belong to function_graph, where they are all
 * that wait for a function.
 */
#ifndef _KERNEL_TRACE_TRACERS_GRAPH_JOINT_H
#define _KERNEL_TRACE_TRACERS_GRAPH_JOINT_H

#include <linux/ftrace.h>

/* The &ftrace_ops.joint of instances and of markers, and their &fgraph_ops.told_joint. */
void graph_joint(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
		 struct ftrace_regs *fregs);
void graph_joint_told(struct fgraph_ops *first, const struct ftrace_ret_stack *call,
		      const struct ftrace_return *r, u64 now, struct fgraph_ops *second);

#endif /* _KERNEL_TRACE_TRACERS_GRAPH_JOINT_H */
