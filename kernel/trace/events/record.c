// SPDX-License-Identifier: GPL-2.0
/*
 * Making a record of an event: called by the probes of all events.
 *
 * A probe reserves a record, fills in the fields, and commits it. The bits in
 * &trace_event_file.how, and the context, select one of seven kinds of records:
 *
 *   RECORD_          taken if                                                        it is
 *   FAST             no bit is set, the context is plain, no record is interrupted   in the buffer
 *   LONG             a record could be FAST, but the current page has no room        in the buffer
 *   FILTERED         only EVENT_HOW_FILTER is set, and a task is not interrupted     scratch
 *   TRIGGERS_ONLY    the event is off, and its triggers read the record              scratch
 *   CONSUMER         EVENT_HOW_OTHER_CONSUMERS is set                                the consumer's
 *   SCRATCH_GUARDED  any other, if a filter, a PID list or a trigger reads it first  scratch
 *   BUFFER_GUARDED   any other; also for want of a scratch record                    in the buffer
 *
 * A scratch record is copied to the buffer if it is to be kept. Only a FILTERED record has no
 * header until then; the header of a TRIGGERS_ONLY record is filled in if a trigger reads it. Of a
 * FAST, LONG or FILTERED record the guard is not taken: nothing is called that could recurse.
 * record_general.c makes the last three kinds.
 *
 * trace_event_buffer_reserve() and trace_event_buffer_commit() are the hot path, built in the
 * same way as that of the function tracer (tracers/function.c). The tracepoint has disabled
 * preemption once, so the context is that of a callback that has disabled preemption.
 *
 * Nothing here may sleep or allocate. Only other consumers of records may take locks.
 */
#include <linux/export.h>
#include <linux/instruction_pointer.h>
#include <linux/percpu.h>
#include <linux/string.h>

#include "events.h"
#include "filter.h"
#include "guard/guard.h"
#include "internal.h"
#include "record/record.h"
#include "record/scratch.h"
#include "record_kinds.h"
#include "ring_buffer/write.h"
#include "switch.h"
#include "tasks/cmdlines.h"

/* ------------------------------------------------------------------ */
/* Other consumers							*/

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
		READ_ONCE(b->trace_file->other_consumers)->commit(b, _RET_IP_);
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
	if (likely(event_only_has_triggers(b->trace_file, how)))
		return event_reserve_unrecorded(b, how, probe);
	return how & EVENT_HOW_OTHER_CONSUMERS ? event_reserve_consumer(b, 1, NULL, false) :
						 event_reserve_slow(b);
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

/*
 * Copy a record that has passed its filter from the scratch record to the buffer. Its time is that
 * of the commit. The usual path calls no function.
 */
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

/*
 * Commit a RECORD_FILTERED record whose filter reads the header, calls functions, or has been
 * removed. The header is filled in first, because the filter may read it.
 */
static void event_commit_filtered_whole(struct trace_event_buffer *b)
{
	event_fill_header(b, b->event, trace_ctx_full(trace_callers_word()));
	if (event_filter_pass(b->trace_file, b->event))
		return event_keep_filtered(b);
	trace_scratch_end();
}

/* Commit a RECORD_FILTERED record whose filter neither reads the header nor calls functions. */
static void event_commit_filtered_texts(struct trace_event_buffer *b,
					const struct event_filter *filter)
{
	bool yes = event_filter_match(filter, b->event);

	event_filter_count(filter, yes);
	if (yes)
		return event_keep_filtered(b);
	trace_scratch_end();
}

/*
 * Commit a RECORD_FILTERED record whose filter reads more than numbers in fields, or has been
 * removed.
 */
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
	if (b->kind == RECORD_CONSUMER)
		return READ_ONCE(b->trace_file->other_consumers)->commit(b, _RET_IP_);
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
