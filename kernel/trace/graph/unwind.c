// SPDX-License-Identifier: GPL-2.0
/*
 * The true return addresses, for those who walk a stack.
 */
#include <linux/export.h>
#include <linux/ftrace.h>
#include <linux/kernel.h>

#include "stack.h"

/*
 * The calls of another task may come and go while they are read: what is read then is
 * not right, but it stays within the stack.
 */
static struct ftrace_ret_stack *call_below(const struct task_struct *task,
					   const struct ftrace_ret_stack *call, int *index)
{
	int below = READ_ONCE(call->below);

	if (!below || below > *index)
		return NULL;
	*index -= below;
	return graph_call_at(task, *index);
}

/* The newest call, NULL without any. */
static struct ftrace_ret_stack *first_call(const struct task_struct *task, int *index)
{
	if (!READ_ONCE(task->ret_stack))
		return NULL;
	*index = READ_ONCE(task->curr_ret_stack);
	return *index > 0 ? graph_call_at(task, *index) : NULL;
}

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
	bool found = false;
	int index;

	if (likely(ret != (unsigned long)dereference_function_descriptor(return_to_handler)))
		return ret;
	for (call = first_call(task, &index); call; call = call_below(task, call, &index)) {
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
	int index;

	call = first_call(task, &index);
	while (call && skip-- > 0)
		call = call_below(task, call, &index);
	return call && index ? call : NULL;
}
