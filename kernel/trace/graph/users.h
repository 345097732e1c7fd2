/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Who wants to know of entries and returns: inside of graph/.
 */
#ifndef _KERNEL_TRACE_GRAPH_USERS_H
#define _KERNEL_TRACE_GRAPH_USERS_H

#include "stack.h"

/* By their idx, never NULL.  Changes under graph_lock, read anywhere. */
extern struct fgraph_ops *graph_users[GRAPH_USERS];

/* The callback of users that do not bring their own. */
void graph_call(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
		struct ftrace_regs *fregs);

/* How users that do not bring their own way are told of a return. */
void graph_tell_retfunc(struct fgraph_ops *gops, const struct ftrace_ret_stack *call,
			unsigned long retval);

/**
 * graph_report_lost - a return was not found, and the end of it all
 * @call: the call that it is taken for
 * @retp: what was looked for
 *
 * Context: any, NMI included.
 */
void graph_report_lost(const struct ftrace_ret_stack *call, unsigned long *retp);

#endif /* _KERNEL_TRACE_GRAPH_USERS_H */
