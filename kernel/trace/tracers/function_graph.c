// SPDX-License-Identifier: GPL-2.0
/*
 * The function_graph tracer: a record for the entry and one for the return of each call of a
 * function (SPEC T3).
 *
 * graph_entry_call() and graph_return_call() are the hot path: nothing may be added to them
 * without counting their instructions.  The limits of graph_limits.c, pid lists and unusual
 * options are behind one static key at the entry, tracing_thresh is behind another one at
 * the return.
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
#include "graph_limits_check.h"
#include "graph_lines.h"
#include "graph_record.h"
#include "instance/instance.h"
#include "instance/fast_path.h"
#include "instance/tracer.h"
#include "left_out_count.h"
#include "profile/profile.h"
#include "record/record.h"
#include "ring_buffer/write.h"
#include "tasks/cmdlines.h"
#include "tasks/pids.h"
#include "tracer_list.h"
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

static u32 graph_tracer_options(const struct trace_array *tr)
{
	return READ_ONCE(tr->tracer_opts[function_graph_tracer.index]);
}

/*
 * True if option funcgraph-irqs is off and this is an interrupt, unless the interrupt has called
 * a function of set_graph_function.
 */
static bool graph_is_unwanted_irq(const struct trace_array *tr)
{
	return !(graph_tracer_options(tr) & GRAPH_OPT_IRQS) && in_hardirq() &&
	       !graph_limits_begun_in_irq();
}

/* The entry function of the slow path: checks all limits and options. */
static bool graph_entry(struct fgraph_ops *gops, struct ftrace_ret_stack *call, int depth,
			struct ftrace_regs *fregs)
{
	struct trace_array *tr = graph_instance(gops);

	if (!trace_pids_allow(tr, current) || !graph_limits_allow(depth) ||
	    graph_is_unwanted_irq(tr))
		return false;
	if (!READ_ONCE(tracing_thresh))
		return graph_tracer_options(tr) & GRAPH_OPT_ARGS ?
		       graph_record_entry_args(tr, call, depth, fregs) :
		       graph_record_entry(tr, call, depth);
	/* With tracing_thresh only the return is recorded, and only of calls that last so long. */
	graph_set_calltime(call);
	return true;
}

/*
 * The straight-line code of an entry, with graph_enter() inlined, for a per-CPU buffer that is
 * not busy and a plain context.  In all other cases it tail-calls one of the functions up to
 * graph_enter_commit(), so that it need not save any register.  They are called with
 * preemption disabled once, and enable it.
 */

/* Slow path before anything was done: process the entry from the beginning. */
static noinline void graph_enter_general(unsigned long ip, unsigned long parent_ip,
					 struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	graph_enter(graph_user_of(op), ip, fregs, graph_entry);
	preempt_enable_notrace();
}

/*
 * Slow path after rb_reserve_inline() has failed, for a call without other users. If the
 * entry cannot be recorded, the return is not recorded either.
 */
static noinline void graph_begin_long(struct ftrace_ret_stack *call, struct rb_cpu *cb)
{
	call->calltime = graph_clock();
	if (!graph_record_entry_long(cb, call))
		call->users = 0;
	preempt_enable_notrace();
}

/*
 * Slow path after rb_reserve_inline() has failed, for a call that has other users. If the
 * entry cannot be recorded, only the bit of @gops is cleared.
 */
static noinline void graph_join_long(struct fgraph_ops *gops, struct ftrace_ret_stack *call,
				     struct rb_cpu *cb)
{
	if (!graph_record_entry_long(cb, call))
		call->users &= ~gops->user;
	preempt_enable_notrace();
}

/* Slow path after rb_commit_inline() has failed. */
static noinline void graph_enter_commit(struct rb_cpu *cb)
{
	rb_commit_outermost(cb);
	preempt_enable_notrace();
}

static __always_inline void graph_fill_straight(struct ring_buffer_event *event,
						const struct ftrace_ret_stack *call,
						unsigned int word)
{
	graph_fill_entry(event, call, current->curr_ret_depth - 1, trace_ctx_plain(word));
}

/*
 * The entry of a call that another user has pushed, with its calltime set. The record gets the
 * current time: the task may have slept since then, and readers rely on the order of records.
 */
static noinline void graph_enter_joined(unsigned long ip, unsigned long parent_ip,
					struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	struct fgraph_ops *gops = graph_user_of(op);
	struct rb_cpu *cb = rb_this_cpu(graph_instance(gops)->buffer);
	unsigned int word = trace_callers_word();
	struct ring_buffer_event *event;
	struct ftrace_ret_stack *call;
	unsigned long next;

	if (unlikely(!graph_is_straight(cb, word)))
		return graph_enter_general(ip, parent_ip, op, fregs);
	call = graph_join_call_fast(gops, ip, fregs);
	if (unlikely(!call))
		return graph_enter_general(ip, parent_ip, op, fregs);
	event = rb_reserve_inline(cb, sizeof(struct graph_ent_entry), &next);
	if (unlikely(!event))
		return graph_join_long(gops, call, cb);
	graph_fill_straight(event, call, word);
	if (unlikely(!rb_commit_inline(cb, next)))
		return graph_enter_commit(cb);
	preempt_enable_notrace();
}

/*
 * The entry of a call that has no users yet. The time stamp of the record is the calltime as
 * well, so the clock is read only once.
 */
static __always_inline void graph_enter_straight(unsigned long ip, unsigned long parent_ip,
						 struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	struct fgraph_ops *gops = graph_user_of(op);
	struct rb_cpu *cb = rb_this_cpu(graph_instance(gops)->buffer);
	unsigned int word = trace_callers_word();
	struct ftrace_ret_stack *newest, *call;
	struct ring_buffer_event *event;
	unsigned long next;

	if (unlikely(!graph_is_straight(cb, word)))
		return graph_enter_general(ip, parent_ip, op, fregs);
	newest = graph_newest_call_fast(fregs);
	if (unlikely(!newest))
		return graph_enter_general(ip, parent_ip, op, fregs);
	call = graph_begin_call_fast(gops, newest, ip, fregs);
	if (unlikely(!call)) {
		preempt_enable_notrace();
		return;
	}
	event = rb_reserve_inline(cb, sizeof(struct graph_ent_entry), &next);
	if (unlikely(!event))
		return graph_begin_long(call, cb);
	call->calltime = cb->stamp;
	graph_fill_straight(event, call, word);
	if (unlikely(!rb_commit_inline(cb, next)))
		return graph_enter_commit(cb);
	preempt_enable_notrace();
}

static __always_inline void graph_enter_unlimited(unsigned long ip, unsigned long parent_ip,
						  struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	if (unlikely(graph_return_is_traced(fregs)))
		return graph_enter_joined(ip, parent_ip, op, fregs);
	graph_enter_straight(ip, parent_ip, op, fregs);
}

/* With max_graph_depth most calls are too deep: reject them before anything else is done. */
static __always_inline bool graph_exceeds_max_depth(unsigned int limits, struct ftrace_regs *fregs)
{
	unsigned int max;

	if (!(limits & GRAPH_LIMIT_DEPTH))
		return false;
	/* graph_max_depth is 0 while the limit is being set or removed. */
	max = READ_ONCE(graph_max_depth);
	return max && graph_is_too_deep(fregs, max);
}

/* The entry when the depth or the duration of the call must be checked. */
static noinline void graph_enter_measured(unsigned long ip, unsigned long parent_ip,
					  struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	preempt_disable_notrace();
	graph_enter_general(ip, parent_ip, op, fregs);
}

/* True if funcgraph-args is off and funcgraph-irqs is on, as the straight-line code expects. */
static bool graph_has_usual_options(const struct trace_array *tr)
{
	return (graph_tracer_options(tr) & (GRAPH_OPT_ARGS | GRAPH_OPT_IRQS)) == GRAPH_OPT_IRQS;
}

static noinline void graph_enter_limited(unsigned long ip, unsigned long parent_ip,
					 struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	struct trace_array *tr = graph_instance(graph_user_of(op));
	unsigned int limits = READ_ONCE(graph_limits);

	if (unlikely(limits & (GRAPH_LIMIT_DEPTH | GRAPH_LIMIT_THRESH))) {
		if (graph_exceeds_max_depth(limits, fregs))
			return;
		/* The depth of a call that another user has pushed is not checked above. */
		if ((limits & GRAPH_LIMIT_THRESH) || graph_return_is_traced(fregs))
			return graph_enter_measured(ip, parent_ip, op, fregs);
	}
	preempt_disable_notrace();
	if (unlikely((limits & GRAPH_LIMIT_UNUSUAL) && !graph_has_usual_options(tr)))
		return graph_enter_general(ip, parent_ip, op, fregs);
	if (trace_pids_allow(tr, current) && graph_limits_marked(current, limits))
		return graph_enter_unlimited(ip, parent_ip, op, fregs);
	/* An abandoned call may have marked the task: drop such calls and check again. */
	if (graph_may_be_abandoned(fregs))
		return graph_enter_general(ip, parent_ip, op, fregs);
	preempt_enable_notrace();
}

static void graph_entry_call(unsigned long ip, unsigned long parent_ip,
			     struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	if (unlikely(raw_cpu_read(graph_instance(graph_user_of(op))->cpus->skip)))
		return;
	if (static_branch_unlikely(&trace_graph_limited_key))
		return graph_enter_limited(ip, parent_ip, op, fregs);
	preempt_disable_notrace();
	graph_enter_unlimited(ip, parent_ip, op, fregs);
}

static bool graph_is_too_short(const struct ftrace_ret_stack *call, u64 now)
{
	unsigned long thresh = READ_ONCE(tracing_thresh);

	/* The clocks of two CPUs may differ, so the duration may be negative. */
	return thresh && (s64)(now - call->calltime) < (s64)(u64)thresh;
}

static noinline void graph_return_if_long(struct fgraph_ops *gops,
					  const struct ftrace_ret_stack *call,
					  const struct ftrace_return *r, u64 now)
{
	if (graph_is_too_short(call, now))
		left_out_add(graph_instance(gops));
	else
		graph_record_return(gops, call, r, now);
}

static void graph_return_call(struct fgraph_ops *gops, const struct ftrace_ret_stack *call,
			      const struct ftrace_return *r, u64 now)
{
	if (static_branch_unlikely(&graph_thresh_key))
		return graph_return_if_long(gops, call, r, now);
	graph_record_return(gops, call, r, now);
}

/* ------------------------------------------------------------------ */
/* Interface for other tracers						*/

static bool graph_entry_for_other(struct fgraph_ops *gops, struct ftrace_ret_stack *call,
				  int depth, struct ftrace_regs *fregs)
{
	return graph_limits_allow(depth) && graph_record_entry(graph_instance(gops), call, depth);
}

void function_graph_enter(struct trace_array *tr, unsigned long ip,
			  struct ftrace_regs *fregs)
{
	graph_enter(&tr->gops, ip, fregs, graph_entry_for_other);
}

void function_graph_return(struct trace_array *tr, const struct ftrace_ret_stack *call,
			   const struct ftrace_return *r, u64 now)
{
	graph_record_return(&tr->gops, call, r, now);
}

static void graph_record_mark(struct trace_buffer *buffer, unsigned long ip, u64 now,
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

/* The buffer is read once: both records go to the same one, even if a snapshot is taken. */
void function_graph_mark(struct trace_array *tr, unsigned long ip, unsigned int ctx)
{
	graph_record_mark(READ_ONCE(tr->buffer), ip, graph_clock(), ctx);
}

/* ------------------------------------------------------------------ */
/* Control								*/

int function_graph_attach(struct trace_array *tr, ftrace_func_t on_entry,
			  graph_notify_t on_return)
{
	int ret = graph_limits_start();

	if (ret)
		return ret;
	attach_prepare(tr, on_entry);
	tr->gops.notify = on_return;
	tr->gops.ops.joint = on_entry == graph_entry_call ? graph_joint : NULL;
	tr->gops.notify_joint = on_entry == graph_entry_call ? graph_joint_notify : NULL;
	ret = register_ftrace_graph(&tr->gops);
	if (ret)
		graph_limits_stop();
	return ret;
}

int function_graph_detach(struct trace_array *tr)
{
	int ret = graph_unregister(&tr->gops);

	if (ret)
		return ret;
	graph_limits_stop();
	return 0;
}

static int graph_attach(struct trace_array *tr)
{
	return function_graph_attach(tr, graph_entry_call, graph_return_call);
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
		graph_limits_count_unusual(!on);
	else if (mask == GRAPH_OPT_ARGS)
		graph_limits_count_unusual(on);
	else if (mask == GRAPH_OPT_SLEEP_TIME)
		return graph_exclude_sleep(!on);
	else if (mask == GRAPH_OPT_GRAPH_TIME)
		profile_exclude_callees(!on);
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
