// SPDX-License-Identifier: GPL-2.0
/*
 * The true return addresses, for those who walk a stack.
 */
#include <linux/export.h>
#include <linux/ftrace.h>
#include <linux/kernel.h>

#include "walk.h"

/**
 * ftrace_graph_ret_addr_in - what a return address was before it was replaced
 * @task: whose stack is walked
 * @ret: the address that was found
 * @low: the call that it is of is the newest one whose &ftrace_ret_stack.retp is not
 *	below this,
 * @high: but below this
 *
 * Context: any, NMI included; @task is current, or cannot go.
 *
 * Return: the true one; @ret if it was not replaced, or that is not known.
 */
unsigned long ftrace_graph_ret_addr_in(struct task_struct *task, unsigned long ret,
				       const unsigned long *low, const unsigned long *high)
{
	const unsigned long *retp;
	struct ftrace_ret_stack *call;
	struct call_walk w;
	bool found = false;

	if (likely(!ftrace_graph_is_handler(ret)))
		return ret;
	for (call = walk_begin(&w, task); call; call = walk_on(&w, call)) {
		retp = READ_ONCE(call->retp);
		found = found || (retp >= low && retp < high);
		/* One that jumps to another has that one's return to wait for. */
		if (found && READ_ONCE(call->ret) != ret)
			return READ_ONCE(call->ret);
	}
	return ret;
}

/**
 * ftrace_graph_ret_addr - what a return address was before it was replaced
 * @task: whose stack is walked
 * @idx: not looked at
 * @ret: the address that was found
 * @retp: where
 *
 * Context: any, NMI included; @task is current, or cannot go.
 *
 * Return: the true one; @ret if it was not replaced, or that is not known.
 */
unsigned long ftrace_graph_ret_addr(struct task_struct *task, int *idx,
				    unsigned long ret, unsigned long *retp)
{
	return ftrace_graph_ret_addr_in(task, ret, retp, retp + 1);
}

/**
 * ftrace_graph_get_ret_stack - a call that is waited for
 * @task: of whom, current or one that does not run
 * @skip: how many to pass over, from the newest one
 *
 * Context: any.
 * Return: the call; NULL if there are not as many.
 */
struct ftrace_ret_stack *ftrace_graph_get_ret_stack(struct task_struct *task, int skip)
{
	struct ftrace_ret_stack *call;
	struct call_walk w;

	call = walk_begin(&w, task);
	while (call && skip-- > 0)
		call = walk_on(&w, call);
	return call;
}
