// SPDX-License-Identifier: GPL-2.0
/* Finds original return addresses in the traced calls of a task, for stack unwinders. */
#include <linux/export.h>
#include <linux/ftrace.h>
#include <linux/kernel.h>

#include "walk.h"

/**
 * ftrace_graph_ret_addr_in() - find the original of a return address whose slot is in a range
 * @task: the task whose stack is unwound
 * @ret: the return address that was found on the stack
 * @low: start of the range of possible values of &ftrace_ret_stack.retp
 * @high: end of the range, exclusive
 *
 * If several calls have their return address slot in the range, the newest one is taken.
 *
 * Context: any, NMI included; @task is current, or cannot go away.
 * Return: the original address; @ret if it is an original one, or if no call in the range is found.
 */
unsigned long ftrace_graph_ret_addr_in(struct task_struct *task, unsigned long ret,
				       const unsigned long *low, const unsigned long *high)
{
	const unsigned long *retp;
	struct ftrace_ret_stack *call;
	struct graph_walk w;
	bool found = false;

	if (likely(!ftrace_graph_is_handler(ret)))
		return ret;
	for (call = graph_walk_begin(&w, task); call; call = graph_walk_next(&w, call)) {
		retp = READ_ONCE(call->retp);
		found = found || (retp >= low && retp < high);
		/*
		 * After a tail call, two calls share one return address slot, and the newer one has
		 * saved return_to_handler: take the older one's.
		 */
		if (found && READ_ONCE(call->ret) != ret)
			return READ_ONCE(call->ret);
	}
	return ret;
}

/**
 * ftrace_graph_ret_addr() - find the original of a return address
 * @task: the task whose stack is unwound
 * @idx: ignored
 * @ret: the return address that was found on the stack
 * @retp: address of the return address slot in which @ret was found
 *
 * Context: any, NMI included; @task is current, or cannot go away.
 * Return: the original address; @ret if it was not replaced, or if the original is not known.
 */
unsigned long ftrace_graph_ret_addr(struct task_struct *task, int *idx,
				    unsigned long ret, unsigned long *retp)
{
	return ftrace_graph_ret_addr_in(task, ret, retp, retp + 1);
}

/**
 * ftrace_graph_get_ret_stack() - find a traced call of a task by its distance from the newest one
 * @task: current, or a task that does not run
 * @skip: number of newer calls to skip; 0 for the newest call
 *
 * Context: any.
 * Return: the call; NULL if the task has no more than @skip traced calls.
 */
struct ftrace_ret_stack *ftrace_graph_get_ret_stack(struct task_struct *task, int skip)
{
	struct ftrace_ret_stack *call;
	struct graph_walk w;

	call = graph_walk_begin(&w, task);
	while (call && skip-- > 0)
		call = graph_walk_next(&w, call);
	return call;
}
