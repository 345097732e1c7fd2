// SPDX-License-Identifier: GPL-2.0
/*
 * The function_graph tracer: an entry for each call, and one for its return (SPEC T3).
 *
 * graph_entry_call() and graph_return_told() are the hot path: what function.c says of its
 * own is true of them.  What else may be asked for (files of graph_limits.c, pids, an
 * option) is behind one static key at the entry, tracing_thresh behind another one at the
 * return.
 *
 * Nothing called from the callbacks may sleep, lock, allocate or print.
 */
#include <linux/ftrace.h>
#include <linux/jump_label.h>
#include <linux/kernel.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/smp.h>

#include "attach.h"
#include "entries.h"
#include "function_graph.h"
#include "graph/graph.h"
#include "graph_joint.h"
#include "graph_limits.h"
#include "graph_lines.h"
#include "graph_record.h"
#include "instance/instance.h"
#include "instance/straight.h"
#include "instance/tracer.h"
#include "left_out.h"
#include "profile/profile.h"
#include "record/record.h"
#include "ring_buffer/write.h"
#include "tasks/cmdlines.h"
#include "tasks/pids.h"
#include "tracers.h"
#include "types/types.h"

static const struct tracer_option graph_options[] = {
	{ "funcgraph-overrun", GRAPH_OPT_OVERRUN },
	{ "funcgraph-cpu", GRAPH_OPT_CPU },
	{ "funcgraph-overhead", GRAPH_OPT_OVERHEAD },
	{ "funcgraph-proc", GRAPH_OPT_PROC },
	{ "funcgraph-duration", GRAPH_OPT_DURATION },
	{ "funcgraph-abstime", GRAPH_OPT_ABSTIME },
	{ "funcgraph-irqs", GRAPH_OPT_IRQS },
	{ "funcgraph-tail", GRAPH_OPT_TAIL },
	{ "funcgraph-args", GRAPH_OPT_ARGS },
	{ "sleep-time", GRAPH_OPT_SLEEP_TIME },
#ifdef CONFIG_FUNCTION_PROFILER
	{ "graph-time", GRAPH_OPT_GRAPH_TIME },
#endif
#ifdef CONFIG_FUNCTION_GRAPH_RETVAL
	{ "funcgraph-retval", GRAPH_OPT_RETVAL },
	{ "funcgraph-retval-hex", GRAPH_OPT_RETVAL_HEX },
#endif
	{ }
};

#define GRAPH_OPT_DEFAULTS						\
	(GRAPH_OPT_CPU | GRAPH_OPT_OVERHEAD | GRAPH_OPT_DURATION | GRAPH_OPT_IRQS |	\
	 GRAPH_OPT_SLEEP_TIME | GRAPH_OPT_GRAPH_TIME)

/* ------------------------------------------------------------------ */
/* Callbacks								*/

static u32 options_of(const struct trace_array *tr)
{
	return READ_ONCE(tr->tracer_opts[function_graph_tracer.index]);
}

/* Interrupts are not to be recorded, but for those in which tracing is begun. */
static bool is_unwanted_irq(const struct trace_array *tr)
{
	return !(options_of(tr) & GRAPH_OPT_IRQS) && in_hardirq() &&
	       !graph_limits_begun_in_irq();
}

/* With whatever is asked for. */
static bool graph_entry(struct fgraph_ops *gops, struct ftrace_ret_stack *call, int depth,
			struct ftrace_regs *fregs)
{
	struct trace_array *tr = graph_instance(gops);

	if (!trace_pids_fit(tr, current) || !graph_limits_let(depth) || is_unwanted_irq(tr))
		return false;
	if (!READ_ONCE(tracing_thresh))
		return options_of(tr) & GRAPH_OPT_ARGS ?
		       graph_record_entry_args(tr, call, depth, fregs) :
		       graph_record_entry(tr, call, depth);
	/* The return alone is recorded, if it comes late enough. */
	graph_set_calltime(call);
	return true;
}

/*
 * The straight lines of an entry, on a stream that is not busy, in a plain context, with
 * graph_enter() in them.  Wherever it is not that simple they leave for good by a call at
 * their end, so that no register has to be saved; the functions up to enter_rest() are
 * where they go.  Those are called with preemption disabled once, and enable it.
 */

/* Nothing has happened yet. */
static noinline void enter_general(unsigned long ip, unsigned long parent_ip,
				   struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	graph_enter(graph_user_of(op), ip, fregs, graph_entry);
	preempt_enable_notrace();
}

/* rb_reserve_straight() has failed. No return is waited for if there is no entry. */
static noinline void begin_long(struct ftrace_ret_stack *call, struct rb_cpu *cb)
{
	call->calltime = graph_clock();
	if (!graph_record_entry_long(cb, call))
		call->users = 0;
	preempt_enable_notrace();
}

/* The same for a call that others are in: only our bit goes. */
static noinline void join_long(struct fgraph_ops *gops, struct ftrace_ret_stack *call,
			       struct rb_cpu *cb)
{
	if (!graph_record_entry_long(cb, call))
		call->users &= ~gops->user;
	preempt_enable_notrace();
}

/* rb_commit_straight() has failed. */
static noinline void enter_rest(struct rb_cpu *cb)
{
	rb_commit_rest(cb);
	preempt_enable_notrace();
}

static __always_inline void fill_straight(struct ring_buffer_event *event,
					  const struct ftrace_ret_stack *call,
					  unsigned int word)
{
	graph_fill_entry(event, call, current->curr_ret_depth - 1, trace_ctx_plain(word));
}

/*
 * Another user has pushed the call, and its calltime is known. The record has the time
 * now: the task may have been away since, and readers rely on the order of records.
 */
static noinline void enter_joined(unsigned long ip, unsigned long parent_ip,
				  struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	struct fgraph_ops *gops = graph_user_of(op);
	struct rb_cpu *cb = rb_this_cpu(graph_instance(gops)->buffer);
	unsigned int word = trace_callers_word();
	struct ring_buffer_event *event;
	struct ftrace_ret_stack *call;
	unsigned long next;

	if (unlikely(!graph_is_straight(cb, word)))
		return enter_general(ip, parent_ip, op, fregs);
	call = graph_join_plain(gops, ip, fregs);
	if (unlikely(!call))
		return enter_general(ip, parent_ip, op, fregs);
	event = rb_reserve_straight(cb, sizeof(struct graph_ent_entry), &next);
	if (unlikely(!event))
		return join_long(gops, call, cb);
	fill_straight(event, call, word);
	if (unlikely(!rb_commit_straight(cb, next)))
		return enter_rest(cb);
	preempt_enable_notrace();
}

/* The record's own time stamp is the time of the entry: the clock is read once. */
static __always_inline void enter_straight(unsigned long ip, unsigned long parent_ip,
					   struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	struct fgraph_ops *gops = graph_user_of(op);
	struct rb_cpu *cb = rb_this_cpu(graph_instance(gops)->buffer);
	unsigned int word = trace_callers_word();
	struct ftrace_ret_stack *newest, *call;
	struct ring_buffer_event *event;
	unsigned long next;

	if (unlikely(!graph_is_straight(cb, word)))
		return enter_general(ip, parent_ip, op, fregs);
	newest = graph_newest_plain(fregs);
	if (unlikely(!newest))
		return enter_general(ip, parent_ip, op, fregs);
	call = graph_begin_plain(gops, newest, ip, fregs);
	if (unlikely(!call)) {
		preempt_enable_notrace();
		return;
	}
	event = rb_reserve_straight(cb, sizeof(struct graph_ent_entry), &next);
	if (unlikely(!event))
		return begin_long(call, cb);
	call->calltime = cb->stamp;
	fill_straight(event, call, word);
	if (unlikely(!rb_commit_straight(cb, next)))
		return enter_rest(cb);
	preempt_enable_notrace();
}

static __always_inline void enter(unsigned long ip, unsigned long parent_ip,
				  struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	if (unlikely(graph_is_joined(fregs)))
		return enter_joined(ip, parent_ip, op, fregs);
	enter_straight(ip, parent_ip, op, fregs);
}

/* Most calls are, where there is such a limit: they are not begun at all. */
static __always_inline bool is_too_deep(unsigned int limits, struct ftrace_regs *fregs)
{
	unsigned int max;

	if (!(limits & GRAPH_LIMIT_DEPTH))
		return false;
	/* 0 while it is being set, or taken away. */
	max = READ_ONCE(graph_max_depth);
	return max && graph_is_beyond(fregs, max);
}

/* It has to be known first how deep it is, or later how long it took. */
static noinline void enter_measured(unsigned long ip, unsigned long parent_ip,
				    struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	preempt_disable_notrace();
	enter_general(ip, parent_ip, op, fregs);
}

/* Neither are arguments recorded nor interrupts left out. */
static bool is_usual(const struct trace_array *tr)
{
	return (options_of(tr) & (GRAPH_OPT_ARGS | GRAPH_OPT_IRQS)) == GRAPH_OPT_IRQS;
}

static noinline void enter_limited(unsigned long ip, unsigned long parent_ip,
				   struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	struct trace_array *tr = graph_instance(graph_user_of(op));
	unsigned int limits = READ_ONCE(graph_limits);

	if (unlikely(limits & (GRAPH_LIMIT_DEPTH | GRAPH_LIMIT_THRESH))) {
		if (is_too_deep(limits, fregs))
			return;
		/* How deep a call is that another user has begun is not known yet. */
		if ((limits & GRAPH_LIMIT_THRESH) || graph_is_joined(fregs))
			return enter_measured(ip, parent_ip, op, fregs);
	}
	preempt_disable_notrace();
	if (unlikely((limits & GRAPH_LIMIT_UNUSUAL) && !is_usual(tr)))
		return enter_general(ip, parent_ip, op, fregs);
	if (trace_pids_fit(tr, current) && graph_limits_marked(current, limits))
		return enter(ip, parent_ip, op, fregs);
	/* It may be marked by a call that was left. */
	if (graph_may_be_left(fregs))
		return enter_general(ip, parent_ip, op, fregs);
	preempt_enable_notrace();
}

static void graph_entry_call(unsigned long ip, unsigned long parent_ip,
			     struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	if (unlikely(raw_cpu_read(graph_instance(graph_user_of(op))->cpus->skip)))
		return;
	if (static_branch_unlikely(&trace_graph_limited_key))
		return enter_limited(ip, parent_ip, op, fregs);
	preempt_disable_notrace();
	enter(ip, parent_ip, op, fregs);
}

static bool is_too_short(const struct ftrace_ret_stack *call, u64 now)
{
	unsigned long thresh = READ_ONCE(tracing_thresh);

	/* On another CPU it may be earlier than it was on the first one. */
	return thresh && (s64)(now - call->calltime) < (s64)(u64)thresh;
}

static noinline void return_if_long(struct fgraph_ops *gops,
				    const struct ftrace_ret_stack *call,
				    const struct ftrace_return *r, u64 now)
{
	if (is_too_short(call, now))
		left_out_add(graph_instance(gops));
	else
		graph_record_return(gops, call, r, now);
}

static void graph_return_told(struct fgraph_ops *gops, const struct ftrace_ret_stack *call,
			      const struct ftrace_return *r, u64 now)
{
	if (static_branch_unlikely(&graph_thresh_key))
		return return_if_long(gops, call, r, now);
	graph_record_return(gops, call, r, now);
}

/* ------------------------------------------------------------------ */
/* For other tracers							*/

static bool graph_entry_of_other(struct fgraph_ops *gops, struct ftrace_ret_stack *call,
				 int depth, struct ftrace_regs *fregs)
{
	return graph_limits_let(depth) && graph_record_entry(graph_instance(gops), call, depth);
}

void function_graph_enter(struct trace_array *tr, unsigned long ip,
			  struct ftrace_regs *fregs)
{
	graph_enter(&tr->gops, ip, fregs, graph_entry_of_other);
}

void function_graph_return(struct trace_array *tr, const struct ftrace_ret_stack *call,
			   const struct ftrace_return *r, u64 now)
{
	graph_record_return(&tr->gops, call, r, now);
}

static void record_mark(struct trace_buffer *buffer, unsigned long ip, u64 now,
			unsigned int ctx)
{
	struct graph_ent_entry *entry;
	struct graph_ret_entry *ret;
	struct trace_record rec;

	entry = trace_record_start(&rec, buffer, TRACE_GRAPH_ENT, sizeof(*entry), ctx);
	if (!entry)
		return;
	entry->graph_ent = (struct ftrace_graph_ent){ .func = ip };
	trace_record_end(&rec);
	ret = trace_record_start(&rec, buffer, TRACE_GRAPH_RET, sizeof(*ret), ctx);
	if (!ret)
		return;
	ret->ret = (struct ftrace_graph_ret){ .func = ip, .calltime = now, .rettime = now };
	trace_record_end(&rec);
}

/* Both in one buffer, whenever somebody exchanges it. */
void function_graph_mark(struct trace_array *tr, unsigned long ip, unsigned int ctx)
{
	record_mark(READ_ONCE(tr->buffer), ip, graph_clock(), ctx);
}

/* ------------------------------------------------------------------ */
/* Control								*/

int function_graph_attach(struct trace_array *tr, ftrace_func_t call, graph_told_t told)
{
	int ret = graph_limits_start();

	if (ret)
		return ret;
	attach_prepare(tr, call);
	tr->gops.told = told;
	tr->gops.ops.joint = call == graph_entry_call ? graph_joint : NULL;
	tr->gops.told_joint = call == graph_entry_call ? graph_joint_told : NULL;
	ret = register_ftrace_graph(&tr->gops);
	if (ret)
		graph_limits_stop();
	return ret;
}

int function_graph_detach(struct trace_array *tr)
{
	unregister_ftrace_graph(&tr->gops);
	/* Without memory it goes on. */
	if (tr->gops.ops.flags & FTRACE_OPS_FL_ENABLED)
		return -ENOMEM;
	graph_limits_stop();
	return 0;
}

static int graph_attach(struct trace_array *tr)
{
	return function_graph_attach(tr, graph_entry_call, graph_return_told);
}

static int graph_init(struct trace_array *tr)
{
	return attach_tracer(tr, graph_attach);
}

static int graph_reset(struct trace_array *tr)
{
	return detach_tracer(tr, function_graph_detach);
}

static int graph_set_option(struct trace_array *tr, u32 mask, bool on)
{
	if (mask == GRAPH_OPT_IRQS)
		graph_limits_unusual(!on);
	else if (mask == GRAPH_OPT_ARGS)
		graph_limits_unusual(on);
	else if (mask == GRAPH_OPT_SLEEP_TIME)
		return graph_sleep_unwanted(!on);
	else if (mask == GRAPH_OPT_GRAPH_TIME)
		profile_callees_unwanted(!on);
	return 0;
}

static void graph_setup(void)
{
	graph_tracer_index = function_graph_tracer.index;
}

struct tracer function_graph_tracer = {
	.name			= "function_graph",
	.setup			= graph_setup,
	.init			= graph_init,
	.reset			= graph_reset,
	.set_option		= graph_set_option,
	.options		= graph_options,
	.default_options	= GRAPH_OPT_DEFAULTS,
	.print_line		= graph_line,
	.print_header		= graph_header,
	.allow_instances	= true,
};
