// SPDX-License-Identifier: GPL-2.0
/*
 * Slow paths of recording entries and returns for function_graph: with a busy per-CPU buffer,
 * in an unusual context, or at the end of a page.
 */
#include <linux/kernel.h>
#include <linux/unaligned.h>

#include "graph_record.h"
#include "guard/guard.h"

static void graph_fill_args(struct graph_ent_entry *entry, struct ftrace_regs *fregs)
{
	for (unsigned int i = 0; i < GRAPH_ENT_ARGS; i++)
		put_unaligned(ftrace_regs_get_argument(fregs, i), &entry->args[i]);
}

/* Record an entry of @len bytes, with the arguments in @fregs unless that is NULL. */
static __always_inline bool graph_record_entry_sized(struct trace_array *tr,
						     struct ftrace_ret_stack *call, int depth,
						     unsigned int len, struct ftrace_regs *fregs)
{
	unsigned int old, word = trace_callers_word();
	struct ring_buffer_event *event;
	struct rb_write_ctx rb;

	graph_set_calltime(call);
	if (!trace_guard_enter(word, &old))
		return false;
	event = rb_reserve_event(READ_ONCE(tr->buffer), len, &rb);
	if (event) {
		graph_fill_entry(event, call, depth, trace_ctx_full(word));
		if (fregs)
			graph_fill_args(rb_data_of(event, len), fregs);
		rb_commit_fast(&rb);
	}
	trace_guard_exit(old);
	return event;
}

bool graph_record_entry(struct trace_array *tr, struct ftrace_ret_stack *call, int depth)
{
	return graph_record_entry_sized(tr, call, depth, sizeof(struct graph_ent_entry), NULL);
}

bool graph_record_entry_args(struct trace_array *tr, struct ftrace_ret_stack *call, int depth,
			     struct ftrace_regs *fregs)
{
	return graph_record_entry_sized(tr, call, depth, GRAPH_ENT_ARGS_SIZE, fregs);
}

bool graph_record_entry_long(struct rb_cpu *cb, const struct ftrace_ret_stack *call)
{
	struct ring_buffer_event *event;

	event = rb_reserve_slow(cb, sizeof(struct graph_ent_entry));
	if (!event)
		return false;
	graph_fill_entry(event, call, current->curr_ret_depth - 1,
			 trace_ctx_full(trace_callers_word()));
	rb_commit_slow(cb);
	return true;
}

void graph_record_return_general(struct rb_cpu *cb, const struct ftrace_ret_stack *call,
				 const struct ftrace_return *r, u64 now)
{
	unsigned int old, word = trace_callers_word();
	struct ring_buffer_event *event;
	struct rb_write_ctx rb;

	if (!trace_guard_enter(word, &old))
		return;
	event = rb_reserve_on(cb, sizeof(struct graph_ret_entry), &rb);
	if (event) {
		graph_fill_return(event, call, r, now, trace_ctx_full(word));
		rb_commit_fast(&rb);
	}
	trace_guard_exit(old);
}

void graph_record_return_long(struct rb_cpu *cb, const struct ftrace_ret_stack *call,
			      const struct ftrace_return *r, u64 now)
{
	struct ring_buffer_event *event;

	event = rb_reserve_slow(cb, sizeof(struct graph_ret_entry));
	if (!event)
		return;
	graph_fill_return(event, call, r, now, trace_ctx_full(trace_callers_word()));
	rb_commit_slow(cb);
}
