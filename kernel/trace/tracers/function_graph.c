// SPDX-License-Identifier: GPL-2.0
/*
 * The function_graph tracer: an entry for each call, and one for its return (SPEC T3).
 *
 * graph_entry_call() and graph_return_told() are the hot path: what function.c says of its
 * own is true of them.  Whatever else may be asked for (files of graph_limits.c, an
 * option) is behind one static key.
 *
 * Nothing called from the callbacks may sleep, lock, allocate or print.
 */
#include <linux/ftrace.h>
#include <linux/jump_label.h>
#include <linux/kernel.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/smp.h>
#include <linux/unaligned.h>

#include "function_graph.h"
#include "graph/graph.h"
#include "graph_limits.h"
#include "instance/instance.h"
#include "instance/tracer.h"
#include "output/graph.h"
#include "profile/profile.h"
#include "record/cmdlines.h"
#include "record/entries.h"
#include "record/pids.h"
#include "record/record.h"
#include "ring_buffer/write.h"
#include "tracers.h"

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
/* Recording								*/

static __always_inline void fill_entry(struct ring_buffer_event *event,
				       const struct ftrace_ret_stack *call, int depth,
				       unsigned int ctx)
{
	struct graph_ent_entry *entry = rb_data_of(event, sizeof(*entry));

	trace_entry_fill(&entry->ent, TRACE_GRAPH_ENT, ctx, current);
	entry->graph_ent.func = call->func;
	entry->graph_ent.depth = depth;
	trace_taskinfo_mark();
}

static __always_inline void fill_return(struct ring_buffer_event *event,
					const struct ftrace_ret_stack *call,
					unsigned long retval, u64 now, unsigned int ctx)
{
	struct graph_ret_entry *entry = rb_data_of(event, sizeof(*entry));
	struct task_struct *task = current;

	trace_entry_fill(&entry->ent, TRACE_GRAPH_RET, ctx, task);
	entry->ret.func = call->func;
	ftrace_graph_set_retval(&entry->ret, retval);
	entry->ret.depth = task->curr_ret_depth - 1;
	entry->ret.overrun = atomic_read(&task->trace_overrun);
	entry->ret.calltime = call->calltime;
	entry->ret.rettime = now;
	trace_taskinfo_mark();
}

static void fill_args(struct graph_ent_entry *entry, struct ftrace_regs *fregs)
{
	for (unsigned int i = 0; i < GRAPH_ENT_ARGS; i++)
		put_unaligned(ftrace_regs_get_argument(fregs, i), &entry->args[i]);
}

/* In an entry of @len bytes: with arguments, if there are registers to have them from. */
static __always_inline bool record_entry_of(struct trace_array *tr,
					    struct ftrace_ret_stack *call, int depth,
					    unsigned int len, struct ftrace_regs *fregs)
{
	unsigned int old, word = trace_callers_word();
	struct ring_buffer_event *event;
	struct rb_write_ctx rb;

	call->calltime = graph_clock();
	if (!trace_guard_enter(word, &old))
		return false;
	event = rb_reserve_event(tr->buffer, len, &rb);
	if (event) {
		fill_entry(event, call, depth, trace_ctx_full(word));
		if (fregs)
			fill_args(rb_data_of(event, len), fregs);
		rb_commit_fast(&rb);
	}
	trace_guard_exit(old);
	return event;
}

/* Whatever that takes.  Return: was it recorded? */
static noinline bool record_entry_general(struct trace_array *tr,
					  struct ftrace_ret_stack *call, int depth)
{
	return record_entry_of(tr, call, depth, sizeof(struct graph_ent_entry), NULL);
}

/* With what the function is given in registers. */
static bool record_entry_args(struct trace_array *tr, struct ftrace_ret_stack *call,
			      int depth, struct ftrace_regs *fregs)
{
	return record_entry_of(tr, call, depth, GRAPH_ENT_ARGS_SIZE, fregs);
}

static noinline void record_return_general(struct trace_array *tr,
					   const struct ftrace_ret_stack *call,
					   unsigned long retval)
{
	unsigned int old, word = trace_callers_word();
	struct ring_buffer_event *event;
	u64 now = graph_clock();
	struct rb_write_ctx rb;

	if (!trace_guard_enter(word, &old))
		return;
	event = rb_reserve_event(tr->buffer, sizeof(struct graph_ret_entry), &rb);
	if (event) {
		fill_return(event, call, retval, now, trace_ctx_full(word));
		rb_commit_fast(&rb);
	}
	trace_guard_exit(old);
}

/* rb_reserve_straight() has failed. */
static noinline bool record_entry_long(struct rb_cpu *cb, struct ftrace_ret_stack *call,
				       int depth)
{
	struct ring_buffer_event *event;

	call->calltime = graph_clock();
	event = rb_reserve_long(cb, sizeof(struct graph_ent_entry));
	if (!event)
		return false;
	fill_entry(event, call, depth, trace_ctx_full(trace_callers_word()));
	rb_commit_long(cb);
	return true;
}

static noinline void record_return_long(struct rb_cpu *cb,
					const struct ftrace_ret_stack *call,
					unsigned long retval)
{
	struct ring_buffer_event *event;
	u64 now = graph_clock();

	event = rb_reserve_long(cb, sizeof(struct graph_ret_entry));
	if (!event)
		return;
	fill_return(event, call, retval, now, trace_ctx_full(trace_callers_word()));
	rb_commit_long(cb);
}

/*
 * On the straight line the record's own time stamp is the time of the entry, or of the
 * return: the clock is read once.
 */
static bool record_entry(struct trace_array *tr, struct ftrace_ret_stack *call, int depth)
{
	struct rb_cpu *cb = rb_this_cpu(tr->buffer);
	unsigned int word = trace_callers_word();
	struct ring_buffer_event *event;
	unsigned long next;

	if (unlikely(rb_busy(cb) || !trace_ctx_is_plain(word, current)))
		return record_entry_general(tr, call, depth);
	event = rb_reserve_straight(cb, sizeof(struct graph_ent_entry), &next);
	if (unlikely(!event))
		return record_entry_long(cb, call, depth);
	call->calltime = cb->stamp;
	fill_entry(event, call, depth, trace_ctx_plain(word));
	if (unlikely(!rb_commit_straight(cb, next)))
		rb_commit_rest(cb);
	return true;
}

static __always_inline void record_return(struct trace_array *tr,
					  const struct ftrace_ret_stack *call,
					  unsigned long retval)
{
	struct rb_cpu *cb = rb_this_cpu(tr->buffer);
	unsigned int word = trace_callers_word();
	struct ring_buffer_event *event;
	unsigned long next;
	u64 now;

	if (unlikely(rb_busy(cb) || !trace_ctx_is_plain(word, current)))
		return record_return_general(tr, call, retval);
	event = rb_reserve_straight(cb, sizeof(struct graph_ret_entry), &next);
	if (unlikely(!event))
		return record_return_long(cb, call, retval);
	/* Read before fill_return() stores anything, it is still in a register. */
	now = cb->stamp;
	fill_return(event, call, retval, now, trace_ctx_plain(word));
	if (unlikely(!rb_commit_straight(cb, next)))
		rb_commit_rest(cb);
}

/* ------------------------------------------------------------------ */
/* Callbacks								*/

static __always_inline struct trace_array *instance_of(struct fgraph_ops *gops)
{
	return container_of(gops, struct trace_array, gops);
}

static __always_inline bool graph_entry(struct fgraph_ops *gops,
					struct ftrace_ret_stack *call, int depth,
					struct ftrace_regs *fregs)
{
	struct trace_array *tr = instance_of(gops);

	return trace_pids_fit(tr, current) && record_entry(tr, call, depth);
}

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

/* With the limits, and what else is asked for. */
static bool graph_entry_limited(struct fgraph_ops *gops, struct ftrace_ret_stack *call,
				int depth, struct ftrace_regs *fregs)
{
	struct trace_array *tr = instance_of(gops);

	if (!trace_pids_fit(tr, current) || !graph_limits_let(depth) || is_unwanted_irq(tr))
		return false;
	if (!READ_ONCE(tracing_thresh))
		return options_of(tr) & GRAPH_OPT_ARGS ?
		       record_entry_args(tr, call, depth, fregs) :
		       record_entry(tr, call, depth);
	/* The return alone is recorded, if it comes late enough. */
	call->calltime = graph_clock();
	return true;
}

/* Most calls are, where there is such a limit: they are not begun at all. */
static __always_inline bool is_too_deep(struct ftrace_regs *fregs)
{
	unsigned int max = READ_ONCE(graph_max_depth);

	return max && graph_is_beyond(fregs, max);
}

/* rb_reserve_straight() has failed: no return is waited for if the long way does, too. */
static noinline void enter_long(struct rb_cpu *cb, struct ftrace_ret_stack *call, u16 user)
{
	if (!record_entry_long(cb, call, current->curr_ret_depth - 1))
		call->users &= ~user;
}

/*
 * graph_enter() and record_entry() in one, for the common case. Only its ends call
 * anything, so little has to be kept in registers that must be saved for that.
 *
 * Return: false, and nothing has happened.
 */
static __always_inline bool enter_straight(struct fgraph_ops *gops, unsigned long ip,
					   struct ftrace_regs *fregs)
{
	struct rb_cpu *cb = rb_this_cpu(instance_of(gops)->buffer);
	unsigned int word = trace_callers_word();
	struct ring_buffer_event *event;
	struct ftrace_ret_stack *call;
	unsigned long next;

	if (unlikely(rb_busy(cb) || !trace_ctx_is_plain(word, current)))
		return false;
	call = graph_enter_plain(gops, ip, fregs);
	if (unlikely(!call))
		return false;
	event = rb_reserve_straight(cb, sizeof(struct graph_ent_entry), &next);
	if (unlikely(!event)) {
		enter_long(cb, call, gops->user);
		return true;
	}
	call->calltime = cb->stamp;
	fill_entry(event, call, current->curr_ret_depth - 1, trace_ctx_plain(word));
	if (unlikely(!rb_commit_straight(cb, next)))
		rb_commit_rest(cb);
	return true;
}

/* These two are given what graph_entry_call() was: to get there is a jump. */
static noinline void enter_limited(unsigned long ip, unsigned long parent_ip,
				   struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	if (is_too_deep(fregs))
		return;
	preempt_disable_notrace();
	graph_enter(graph_user_of(op), ip, fregs, graph_entry_limited);
	preempt_enable_notrace();
}

/* Whatever that takes. */
static noinline void enter_general(unsigned long ip, unsigned long parent_ip,
				   struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	preempt_disable_notrace();
	graph_enter(graph_user_of(op), ip, fregs, graph_entry);
	preempt_enable_notrace();
}

static void graph_entry_call(unsigned long ip, unsigned long parent_ip,
			     struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	if (unlikely(raw_cpu_read(instance_of(graph_user_of(op))->cpus->skip)))
		return;
	if (static_branch_unlikely(&graph_limits_key))
		return enter_limited(ip, parent_ip, op, fregs);
	if (static_branch_unlikely(&trace_pids_key))
		return enter_general(ip, parent_ip, op, fregs);
	preempt_disable_notrace();
	if (unlikely(!enter_straight(graph_user_of(op), ip, fregs))) {
		/* Not before the entry is recorded. */
		preempt_enable_no_resched_notrace();
		return enter_general(ip, parent_ip, op, fregs);
	}
	preempt_enable_notrace();
}

static bool is_too_short(const struct ftrace_ret_stack *call)
{
	unsigned long thresh = READ_ONCE(tracing_thresh);

	return thresh && graph_clock() - call->calltime < thresh;
}

static noinline void return_limited(struct fgraph_ops *gops,
				    const struct ftrace_ret_stack *call,
				    unsigned long retval)
{
	if (is_too_short(call))
		left_out_add(instance_of(gops));
	else
		record_return(instance_of(gops), call, retval);
}

static void graph_return_told(struct fgraph_ops *gops, const struct ftrace_ret_stack *call,
			      unsigned long retval)
{
	if (static_branch_unlikely(&graph_limits_key))
		return return_limited(gops, call, retval);
	record_return(instance_of(gops), call, retval);
}

/* ------------------------------------------------------------------ */
/* For other tracers							*/

static bool graph_entry_of_other(struct fgraph_ops *gops, struct ftrace_ret_stack *call,
				 int depth, struct ftrace_regs *fregs)
{
	return graph_limits_let(depth) && record_entry(instance_of(gops), call, depth);
}

void function_graph_enter(struct trace_array *tr, unsigned long ip,
			  struct ftrace_regs *fregs)
{
	graph_enter(&tr->gops, ip, fregs, graph_entry_of_other);
}

void function_graph_return(struct trace_array *tr, const struct ftrace_ret_stack *call,
			   unsigned long retval)
{
	record_return(tr, call, retval);
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
	tr->gops.told = told;
	tr->gops.ops.private = tr;
	tr->gops.ops.flags |= TRACER_OPS_FLAGS;
	tr->gops.ops.func = call;
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

static int graph_init(struct trace_array *tr)
{
	int ret;

	ret = trace_cmdlines_start();
	if (ret)
		return ret;
	ret = function_graph_attach(tr, graph_entry_call, graph_return_told);
	if (ret)
		trace_cmdlines_stop();
	else
		WRITE_ONCE(tr->start_cpu, raw_smp_processor_id());
	return ret;
}

static int graph_reset(struct trace_array *tr)
{
	int ret = function_graph_detach(tr);

	if (!ret)
		trace_cmdlines_stop();
	return ret;
}

static int graph_set_option(struct trace_array *tr, u32 mask, bool on)
{
	if (mask == GRAPH_OPT_IRQS)
		graph_limits_count(!on);
	else if (mask == GRAPH_OPT_ARGS)
		graph_limits_count(on);
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
