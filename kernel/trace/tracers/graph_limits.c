// SPDX-License-Identifier: GPL-2.0
/*
 * Limits of what function_graph records (SPEC T3).
 *
 * Each list of functions is a user of graph/ of its own, a marker: the list is its filter, so
 * it is called for the functions of the list only, and it counts for each task how many of
 * them the task is in.  The tracer tests that count.  So nothing is searched when a function
 * is called, the filter takes care of modules, and a function that is not in the list costs
 * one test at most.
 */
#include <linux/bits.h>
#include <linux/hardirq.h>
#include <linux/init.h>
#include <linux/jump_label.h>
#include <linux/kernel.h>
#include <linux/kstrtox.h>
#include <linux/mutex.h>
#include <linux/string.h>
#include <asm/setup.h>

#include "graph/graph.h"
#include "graph_joint.h"
#include "graph_limits.h"
#include "graph_limits_check.h"
#include "graph_limits_set.h"
#include "instance/instance.h"
#include "instance/latency.h"
#include "instance/fast_path.h"
#include "ops/edit.h"
#include "record/record.h"

DEFINE_STATIC_KEY_FALSE(graph_thresh_key);

unsigned int graph_max_depth __read_mostly;
unsigned int graph_limits __read_mostly;

/*
 * Protects graph_limits, graph_max_depth, the registration of the markers, and the two counts
 * below. Taken inside trace_lock, outside graph_lock.
 */
static DEFINE_MUTEX(graph_markers_lock);
/* Number of tracers between graph_limits_start() and graph_limits_stop(). */
static unsigned int nr_graph_tracers;
/* Number of options of instances that the straight-line code does not handle. */
static unsigned int nr_unusual_options;

static bool graph_marker_entry(struct fgraph_ops *gops, struct ftrace_ret_stack *call, int depth,
			       struct ftrace_regs *fregs)
{
	unsigned long *marks = graph_task_var(current, gops->idx);

	if (in_hardirq() && *marks < GRAPH_MARK_IRQ)
		*marks += graph_limits_irq_mark(current, call);
	*marks += 1;
	if (!call->users)
		call->calltime = graph_clock();
	return true;
}

static void graph_marker_left(struct fgraph_ops *gops, struct task_struct *task,
			      const struct ftrace_ret_stack *call)
{
	graph_limits_unmark(task, call, gops);
}

/* Not called for calls that were entered before the marker was registered. */
static void graph_marker_return(struct fgraph_ops *gops, const struct ftrace_ret_stack *call,
				const struct ftrace_return *r, u64 now)
{
	graph_limits_unmark(current, call, gops);
}

static void graph_marker_call(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
			      struct ftrace_regs *fregs)
{
	graph_enter_preempt(graph_user_of(op), ip, fregs, graph_marker_entry);
}

/* Markers are called before the tracer, which so finds the current function counted. */
#define MARKER								\
{									\
	.notify	= graph_marker_return,						\
	.notify_joint = graph_joint_notify,					\
	.abandoned = graph_marker_left,						\
	.first	= true,							\
	.ops = {							\
		.func	= graph_marker_call,					\
		.flags	= FTRACE_OPS_FL_ARGS_ONLY,			\
		.joint	= graph_joint,					\
	},								\
}

struct fgraph_ops graph_markers[NR_GRAPH_LISTS] __read_mostly = {
	[GRAPH_FUNCTIONS]	= MARKER,
	[GRAPH_NOTRACE]		= MARKER,
};

/* ------------------------------------------------------------------ */
/* Checks at each call							*/

bool graph_limits_allow(int depth)
{
	unsigned int max = READ_ONCE(graph_max_depth);

	return (!max || depth < max) && graph_limits_marked(current, READ_ONCE(graph_limits));
}

bool graph_limits_begun_in_irq(void)
{
	return (READ_ONCE(graph_limits) & BIT(GRAPH_FUNCTIONS)) &&
	       *fgraph_get_task_var(&graph_markers[GRAPH_FUNCTIONS]) >= GRAPH_MARK_IRQ;
}

/* ------------------------------------------------------------------ */
/* Changes of limits							*/

struct ftrace_ops *graph_limits_ops(enum graph_list list)
{
	return &graph_markers[list].ops;
}

/* Set or clear a limit. Context: graph_markers_lock held. */
static void graph_limits_note(unsigned int limit, bool on)
{
	WRITE_ONCE(graph_limits, on ? graph_limits | limit : graph_limits & ~limit);
	if (on)
		static_branch_inc(&trace_graph_limited_key);
	else
		static_branch_dec(&trace_graph_limited_key);
}

void graph_limits_count_unusual(bool more)
{
	guard(mutex)(&graph_markers_lock);
	if (more && !nr_unusual_options++)
		graph_limits_note(GRAPH_LIMIT_UNUSUAL, true);
	else if (!more && !--nr_unusual_options)
		graph_limits_note(GRAPH_LIMIT_UNUSUAL, false);
}

static int graph_marker_register(enum graph_list list)
{
	struct fgraph_ops *gops = &graph_markers[list];
	struct ftrace_filter *filter = gops->ops.filter;
	int ret;

	if ((graph_limits & BIT(list)) || !nr_graph_tracers || !filter_has_list(filter))
		return 0;
	ret = register_ftrace_graph(gops);
	if (!ret)
		graph_limits_note(BIT(list), true);
	return ret;
}

static void graph_marker_unregister(enum graph_list list)
{
	if (!(graph_limits & BIT(list)))
		return;
	graph_limits_note(BIT(list), false);
	unregister_ftrace_graph(&graph_markers[list]);
}

void graph_limits_change_begin(enum graph_list list, bool empty)
{
	mutex_lock(&graph_markers_lock);
	/*
	 * An empty filter matches all functions, so the marker must be unregistered first. A
	 * change to any other filter takes effect call site by call site.
	 */
	if (empty)
		graph_marker_unregister(list);
}

void graph_limits_change_end(enum graph_list list)
{
	/* Without memory the list has no effect: more is recorded than was asked for. */
	if (graph_marker_register(list))
		pr_warn("ftrace: no memory for what set_graph_function or set_graph_notrace say\n");
	mutex_unlock(&graph_markers_lock);
}

static void graph_markers_unregister(void)
{
	for (int i = 0; i < NR_GRAPH_LISTS; i++)
		graph_marker_unregister(i);
}

int graph_limits_start(void)
{
	int ret = 0;

	guard(mutex)(&graph_markers_lock);
	nr_graph_tracers++;
	for (int i = 0; !ret && i < NR_GRAPH_LISTS; i++)
		ret = graph_marker_register(i);
	if (ret && !--nr_graph_tracers)
		graph_markers_unregister();
	return ret;
}

void graph_limits_stop(void)
{
	guard(mutex)(&graph_markers_lock);
	if (!--nr_graph_tracers)
		graph_markers_unregister();
}

void graph_limits_set_depth(unsigned int depth)
{
	guard(mutex)(&graph_markers_lock);
	if (!graph_max_depth != !depth)
		graph_limits_note(GRAPH_LIMIT_DEPTH, depth);
	WRITE_ONCE(graph_max_depth, depth);
}

unsigned int graph_limits_depth(void)
{
	return READ_ONCE(graph_max_depth);
}

void graph_limits_set_thresh(unsigned long nsecs)
{
	guard(mutex)(&graph_markers_lock);
	/*
	 * Clear the threshold before the limit: otherwise entries would be recorded whose
	 * returns are then dropped as too short.
	 */
	if (!nsecs)
		WRITE_ONCE(tracing_thresh, 0);
	if (!(graph_limits & GRAPH_LIMIT_THRESH) != !nsecs) {
		graph_limits_note(GRAPH_LIMIT_THRESH, nsecs);
		if (nsecs)
			static_branch_enable(&graph_thresh_key);
		else
			static_branch_disable(&graph_thresh_key);
	}
	WRITE_ONCE(tracing_thresh, nsecs);
}

/* ------------------------------------------------------------------ */
/* Kernel command line							*/

static char graph_boot_lists[NR_GRAPH_LISTS][COMMAND_LINE_SIZE] __initdata;

static int __init graph_filter_setup(char *str)
{
	tracing_note_boot_parameter("ftrace_graph_filter=");
	strscpy(graph_boot_lists[GRAPH_FUNCTIONS], str);
	return 1;
}
__setup("ftrace_graph_filter=", graph_filter_setup);

static int __init graph_notrace_setup(char *str)
{
	tracing_note_boot_parameter("ftrace_graph_notrace=");
	strscpy(graph_boot_lists[GRAPH_NOTRACE], str);
	return 1;
}
__setup("ftrace_graph_notrace=", graph_notrace_setup);

static int __init graph_depth_setup(char *str)
{
	unsigned int depth;

	if (kstrtouint(str, 0, &depth))
		pr_warn("ftrace: ftrace_graph_max_depth=%s: no depth\n", str);
	else
		graph_limits_set_depth(depth);
	tracing_note_boot_parameter("ftrace_graph_max_depth=");
	return 1;
}
__setup("ftrace_graph_max_depth=", graph_depth_setup);

static void __init graph_limits_boot_list(enum graph_list list)
{
	char *word, *words = graph_boot_lists[list];

	graph_limits_change_begin(list, false);
	while ((word = strsep(&words, ","))) {
		if (*word && ftrace_set_filter(graph_limits_ops(list), (u8 *)word,
					       strlen(word), 0))
			pr_warn("ftrace: \"%s\" names no function\n", word);
	}
	graph_limits_change_end(list);
}

void __init graph_limits_boot(void)
{
	graph_limits_boot_list(GRAPH_FUNCTIONS);
	graph_limits_boot_list(GRAPH_NOTRACE);
}
