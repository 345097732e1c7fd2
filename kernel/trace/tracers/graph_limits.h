/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What function_graph is not to record, by set_graph_function, set_graph_notrace,
 * max_graph_depth and tracing_thresh.  The limits hold in all instances.
 */
#ifndef _KERNEL_TRACE_GRAPH_LIMITS_H
#define _KERNEL_TRACE_GRAPH_LIMITS_H

#include <linux/bits.h>
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/jump_label.h>
#include <linux/types.h>

#include "instance/latency.h"

#ifdef CONFIG_FUNCTION_GRAPH_TRACER
#include "graph/stack.h"
#endif

/* tracing_thresh is set. */
DECLARE_STATIC_KEY_FALSE(graph_thresh_key);

/* What graph_limits_set_depth() has set: 0 for no limit. */
extern unsigned int graph_max_depth;

/**
 * enum graph_list - the two lists of functions
 * @GRAPH_FUNCTIONS: set_graph_function: only these, and what they call
 * @GRAPH_NOTRACE: set_graph_notrace: not these, nor what they call
 * @NR_GRAPH_LISTS: how many lists there are
 */
enum graph_list {
	GRAPH_FUNCTIONS,
	GRAPH_NOTRACE,
	NR_GRAPH_LISTS
};

/* Which limits there are: BIT() of each list, and these. */
#define GRAPH_LIMIT_LISTS	(BIT(NR_GRAPH_LISTS) - 1)
#define GRAPH_LIMIT_DEPTH	BIT(NR_GRAPH_LISTS)
#define GRAPH_LIMIT_THRESH	BIT(NR_GRAPH_LISTS + 1)
/* Not a limit, but in the way likewise: graph_limits_unusual(). */
#define GRAPH_LIMIT_UNUSUAL	BIT(NR_GRAPH_LISTS + 2)

/* A word of them, for who asks at each call.  Changes under a lock of graph_limits.c. */
extern unsigned int graph_limits;

/* Count the calls of the functions of each list; for graph_limits_marked(). */
extern struct fgraph_ops graph_markers[NR_GRAPH_LISTS];

/*
 * A task's word of a marker: in how many functions of the list it is and, from this on, the
 * place of the first call of those that an interrupt has called.
 */
#define GRAPH_MARK_IRQ		BIT(16)

/**
 * graph_limits_ops - the ops whose filter a list is
 * @list: which
 *
 * Context: any.
 */
struct ftrace_ops *graph_limits_ops(enum graph_list list);

/**
 * graph_limits_change_begin - a list is about to change
 * @list: which
 * @empty: it will be: then it is not obeyed from here on
 *
 * Its filter may be committed until graph_limits_change_end(). What the list was is obeyed
 * until then, function by function what it will be, and nothing else is recorded meanwhile.
 *
 * Context: may sleep; takes a lock, then graph_lock and ftrace_lock.
 */
void graph_limits_change_begin(enum graph_list list, bool empty);

/**
 * graph_limits_change_end - the end of graph_limits_change_begin()
 * @list: which
 *
 * Context: as there.
 */
void graph_limits_change_end(enum graph_list list);

/**
 * graph_limits_set_depth - record functions up to a depth only
 * @depth: how many levels, 0 for all
 *
 * Context: may sleep.
 */
void graph_limits_set_depth(unsigned int depth);

/**
 * graph_limits_depth - what graph_limits_set_depth() has set
 *
 * Context: any.
 */
unsigned int graph_limits_depth(void);

/**
 * graph_limits_set_thresh - set tracing_thresh
 * @nsecs: to what
 *
 * Context: may sleep.
 */
#ifdef CONFIG_FUNCTION_GRAPH_TRACER
void graph_limits_set_thresh(unsigned long nsecs);
#else
static inline void graph_limits_set_thresh(unsigned long nsecs)
{
	WRITE_ONCE(tracing_thresh, nsecs);
}
#endif

/**
 * graph_limits_boot - obey ftrace_graph_filter= and ftrace_graph_notrace=
 *
 * Words that name nothing are warned about.
 *
 * Context: boot, once the sites are recorded.
 */
#ifdef CONFIG_FUNCTION_GRAPH_TRACER
void __init graph_limits_boot(void);
#else
static inline void graph_limits_boot(void) { }
#endif

/**
 * graph_limits_start - a function_graph tracer begins
 *
 * Context: may sleep; trace_lock held.
 * Return: 0, or as register_ftrace_graph().
 */
int graph_limits_start(void);

/**
 * graph_limits_stop - the end of one graph_limits_start()
 *
 * Context: as there.
 */
void graph_limits_stop(void);

/**
 * graph_limits_unusual - one instance more, or one less, has an option of which the straight
 * lines know nothing
 * @more: which of the two
 *
 * Context: may sleep.
 */
void graph_limits_unusual(bool more);

#ifdef CONFIG_FUNCTION_GRAPH_TRACER

/**
 * graph_limits_marked - do the lists let what a task calls be recorded?
 * @task: current
 * @limits: of graph_limits
 *
 * Context: the callback of an ops, or the entryfunc of a user of graph/; preemption off.
 * Return: true also for a task without a stack: graph_enter() knows what to do.
 */
static __always_inline bool graph_limits_marked(const struct task_struct *task,
						unsigned int limits)
{
	if (!(limits & GRAPH_LIMIT_LISTS) || unlikely(!task->ret_stack))
		return true;
	if ((limits & BIT(GRAPH_NOTRACE)) &&
	    *graph_var(task, graph_markers[GRAPH_NOTRACE].idx))
		return false;
	return !(limits & BIT(GRAPH_FUNCTIONS)) ||
	       *graph_var(task, graph_markers[GRAPH_FUNCTIONS].idx);
}

/**
 * graph_limits_mark - a call of a task is in set_graph_function
 * @call: the newest call of current, which has somebody who waits for it; not in an interrupt
 *
 * As that list's marker does at its entry.
 *
 * Context: the callback of an ops that stands for the marker's as well; preemption off.
 */
static __always_inline void graph_limits_mark(struct ftrace_ret_stack *call)
{
	struct fgraph_ops *marker = &graph_markers[GRAPH_FUNCTIONS];

	*graph_var(current, marker->idx) += 1;
	call->users |= marker->user;
}

/* What a call of an interrupt adds to that word, but for its 1, if it is the first one. */
static __always_inline unsigned long
graph_limits_irq_mark(const struct task_struct *task, const struct ftrace_ret_stack *call)
{
	return ((const unsigned long *)call - task->ret_stack) * GRAPH_MARK_IRQ;
}

/**
 * graph_limits_unmark - the end of what a marker, or graph_limits_mark(), does at an entry
 * @task: whose call it is
 * @call: the call
 * @marker: which marker
 *
 * An interrupt is over when its first mark is, whatever the context is then: irq_enter_rcu()
 * is called by a task and returns in an interrupt.
 *
 * Context: &fgraph_ops.told or &fgraph_ops.left of the marker.
 */
static __always_inline void graph_limits_unmark(const struct task_struct *task,
						const struct ftrace_ret_stack *call,
						const struct fgraph_ops *marker)
{
	unsigned long *marks = graph_var(task, marker->idx);

	*marks -= 1;
	if (unlikely(*marks >= GRAPH_MARK_IRQ) &&
	    (*marks ^ graph_limits_irq_mark(task, call)) < GRAPH_MARK_IRQ)
		*marks -= graph_limits_irq_mark(task, call);
}

#endif

/**
 * graph_limits_let - may a call be recorded
 * @depth: its depth
 *
 * Context: the entryfunc of a user of graph/.
 */
bool graph_limits_let(int depth);

/**
 * graph_limits_begun_in_irq - is current in a function of set_graph_function that was
 * called by an interrupt
 *
 * Context: as graph_limits_let().
 */
bool graph_limits_begun_in_irq(void);

#endif /* _KERNEL_TRACE_GRAPH_LIMITS_H */
