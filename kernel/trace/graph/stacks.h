/* SPDX-License-Identifier: GPL-2.0 */
/* Giving stacks to tasks and taking them back: interface between the files of graph/. */
#ifndef _KERNEL_TRACE_GRAPH_STACKS_H
#define _KERNEL_TRACE_GRAPH_STACKS_H

#include <linux/types.h>

/**
 * graph_give_stacks() - give a stack to each task
 *
 * Tasks that are created later get a stack as well, until graph_take_stacks().
 *
 * Context: may sleep; graph_lock held.
 * Return: 0; -ENOMEM, with a stack given to some of the tasks only.
 */
int graph_give_stacks(void);

/**
 * graph_take_stacks() - take the stacks back, when the last user has gone
 *
 * The stacks are freed soon after. A task that still has traced calls keeps its stack until it
 * has returned from all of them.
 *
 * Context: graph_lock held.
 */
void graph_take_stacks(void);

/* True if tasks must have stacks because there are users. Changed under graph_lock. */
extern bool graph_stacks_wanted;

/**
 * graph_stacks_clear_var() - zero the word of a user in the stacks of all tasks
 * @idx: &fgraph_ops.idx of the user
 *
 * Context: may sleep; graph_lock held; no user has the number @idx.
 */
void graph_stacks_clear_var(int idx);

/**
 * graph_kicks() - count the interrupts that graph_stack_missing() has requested, for tests
 *
 * Context: any.
 * Return: number of interrupts since boot.
 */
unsigned int graph_kicks(void);

/**
 * graph_stack_unused() - request to take the stack of current, which has no more traced calls
 *
 * Called if no user is left.
 *
 * Context: any, NMI included.
 */
void graph_stack_unused(void);

#endif /* _KERNEL_TRACE_GRAPH_STACKS_H */
