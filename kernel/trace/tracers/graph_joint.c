// SPDX-License-Identifier: GPL-2.0
/*
 * Joint callbacks for two users of graph/: the marker of set_graph_function and one instance,
 * or two instances that record the same function.  The call is pushed once, and the clock and
 * the context are read once.
 *
 * The code is straight-line code like that of function_graph.c.  In all other cases each user
 * is called separately, as without joint callbacks.
 */
#include <linux/bits.h>
#include <linux/ftrace.h>
#include <linux/jump_label.h>
#include <linux/percpu.h>
#include <linux/preempt.h>

#include "graph/graph.h"
#include "graph_joint.h"
#include "graph_limits_check.h"
#include "graph_limits_set.h"
#include "graph_record.h"
#include "instance/instance.h"
#include "instance/fast_path.h"
#include "record/record.h"
#include "ring_buffer/write.h"
#include "tasks/pids.h"

/*
 * Slow path before anything was done: call each user.  The list ends with the first ops that
 * has another joint callback, see dispatch_call().
 */
static noinline void joint_enter_each(unsigned long ip, unsigned long parent_ip,
				      struct ftrace_ops **ops, struct ftrace_regs *fregs)
{
	do {
		(*ops)->func(ip, parent_ip, *ops, fregs);
		ops++;
	} while (*ops && (*ops)->joint == graph_joint);
}

/* joint_enter_each() for callers that have disabled preemption, which is enabled here. */
static noinline void joint_enter_each_preempt(unsigned long ip, unsigned long parent_ip,
					      struct ftrace_ops **ops, struct ftrace_regs *fregs)
{
	preempt_enable_notrace();
	joint_enter_each(ip, parent_ip, ops, fregs);
}

/* Load the buffer only once per record: a snapshot may exchange it at any time. */
static __always_inline struct rb_cpu *joint_cpu_buffer(struct fgraph_ops *gops)
{
	return rb_this_cpu(READ_ONCE(graph_instance(gops)->buffer));
}

/*
 * The straight-line code tail-calls the following functions, so that it need not save any
 * register.  They enable preemption.
 */

/*
 * Slow path after rb_reserve_inline() has failed.  If the entry cannot be recorded, the user
 * is not notified of the return.
 */
static noinline void joint_record_long(struct fgraph_ops *gops, struct ftrace_ret_stack *call,
				       struct rb_cpu *cb)
{
	if (!graph_record_entry_long(cb, call))
		call->users &= ~gops->user;
	preempt_enable_notrace();
}

/* joint_record_long() for the first record of a call, whose calltime is not set yet. */
static noinline void joint_record_only_long(struct fgraph_ops *gops, struct ftrace_ret_stack *call,
					    struct rb_cpu *cb)
{
	call->calltime = graph_clock();
	joint_record_long(gops, call, cb);
}

/*
 * Record the entry for the second user after the first one has left the straight-line code. The
 * per-CPU buffer of the second user was not busy.
 */
static __always_inline void joint_record_second(struct fgraph_ops *gops,
						struct ftrace_ret_stack *call)
{
	if (!graph_record_entry(graph_instance(gops), call, current->curr_ret_depth - 1))
		call->users &= ~gops->user;
	preempt_enable_notrace();
}

static noinline void joint_record_both_long(struct fgraph_ops *first, struct fgraph_ops *next,
					    struct ftrace_ret_stack *call, struct rb_cpu *cb)
{
	call->calltime = graph_clock();
	if (!graph_record_entry_long(cb, call))
		call->users &= ~first->user;
	joint_record_second(next, call);
}

/* Slow path after rb_commit_inline() has failed for the last user. */
static noinline void joint_commit_rest(struct rb_cpu *cb)
{
	rb_commit_outermost(cb);
	preempt_enable_notrace();
}

/* Slow path after rb_commit_inline() has failed for the first of two users. */
static noinline void joint_commit_first(struct rb_cpu *cb, struct fgraph_ops *next,
					struct ftrace_ret_stack *call)
{
	rb_commit_outermost(cb);
	joint_record_second(next, call);
}

static __always_inline void joint_fill_entry(struct ring_buffer_event *event,
					     const struct ftrace_ret_stack *call, unsigned int ctx)
{
	graph_fill_entry(event, call, current->curr_ret_depth - 1, ctx);
}

static __always_inline bool joint_is_skipped(struct fgraph_ops *gops)
{
	return raw_cpu_read(graph_instance(gops)->cpus->skip);
}

static __always_inline struct ftrace_ret_stack *joint_newest_plain(struct ftrace_regs *fregs)
{
	return likely(!graph_return_is_traced(fregs)) ? graph_newest_call_fast(fregs) : NULL;
}

/* True if set_graph_function is the only limit and the pid lists of the instance fit. */
static __always_inline bool joint_is_allowed(struct fgraph_ops *gops)
{
	return READ_ONCE(graph_limits) == BIT(GRAPH_FUNCTIONS) &&
	       trace_pids_allow(graph_instance(gops), current);
}

static __always_inline void joint_record_listed(struct fgraph_ops *gops, struct rb_cpu *cb,
						struct ftrace_ret_stack *call, unsigned int word)
{
	struct ring_buffer_event *event;
	unsigned long next;

	event = rb_reserve_inline(cb, sizeof(struct graph_ent_entry), &next);
	if (unlikely(!event))
		return joint_record_only_long(gops, call, cb);
	call->calltime = cb->stamp;
	joint_fill_entry(event, call, trace_ctx_plain(word));
	if (unlikely(!rb_commit_inline(cb, next)))
		return joint_commit_rest(cb);
	preempt_enable_notrace();
}

/* The users are the marker of set_graph_function and one instance, in this order. */
static noinline void joint_enter_listed(unsigned long ip, unsigned long parent_ip,
					struct ftrace_ops **ops, struct ftrace_regs *fregs)
{
	struct fgraph_ops *gops = graph_user_of(ops[1]);
	struct ftrace_ret_stack *newest, *call;
	unsigned int word;
	struct rb_cpu *cb;

	if (unlikely(gops->first || joint_is_skipped(gops) || !joint_is_allowed(gops)))
		return joint_enter_each(ip, parent_ip, ops, fregs);
	preempt_disable_notrace();
	cb = joint_cpu_buffer(gops);
	word = trace_callers_word();
	if (unlikely(!graph_is_straight(cb, word)))
		return joint_enter_each_preempt(ip, parent_ip, ops, fregs);
	newest = joint_newest_plain(fregs);
	if (unlikely(!newest))
		return joint_enter_each_preempt(ip, parent_ip, ops, fregs);
	call = graph_begin_call_fast(gops, newest, ip, fregs);
	if (unlikely(!call)) {
		preempt_enable_notrace();
		return;
	}
	graph_limits_mark(call);
	joint_record_listed(gops, cb, call, word);
}

/* Record the entry for the second instance, with the time and the context of the first. */
static __always_inline void joint_enter_second(struct fgraph_ops *gops, struct rb_cpu *cb,
					       struct ftrace_ret_stack *call, unsigned int ctx)
{
	struct ring_buffer_event *event;
	unsigned long next;

	event = rb_reserve_inline_at(cb, sizeof(struct graph_ent_entry), call->calltime,
				     &next);
	if (unlikely(!event))
		return joint_record_long(gops, call, cb);
	joint_fill_entry(event, call, ctx);
	if (unlikely(!rb_commit_inline(cb, next)))
		return joint_commit_rest(cb);
	preempt_enable_notrace();
}

static __always_inline void joint_enter_first(struct fgraph_ops *gops, struct rb_cpu *cb,
					      struct fgraph_ops *second, struct rb_cpu *second_cb,
					      struct ftrace_ret_stack *call, unsigned int ctx)
{
	struct ring_buffer_event *event;
	unsigned long next;

	event = rb_reserve_inline(cb, sizeof(struct graph_ent_entry), &next);
	if (unlikely(!event))
		return joint_record_both_long(gops, second, call, cb);
	call->calltime = cb->stamp;
	joint_fill_entry(event, call, ctx);
	if (unlikely(!rb_commit_inline(cb, next)))
		return joint_commit_first(cb, second, call);
	joint_enter_second(second, second_cb, call, ctx);
}

/* The users are two instances, and there are no limits. */
static noinline void joint_enter_two(unsigned long ip, unsigned long parent_ip,
				     struct ftrace_ops **ops, struct ftrace_regs *fregs)
{
	struct fgraph_ops *first = graph_user_of(ops[0]), *second = graph_user_of(ops[1]);
	struct ftrace_ret_stack *newest, *call;
	struct rb_cpu *cb, *second_cb;
	unsigned int word;

	if (static_branch_unlikely(&trace_graph_limited_key) ||
	    unlikely(joint_is_skipped(first) || joint_is_skipped(second)))
		return joint_enter_each(ip, parent_ip, ops, fregs);
	preempt_disable_notrace();
	cb = joint_cpu_buffer(first);
	second_cb = joint_cpu_buffer(second);
	word = trace_callers_word();
	if (unlikely(rb_busy(second_cb) || !graph_is_straight(cb, word)))
		return joint_enter_each_preempt(ip, parent_ip, ops, fregs);
	newest = joint_newest_plain(fregs);
	if (unlikely(!newest))
		return joint_enter_each_preempt(ip, parent_ip, ops, fregs);
	call = graph_begin_call_fast(first, newest, ip, fregs);
	if (unlikely(!call)) {
		preempt_enable_notrace();
		return;
	}
	call->users |= second->user;
	joint_enter_first(first, cb, second, second_cb, call, trace_ctx_plain(word));
}

void graph_joint(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
		 struct ftrace_regs *fregs)
{
	struct ftrace_ops **ops = (void *)op;

	if (unlikely(ops[2]))
		return joint_enter_each(ip, parent_ip, ops, fregs);
	if (ops[0] == &graph_markers[GRAPH_FUNCTIONS].ops)
		return joint_enter_listed(ip, parent_ip, ops, fregs);
	if (likely(!graph_user_of(ops[0])->first))
		return joint_enter_two(ip, parent_ip, ops, fregs);
	joint_enter_each(ip, parent_ip, ops, fregs);
}

/* ------------------------------------------------------------------ */
/* Return								*/

/* Slow path before anything was done: call each user. */
static noinline void joint_return_each(struct fgraph_ops *first,
				       const struct ftrace_ret_stack *call,
				       const struct ftrace_return *r, u64 now,
				       struct fgraph_ops *second)
{
	first->notify(first, call, r, now);
	second->notify(second, call, r, now);
}

/* Slow path after rb_reserve_inline_at() has failed for the first user. */
static noinline void joint_return_first_long(struct rb_cpu *cb,
					     const struct ftrace_ret_stack *call,
					     const struct ftrace_return *r, u64 now,
					     struct fgraph_ops *second)
{
	graph_record_return_long(cb, call, r, now);
	second->notify(second, call, r, now);
}

/* Slow path after rb_commit_inline() has failed for the first user. */
static noinline void joint_return_first_commit(struct rb_cpu *cb,
					       const struct ftrace_ret_stack *call,
					       const struct ftrace_return *r, u64 now,
					       struct fgraph_ops *second)
{
	rb_commit_outermost(cb);
	second->notify(second, call, r, now);
}

static __always_inline void joint_return_second(struct rb_cpu *cb,
						const struct ftrace_ret_stack *call,
						const struct ftrace_return *r, u64 now,
						unsigned int ctx)
{
	struct ring_buffer_event *event;
	unsigned long next;

	event = rb_reserve_inline_at(cb, sizeof(struct graph_ret_entry), now, &next);
	if (unlikely(!event))
		return graph_record_return_long(cb, call, r, now);
	graph_fill_return(event, call, r, now, ctx);
	if (unlikely(!rb_commit_inline(cb, next)))
		rb_commit_outermost(cb);
}

static noinline void joint_return_two(struct fgraph_ops *first,
				      const struct ftrace_ret_stack *call,
				      const struct ftrace_return *r, u64 now,
				      struct fgraph_ops *second)
{
	struct rb_cpu *cb = joint_cpu_buffer(first), *second_cb = joint_cpu_buffer(second);
	unsigned int ctx, word = trace_callers_word();
	struct ring_buffer_event *event;
	unsigned long next;

	if (unlikely(rb_busy(second_cb) || !graph_is_straight(cb, word)))
		return joint_return_each(first, call, r, now, second);
	event = rb_reserve_inline_at(cb, sizeof(struct graph_ret_entry), now, &next);
	if (unlikely(!event))
		return joint_return_first_long(cb, call, r, now, second);
	ctx = trace_ctx_plain(word);
	graph_fill_return(event, call, r, now, ctx);
	if (unlikely(!rb_commit_inline(cb, next)))
		return joint_return_first_commit(cb, call, r, now, second);
	joint_return_second(second_cb, call, r, now, ctx);
}

/* The users are the marker of set_graph_function and one instance, in this order. */
static noinline void joint_return_listed(struct fgraph_ops *marker,
					 const struct ftrace_ret_stack *call,
					 const struct ftrace_return *r, u64 now,
					 struct fgraph_ops *gops)
{
	graph_limits_unmark(current, call, marker);
	graph_record_return(gops, call, r, now);
}

void graph_joint_notify(struct fgraph_ops *first, const struct ftrace_ret_stack *call,
			const struct ftrace_return *r, u64 now, struct fgraph_ops *second)
{
	if (static_branch_unlikely(&graph_thresh_key) || unlikely(second->first))
		return joint_return_each(first, call, r, now, second);
	if (first->first)
		return joint_return_listed(first, call, r, now, second);
	joint_return_two(first, call, r, now, second);
}
