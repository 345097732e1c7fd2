// SPDX-License-Identifier: GPL-2.0
/*
 * The function tracer: a record for each call of a function (SPEC T2).
 *
 * Dispatch calls one of four callbacks here, selected by the two options of this
 * tracer; their common code is inlined into each, so that an option costs
 * nothing while it is off.  The callback for no option is the hot path of all of
 * ftrace: it runs for every traced call, in every context, and nothing may be added
 * to it without counting its instructions (Documentation/trace/hacking.rst).
 *
 * Nothing called from the callbacks may sleep, lock, allocate or print.
 */
#include <linux/ftrace.h>
#include <linux/kernel.h>
#include <linux/notifier.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/smp.h>

#include "attach.h"
#include "dispatch/death.h"
#include "entries.h"
#include "func_repeats.h"
#include "guard/guard.h"
#include "instance/instance.h"
#include "instance/part.h"
#include "instance/fast_path.h"
#include "instance/tracer.h"
#include "record/export.h"
#include "record/record.h"
#include "record/stack.h"
#include "ring_buffer/write.h"
#include "tasks/cmdlines.h"
#include "tasks/pids.h"
#include "tracer_list.h"
#include "tracers.h"
#include "types/types.h"

/* Options of the tracer, and index of its callback in function_callbacks[]. */
#define FUNC_OPT_STACK		0x1U
#define FUNC_OPT_NO_REPEATS	0x2U
#define FUNC_OPTS		4

static const struct tracer_option function_options[] = {
#ifdef CONFIG_STACKTRACE
	{ "func_stack_trace", FUNC_OPT_STACK },
#endif
	{ "func-no-repeats", FUNC_OPT_NO_REPEATS },
	{ }
};

/* ------------------------------------------------------------------ */
/* Recording								*/

static __always_inline void function_fill_entry(struct ring_buffer_event *event,
						unsigned long ip,
						unsigned long parent_ip,
						unsigned int ctx)
{
	struct function_entry *entry = rb_data_of(event, sizeof(*entry));

	trace_entry_fill(&entry->ent, TRACE_FN, ctx, current);
	entry->ip = ip;
	entry->parent_ip = parent_ip;
	trace_taskinfo_mark();
}

/* Record a call in any context and state of the ring buffer. */
static __always_inline void function_record_entry(struct trace_array *tr,
						  unsigned long ip,
						  unsigned long parent_ip,
						  unsigned int ctx)
{
	struct ring_buffer_event *event;
	struct rb_write_ctx rb;

	event = rb_reserve_event(READ_ONCE(tr->buffer), sizeof(struct function_entry), &rb);
	if (unlikely(!event))
		return;

	function_fill_entry(event, ip, parent_ip, ctx);
	trace_export_function(rb_data_of(event, sizeof(struct function_entry)),
			      sizeof(struct function_entry));
	rb_commit_fast(&rb);
}

/**
 * struct func_repeats - repeated calls on a CPU, counted with option func-no-repeats
 * @ip: function that was recorded last
 * @parent_ip: caller of that function
 * @last: time of the latest repeated call
 * @count: number of repeated calls that are not recorded yet
 * @busy: true while a context on this CPU changes the other members
 */
struct func_repeats {
	unsigned long	ip;
	unsigned long	parent_ip;
	u64		last;
	unsigned int	count;
	bool		busy;
};

static struct func_repeats __percpu **function_repeats_of(const struct trace_array *tr)
{
	return instance_part(tr, &function_part);
}

static int function_alloc_repeats(struct trace_array *tr)
{
	*function_repeats_of(tr) = alloc_percpu(struct func_repeats);
	return *function_repeats_of(tr) ? 0 : -ENOMEM;
}

static void function_free_repeats(struct trace_array *tr)
{
	free_percpu(*function_repeats_of(tr));
}

struct instance_part function_part = {
	.size	= sizeof(struct func_repeats __percpu *),
	.init	= function_alloc_repeats,
	.exit	= function_free_repeats,
};

/* Record the number of repeated calls on this CPU. */
static noinline void function_flush_repeats(struct trace_array *tr,
					    struct func_repeats *held, unsigned int ctx)
{
	u64 delta = ring_buffer_time_stamp(READ_ONCE(tr->buffer)) - held->last;
	struct func_repeats_entry *entry;
	struct trace_record rec;
	u16 count = held->count;

	/* Reset the count even if the record is dropped: the next call is another function. */
	held->count = 0;
	entry = trace_record_start(&rec, READ_ONCE(tr->buffer), TRACE_FUNC_REPEATS,
				   sizeof(*entry), ctx);
	if (!entry)
		return;
	entry->ip = held->ip;
	entry->parent_ip = held->parent_ip;
	entry->count = count;
	entry->top_delta_ts = upper_32_bits(delta);
	entry->bottom_delta_ts = lower_32_bits(delta);
	trace_record_end(&rec);
}

/*
 * Count a call that is the same as the previous one on this CPU.
 *
 * Return: true if the call was counted; false if it must be recorded.
 */
static __always_inline bool function_count_repeat(struct trace_array *tr, unsigned long ip,
						  unsigned long parent_ip, unsigned int ctx)
{
	struct func_repeats *held = this_cpu_ptr(*function_repeats_of(tr));

	/* An interrupt of the code below must not change @held: its calls are recorded. */
	if (held->busy)
		return false;
	held->busy = true;
	barrier();

	if (held->ip == ip && held->parent_ip == parent_ip &&
	    held->count < U16_MAX) {
		held->last = ring_buffer_time_stamp(READ_ONCE(tr->buffer));
		held->count++;
		barrier();
		held->busy = false;
		return true;
	}

	if (held->count)
		function_flush_repeats(tr, held, ctx);
	held->ip = ip;
	held->parent_ip = parent_ip;
	barrier();
	held->busy = false;
	return false;
}

/* The slow path: pid lists, recursion guard and options. Preemption is off. */
static __always_inline void function_trace_guarded(struct trace_array *tr, unsigned long ip,
						   unsigned long parent_ip,
						   unsigned int word, unsigned int opts)
{
	unsigned int ctx, old;

	if (!trace_pids_allow(tr, current) || !trace_guard_enter(word, &old))
		return;

	ctx = trace_ctx_full(word);
	if (!(opts & FUNC_OPT_NO_REPEATS) || !function_count_repeat(tr, ip, parent_ip, ctx)) {
		function_record_entry(tr, ip, parent_ip, ctx);
		if (opts & FUNC_OPT_STACK)
			trace_stack_record(tr, ctx, ip, NULL);
	}
	trace_guard_exit(old);
}

/* The instance of an ops; computes the value of ops->private without a load. */
static __always_inline struct trace_array *function_instance_of(struct ftrace_ops *op)
{
	return container_of(op, struct trace_array, gops.ops);
}

static __always_inline void function_trace_options(unsigned long ip,
						   unsigned long parent_ip,
						   struct ftrace_ops *op,
						   unsigned int opts)
{
	struct trace_array *tr = function_instance_of(op);
	unsigned int word;

	if (raw_cpu_read(tr->cpus->skip))
		return;

	/* The preemption count of the traced function: read before it is changed here. */
	word = trace_preempt_word();
	preempt_disable_notrace();
	function_trace_guarded(tr, ip, parent_ip, word, opts);
	preempt_enable_notrace();
}

/*
 * The hot path.  function_trace_call() has straight-line code for calls in task
 * context on a CPU that is not writing to the buffer, with the local clock.  That
 * code calls no function that can be traced and so needs no recursion guard.  In
 * all other cases it tail-calls one of the three functions below, so that it need
 * not save any register.  They are called with preemption disabled once by
 * function_trace_call(), and enable it.
 */

/* Slow path before anything was reserved: process the call from the beginning. */
static noinline void function_trace_general(unsigned long ip, unsigned long parent_ip,
					    struct trace_array *tr)
{
	function_trace_guarded(tr, ip, parent_ip, trace_callers_word(), 0);
	preempt_enable_notrace();
}

/* Slow path after rb_reserve_inline() has failed. */
static noinline void function_trace_long(unsigned long ip, unsigned long parent_ip,
					 struct rb_cpu *cb)
{
	struct ring_buffer_event *event;

	event = rb_reserve_slow(cb, sizeof(struct function_entry));
	if (event) {
		function_fill_entry(event, ip, parent_ip, trace_ctx_full(trace_callers_word()));
		rb_commit_slow(cb);
	}
	preempt_enable_notrace();
}

/* Slow path after rb_commit_inline() has failed. */
static noinline void function_trace_commit(struct rb_cpu *cb)
{
	rb_commit_outermost(cb);
	preempt_enable_notrace();
}

static void function_trace_call(unsigned long ip, unsigned long parent_ip,
				struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	struct trace_array *tr = function_instance_of(op);
	struct ring_buffer_event *event;
	unsigned long next;
	unsigned int word;
	struct rb_cpu *cb;

	if (unlikely(raw_cpu_read(tr->cpus->skip)))
		return;

	preempt_disable_notrace();
	word = trace_callers_word();
	cb = rb_this_cpu(READ_ONCE(tr->buffer));
	if (unlikely(rb_busy(cb) || !trace_ctx_is_plain(word, current) ||
		     static_branch_unlikely(&trace_function_general_key)))
		return function_trace_general(ip, parent_ip, tr);

	event = rb_reserve_inline(cb, sizeof(struct function_entry), &next);
	if (unlikely(!event))
		return function_trace_long(ip, parent_ip, cb);

	function_fill_entry(event, ip, parent_ip, trace_ctx_plain(word));
	if (unlikely(!rb_commit_inline(cb, next)))
		return function_trace_commit(cb);
	preempt_enable_notrace();
}

static void function_stack_call(unsigned long ip, unsigned long parent_ip,
				struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	function_trace_options(ip, parent_ip, op, FUNC_OPT_STACK);
}

static void function_no_repeats_call(unsigned long ip, unsigned long parent_ip,
				     struct ftrace_ops *op,
				     struct ftrace_regs *fregs)
{
	function_trace_options(ip, parent_ip, op, FUNC_OPT_NO_REPEATS);
}

static void function_stack_no_repeats_call(unsigned long ip,
					   unsigned long parent_ip,
					   struct ftrace_ops *op,
					   struct ftrace_regs *fregs)
{
	function_trace_options(ip, parent_ip, op, FUNC_OPT_STACK | FUNC_OPT_NO_REPEATS);
}

static const ftrace_func_t function_callbacks[FUNC_OPTS] = {
	[0]					= function_trace_call,
	[FUNC_OPT_STACK]			= function_stack_call,
	[FUNC_OPT_NO_REPEATS]			= function_no_repeats_call,
	[FUNC_OPT_STACK | FUNC_OPT_NO_REPEATS]	= function_stack_no_repeats_call,
};

/* ------------------------------------------------------------------ */
/* Control								*/

static void function_reset_repeats(struct trace_array *tr)
{
	int cpu;

	for_each_possible_cpu(cpu)
		memset(per_cpu_ptr(*function_repeats_of(tr), cpu), 0, sizeof(struct func_repeats));
}

static void function_flush_this_cpu(void *data)
{
	struct trace_array *tr = data;
	struct func_repeats *held = this_cpu_ptr(*function_repeats_of(tr));

	if (held->count)
		function_flush_repeats(tr, held, trace_ctx());
}

/* Record the counts of repeated calls of all CPUs, each on its own CPU. */
static void function_flush_all_repeats(struct trace_array *tr)
{
	if (!(tr->tracer_opts[function_tracer.index] & FUNC_OPT_NO_REPEATS))
		return;
	/* A callback that still runs may count another call: wait for it. */
	synchronize_rcu();
	on_each_cpu(function_flush_this_cpu, tr, 1);
}

static u32 function_tracer_options(const struct trace_array *tr)
{
	return tr->tracer_opts[function_tracer.index];
}

static int function_attach(struct trace_array *tr)
{
	function_reset_repeats(tr);
	return attach_calls(tr, function_callbacks[function_tracer_options(tr)]);
}

static int function_detach(struct trace_array *tr)
{
	int ret = detach_calls(tr);

	if (!ret)
		function_flush_all_repeats(tr);
	return ret;
}

static int function_init(struct trace_array *tr)
{
	return attach_tracer(tr, function_attach);
}

static int function_reset(struct trace_array *tr)
{
	return detach_tracer(tr, function_detach);
}

/* Exchange the callback. On failure the old one is attached again, if possible. */
static int function_change_callback(struct trace_array *tr, ftrace_func_t func)
{
	ftrace_func_t old = tr->gops.ops.func;
	int ret = function_detach(tr);

	if (ret)
		return ret;
	ret = attach_calls(tr, func);
	if (ret)
		attach_calls(tr, old);
	return ret;
}

static int function_set_option(struct trace_array *tr, u32 mask, bool on)
{
	u32 opts = function_tracer_options(tr);

	if (tr->current_tracer != &function_tracer)
		return 0;
	opts = on ? opts | mask : opts & ~mask;
	return function_change_callback(tr, function_callbacks[opts]);
}

static int function_stop_at_death(struct notifier_block *nb, unsigned long action, void *data)
{
	tracing_off_all();
	return NOTIFY_OK;
}

static struct notifier_block function_death_nb = {
	.notifier_call = function_stop_at_death,
};

/* The top instance uses the filter of the top-level files. */
static void function_setup(void)
{
	ftrace_ops_set_global_filter(&global_trace.gops.ops);
	atomic_notifier_chain_register(&ftrace_death, &function_death_nb);
}

struct tracer function_tracer = {
	.name			= "function",
	.setup			= function_setup,
	.init			= function_init,
	.reset			= function_reset,
	.set_option		= function_set_option,
	.options		= function_options,
	.allow_instances	= true,
};
