/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What function_graph records of a call: an entry and a return. The straight lines are
 * inlined into who records; what is unusual is in graph_record.c.
 *
 * All of it is for the callbacks of users of graph/, with preemption off once since the
 * function was called, in any context. Nothing here sleeps, locks, allocates or prints.
 */
#ifndef _KERNEL_TRACE_TRACERS_GRAPH_RECORD_H
#define _KERNEL_TRACE_TRACERS_GRAPH_RECORD_H

#include <linux/ftrace.h>

#include "entries.h"
#include "graph/graph.h"
#include "instance/instance.h"
#include "record/record.h"
#include "ring_buffer/write.h"
#include "tasks/cmdlines.h"
#include "types/types.h"

static __always_inline struct trace_array *graph_instance(struct fgraph_ops *gops)
{
	return container_of(gops, struct trace_array, gops);
}

static __always_inline void graph_fill_entry(struct ring_buffer_event *event,
					     const struct ftrace_ret_stack *call, int depth,
					     unsigned int ctx)
{
	struct graph_ent_entry *entry = rb_data_of(event, sizeof(*entry));

	trace_entry_fill(&entry->ent, TRACE_GRAPH_ENT, ctx, current);
	entry->graph_ent.func = call->func;
	entry->graph_ent.depth = depth;
	trace_taskinfo_mark();
}

static __always_inline void graph_fill_return(struct ring_buffer_event *event,
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

/* Unless another user has, when it has pushed the call. */
static __always_inline void graph_set_calltime(struct ftrace_ret_stack *call)
{
	if (!call->users)
		call->calltime = graph_clock();
}

/**
 * graph_record_entry - record an entry, whatever that takes
 * @tr: the instance
 * @call: the newest call of current
 * @depth: its depth
 *
 * Return: was it recorded?
 */
bool graph_record_entry(struct trace_array *tr, struct ftrace_ret_stack *call, int depth);

/* The same with what the function is given in registers; @fregs may be NULL. */
bool graph_record_entry_args(struct trace_array *tr, struct ftrace_ret_stack *call, int depth,
			     struct ftrace_regs *fregs);

/* rb_reserve_straight() has failed on @cb for this. Return: was it recorded? */
bool graph_record_entry_long(struct rb_cpu *cb, const struct ftrace_ret_stack *call);

/* For graph_record_return(): nothing has happened yet; rb_reserve_straight_at() has failed. */
void graph_record_return_general(struct rb_cpu *cb, const struct ftrace_ret_stack *call,
				 const struct ftrace_return *r, u64 now);
void graph_record_return_long(struct rb_cpu *cb, const struct ftrace_ret_stack *call,
			      const struct ftrace_return *r, u64 now);

/* Is the stream not busy, and the context one that trace_ctx_plain() knows? */
static __always_inline bool graph_is_straight(struct rb_cpu *cb, unsigned int word)
{
	return !rb_busy(cb) && trace_ctx_is_plain(word, current);
}

/**
 * graph_record_return - record a return
 * @gops: of the instance
 * @call: as &fgraph_ops.told is given it,
 * @r: so is
 * @now: this
 */
static __always_inline void graph_record_return(struct fgraph_ops *gops,
						const struct ftrace_ret_stack *call,
						const struct ftrace_return *r, u64 now)
{
	struct rb_cpu *cb = rb_this_cpu(graph_instance(gops)->buffer);
	unsigned int word = trace_callers_word();
	struct ring_buffer_event *event;
	unsigned long next;

	if (unlikely(!graph_is_straight(cb, word)))
		return graph_record_return_general(cb, call, r, now);
	event = rb_reserve_straight_at(cb, sizeof(struct graph_ret_entry), now, &next);
	if (unlikely(!event))
		return graph_record_return_long(cb, call, r, now);
	graph_fill_return(event, call, r, now, trace_ctx_plain(word));
	if (unlikely(!rb_commit_straight(cb, next)))
		rb_commit_rest(cb);
}

#endif /* _KERNEL_TRACE_TRACERS_GRAPH_RECORD_H */
