/* SPDX-License-Identifier: GPL-2.0 */
/* Giving tasks stacks for their traced calls, and taking them back, for the files of graph/. */
#ifndef _KERNEL_TRACE_GRAPH_STACKS_H
#define _KERNEL_TRACE_GRAPH_STACKS_H

#include <linux/types.h>

/**
 * graph_give_stacks() - give each task a stack for its traced calls
 *
 * Tasks that are created later get a stack as well, until graph_take_stacks().
 *
 * Context: may sleep; graph_lock held.
 * Return: 0; -ENOMEM if some of the tasks got no stack.
 */
int graph_give_stacks(void);

/**
 * graph_take_stacks() - take the stacks of all tasks, when the last user was unregistered
 *
 * The stacks are freed soon after. A task that still has traced calls keeps its stack until it
 * has returned from all of them.
 *
 * Context: graph_lock held.
 */
void graph_take_stacks(void);

/* True between graph_give_stacks() and graph_take_stacks(). Changed under graph_lock. */
extern bool graph_stacks_wanted;

/**
 * graph_stacks_clear_var() - zero a user's variables of all tasks: see fgraph_get_task_var()
 * @idx: &fgraph_ops.idx that the user will get
 *
 * Context: may sleep; graph_lock held; no user has @idx.
 */
void graph_stacks_clear_var(int idx);

/**
 * graph_count_stack_requests() - count how often stacks were requested for tasks without one
 *
 * For tests.
 *
 * Context: any.
 * Return: number of interrupts, since boot, that graph_note_missing_stack() has requested.
 */
unsigned int graph_count_stack_requests(void);

/**
 * graph_note_unused_stack() - request that the stack of current is taken
 *
 * Called when current returns from its last traced call, and no user is registered.
 *
 * Context: any, NMI included.
 */
void graph_note_unused_stack(void);

#endif /* _KERNEL_TRACE_GRAPH_STACKS_H */
