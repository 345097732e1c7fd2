// SPDX-License-Identifier: GPL-2.0
/*
 * Making a record of an event: called by the probes of all events.
 *
 * trace_event_buffer_reserve() and trace_event_buffer_commit() are the hot path, built in the
 * same way as that of the function tracer (tracers/function.c). The tracepoint has disabled
 * preemption once, so the context is that of a callback that has disabled preemption.
 *
 * Nothing here may sleep or allocate. Only event_printk() and other consumers of records may take
 * locks or print.
 */
#include <linux/export.h>
#include <linux/instruction_pointer.h>
#include <linux/percpu.h>
#include <linux/string.h>

#include "events.h"
#include "filter.h"
#include "guard/guard.h"
#include "instance/options.h"
#include "internal.h"
#include "record/export.h"
#include "record/record.h"
#include "record/scratch.h"
#include "record/stack.h"
#include "ring_buffer/write.h"
#include "switch.h"
#include "tasks/cmdlines.h"

/* How a record is made: values of &trace_event_buffer.kind. */
enum {
	RECORD_FAST,		/* in the buffer, by rb_reserve_inline() */
	RECORD_LONG,		/* in the buffer, by rb_reserve_slow() */
	RECORD_FILTERED,	/* scratch record of a task, for the filter */
	RECORD_BUFFER_GUARDED,	/* in the buffer, inside the guard */
	RECORD_SCRATCH_GUARDED,	/* scratch record, inside the guard */
	RECORD_CONSUMER,	/* reserved by another consumer */
	RECORD_TRIGGERS_ONLY,	/* scratch record that only triggers read */
};

/* ------------------------------------------------------------------ */
/* Other consumers							*/

static void *event_reserve_consumer(struct trace_event_buffer *b, u64 count,
				    struct task_struct *task, bool inside)
{
	b->kind = RECORD_CONSUMER;
	b->inside = inside;
	b->count = count;
	b->task = task;
	b->hit.regs = NULL;
	return b->trace_file->other_consumers->reserve(b);
}

void *trace_event_buffer_reserve_for(struct trace_event_buffer *b, struct trace_event_file *file,
				     unsigned long len, u64 count, struct task_struct *task)
{
	if (likely(!(READ_ONCE(file->how) & EVENT_HOW_OTHER_CONSUMERS)))
		return trace_event_buffer_reserve(b, file, len);
	b->trace_file = file;
	b->len = len;
	return event_reserve_consumer(b, count, task, false);
}
EXPORT_SYMBOL_GPL(trace_event_buffer_reserve_for);

/* ------------------------------------------------------------------ */
/* The general path							*/

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
 * Describe the event for its triggers. @probe is an address in the probe; stacks begin at the
 * probe's caller, the function that has the event.
 */
static __always_inline struct action_hit *event_fill_hit(struct trace_event_buffer *b,
							 const void *rec, unsigned long probe)
{
	b->hit.from = probe;
	b->hit.file = b->trace_file;
	b->hit.rec = rec;
	return &b->hit;
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

static void *event_reserve_guarded(struct trace_event_buffer *b, unsigned int word)
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
static noinline void *event_reserve_general(struct trace_event_buffer *b, unsigned int word)
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
static void event_commit_guarded_buffer(struct trace_event_buffer *b, unsigned long probe)
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

/*
 * True if the event is off and only its triggers want the record. With EVENT_HOW_TOGGLES one of
 * the triggers may switch recording on, and then the event needs a record.
 */
static __always_inline bool event_only_has_triggers(const struct trace_event_file *file,
						    unsigned int how)
{
	how &= EVENT_HOW_TRIGGERS | EVENT_HOW_TOGGLES | EVENT_HOW_PIDS | EVENT_HOW_OTHER_CONSUMERS;
	return how == EVENT_HOW_TRIGGERS && !event_is_soft_enabled(file);
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

static void event_commit_guarded_scratch(struct trace_event_buffer *b, unsigned long probe)
{
	if (event_only_has_triggers(b->trace_file, READ_ONCE(b->trace_file->how)))
		event_run_triggers(b, b->event, probe, TRIGGER_ANY);
	else
		event_commit_with_triggers(b, probe);
	trace_scratch_end();
}

static void event_commit_guarded(struct trace_event_buffer *b, unsigned long probe)
{
	if (b->kind == RECORD_SCRATCH_GUARDED)
		event_commit_guarded_scratch(b, probe);
	else
		event_commit_guarded_buffer(b, probe);
}

static noinline void event_commit_general(struct trace_event_buffer *b, unsigned long probe)
{
	if (b->kind == RECORD_CONSUMER)
		return b->trace_file->other_consumers->commit(b, probe);
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

/* ------------------------------------------------------------------ */
/* The fast paths							*/

/*
 * A function saves the registers that any of its paths needs before it selects one. So the fast
 * path and the unusual paths are not in one function. With few registers the fast path is the one
 * out of line, because it needs all of them in any case.
 */
#if defined(CONFIG_64BIT)
#define event_fast_inline	__always_inline
#define event_unusual_inline	noinline
#elif defined(CONFIG_X86_32)
#define event_fast_inline	noinline
#define event_unusual_inline	__always_inline
#else
#define event_fast_inline	noinline
#define event_unusual_inline	noinline
#endif

static __always_inline void *event_fill_header(struct trace_event_buffer *b, void *data,
					       unsigned int ctx)
{
	trace_entry_fill(data, b->trace_file->type, ctx, current);
	return data;
}

/* Run all triggers of the event at once: no record is made between them. */
static __always_inline void event_run_triggers_once(struct trace_event_buffer *b, const void *rec,
						    unsigned int when)
{
	b->hit.time = 0;
	if (likely(!event_is_ignored(b->trace_file)))
		event_hit(event_fill_hit(b, rec, b->hit.from), when);
}

static noinline void *event_run_triggers_unreserved(struct trace_event_buffer *b, unsigned int when)
{
	event_run_triggers_once(b, NULL, when);
	trace_guard_exit(b->guard);
	return NULL;
}

static noinline void *event_fill_header_full(struct trace_event_buffer *b)
{
	return event_fill_header(b, b->event, trace_ctx_full(b->hit.word));
}

/*
 * Begin the scratch record @event, which only triggers read. The header is filled in only if a
 * trigger reads it.
 */
static __always_inline void *event_begin_unrecorded(struct trace_event_buffer *b, unsigned int how,
						    void *event)
{
	b->event = event;
	b->kind = RECORD_TRIGGERS_ONLY;
	/* EVENT_HOW_NO_HEADER keeps triggers attached meanwhile from reading a missing header. */
	b->when = how;
	return likely(how & EVENT_HOW_NO_HEADER) ? event : event_fill_header_full(b);
}

/*
 * Reserve for triggers only, in any context. A scratch record is made only if a trigger reads it.
 */
static noinline void *event_reserve_unrecorded_any(struct trace_event_buffer *b, unsigned int how)
{
	void *event;

	if (!trace_guard_enter_free(b->hit.word, &b->guard))
		return event_reserve_general(b, b->hit.word);
	if (how & EVENT_HOW_NO_FIELDS)
		return event_run_triggers_unreserved(b, TRIGGER_ANY | TRIGGER_NO_RECORD);
	event = trace_scratch_start(b->len);
	if (unlikely(!event))
		return event_run_triggers_unreserved(b, TRIGGER_ANY);
	return event_begin_unrecorded(b, how, event);
}

/*
 * Reserve for triggers only. The fast case is a task that interrupts nothing and has no scratch
 * record in use. Triggers that run before the commit need @probe as well; storing it first frees
 * its register.
 */
static __always_inline void *event_reserve_unrecorded(struct trace_event_buffer *b,
						      unsigned int how, unsigned long probe)
{
	void *event;

	b->hit.from = probe;
	b->hit.word = trace_callers_word();
	if (unlikely(how & EVENT_HOW_NO_FIELDS || !trace_word_is_plain(b->hit.word) ||
		     !trace_guard_enter_free(0, &b->guard)))
		return event_reserve_unrecorded_any(b, how);
	event = trace_scratch_start_first(b->len);
	if (likely(event))
		return event_begin_unrecorded(b, how, event);
	trace_guard_exit(b->guard);
	return event_reserve_unrecorded_any(b, how);
}

/* Run the triggers at the commit, where stacks begin, and release the scratch record. */
static __always_inline void event_end_unrecorded(struct trace_event_buffer *b, unsigned long probe)
{
	b->hit.from = probe;
	event_run_triggers_once(b, b->event, b->when);
	trace_scratch_end();
}

static event_unusual_inline void event_commit_unrecorded(struct trace_event_buffer *b,
							 unsigned long probe)
{
	event_end_unrecorded(b, probe);
	trace_guard_exit(b->guard);
}

/* Triggers that read only the fields get a scratch record without a header. */
void *event_reserve_inside(struct trace_event_buffer *b, struct trace_event_file *file,
			   unsigned int len, unsigned int word)
{
	unsigned int how = READ_ONCE(file->how);
	void *event;

	b->trace_file = file;
	b->len = len;
	b->hit.word = word;
	if (how & EVENT_HOW_OTHER_CONSUMERS)
		return event_reserve_consumer(b, 1, NULL, true);
	if (!event_only_has_triggers(file, how) || how & EVENT_HOW_NO_FIELDS)
		return event_reserve_guarded(b, word);
	event = trace_scratch_start(len);
	if (!event)
		return event_reserve_guarded(b, word);
	return event_begin_unrecorded(b, how, event);
}

void event_commit_inside(struct trace_event_buffer *b)
{
	if (b->kind == RECORD_TRIGGERS_ONLY)
		event_end_unrecorded(b, _RET_IP_);
	else if (b->kind == RECORD_CONSUMER)
		b->trace_file->other_consumers->commit(b, _RET_IP_);
	else
		event_commit_guarded(b, _RET_IP_);
}

static noinline void *event_reserve_slow(struct trace_event_buffer *b)
{
	return event_reserve_general(b, trace_callers_word());
}

/*
 * Used if the event has a filter and nothing else. A rejected record is never reserved in the
 * buffer, and its header is not filled in, which saves reading the rest of the context. A context
 * that has interrupted another scratch record takes the general path.
 */
static __always_inline void *event_reserve_filtered(struct trace_event_buffer *b)
{
	void *event = NULL;

	if (likely(trace_word_is_plain(trace_callers_word())))
		event = trace_scratch_start_first(b->len);
	if (unlikely(!event))
		return event_reserve_slow(b);
	b->event = event;
	b->kind = RECORD_FILTERED;
	return event;
}

static event_unusual_inline void *event_reserve_unusual(struct trace_event_buffer *b,
							unsigned int how, unsigned long probe)
{
	if (unlikely(!event_only_has_triggers(b->trace_file, how)))
		return event_reserve_slow(b);
	return event_reserve_unrecorded(b, how, probe);
}

/* Called after rb_reserve_inline() has failed. */
static noinline void *event_reserve_long(struct trace_event_buffer *b, unsigned int word)
{
	struct ring_buffer_event *event = rb_reserve_slow(b->cpu, b->len);

	if (!event)
		return NULL;
	b->kind = RECORD_LONG;
	trace_taskinfo_mark();
	return event_fill_header(b, ring_buffer_event_data(event), trace_ctx_plain(word));
}

static event_fast_inline void *event_reserve_fast(struct trace_event_buffer *b, unsigned long len)
{
	struct rb_cpu *cb = rb_this_cpu(READ_ONCE(b->trace_file->tr->buffer));
	unsigned int word = trace_callers_word();
	struct ring_buffer_event *event;

	b->cpu = cb;
	/* The stream is busy if this context has interrupted a record of the same CPU. */
	if (unlikely(rb_busy(cb) || !trace_ctx_is_plain(word, current)))
		return event_reserve_general(b, word);
	event = rb_reserve_inline(cb, len, &b->next);
	if (unlikely(!event))
		return event_reserve_long(b, word);
	b->kind = RECORD_FAST;
	trace_taskinfo_mark();
	return event_fill_header(b, rb_data_of(event, len), trace_ctx_plain(word));
}

void *trace_event_buffer_reserve(struct trace_event_buffer *b, struct trace_event_file *file,
				 unsigned long len)
{
	/* The bits may change at any time: a stale value does no harm. */
	unsigned int how = data_race(file->how);

	b->trace_file = file;
	b->len = len;
	if (likely(!how))
		return event_reserve_fast(b, len);
	return how == EVENT_HOW_FILTER ? event_reserve_filtered(b) :
					 event_reserve_unusual(b, how, _RET_IP_);
}
EXPORT_SYMBOL_GPL(trace_event_buffer_reserve);

/* Keep a filtered record whose context is not plain: see trace_ctx_is_plain(). */
static noinline void event_keep_filtered_full(struct trace_event_buffer *b)
{
	event_fill_header(b, b->event, trace_ctx_full(trace_callers_word()));
	if (trace_scratch_keep(READ_ONCE(b->trace_file->tr->buffer), b->event, b->len, NULL))
		trace_taskinfo_mark();
	trace_scratch_end();
}

/* @event is the room reserved in the stream of @rb, or NULL if there was none. */
static void event_keep_filtered_at(struct trace_event_buffer *b, struct ring_buffer_event *event,
				   const struct rb_write_ctx *rb)
{
	void *data;

	if (event) {
		data = ring_buffer_event_data(event);
		memcpy(data, b->event, b->len);
		event_fill_header(b, data, trace_ctx_plain(trace_callers_word()));
		trace_taskinfo_mark();
		rb_commit_fast(rb);
	}
	trace_scratch_end();
}

static noinline void event_keep_filtered_long(struct trace_event_buffer *b)
{
	struct rb_write_ctx rb;
	struct ring_buffer_event *event = rb_reserve_on(b->cpu, b->len, &rb);

	event_keep_filtered_at(b, event, &rb);
}

/* Called after rb_reserve_inline() has failed. */
static noinline void event_keep_filtered_late(struct trace_event_buffer *b)
{
	struct rb_write_ctx rb = { .cb = b->cpu };

	event_keep_filtered_at(b, rb_reserve_slow(b->cpu, b->len), &rb);
}

/* A longer record is worth a call of memcpy(). */
#define EVENT_COPY_MAX	(sizeof(struct trace_entry) + 8 * sizeof(u64))

/* Copy the fields behind the header. Both records have room for whole u32 words. */
static __always_inline void event_copy_fields(struct trace_entry *to,
					      const struct trace_entry *from, unsigned int len)
{
	unsigned int at = sizeof(*from);

	for (; at + sizeof(u64) <= len; at += sizeof(u64))
		put_unaligned(*(u64 *)((void *)from + at), (u64 *)((void *)to + at));
	for (; at < len; at += sizeof(u32))
		*(u32 *)((void *)to + at) = *(u32 *)((void *)from + at);
}

/* The time of a filtered record is that of its commit. The usual path calls no function. */
static noinline void event_keep_filtered(struct trace_event_buffer *b)
{
	struct rb_cpu *cb = rb_this_cpu(READ_ONCE(b->trace_file->tr->buffer));
	struct ring_buffer_event *event;
	unsigned int len = b->len;
	struct trace_entry *to;

	if (unlikely(rb_busy(cb) || !trace_task_is_plain(current)))
		return event_keep_filtered_full(b);
	b->cpu = cb;
	/* A length of 0 takes this branch as well, so rb_event_size() need not test for it. */
	if (unlikely(len - 1 >= EVENT_COPY_MAX))
		return event_keep_filtered_long(b);
	event = rb_reserve_inline(cb, len, &b->next);
	if (unlikely(!event))
		return event_keep_filtered_late(b);
	to = rb_data_of(event, len);
	event_copy_fields(to, b->event, len);
	event_fill_header(b, to, trace_ctx_plain(trace_callers_word()));
	trace_taskinfo_mark();
	trace_scratch_end();
	if (unlikely(!rb_commit_inline(cb, b->next)))
		rb_commit_outermost(cb);
}

/* The filter reads more than the fields, or has been removed. */
static void event_commit_filtered_whole(struct trace_event_buffer *b)
{
	event_fill_header(b, b->event, trace_ctx_full(trace_callers_word()));
	if (event_filter_pass(b->trace_file, b->event))
		return event_keep_filtered(b);
	trace_scratch_end();
}

/* The filter needs nothing but the fields. */
static void event_commit_filtered_texts(struct trace_event_buffer *b,
					const struct event_filter *filter)
{
	bool yes = event_filter_match(filter, b->event);

	event_filter_count(filter, yes);
	if (yes)
		return event_keep_filtered(b);
	trace_scratch_end();
}

/* The filter compares more than numbers. */
static noinline void event_commit_filtered_more(struct trace_event_buffer *b,
						const struct event_filter *filter)
{
	if (filter->needs == PREDICATE_MORE)
		event_commit_filtered_texts(b, filter);
	else
		event_commit_filtered_whole(b);
}

static __always_inline void event_commit_filtered(struct trace_event_buffer *b)
{
	/* rcu_dereference_raw(): the tracepoint has disabled preemption. */
	const struct event_filter *filter = rcu_dereference_raw(b->trace_file->filter);

	if (unlikely(filter->needs))
		return event_commit_filtered_more(b, filter);
	if (predicate_match_numbers(filter->p, b->event)) {
		event_filter_count(filter, true);
		return event_keep_filtered(b);
	}
	event_filter_count(filter, false);
	trace_scratch_end();
}

static noinline void event_commit_rare(struct trace_event_buffer *b, unsigned long probe)
{
	if (b->kind == RECORD_LONG)
		rb_commit_slow(b->cpu);
	else
		event_commit_general(b, probe);
}

static __always_inline void event_commit_unusual(struct trace_event_buffer *b)
{
	if (likely(b->kind == RECORD_FILTERED))
		return event_commit_filtered(b);
	if (b->kind == RECORD_TRIGGERS_ONLY)
		return event_commit_unrecorded(b, _RET_IP_);
	event_commit_rare(b, _RET_IP_);
}

void trace_event_buffer_commit(struct trace_event_buffer *b)
{
	struct rb_cpu *cb;

	if (unlikely(b->kind != RECORD_FAST))
		return event_commit_unusual(b);
	cb = b->cpu;
	if (unlikely(!rb_commit_inline(cb, b->next)))
		rb_commit_outermost(cb);
}
EXPORT_SYMBOL_GPL(trace_event_buffer_commit);
