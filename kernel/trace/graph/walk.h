/* SPDX-License-Identifier: GPL-2.0 */
/* Walk over the calls of any task: interface between the files of graph/. */
#ifndef _KERNEL_TRACE_GRAPH_WALK_H
#define _KERNEL_TRACE_GRAPH_WALK_H

#include <linux/compiler.h>
#include <linux/ftrace.h>
#include <linux/sched.h>

/**
 * struct graph_walk - a walk over the calls of a task, the newest one first
 * @words: stack of the task; NULL if it has none
 * @index: index of the current call in @words, in longs
 *
 * Another task may push and pop calls during the walk, and its stack may be taken. The values
 * read then are wrong, but they lie within a stack that is still allocated. For that, the
 * pointer to the stack is read only once.
 */
struct graph_walk {
	unsigned long	*words;
	int		index;
};

/* The current call of the walk; NULL behind the oldest one. */
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
