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
#include <linux/unaligned.h>

#include "attach.h"
#include "entries.h"
#include "function_graph.h"
#include "graph/graph.h"
#include "graph_limits.h"
#include "graph_lines.h"
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
					const struct ftrace_return *r, u64 now,
					unsigned int ctx)
{
	struct graph_ret_entry *entry = rb_data_of(event, sizeof(*entry));
	struct task_struct *task = current;

	trace_entry_fill(&entry->ent, TRACE_GRAPH_RET, ctx, task);
	entry->ret.func = call->func;
	ftrace_graph_set_retval(&entry->ret, r->value[0]);
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

/* Unless another user has, when it has pushed the call. */
static void set_calltime(struct ftrace_ret_stack *call)
{
	if (!call->users)
		call->calltime = graph_clock();
}

/* In an entry of @len bytes: with arguments, if there are registers to have them from. */
static __always_inline bool record_entry_of(struct trace_array *tr,
					    struct ftrace_ret_stack *call, int depth,
					    unsigned int len, struct ftrace_regs *fregs)
{
	unsigned int old, word = trace_callers_word();
	struct ring_buffer_event *event;
	struct rb_write_ctx rb;

	set_calltime(call);
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
					   const struct ftrace_return *r, u64 now)
{
	unsigned int old, word = trace_callers_word();
	struct ring_buffer_event *event;
	struct rb_write_ctx rb;

	if (!trace_guard_enter(word, &old))
		return;
	event = rb_reserve_event(tr->buffer, sizeof(struct graph_ret_entry), &rb);
	if (event) {
		fill_return(event, call, r, now, trace_ctx_full(word));
		rb_commit_fast(&rb);
	}
	trace_guard_exit(old);
}

/* rb_reserve_straight() has failed. */
static noinline bool record_entry_long(struct rb_cpu *cb, struct ftrace_ret_stack *call,
				       int depth)
{
	struct ring_buffer_event *event;

	event = rb_reserve_long(cb, sizeof(struct graph_ent_entry));
	if (!event)
		return false;
	fill_entry(event, call, depth, trace_ctx_full(trace_callers_word()));
	rb_commit_long(cb);
	return true;
}

static noinline void record_return_long(struct rb_cpu *cb,
					const struct ftrace_ret_stack *call,
					const struct ftrace_return *r, u64 now)
{
	struct ring_buffer_event *event;

	event = rb_reserve_long(cb, sizeof(struct graph_ret_entry));
	if (!event)
		return;
	fill_return(event, call, r, now, trace_ctx_full(trace_callers_word()));
	rb_commit_long(cb);
}

/*
 * The straight line of an entry, on a stream that is not busy, in a plain context.
 *
 * The record's own time stamp is the time of the entry, if it is this user who has pushed
 * the call: the clock is read once.
 *
 * Return: false if it was not recorded.
 */
static __always_inline bool record_entry_straight(struct rb_cpu *cb,
						  struct ftrace_ret_stack *call, int depth,
						  unsigned int word, bool pushed)
{
	struct ring_buffer_event *event;
	unsigned long next;

	event = rb_reserve_straight(cb, sizeof(struct graph_ent_entry), &next);
	if (unlikely(!event)) {
		if (pushed)
			call->calltime = graph_clock();
		return record_entry_long(cb, call, depth);
	}
	if (pushed)
		call->calltime = cb->stamp;
	fill_entry(event, call, depth, trace_ctx_plain(word));
	if (unlikely(!rb_commit_straight(cb, next)))
		rb_commit_rest(cb);
	return true;
}

static __always_inline bool is_straight(struct rb_cpu *cb, unsigned int word)
{
	return !rb_busy(cb) && trace_ctx_is_plain(word, current);
}

static bool record_entry(struct trace_array *tr, struct ftrace_ret_stack *call, int depth)
{
	struct rb_cpu *cb = rb_this_cpu(tr->buffer);
	unsigned int word = trace_callers_word();

	if (unlikely(!is_straight(cb, word)))
		return record_entry_general(tr, call, depth);
	return record_entry_straight(cb, call, depth, word, !call->users);
}

static __always_inline void record_return(struct trace_array *tr,
					  const struct ftrace_ret_stack *call,
					  const struct ftrace_return *r, u64 now)
{
	struct rb_cpu *cb = rb_this_cpu(tr->buffer);
	unsigned int word = trace_callers_word();
	struct ring_buffer_event *event;
	unsigned long next;

	if (unlikely(!is_straight(cb, word)))
		return record_return_general(tr, call, r, now);
	event = rb_reserve_straight_at(cb, sizeof(struct graph_ret_entry), now, &next);
	if (unlikely(!event))
		return record_return_long(cb, call, r, now);
	fill_return(event, call, r, now, trace_ctx_plain(word));
	if (unlikely(!rb_commit_straight(cb, next)))
		rb_commit_rest(cb);
}

/* ------------------------------------------------------------------ */
/* Callbacks								*/

static __always_inline struct trace_array *instance_of(struct fgraph_ops *gops)
{
	return container_of(gops, struct trace_array, gops);
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

/* With whatever is asked for. */
static bool graph_entry(struct fgraph_ops *gops, struct ftrace_ret_stack *call, int depth,
			struct ftrace_regs *fregs)
{
	struct trace_array *tr = instance_of(gops);

	if (!trace_pids_fit(tr, current) || !graph_limits_let(depth) || is_unwanted_irq(tr))
		return false;
	if (!READ_ONCE(tracing_thresh))
		return options_of(tr) & GRAPH_OPT_ARGS ?
		       record_entry_args(tr, call, depth, fregs) :
		       record_entry(tr, call, depth);
	/* The return alone is recorded, if it comes late enough. */
	set_calltime(call);
	return true;
}

/* To get there is a jump: it is given what graph_entry_call() was. */
static noinline void enter_general(unsigned long ip, unsigned long parent_ip,
				   struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	graph_enter_preempt(graph_user_of(op), ip, fregs, graph_entry);
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
	struct ftrace_ret_stack *call;
	bool pushed = true;

	if (unlikely(!is_straight(cb, word)))
		return false;
	call = graph_begin_plain(gops, ip, fregs);
	if (unlikely(!call)) {
		call = graph_join_plain(gops, ip, fregs);
		pushed = false;
	}
	if (unlikely(!call))
		return false;
	/* No return is waited for if there is no entry. */
	if (unlikely(!record_entry_straight(cb, call, current->curr_ret_depth - 1, word,
					    pushed)))
		call->users &= ~gops->user;
	return true;
}

/* What else than pids and lists is asked for, or may not be known until there is a call. */
static __always_inline bool is_asked_for_more(const struct trace_array *tr,
					      struct ftrace_regs *fregs)
{
	u32 opts = options_of(tr);

	return READ_ONCE(tracing_thresh) || (opts & GRAPH_OPT_ARGS) ||
	       !(opts & GRAPH_OPT_IRQS) ||
	       (READ_ONCE(graph_max_depth) && graph_is_joined(fregs));
}

/* Most calls are, where there is such a limit: they are not begun at all. */
static __always_inline bool is_too_deep(struct ftrace_regs *fregs)
{
	unsigned int max = READ_ONCE(graph_max_depth);

	return max && graph_is_beyond(fregs, max);
}

static __always_inline bool is_wanted(const struct trace_array *tr)
{
	return trace_pids_fit(tr, current) && graph_limits_marked(current);
}

/* As enter_general(). */
static noinline void enter_limited(unsigned long ip, unsigned long parent_ip,
				   struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	struct fgraph_ops *gops = graph_user_of(op);
	struct trace_array *tr = instance_of(gops);

	if (is_too_deep(fregs))
		return;
	if (unlikely(is_asked_for_more(tr, fregs)))
		return enter_general(ip, parent_ip, op, fregs);
	preempt_disable_notrace();
	if (is_wanted(tr) && unlikely(!enter_straight(gops, ip, fregs))) {
		/* Not before the entry is recorded. */
		preempt_enable_no_resched_notrace();
		return enter_general(ip, parent_ip, op, fregs);
	}
	preempt_enable_notrace();
}

static void graph_entry_call(unsigned long ip, unsigned long parent_ip,
			     struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	struct fgraph_ops *gops = graph_user_of(op);

	if (unlikely(raw_cpu_read(instance_of(gops)->cpus->skip)))
		return;
	if (static_branch_unlikely(&trace_graph_limited_key))
		return enter_limited(ip, parent_ip, op, fregs);
	preempt_disable_notrace();
	if (unlikely(!enter_straight(gops, ip, fregs))) {
		/* As above. */
		preempt_enable_no_resched_notrace();
		return enter_general(ip, parent_ip, op, fregs);
	}
	preempt_enable_notrace();
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
		left_out_add(instance_of(gops));
	else
		record_return(instance_of(gops), call, r, now);
}

static void graph_return_told(struct fgraph_ops *gops, const struct ftrace_ret_stack *call,
			      const struct ftrace_return *r, u64 now)
{
	if (static_branch_unlikely(&graph_thresh_key))
		return return_if_long(gops, call, r, now);
	record_return(instance_of(gops), call, r, now);
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
			   const struct ftrace_return *r, u64 now)
{
	record_return(tr, call, r, now);
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
	attach_prepare(tr, call);
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
