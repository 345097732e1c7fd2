// SPDX-License-Identifier: GPL-2.0
/*
 * What function_graph is not to record (SPEC T3).
 *
 * A list of functions is a user of graph/ of its own, a marker: it is called by the
 * functions of the list alone, and counts for each task in how many of them it is.  The
 * tracer looks at that count.  So nothing is looked up when a function is called,
 * modules that come and go are the filter's business, and what the list does not name
 * pays for a test at most.
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
#include "instance/instance.h"
#include "instance/latency.h"
#include "instance/straight.h"
#include "ops/edit.h"
#include "record/record.h"

DEFINE_STATIC_KEY_FALSE(graph_thresh_key);

unsigned int graph_max_depth __read_mostly;
unsigned int graph_limits __read_mostly;

/* Who is registered; outside of graph_lock, inside of trace_lock. */
static DEFINE_MUTEX(markers_lock);
/* Tracers that have begun, under markers_lock. */
static unsigned int nr_tracers;
/* Options of instances of which the straight lines know nothing, likewise. */
static unsigned int nr_unusual;

static bool marker_entry(struct fgraph_ops *gops, struct ftrace_ret_stack *call, int depth,
			 struct ftrace_regs *fregs)
{
	unsigned long *marks = graph_var(current, gops->idx);

	if (in_hardirq() && *marks < GRAPH_MARK_IRQ)
		*marks += graph_limits_irq_mark(current, call);
	*marks += 1;
	if (!call->users)
		call->calltime = graph_clock();
	return true;
}

static void marker_left(struct fgraph_ops *gops, struct task_struct *task,
			const struct ftrace_ret_stack *call)
{
	graph_limits_unmark(task, call, gops);
}

/* It is not told of calls that were entered before it was registered. */
static void marker_told(struct fgraph_ops *gops, const struct ftrace_ret_stack *call,
			const struct ftrace_return *r, u64 now)
{
	graph_limits_unmark(current, call, gops);
}

static void marker_call(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
			struct ftrace_regs *fregs)
{
	graph_enter_preempt(graph_user_of(op), ip, fregs, marker_entry);
}

/* Before the tracer, so that it finds the function itself counted. */
#define MARKER								\
{									\
	.told	= marker_told,						\
	.told_joint = graph_joint_told,					\
	.left	= marker_left,						\
	.first	= true,							\
	.ops = {							\
		.func	= marker_call,					\
		.flags	= FTRACE_OPS_FL_ARGS_ONLY,			\
		.joint	= graph_joint,					\
	},								\
}

struct fgraph_ops graph_markers[NR_GRAPH_LISTS] __read_mostly = {
	[GRAPH_FUNCTIONS]	= MARKER,
	[GRAPH_NOTRACE]		= MARKER,
};

/* ------------------------------------------------------------------ */
/* Asked at each call							*/

bool graph_limits_let(int depth)
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
/* Limits come and go							*/

struct ftrace_ops *graph_limits_ops(enum graph_list list)
{
	return &graph_markers[list].ops;
}

/* With the lock. */
static void note_limit(unsigned int limit, bool on)
{
	WRITE_ONCE(graph_limits, on ? graph_limits | limit : graph_limits & ~limit);
	if (on)
		static_branch_inc(&trace_graph_limited_key);
	else
		static_branch_dec(&trace_graph_limited_key);
}

void graph_limits_unusual(bool more)
{
	guard(mutex)(&markers_lock);
	if (more && !nr_unusual++)
		note_limit(GRAPH_LIMIT_UNUSUAL, true);
	else if (!more && !--nr_unusual)
		note_limit(GRAPH_LIMIT_UNUSUAL, false);
}

static int marker_on(enum graph_list list)
{
	struct fgraph_ops *gops = &graph_markers[list];
	struct ftrace_filter *filter = gops->ops.filter;
	int ret;

	if ((graph_limits & BIT(list)) || !nr_tracers || !filter || !filter->only.set)
		return 0;
	ret = register_ftrace_graph(gops);
	if (!ret)
		note_limit(BIT(list), true);
	return ret;
}

static void marker_off(enum graph_list list)
{
	if (!(graph_limits & BIT(list)))
		return;
	note_limit(BIT(list), false);
	unregister_ftrace_graph(&graph_markers[list]);
}

void graph_limits_change_begin(enum graph_list list, bool empty)
{
	mutex_lock(&markers_lock);
	/* An empty filter is that of all functions. Any other one moves from site to site. */
	if (empty)
		marker_off(list);
}

void graph_limits_change_end(enum graph_list list)
{
	/* Without memory all is recorded, or nothing left out: more than was asked for. */
	if (marker_on(list))
		pr_warn("ftrace: no memory for what set_graph_function or set_graph_notrace say\n");
	mutex_unlock(&markers_lock);
}

static void markers_off(void)
{
	for (int i = 0; i < NR_GRAPH_LISTS; i++)
		marker_off(i);
}

int graph_limits_start(void)
{
	int ret = 0;

	guard(mutex)(&markers_lock);
	nr_tracers++;
	for (int i = 0; !ret && i < NR_GRAPH_LISTS; i++)
		ret = marker_on(i);
	if (ret && !--nr_tracers)
		markers_off();
	return ret;
}

void graph_limits_stop(void)
{
	guard(mutex)(&markers_lock);
	if (!--nr_tracers)
		markers_off();
}

void graph_limits_set_depth(unsigned int depth)
{
	guard(mutex)(&markers_lock);
	if (!graph_max_depth != !depth)
		note_limit(GRAPH_LIMIT_DEPTH, depth);
	WRITE_ONCE(graph_max_depth, depth);
}

unsigned int graph_limits_depth(void)
{
	return READ_ONCE(graph_max_depth);
}

void graph_limits_set_thresh(unsigned long nsecs)
{
	guard(mutex)(&markers_lock);
	/* First, or entries would be recorded whose returns are too short. */
	if (!nsecs)
		WRITE_ONCE(tracing_thresh, 0);
	if (!(graph_limits & GRAPH_LIMIT_THRESH) != !nsecs) {
		note_limit(GRAPH_LIMIT_THRESH, nsecs);
		if (nsecs)
			static_branch_enable(&graph_thresh_key);
		else
			static_branch_disable(&graph_thresh_key);
	}
	WRITE_ONCE(tracing_thresh, nsecs);
}

/* ------------------------------------------------------------------ */
/* The command line							*/

static char boot_lists[NR_GRAPH_LISTS][COMMAND_LINE_SIZE] __initdata;

static int __init graph_filter_setup(char *str)
{
	tracing_note_boot_parameter("ftrace_graph_filter=");
	strscpy(boot_lists[GRAPH_FUNCTIONS], str);
	return 1;
}
__setup("ftrace_graph_filter=", graph_filter_setup);

static int __init graph_notrace_setup(char *str)
{
	tracing_note_boot_parameter("ftrace_graph_notrace=");
	strscpy(boot_lists[GRAPH_NOTRACE], str);
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

static void __init boot_list(enum graph_list list)
{
	char *word, *words = boot_lists[list];

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
	boot_list(GRAPH_FUNCTIONS);
	boot_list(GRAPH_NOTRACE);
}
