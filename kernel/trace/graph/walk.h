/* SPDX-License-Identifier: GPL-2.0 */
/* Walking over the traced calls of any task, for the files of graph/. */
#ifndef _KERNEL_TRACE_GRAPH_WALK_H
#define _KERNEL_TRACE_GRAPH_WALK_H

#include <linux/compiler.h>
#include <linux/ftrace.h>
#include <linux/sched.h>

/**
 * struct graph_walk - a walk over the calls of a task, from the newest one to the oldest one
 * @words: task_struct.ret_stack of the task when the walk began, which may be NULL
 * @index: index of the entry of the walk's current call in @words, in longs
 *
 * If the task is not current, it may push and pop calls during the walk, and its stack may be
 * detached. The walk then finds wrong calls. But it reads only memory of a stack that is still
 * allocated, because it reads the pointer to the stack only once.
 */
struct graph_walk {
	unsigned long	*words;
	int		index;
};

/* The current call of the walk; NULL after the oldest one. */
static inline struct ftrace_ret_stack *graph_walk_call(const struct graph_walk *w)
{
	if (!w->words || w->index <= 0)
		return NULL;
	return (struct ftrace_ret_stack *)(w->words + w->index);
}

static inline struct ftrace_ret_stack *graph_walk_begin(struct graph_walk *w,
							const struct task_struct *task)
{
	w->words = READ_ONCE(task->ret_stack);
	w->index = READ_ONCE(task->curr_ret_stack);
	return graph_walk_call(w);
}

static inline struct ftrace_ret_stack *graph_walk_next(struct graph_walk *w,
						       const struct ftrace_ret_stack *call)
{
	int below = READ_ONCE(call->below);

	if (!below)
		return NULL;
	w->index -= below;
	return graph_walk_call(w);
}

#endif /* _KERNEL_TRACE_GRAPH_WALK_H */
