/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Records entries and returns of calls for function_graph. The straight-line code is inlined
 * into the callbacks; the slow paths are in graph_record.c.
 *
 * Context of all functions: callbacks of users of graph/, in any context, NMI included;
 * preemption was disabled once since the traced function was called. Nothing here sleeps,
 * locks, allocates or prints.
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

/* The instance that contains a user. */
static __always_inline struct trace_array *graph_instance(struct fgraph_ops *gops)
{
	return container_of(gops, struct trace_array, gops);
}

/* Fill in a reserved record for the entry of a call. */
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

/* Fill in a reserved record for the return of a call. */
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

/* Set the calltime, unless the user that has pushed the call has set it. */
static __always_inline void graph_set_calltime(struct ftrace_ret_stack *call)
{
	if (!call->users)
		call->calltime = graph_clock();
}

/**
 * graph_record_entry() - record an entry in any context and state of the ring buffer
 * @tr: the instance
 * @call: the newest call of current
 * @depth: depth of the call
 *
 * Return: true if the entry was recorded.
 */
bool graph_record_entry(struct trace_array *tr, struct ftrace_ret_stack *call, int depth);

/**
 * graph_record_entry_args() - record an entry with the argument registers
 * @tr: the instance
 * @call: the newest call of current
 * @depth: depth of the call
 * @fregs: registers at the entry of the function; may be NULL
 *
 * Return: true if the entry was recorded.
 */
bool graph_record_entry_args(struct trace_array *tr, struct ftrace_ret_stack *call, int depth,
			     struct ftrace_regs *fregs);

/**
 * graph_record_entry_long() - record an entry after rb_reserve_inline() has failed
 * @cb: per-CPU buffer for which it has failed
 * @call: the newest call of current
 *
 * Return: true if the entry was recorded.
 */
bool graph_record_entry_long(struct rb_cpu *cb, const struct ftrace_ret_stack *call);

/**
 * graph_record_return_general() - slow path of graph_record_return(), before anything was done
 * @cb: per-CPU buffer of the instance
 * @call: the call
 * @r: return registers
 * @now: time of the return
 */
void graph_record_return_general(struct rb_cpu *cb, const struct ftrace_ret_stack *call,
				 const struct ftrace_return *r, u64 now);

/**
 * graph_record_return_long() - record a return after rb_reserve_inline_at() has failed
 * @cb: per-CPU buffer for which it has failed
 * @call: the call
 * @r: return registers
 * @now: time of the return
 */
void graph_record_return_long(struct rb_cpu *cb, const struct ftrace_ret_stack *call,
			      const struct ftrace_return *r, u64 now);

/* True if @cb is not busy and trace_ctx_plain() is good for the context. */
static __always_inline bool graph_is_straight(struct rb_cpu *cb, unsigned int word)
{
	return !rb_busy(cb) && trace_ctx_is_plain(word, current);
}

/**
 * graph_record_return() - record the return of a call
 * @gops: the user, part of an instance
 * @call: the call, as passed to &fgraph_ops.notify
 * @r: return registers, as passed to &fgraph_ops.notify
 * @now: time of the return, as passed to &fgraph_ops.notify
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
	event = rb_reserve_inline_at(cb, sizeof(struct graph_ret_entry), now, &next);
	if (unlikely(!event))
		return graph_record_return_long(cb, call, r, now);
	graph_fill_return(event, call, r, now, trace_ctx_plain(word));
	if (unlikely(!rb_commit_inline(cb, next)))
		rb_commit_outermost(cb);
}

#endif /* _KERNEL_TRACE_TRACERS_GRAPH_RECORD_H */
