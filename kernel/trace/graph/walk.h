/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Walking over the calls of a task, whoever it is: inside of graph/.
 */
#ifndef _KERNEL_TRACE_GRAPH_WALK_H
#define _KERNEL_TRACE_GRAPH_WALK_H

#include <linux/compiler.h>
#include <linux/ftrace.h>
#include <linux/sched.h>

/**
 * struct call_walk - a walk over the calls of a task, the newest one first
 * @words: its stack; NULL if it has none
 * @index: where the call is
 *
 * The calls of another task may come and go meanwhile, and its stack may be taken: what is
 * read then is not right, but it is within a stack that is still there.  So the pointer to
 * that is read once.
 */
struct call_walk {
	unsigned long	*words;
	int		index;
};

/* NULL behind the oldest one. */
static inline struct ftrace_ret_stack *walk_call(const struct call_walk *w)
{
	if (!w->words || w->index <= 0)
		return NULL;
	return (struct ftrace_ret_stack *)(w->words + w->index);
}

static inline struct ftrace_ret_stack *walk_begin(struct call_walk *w,
						  const struct task_struct *task)
{
	w->words = READ_ONCE(task->ret_stack);
	w->index = READ_ONCE(task->curr_ret_stack);
	return walk_call(w);
}

static inline struct ftrace_ret_stack *walk_on(struct call_walk *w,
					       const struct ftrace_ret_stack *call)
{
	int below = READ_ONCE(call->below);

	if (!below)
		return NULL;
	w->index -= below;
	return walk_call(w);
}

#endif /* _KERNEL_TRACE_GRAPH_WALK_H */
