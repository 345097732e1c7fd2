/* SPDX-License-Identifier: GPL-2.0 */
/* The limits of function_graph in effect, and their check at each call, see graph_limits.h. */
#ifndef _KERNEL_TRACE_GRAPH_LIMITS_CHECK_H
#define _KERNEL_TRACE_GRAPH_LIMITS_CHECK_H

#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/ftrace.h>
#include <linux/jump_label.h>
#include <linux/sched.h>
#include <linux/types.h>

#include "graph/stack.h"
#include "graph_limits_set.h"

/* Enabled while tracing_thresh is not 0. */
DECLARE_STATIC_KEY_FALSE(graph_thresh_key);

/* Maximum depth set by graph_limits_set_depth(); 0 for no limit. */
extern unsigned int graph_max_depth;

/* Bits of graph_limits: BIT(list) for each list in effect, and the following. */
#define GRAPH_LIMIT_LISTS	(BIT(NR_GRAPH_LISTS) - 1)
#define GRAPH_LIMIT_DEPTH	BIT(NR_GRAPH_LISTS)
#define GRAPH_LIMIT_THRESH	BIT(NR_GRAPH_LISTS + 1)
/* An instance has an option that needs the slow path, see graph_limits_count_unusual(). */
#define GRAPH_LIMIT_UNUSUAL	BIT(NR_GRAPH_LISTS + 2)

/* GRAPH_LIMIT_* flags in effect, read at each call.  Written under a lock of graph_limits.c. */
extern unsigned int graph_limits;

/* Users of graph/ that count for graph_limits_marked() the calls of the functions of a list. */
extern struct fgraph_ops graph_markers[NR_GRAPH_LISTS];

/*
 * Each marker has a word per task. The bits below this one hold the number of functions of the
 * list that the task is in. The bits from this one on hold the position, on the stack of
 * calls, of the first such function that was called by an interrupt; 0 if there is none.
 */
#define GRAPH_MARK_IRQ		BIT(16)

/**
 * graph_limits_start() - register the markers, for the first tracer that uses them
 *
 * Context: may sleep; trace_lock held.
 * Return: 0, or an error of register_ftrace_graph(), in which case nothing has changed.
 */
int graph_limits_start(void);

/**
 * graph_limits_stop() - undo one graph_limits_start()
 *
 * Context: may sleep; trace_lock held.
 */
void graph_limits_stop(void);

/**
 * graph_limits_count_unusual() - count instances with an option that needs the slow path
 * @more: true to count one more, false to count one less
 *
 * Context: may sleep.
 */
void graph_limits_count_unusual(bool more);

/**
 * graph_limits_marked() - check the lists for the calls of a task
 * @task: current
 * @limits: value of graph_limits
 *
 * Context: the callback of an ops, or the entryfunc of a user of graph/; preemption off.
 * Return: true if the lists allow recording. Also true for a task without a stack, which
 * graph_enter() handles.
 */
static __always_inline bool graph_limits_marked(const struct task_struct *task,
						unsigned int limits)
{
	if (!(limits & GRAPH_LIMIT_LISTS) || unlikely(!task->ret_stack))
		return true;
	if ((limits & BIT(GRAPH_NOTRACE)) &&
	    *graph_task_var(task, graph_markers[GRAPH_NOTRACE].idx))
		return false;
	return !(limits & BIT(GRAPH_FUNCTIONS)) ||
	       *graph_task_var(task, graph_markers[GRAPH_FUNCTIONS].idx);
}

/**
 * graph_limits_mark() - mark a call of a function of set_graph_function
 * @call: the newest call of current, which has a user and is not in an interrupt
 *
 * Does the work of the entry function of the list's marker.
 *
 * Context: the joint callback of an instance and the marker; preemption off.
 */
static __always_inline void graph_limits_mark(struct ftrace_ret_stack *call)
{
	struct fgraph_ops *marker = &graph_markers[GRAPH_FUNCTIONS];

	*graph_task_var(current, marker->idx) += 1;
	call->users |= marker->user;
}

/* The position of a call on the stack, in the bits of the marker's word from GRAPH_MARK_IRQ on. */
static __always_inline unsigned long
graph_limits_irq_mark(const struct task_struct *task, const struct ftrace_ret_stack *call)
{
	return ((const unsigned long *)call - task->ret_stack) * GRAPH_MARK_IRQ;
}

/**
 * graph_limits_unmark() - undo the mark of a call that returns or is abandoned
 * @task: task of the call
 * @call: the call
 * @marker: marker that has marked the call
 *
 * The position of the first call in an interrupt is cleared when that call is over, whatever
 * the context is then: irq_enter_rcu() is called in task context and returns in an interrupt.
 *
 * Context: &fgraph_ops.notify or &fgraph_ops.abandoned of the marker.
 */
static __always_inline void graph_limits_unmark(const struct task_struct *task,
						const struct ftrace_ret_stack *call,
						const struct fgraph_ops *marker)
{
	unsigned long *marks = graph_task_var(task, marker->idx);

	*marks -= 1;
	if (unlikely(*marks >= GRAPH_MARK_IRQ) &&
	    (*marks ^ graph_limits_irq_mark(task, call)) < GRAPH_MARK_IRQ)
		*marks -= graph_limits_irq_mark(task, call);
}

/**
 * graph_limits_allow() - check the depth and the lists for a call
 * @depth: depth of the call
 *
 * Context: the entryfunc of a user of graph/.
 * Return: true if the call may be recorded.
 */
bool graph_limits_allow(int depth);

/**
 * graph_limits_begun_in_irq() - check for a function of set_graph_function in an interrupt
 *
 * Context: the entryfunc of a user of graph/.
 * Return: true if current is in a function of set_graph_function that an interrupt has called.
 */
bool graph_limits_begun_in_irq(void);

#endif /* _KERNEL_TRACE_GRAPH_LIMITS_CHECK_H */
