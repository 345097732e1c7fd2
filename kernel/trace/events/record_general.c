// SPDX-License-Identifier: GPL-2.0
/*
 * The general path of making a record of an event, inside the recursion guard (guard/guard.h): for
 * any combination of EVENT_HOW_* bits, and in any context. record.c takes it for what none of its
 * fast paths handles.
 *
 * Nothing here may sleep or allocate. Only event_printk() and other consumers of records may take
 * locks or print.
 */
#include <linux/percpu.h>
#include <linux/preempt.h>

#include "events.h"
#include "guard/guard.h"
#include "instance/options.h"
#include "internal.h"
#include "record/export.h"
#include "record/record.h"
#include "record/scratch.h"
#include "record/stack.h"
#include "record_kinds.h"
#include "ring_buffer/write.h"
#include "switch.h"
#include "tasks/cmdlines.h"

/* Reserve a scratch record if a filter, a PID list or a trigger needs the complete record first. */
static bool event_reserve_scratch(struct trace_event_buffer *b)
{
	if (!(READ_ONCE(b->trace_file->how) & EVENT_HOW_NEEDS_RECORD))
		return false;
	b->kind = RECORD_SCRATCH_GUARDED;
	b->event = trace_scratch_start(b->len);
	return b->event;
}

static bool event_reserve_buffer(struct trace_event_buffer *b)
{
	struct ring_buffer_event *event;
	struct rb_cpu *cb;

	b->kind = RECORD_BUFFER_GUARDED;
	event = rb_reserve(READ_ONCE(b->trace_file->tr->buffer), b->len, &cb);
	if (!event)
		return false;
	b->cpu = cb;
	b->reserved = event;
	b->event = ring_buffer_event_data(event);
	return true;
}

/*
 * True if the instance follows the task, so that triggers may run. Without a record the other
 * task is unknown, and triggers run in any case.
 */
static bool event_follows_task(const struct trace_event_file *file, const void *rec)
{
	if (READ_ONCE(file->how) & EVENT_HOW_PIDS)
		return !rec || event_pids_pass(file, rec);
	return !event_is_ignored(file);
}

static void event_run_triggers(struct trace_event_buffer *b, const void *rec, unsigned long probe,
			       unsigned int when)
{
	if (event_follows_task(b->trace_file, rec))
		event_hit(event_fill_hit(b, rec, probe), when);
}

static bool event_has_triggers(const struct trace_event_buffer *b)
{
	return READ_ONCE(b->trace_file->how) & EVENT_HOW_TRIGGERS;
}

/*
 * Reserve a scratch record or, if there is none, room in the buffer. If neither is possible,
 * triggers run without a record: those that need one report a miss.
 */
static bool event_reserve_any(struct trace_event_buffer *b)
{
	if (event_reserve_scratch(b))
		return true;
	if ((!event_has_triggers(b) || event_is_recorded(b->trace_file)) && event_reserve_buffer(b))
		return true;
	if (event_has_triggers(b))
		event_run_triggers(b, NULL, 0, TRIGGER_ANY);
	return false;
}

void *event_reserve_guarded(struct trace_event_buffer *b, unsigned int word)
{
	b->ctx = trace_ctx_full(word);
	b->hit.word = word;
	b->hit.time = 0;
	if (!event_reserve_any(b))
		return NULL;
	trace_entry_fill(b->event, b->trace_file->type, b->ctx, current);
	return b->event;
}

/* Reserve inside the guard, for any combination of EVENT_HOW_* bits. */
void *event_reserve_general(struct trace_event_buffer *b, unsigned int word)
{
	void *event;

	if (READ_ONCE(b->trace_file->how) & EVENT_HOW_OTHER_CONSUMERS)
		return event_reserve_consumer(b, 1, NULL, false);
	if (!trace_guard_enter(word, &b->guard))
		return NULL;
	event = event_reserve_guarded(b, word);
	if (!event)
		trace_guard_exit(b->guard);
	return event;
}

static bool event_passes_filters(const struct trace_event_file *file, const void *rec)
{
	unsigned int how = READ_ONCE(file->how);

	return (!(how & EVENT_HOW_PIDS) || event_pids_pass(file, rec)) &&
	       (!(how & EVENT_HOW_FILTER) || event_filter_pass(file, rec));
}

/*
 * Return: true if the record is to be kept. It is then printed and exported, if that is asked
 * for; no other context writes to it yet.
 */
static bool event_accept_record(struct trace_event_buffer *b)
{
	if (!event_passes_filters(b->trace_file, b->event))
		return false;
	if (READ_ONCE(b->trace_file->how) & EVENT_HOW_PRINTK)
		event_printk(b->trace_file, b->event, b->len);
	trace_export_event(b->event, b->len);
	return true;
}

/* Return: true if a record was made. Triggers then get the time of the record. */
static bool event_keep_scratch(struct trace_event_buffer *b)
{
	return event_accept_record(b) &&
	       trace_scratch_keep(READ_ONCE(b->trace_file->tr->buffer), b->event, b->len,
				  event_has_triggers(b) ? &b->hit.time : NULL);
}

/*
 * The record was reserved in the buffer because there was no scratch record: discard it if the
 * filter rejects it.
 */
static bool event_commit_buffer(struct trace_event_buffer *b)
{
	if (!event_accept_record(b)) {
		rb_discard(b->cpu, b->reserved);
		return false;
	}
	rb_commit(b->cpu);
	return true;
}

/*
 * @probe is an address in the probe. The stack begins at its caller, the function that has the
 * event.
 */
static void event_record_stacks(struct trace_array *tr, unsigned int ctx, unsigned long probe,
				struct pt_regs *regs)
{
	if (trace_array_opt(tr, TRACE_OPT_STACKTRACE))
		trace_stack_record_above(tr, ctx, probe, 1, regs);
	if (trace_array_opt(tr, TRACE_OPT_USERSTACKTRACE))
		trace_user_stack_record(tr, ctx);
}

static void event_finish_record(const struct trace_event_buffer *b, unsigned long probe)
{
	trace_taskinfo_mark();
	event_record_stacks(b->trace_file->tr, b->ctx, probe,
			    b->trace_file->probed ? b->hit.regs : NULL);
}

/*
 * A committed record may be read or overwritten at once, so TRIGGER_AFTER comes without a record.
 */
void event_commit_guarded_buffer(struct trace_event_buffer *b, unsigned long probe)
{
	if (event_has_triggers(b)) {
		b->hit.time = rb_event_time(b->cpu, b->reserved);
		event_run_triggers(b, b->event, probe, TRIGGER_BEFORE | TRIGGER_WITH);
	}
	if (event_commit_buffer(b))
		event_finish_record(b, probe);
	if (event_has_triggers(b))
		event_run_triggers(b, NULL, probe, TRIGGER_AFTER);
}

/* Run the triggers before and after the record, which is made only if it is wanted. */
static void event_commit_with_triggers(struct trace_event_buffer *b, unsigned long probe)
{
	bool triggers = event_has_triggers(b);

	if (triggers)
		event_run_triggers(b, b->event, probe, TRIGGER_BEFORE);
	/*
	 * Checked without triggers, too: the last one may have been removed since the
	 * reservation.
	 */
	if (event_is_recorded(b->trace_file) && event_keep_scratch(b))
		event_finish_record(b, probe);
	if (triggers) {
		event_run_triggers(b, b->event, probe, TRIGGER_WITH);
		event_run_triggers(b, b->event, probe, TRIGGER_AFTER);
	}
}

void event_commit_guarded_scratch(struct trace_event_buffer *b, unsigned long probe)
{
	if (event_only_has_triggers(b->trace_file, READ_ONCE(b->trace_file->how)))
		event_run_triggers(b, b->event, probe, TRIGGER_ANY);
	else
		event_commit_with_triggers(b, probe);
	trace_scratch_end();
}

void event_commit_general(struct trace_event_buffer *b, unsigned long probe)
{
	event_commit_guarded(b, probe);
	trace_guard_exit(b->guard);
}

void event_record_made(struct trace_event_file *file, void *rec, unsigned int len)
{
	unsigned int word = trace_preempt_word();
	struct trace_event_buffer b = {
		.trace_file = file, .event = rec, .len = len, .hit.word = word,
	};

	guard(preempt_notrace)();
	if (!trace_guard_enter(word, &b.guard))
		return;
	b.ctx = trace_ctx_full(word);
	if (event_has_triggers(&b))
		event_run_triggers(&b, rec, 0, TRIGGER_BEFORE);
	if (!raw_cpu_read(*file->word) && event_keep_scratch(&b))
		event_finish_record(&b, 0);
	if (event_has_triggers(&b)) {
		event_run_triggers(&b, rec, 0, TRIGGER_WITH);
		event_run_triggers(&b, rec, 0, TRIGGER_AFTER);
	}
	trace_guard_exit(b.guard);
}

void event_triggers_notify(struct trace_event_file *file, void *rec)
{
	unsigned int word = trace_preempt_word();
	struct trace_event_buffer b = { .trace_file = file, .hit.word = word };

	guard(preempt_notrace)();
	if (!event_has_triggers(&b) || !trace_guard_enter(word, &b.guard))
		return;
	event_trigger_ops->hit(event_fill_hit(&b, rec, 0), TRIGGER_ANY);
	trace_guard_exit(b.guard);
}
