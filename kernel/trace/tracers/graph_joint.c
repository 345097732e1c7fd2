// SPDX-License-Identifier: GPL-2.0
/*
 * Several users of graph/ at once: a function of set_graph_function, with its marker and
 * an instance; a function that two instances record.  The call is pushed once, the clock
 * read once, and what is asked of the context is asked once.
 *
 * These are straight lines like those of function_graph.c.  Wherever it is not that simple
 * all are called one by one, as if there was nothing here.
 */
#include <linux/bits.h>
#include <linux/ftrace.h>
#include <linux/jump_label.h>
#include <linux/percpu.h>
#include <linux/preempt.h>

#include "graph/graph.h"
#include "graph_joint.h"
#include "graph_limits.h"
#include "graph_record.h"
#include "instance/instance.h"
#include "instance/straight.h"
#include "record/record.h"
#include "ring_buffer/write.h"
#include "tasks/pids.h"

/* Nothing has happened yet.  The list ends as dispatch_call() says. */
static noinline void enter_each(unsigned long ip, unsigned long parent_ip,
				struct ftrace_ops **ops, struct ftrace_regs *fregs)
{
	do {
		(*ops)->func(ip, parent_ip, *ops, fregs);
		ops++;
	} while (*ops && (*ops)->joint == graph_joint);
}

/* Likewise; but preemption is off. */
static noinline void enter_each_preempt(unsigned long ip, unsigned long parent_ip,
					struct ftrace_ops **ops, struct ftrace_regs *fregs)
{
	preempt_enable_notrace();
	enter_each(ip, parent_ip, ops, fregs);
}

/* Once for each record: a snapshot may make it another one at any moment. */
static __always_inline struct rb_cpu *stream_of(struct fgraph_ops *gops)
{
	return rb_this_cpu(READ_ONCE(graph_instance(gops)->buffer));
}

/*
 * Where the lines leave for good by a call at their end, so that no register has to be
 * saved.  They enable preemption.
 */

/* rb_reserve_straight() has failed.  Without an entry there is no return for its user. */
static noinline void record_long(struct fgraph_ops *gops, struct ftrace_ret_stack *call,
				 struct rb_cpu *cb)
{
	if (!graph_record_entry_long(cb, call))
		call->users &= ~gops->user;
	preempt_enable_notrace();
}

/* As record_long(), for the one that is the first to want to know the time. */
static noinline void record_only_long(struct fgraph_ops *gops, struct ftrace_ret_stack *call,
				      struct rb_cpu *cb)
{
	call->calltime = graph_clock();
	record_long(gops, call, cb);
}

/* The second one of two, whose stream is free, wherever the first one has left the line. */
static __always_inline void record_second(struct fgraph_ops *gops, struct ftrace_ret_stack *call)
{
	if (!graph_record_entry(graph_instance(gops), call, current->curr_ret_depth - 1))
		call->users &= ~gops->user;
	preempt_enable_notrace();
}

static noinline void record_both_long(struct fgraph_ops *first, struct fgraph_ops *next,
				      struct ftrace_ret_stack *call, struct rb_cpu *cb)
{
	call->calltime = graph_clock();
	if (!graph_record_entry_long(cb, call))
		call->users &= ~first->user;
	record_second(next, call);
}

/* rb_commit_straight() has failed: for the last one, and for the one before that. */
static noinline void commit_rest(struct rb_cpu *cb)
{
	rb_commit_rest(cb);
	preempt_enable_notrace();
}

static noinline void commit_first_rest(struct rb_cpu *cb, struct fgraph_ops *next,
				       struct ftrace_ret_stack *call)
{
	rb_commit_rest(cb);
	record_second(next, call);
}

static __always_inline void fill(struct ring_buffer_event *event,
				 const struct ftrace_ret_stack *call, unsigned int ctx)
{
	graph_fill_entry(event, call, current->curr_ret_depth - 1, ctx);
}

static __always_inline bool is_skipped(struct fgraph_ops *gops)
{
	return raw_cpu_read(graph_instance(gops)->cpus->skip);
}

static __always_inline struct ftrace_ret_stack *newest_plain(struct ftrace_regs *fregs)
{
	return likely(!graph_is_joined(fregs)) ? graph_newest_plain(fregs) : NULL;
}

/* Is there no limit but set_graph_function, and its pids? */
static __always_inline bool is_let(struct fgraph_ops *gops)
{
	return READ_ONCE(graph_limits) == BIT(GRAPH_FUNCTIONS) &&
	       trace_pids_fit(graph_instance(gops), current);
}

static __always_inline void record_listed(struct fgraph_ops *gops, struct rb_cpu *cb,
					  struct ftrace_ret_stack *call, unsigned int word)
{
	struct ring_buffer_event *event;
	unsigned long next;

	event = rb_reserve_straight(cb, sizeof(struct graph_ent_entry), &next);
	if (unlikely(!event))
		return record_only_long(gops, call, cb);
	call->calltime = cb->stamp;
	fill(event, call, trace_ctx_plain(word));
	if (unlikely(!rb_commit_straight(cb, next)))
		return commit_rest(cb);
	preempt_enable_notrace();
}

/* The marker of set_graph_function, and behind it one instance. */
static noinline void enter_listed(unsigned long ip, unsigned long parent_ip,
				  struct ftrace_ops **ops, struct ftrace_regs *fregs)
{
	struct fgraph_ops *gops = graph_user_of(ops[1]);
	struct ftrace_ret_stack *newest, *call;
	unsigned int word;
	struct rb_cpu *cb;

	if (unlikely(gops->first || is_skipped(gops) || !is_let(gops)))
		return enter_each(ip, parent_ip, ops, fregs);
	preempt_disable_notrace();
	cb = stream_of(gops);
	word = trace_callers_word();
	if (unlikely(!graph_is_straight(cb, word)))
		return enter_each_preempt(ip, parent_ip, ops, fregs);
	newest = newest_plain(fregs);
	if (unlikely(!newest))
		return enter_each_preempt(ip, parent_ip, ops, fregs);
	call = graph_begin_plain(gops, newest, ip, fregs);
	if (unlikely(!call)) {
		preempt_enable_notrace();
		return;
	}
	graph_limits_mark(call);
	record_listed(gops, cb, call, word);
}

/* Of two instances the second, with the time and the context of the first one. */
static __always_inline void enter_second(struct fgraph_ops *gops, struct rb_cpu *cb,
					 struct ftrace_ret_stack *call, unsigned int ctx)
{
	struct ring_buffer_event *event;
	unsigned long next;

	event = rb_reserve_straight_at(cb, sizeof(struct graph_ent_entry), call->calltime,
				       &next);
	if (unlikely(!event))
		return record_long(gops, call, cb);
	fill(event, call, ctx);
	if (unlikely(!rb_commit_straight(cb, next)))
		return commit_rest(cb);
	preempt_enable_notrace();
}

static __always_inline void enter_first(struct fgraph_ops *gops, struct rb_cpu *cb,
					struct fgraph_ops *second, struct rb_cpu *second_cb,
					struct ftrace_ret_stack *call, unsigned int ctx)
{
	struct ring_buffer_event *event;
	unsigned long next;

	event = rb_reserve_straight(cb, sizeof(struct graph_ent_entry), &next);
	if (unlikely(!event))
		return record_both_long(gops, second, call, cb);
	call->calltime = cb->stamp;
	fill(event, call, ctx);
	if (unlikely(!rb_commit_straight(cb, next)))
		return commit_first_rest(cb, second, call);
	enter_second(second, second_cb, call, ctx);
}

/* Two instances, without any limits. */
static noinline void enter_two(unsigned long ip, unsigned long parent_ip,
			       struct ftrace_ops **ops, struct ftrace_regs *fregs)
{
	struct fgraph_ops *first = graph_user_of(ops[0]), *second = graph_user_of(ops[1]);
	struct ftrace_ret_stack *newest, *call;
	struct rb_cpu *cb, *second_cb;
	unsigned int word;

	if (static_branch_unlikely(&trace_graph_limited_key) ||
	    unlikely(is_skipped(first) || is_skipped(second)))
		return enter_each(ip, parent_ip, ops, fregs);
	preempt_disable_notrace();
	cb = stream_of(first);
	second_cb = stream_of(second);
	word = trace_callers_word();
	if (unlikely(rb_busy(second_cb) || !graph_is_straight(cb, word)))
		return enter_each_preempt(ip, parent_ip, ops, fregs);
	newest = newest_plain(fregs);
	if (unlikely(!newest))
		return enter_each_preempt(ip, parent_ip, ops, fregs);
	call = graph_begin_plain(first, newest, ip, fregs);
	if (unlikely(!call)) {
		preempt_enable_notrace();
		return;
	}
	call->users |= second->user;
	enter_first(first, cb, second, second_cb, call, trace_ctx_plain(word));
}

void graph_joint(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
		 struct ftrace_regs *fregs)
{
	struct ftrace_ops **ops = (void *)op;

	if (unlikely(ops[2]))
		return enter_each(ip, parent_ip, ops, fregs);
	if (ops[0] == &graph_markers[GRAPH_FUNCTIONS].ops)
		return enter_listed(ip, parent_ip, ops, fregs);
	if (likely(!graph_user_of(ops[0])->first))
		return enter_two(ip, parent_ip, ops, fregs);
	enter_each(ip, parent_ip, ops, fregs);
}

/* ------------------------------------------------------------------ */
/* Return								*/

/* One by one, as if each was the only one. */
static noinline void return_each(struct fgraph_ops *first, const struct ftrace_ret_stack *call,
				 const struct ftrace_return *r, u64 now,
				 struct fgraph_ops *second)
{
	first->told(first, call, r, now);
	second->told(second, call, r, now);
}

/* The first one has no straight line, or is to call rb_commit_rest(). */
static noinline void return_first_long(struct rb_cpu *cb, const struct ftrace_ret_stack *call,
				       const struct ftrace_return *r, u64 now,
				       struct fgraph_ops *second)
{
	graph_record_return_long(cb, call, r, now);
	second->told(second, call, r, now);
}

static noinline void return_first_rest(struct rb_cpu *cb, const struct ftrace_ret_stack *call,
				       const struct ftrace_return *r, u64 now,
				       struct fgraph_ops *second)
{
	rb_commit_rest(cb);
	second->told(second, call, r, now);
}

static __always_inline void return_second(struct rb_cpu *cb, const struct ftrace_ret_stack *call,
					  const struct ftrace_return *r, u64 now,
					  unsigned int ctx)
{
	struct ring_buffer_event *event;
	unsigned long next;

	event = rb_reserve_straight_at(cb, sizeof(struct graph_ret_entry), now, &next);
	if (unlikely(!event))
		return graph_record_return_long(cb, call, r, now);
	graph_fill_return(event, call, r, now, ctx);
	if (unlikely(!rb_commit_straight(cb, next)))
		rb_commit_rest(cb);
}

static noinline void return_two(struct fgraph_ops *first, const struct ftrace_ret_stack *call,
				const struct ftrace_return *r, u64 now,
				struct fgraph_ops *second)
{
	struct rb_cpu *cb = stream_of(first), *second_cb = stream_of(second);
	unsigned int ctx, word = trace_callers_word();
	struct ring_buffer_event *event;
	unsigned long next;

	if (unlikely(rb_busy(second_cb) || !graph_is_straight(cb, word)))
		return return_each(first, call, r, now, second);
	event = rb_reserve_straight_at(cb, sizeof(struct graph_ret_entry), now, &next);
	if (unlikely(!event))
		return return_first_long(cb, call, r, now, second);
	ctx = trace_ctx_plain(word);
	graph_fill_return(event, call, r, now, ctx);
	if (unlikely(!rb_commit_straight(cb, next)))
		return return_first_rest(cb, call, r, now, second);
	return_second(second_cb, call, r, now, ctx);
}

/* Of a function of set_graph_function. */
static noinline void return_listed(struct fgraph_ops *marker,
				   const struct ftrace_ret_stack *call,
				   const struct ftrace_return *r, u64 now,
				   struct fgraph_ops *gops)
{
	graph_limits_unmark(current, call, marker);
	graph_record_return(gops, call, r, now);
}

void graph_joint_told(struct fgraph_ops *first, const struct ftrace_ret_stack *call,
		      const struct ftrace_return *r, u64 now, struct fgraph_ops *second)
{
	if (static_branch_unlikely(&graph_thresh_key) || unlikely(second->first))
		return return_each(first, call, r, now, second);
	if (first->first)
		return return_listed(first, call, r, now, second);
	return_two(first, call, r, now, second);
}
