// SPDX-License-Identifier: GPL-2.0
/*
 * Making a record of an event: what the probes of all events call.
 *
 * trace_event_buffer_reserve() and trace_event_buffer_commit() are the hot path, built as
 * that of the function tracer is (tracers/function.c). The tracepoint has disabled
 * preemption, once, so the context is that of a callback which has.
 *
 * Nothing here may sleep, lock, allocate or print.
 */
#include <linux/export.h>
#include <linux/instruction_pointer.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/sprintf.h>
#include <linux/string.h>

#include "events.h"
#include "guard/guard.h"
#include "instance/options.h"
#include "record/beside.h"
#include "record/record.h"
#include "record/stack.h"
#include "ring_buffer/write.h"
#include "tasks/cmdlines.h"

/* For a filter, which is to look at it first. */
static bool reserve_beside(struct trace_event_buffer *b, unsigned long len)
{
	if (!(READ_ONCE(b->trace_file->how) & EVENT_HOW_FILTER))
		return false;
	b->event = trace_beside_start(len);
	b->beside = b->event;
	return b->event;
}

static bool reserve_in_buffer(struct trace_event_buffer *b, unsigned long len)
{
	struct ring_buffer_event *event;
	struct rb_cpu *cb;

	event = rb_reserve(b->trace_file->tr->buffer, len, &cb);
	if (!event)
		return false;
	b->cpu = cb;
	b->reserved = event;
	b->event = ring_buffer_event_data(event);
	return true;
}

/* Nothing has happened yet: guarded, with whatever is asked for. */
static noinline void *reserve_general(struct trace_event_buffer *b, unsigned long len,
				      unsigned int word)
{
	if (!trace_guard_enter(word, &b->guard))
		return NULL;
	b->general = true;
	b->beside = false;
	b->len = len;
	b->ctx = trace_ctx_full(word);
	if (!reserve_beside(b, len) && !reserve_in_buffer(b, len)) {
		trace_guard_exit(b->guard);
		return NULL;
	}
	trace_entry_fill(b->event, b->trace_file->type, b->ctx, current);
	return b->event;
}

/* rb_reserve_straight() has failed. */
static noinline void *reserve_long(struct trace_event_buffer *b, struct rb_cpu *cb,
				   unsigned long len, unsigned int word)
{
	struct ring_buffer_event *event = rb_reserve_long(cb, len);
	struct trace_event_file *file = b->trace_file;

	if (!event)
		return NULL;
	b->next = 0;
	b->event = ring_buffer_event_data(event);
	trace_entry_fill(b->event, file->type, trace_ctx_full(word), current);
	trace_taskinfo_mark();
	return b->event;
}

void *trace_event_buffer_reserve(struct trace_event_buffer *b, struct trace_event_file *file,
				 unsigned long len)
{
	unsigned int word = trace_callers_word();
	struct ring_buffer_event *event;
	struct trace_entry *ent;
	struct rb_cpu *cb;

	if (unlikely(raw_cpu_read(file->cpus->stopped)))
		return NULL;
	b->trace_file = file;
	cb = rb_this_cpu(file->tr->buffer);
	if (unlikely(rb_busy(cb) || !trace_ctx_is_plain(word, current) || READ_ONCE(file->how)))
		return reserve_general(b, len, word);
	b->general = false;
	b->cpu = cb;
	event = rb_reserve_straight(cb, len, &b->next);
	if (unlikely(!event))
		return reserve_long(b, cb, len, word);
	ent = ring_buffer_event_data(event);
	trace_entry_fill(ent, file->type, trace_ctx_plain(word), current);
	trace_taskinfo_mark();
	return ent;
}
EXPORT_SYMBOL_GPL(trace_event_buffer_reserve);

/* Return: is there a record now? */
static bool commit_beside(struct trace_event_buffer *b)
{
	bool kept = event_filter_lets(b->trace_file, b->event) &&
		    trace_beside_keep(b->trace_file->tr->buffer, b->event, b->len);

	trace_beside_end();
	return kept;
}

/* Where there was no room beside the buffer, what is not wanted is discarded. */
static bool commit_in_buffer(struct trace_event_buffer *b)
{
	if ((READ_ONCE(b->trace_file->how) & EVENT_HOW_FILTER) &&
	    !event_filter_lets(b->trace_file, b->event)) {
		rb_discard(b->cpu, b->reserved);
		return false;
	}
	rb_commit(b->cpu);
	return true;
}

/* From the function that has the event: not the probe, which stands at the address. */
static void record_stacks(struct trace_array *tr, unsigned int ctx, unsigned long probe)
{
	if (trace_array_opt(tr, TRACE_OPT_STACKTRACE))
		trace_stack_record_above(tr, ctx, probe, 1);
	if (trace_array_opt(tr, TRACE_OPT_USERSTACKTRACE))
		trace_user_stack_record(tr, ctx);
}

static noinline void commit_general(struct trace_event_buffer *b, unsigned long probe)
{
	if (b->beside ? commit_beside(b) : commit_in_buffer(b)) {
		trace_taskinfo_mark();
		record_stacks(b->trace_file->tr, b->ctx, probe);
	}
	trace_guard_exit(b->guard);
}

void trace_event_buffer_commit(struct trace_event_buffer *b)
{
	if (unlikely(b->general))
		return commit_general(b, _RET_IP_);
	if (unlikely(!b->next))
		return rb_commit_long(b->cpu);
	if (unlikely(!rb_commit_straight(b->cpu, b->next)))
		rb_commit_rest(b->cpu);
}
EXPORT_SYMBOL_GPL(trace_event_buffer_commit);

void __trace_event_assign_str(char *to, unsigned int size, const char *from)
{
	/* Longer than what stands for it, if __string_len() was given nothing. */
	if (unlikely(!from))
		strscpy_pad(to, EVENT_NULL_STR, size);
	else
		memcpy(to, from, size - 1);
	to[size - 1] = '\0';
}
EXPORT_SYMBOL_GPL(__trace_event_assign_str);

int __trace_event_vstr_len(const char *fmt, va_list *va)
{
	va_list args;
	int len;

	va_copy(args, *va);
	len = vsnprintf(NULL, 0, fmt, args);
	va_end(args);
	return min(len + 1, TRACE_EVENT_STR_MAX);
}
EXPORT_SYMBOL_GPL(__trace_event_vstr_len);
