// SPDX-License-Identifier: GPL-2.0
/*
 * Making a record of an event: what the probes of all events call.
 *
 * trace_event_buffer_reserve() and trace_event_buffer_commit() are the hot path, built as
 * that of the function tracer is (tracers/function.c). The tracepoint has disabled
 * preemption, once, so the context is that of a callback which has.
 *
 * Nothing here may sleep or allocate; nothing but event_printk(), and who takes records
 * elsewhere, may lock or print.
 */
#include <linux/export.h>
#include <linux/instruction_pointer.h>
#include <linux/percpu.h>
#include <linux/string.h>

#include "events.h"
#include "filter.h"
#include "guard/guard.h"
#include "instance/options.h"
#include "pids.h"
#include "record/beside.h"
#include "record/export.h"
#include "record/record.h"
#include "record/stack.h"
#include "ring_buffer/write.h"
#include "tasks/cmdlines.h"

/* In which way a record is made: &trace_event_buffer.kind. */
enum {
	STRAIGHT,	/* reserved in a straight line */
	LONG,		/* rb_reserve_long() has */
	FILTERED,	/* beside the buffer, by a task */
	GENERAL,	/* inside the guard */
	BESIDE,		/* likewise, and beside the buffer */
	ELSEWHERE,	/* by who takes it instead of an instance */
	UNRECORDED,	/* beside the buffer, for triggers alone */
};

/* ------------------------------------------------------------------ */
/* Elsewhere								*/

static void *reserve_elsewhere(struct trace_event_buffer *b, u64 count, struct task_struct *task,
			       bool inside)
{
	b->kind = ELSEWHERE;
	b->inside = inside;
	b->count = count;
	b->task = task;
	b->hit.regs = NULL;
	return b->trace_file->elsewhere->reserve(b);
}

void *trace_event_buffer_reserve_for(struct trace_event_buffer *b, struct trace_event_file *file,
				     unsigned long len, u64 count, struct task_struct *task)
{
	if (likely(!(READ_ONCE(file->how) & EVENT_HOW_ELSEWHERE)))
		return trace_event_buffer_reserve(b, file, len);
	b->trace_file = file;
	b->len = len;
	return reserve_elsewhere(b, count, task, false);
}
EXPORT_SYMBOL_GPL(trace_event_buffer_reserve_for);

/* ------------------------------------------------------------------ */
/* The general way							*/

/* For who is to look at it first. */
static bool reserve_beside(struct trace_event_buffer *b)
{
	if (!(READ_ONCE(b->trace_file->how) & EVENT_HOW_ASKED))
		return false;
	b->kind = BESIDE;
	b->event = trace_beside_start(b->len);
	return b->event;
}

static bool reserve_in_buffer(struct trace_event_buffer *b)
{
	struct ring_buffer_event *event;
	struct rb_cpu *cb;

	b->kind = GENERAL;
	event = rb_reserve(READ_ONCE(b->trace_file->tr->buffer), b->len, &cb);
	if (!event)
		return false;
	b->cpu = cb;
	b->reserved = event;
	b->event = ring_buffer_event_data(event);
	return true;
}

/* From the function that has the event: not the probe, an address in which is @probe. */
static __always_inline struct action_hit *hit_at(struct trace_event_buffer *b, const void *rec,
						 unsigned long probe)
{
	b->hit.from = probe;
	b->hit.file = b->trace_file;
	b->hit.rec = rec;
	return &b->hit;
}

/* Nothing happens for who is not followed. */
static bool is_followed(const struct trace_event_file *file, const void *rec)
{
	if (READ_ONCE(file->how) & EVENT_HOW_PIDS)
		return !rec || event_pids_let(file, rec);
	return !event_is_ignored(file);
}

static void hit(struct trace_event_buffer *b, const void *rec, unsigned long probe,
		unsigned int when)
{
	if (is_followed(b->trace_file, rec))
		event_hit(hit_at(b, rec, probe), when);
}

static bool has_triggers(const struct trace_event_buffer *b)
{
	return READ_ONCE(b->trace_file->how) & EVENT_HOW_TRIGGERS;
}

/*
 * Without room beside the buffer nothing depends on the record. One that is not recorded
 * makes happen what does not depend on it.
 */
static bool reserve_anywhere(struct trace_event_buffer *b)
{
	if (reserve_beside(b))
		return true;
	if ((!has_triggers(b) || event_is_recorded(b->trace_file)) && reserve_in_buffer(b))
		return true;
	if (has_triggers(b))
		hit(b, NULL, 0, TRIGGER_ANY);
	return false;
}

static void *reserve_guarded(struct trace_event_buffer *b, unsigned int word)
{
	b->ctx = trace_ctx_full(word);
	b->hit.word = word;
	b->hit.time = 0;
	if (!reserve_anywhere(b))
		return NULL;
	trace_entry_fill(b->event, b->trace_file->type, b->ctx, current);
	return b->event;
}

/* Nothing has happened yet: guarded, with whatever is asked for. */
static noinline void *reserve_general(struct trace_event_buffer *b, unsigned int word)
{
	void *event;

	if (READ_ONCE(b->trace_file->how) & EVENT_HOW_ELSEWHERE)
		return reserve_elsewhere(b, 1, NULL, false);
	if (!trace_guard_enter(word, &b->guard))
		return NULL;
	event = reserve_guarded(b, word);
	if (!event)
		trace_guard_exit(b->guard);
	return event;
}

static bool is_wanted(const struct trace_event_file *file, const void *rec)
{
	unsigned int how = READ_ONCE(file->how);

	return (!(how & EVENT_HOW_PIDS) || event_pids_let(file, rec)) &&
	       (!(how & EVENT_HOW_FILTER) || event_filter_lets(file, rec));
}

/*
 * Is it to be kept? Then it is also printed and exported, if that is asked for: nobody else writes
 * there yet.
 */
static bool judge(struct trace_event_buffer *b)
{
	if (!is_wanted(b->trace_file, b->event))
		return false;
	if (READ_ONCE(b->trace_file->how) & EVENT_HOW_PRINTK)
		event_printk(b->trace_file, b->event, b->len);
	trace_export_event(b->event, b->len);
	return true;
}

/* Return: is there a record now? Then what comes with it has its time. */
static bool keep_beside(struct trace_event_buffer *b)
{
	return judge(b) && trace_beside_keep(READ_ONCE(b->trace_file->tr->buffer), b->event, b->len,
					     has_triggers(b) ? &b->hit.time : NULL);
}

/* Where there was no room beside the buffer, what is not wanted is discarded. */
static bool commit_in_buffer(struct trace_event_buffer *b)
{
	if (!judge(b)) {
		rb_discard(b->cpu, b->reserved);
		return false;
	}
	rb_commit(b->cpu);
	return true;
}

/* From the function that has the event: not the probe, which stands at the address. */
static void record_stacks(struct trace_array *tr, unsigned int ctx, unsigned long probe,
			  struct pt_regs *regs)
{
	if (trace_array_opt(tr, TRACE_OPT_STACKTRACE))
		trace_stack_record_above(tr, ctx, probe, 1, regs);
	if (trace_array_opt(tr, TRACE_OPT_USERSTACKTRACE))
		trace_user_stack_record(tr, ctx);
}

static void follow(const struct trace_event_buffer *b, unsigned long probe)
{
	trace_taskinfo_mark();
	record_stacks(b->trace_file->tr, b->ctx, probe,
		      b->trace_file->probed ? b->hit.regs : NULL);
}

/* A record in the buffer may be somebody else's as soon as it is committed. */
static void commit_guarded_in_buffer(struct trace_event_buffer *b, unsigned long probe)
{
	if (has_triggers(b)) {
		b->hit.time = rb_time_of(b->cpu, b->reserved);
		hit(b, b->event, probe, TRIGGER_BEFORE | TRIGGER_WITH);
	}
	if (commit_in_buffer(b))
		follow(b, probe);
	if (has_triggers(b))
		hit(b, NULL, probe, TRIGGER_AFTER);
}

/*
 * Has it triggers, which are all that is asked for? Of an event that is on one of them may have
 * recording go on, and then there is to be a record.
 */
static __always_inline bool only_triggers(const struct trace_event_file *file, unsigned int how)
{
	return (how & (EVENT_HOW_TRIGGERS | EVENT_HOW_TURNS | EVENT_HOW_PIDS |
		       EVENT_HOW_ELSEWHERE)) == EVENT_HOW_TRIGGERS && !event_is_let(file);
}

/* With a record, if one is wanted, that comes between what happens. */
static void happen_around(struct trace_event_buffer *b, unsigned long probe)
{
	bool triggers = has_triggers(b);

	if (triggers)
		hit(b, b->event, probe, TRIGGER_BEFORE);
	/* Also where the last trigger has gone meanwhile. */
	if (event_is_recorded(b->trace_file) && keep_beside(b))
		follow(b, probe);
	if (triggers) {
		hit(b, b->event, probe, TRIGGER_WITH);
		hit(b, b->event, probe, TRIGGER_AFTER);
	}
}

static void commit_guarded_beside(struct trace_event_buffer *b, unsigned long probe)
{
	if (only_triggers(b->trace_file, READ_ONCE(b->trace_file->how)))
		hit(b, b->event, probe, TRIGGER_ANY);
	else
		happen_around(b, probe);
	trace_beside_end();
}

static void commit_guarded(struct trace_event_buffer *b, unsigned long probe)
{
	if (b->kind == BESIDE)
		commit_guarded_beside(b, probe);
	else
		commit_guarded_in_buffer(b, probe);
}

static noinline void commit_general(struct trace_event_buffer *b, unsigned long probe)
{
	if (b->kind == ELSEWHERE)
		return b->trace_file->elsewhere->commit(b, probe);
	commit_guarded(b, probe);
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
	if (has_triggers(&b))
		hit(&b, rec, 0, TRIGGER_BEFORE);
	if (!raw_cpu_read(*file->word) && keep_beside(&b))
		follow(&b, 0);
	if (has_triggers(&b)) {
		hit(&b, rec, 0, TRIGGER_WITH);
		hit(&b, rec, 0, TRIGGER_AFTER);
	}
	trace_guard_exit(b.guard);
}

void event_triggers_tell(struct trace_event_file *file, void *rec)
{
	unsigned int word = trace_preempt_word();
	struct trace_event_buffer b = { .trace_file = file, .hit.word = word };

	guard(preempt_notrace)();
	if (!has_triggers(&b) || !trace_guard_enter(word, &b.guard))
		return;
	event_trigger_ops->hit(hit_at(&b, rec, 0), TRIGGER_ANY);
	trace_guard_exit(b.guard);
}

/* ------------------------------------------------------------------ */
/* The straight lines							*/

/*
 * A function saves the registers of all its ways before it knows which one it goes. So one of
 * them is a function of its own; where registers are few that is the straight line, which
 * needs them in any case.
 */
#if defined(CONFIG_64BIT)
#define straight_inline	__always_inline
#define unusual_inline	noinline
#elif defined(CONFIG_X86_32)
#define straight_inline	noinline
#define unusual_inline	__always_inline
#else
#define straight_inline	noinline
#define unusual_inline	noinline
#endif

static __always_inline void *fill(struct trace_event_buffer *b, void *data, unsigned int ctx)
{
	trace_entry_fill(data, b->trace_file->type, ctx, current);
	return data;
}

/* What the event makes happen: all at once, for no record comes between. */
static __always_inline void happen(struct trace_event_buffer *b, const void *rec,
				   unsigned int when)
{
	b->hit.time = 0;
	if (likely(!event_is_ignored(b->trace_file)))
		event_hit(hit_at(b, rec, b->hit.from), when);
}

static noinline void *happen_without(struct trace_event_buffer *b, unsigned int when)
{
	happen(b, NULL, when);
	trace_guard_exit(b->guard);
	return NULL;
}

static noinline void *fill_header(struct trace_event_buffer *b)
{
	return fill(b, b->event, trace_ctx_full(b->hit.word));
}

/* There is room beside the buffer: the header is only made for who looks at it. */
static __always_inline void *begin_unrecorded(struct trace_event_buffer *b, unsigned int how,
					      void *event)
{
	b->event = event;
	b->kind = UNRECORDED;
	/* Who looks at it and comes later than this is told that there is none. */
	b->ctx = how;
	return likely(how & EVENT_HOW_HEADLESS) ? event : fill_header(b);
}

/* In any context; a record is only made for who looks at it. */
static noinline void *reserve_unrecorded_any(struct trace_event_buffer *b, unsigned int how)
{
	void *event;

	if (!trace_guard_enter_free(b->hit.word, &b->guard))
		return reserve_general(b, b->hit.word);
	if (how & EVENT_HOW_BLIND)
		return happen_without(b, TRIGGER_ANY | TRIGGER_BLIND);
	event = trace_beside_start(b->len);
	if (unlikely(!event))
		return happen_without(b, TRIGGER_ANY);
	return begin_unrecorded(b, how, event);
}

/*
 * The same; a task that nothing interrupts, and that is not in a record, goes straight. Who is
 * told of it before the commit is told that it was @probe, too: it is kept where no register is.
 */
static __always_inline void *reserve_unrecorded(struct trace_event_buffer *b, unsigned int how,
						unsigned long probe)
{
	void *event;

	b->hit.from = probe;
	b->hit.word = trace_callers_word();
	if (unlikely(how & EVENT_HOW_BLIND || !trace_word_is_plain(b->hit.word) ||
		     !trace_guard_enter_free(0, &b->guard)))
		return reserve_unrecorded_any(b, how);
	event = trace_beside_start_first(b->len);
	if (likely(event))
		return begin_unrecorded(b, how, event);
	trace_guard_exit(b->guard);
	return reserve_unrecorded_any(b, how);
}

/* From where it is committed: stacks begin there. */
static __always_inline void tell_unrecorded(struct trace_event_buffer *b, unsigned long probe)
{
	b->hit.from = probe;
	happen(b, b->event, b->ctx);
	trace_beside_end();
}

static unusual_inline void commit_unrecorded(struct trace_event_buffer *b, unsigned long probe)
{
	tell_unrecorded(b, probe);
	trace_guard_exit(b->guard);
}

/* For triggers that look at nothing but fields there is no header. */
void *event_reserve_inside(struct trace_event_buffer *b, struct trace_event_file *file,
			   unsigned int len, unsigned int word)
{
	unsigned int how = READ_ONCE(file->how);
	void *event;

	b->trace_file = file;
	b->len = len;
	b->hit.word = word;
	if (how & EVENT_HOW_ELSEWHERE)
		return reserve_elsewhere(b, 1, NULL, true);
	if (!only_triggers(file, how) || how & EVENT_HOW_BLIND)
		return reserve_guarded(b, word);
	event = trace_beside_start(len);
	if (!event)
		return reserve_guarded(b, word);
	return begin_unrecorded(b, how, event);
}

void event_commit_inside(struct trace_event_buffer *b)
{
	if (b->kind == UNRECORDED)
		tell_unrecorded(b, _RET_IP_);
	else if (b->kind == ELSEWHERE)
		b->trace_file->elsewhere->commit(b, _RET_IP_);
	else
		commit_guarded(b, _RET_IP_);
}

static noinline void *reserve_otherwise(struct trace_event_buffer *b)
{
	return reserve_general(b, trace_callers_word());
}

/*
 * If there is a filter and nothing else, what it does not want is not even reserved, nor is
 * its header filled in, for which the rest of the context is asked then. Who is in the middle
 * of such a record goes the general way.
 */
static __always_inline void *reserve_filtered(struct trace_event_buffer *b)
{
	void *event = NULL;

	if (likely(trace_word_is_plain(trace_callers_word())))
		event = trace_beside_start_first(b->len);
	if (unlikely(!event))
		return reserve_otherwise(b);
	b->event = event;
	b->kind = FILTERED;
	return event;
}

static unusual_inline void *reserve_how(struct trace_event_buffer *b, unsigned int how,
					unsigned long probe)
{
	if (unlikely(!only_triggers(b->trace_file, how)))
		return reserve_otherwise(b);
	return reserve_unrecorded(b, how, probe);
}

/* rb_reserve_straight() has failed. */
static noinline void *reserve_long(struct trace_event_buffer *b, unsigned int word)
{
	struct ring_buffer_event *event = rb_reserve_long(b->cpu, b->len);

	if (!event)
		return NULL;
	b->kind = LONG;
	trace_taskinfo_mark();
	return fill(b, ring_buffer_event_data(event), trace_ctx_plain(word));
}

static straight_inline void *reserve_straight(struct trace_event_buffer *b, unsigned long len)
{
	struct rb_cpu *cb = rb_this_cpu(READ_ONCE(b->trace_file->tr->buffer));
	unsigned int word = trace_callers_word();
	struct ring_buffer_event *event;

	b->cpu = cb;
	/* Who is in the middle of a record of this CPU has a busy stream. */
	if (unlikely(rb_busy(cb) || !trace_ctx_is_plain(word, current)))
		return reserve_general(b, word);
	event = rb_reserve_straight(cb, len, &b->next);
	if (unlikely(!event))
		return reserve_long(b, word);
	b->kind = STRAIGHT;
	trace_taskinfo_mark();
	return fill(b, rb_data_of(event, len), trace_ctx_plain(word));
}

void *trace_event_buffer_reserve(struct trace_event_buffer *b, struct trace_event_file *file,
				 unsigned long len)
{
	/* What is behind it may change at any time: seen late is as good. */
	unsigned int how = data_race(file->how);

	b->trace_file = file;
	b->len = len;
	if (likely(!how))
		return reserve_straight(b, len);
	return how == EVENT_HOW_FILTER ? reserve_filtered(b) : reserve_how(b, how, _RET_IP_);
}
EXPORT_SYMBOL_GPL(trace_event_buffer_reserve);

/* The context of which is no plain one. */
static noinline void keep_filtered_full(struct trace_event_buffer *b)
{
	fill(b, b->event, trace_ctx_full(trace_callers_word()));
	if (trace_beside_keep(READ_ONCE(b->trace_file->tr->buffer), b->event, b->len, NULL))
		trace_taskinfo_mark();
	trace_beside_end();
}

/* @event is what the stream of @rb has reserved, if there was room. */
static void keep_filtered_in(struct trace_event_buffer *b, struct ring_buffer_event *event,
			     const struct rb_write_ctx *rb)
{
	void *data;

	if (event) {
		data = ring_buffer_event_data(event);
		memcpy(data, b->event, b->len);
		fill(b, data, trace_ctx_plain(trace_callers_word()));
		trace_taskinfo_mark();
		rb_commit_fast(rb);
	}
	trace_beside_end();
}

static noinline void keep_filtered_long(struct trace_event_buffer *b)
{
	struct rb_write_ctx rb;
	struct ring_buffer_event *event = rb_reserve_on(b->cpu, b->len, &rb);

	keep_filtered_in(b, event, &rb);
}

/* rb_reserve_straight() has failed. */
static noinline void keep_filtered_late(struct trace_event_buffer *b)
{
	struct rb_write_ctx rb = { .cb = b->cpu };

	keep_filtered_in(b, rb_reserve_long(b->cpu, b->len), &rb);
}

/* A record that is longer is worth a call of memcpy(). */
#define COPIED_MAX	(sizeof(struct trace_entry) + 8 * sizeof(u64))

/* Copies what is behind the header of a record. There is room on both sides for whole u32. */
static __always_inline void copy_fields(struct trace_entry *to, const struct trace_entry *from,
					unsigned int len)
{
	unsigned int at = sizeof(*from);

	for (; at + sizeof(u64) <= len; at += sizeof(u64))
		put_unaligned(*(u64 *)((void *)from + at), (u64 *)((void *)to + at));
	for (; at < len; at += sizeof(u32))
		*(u32 *)((void *)to + at) = *(u32 *)((void *)from + at);
}

/* The time of a record that is kept is that of its commit. It calls nothing on its usual way. */
static noinline void keep_filtered(struct trace_event_buffer *b)
{
	struct rb_cpu *cb = rb_this_cpu(READ_ONCE(b->trace_file->tr->buffer));
	struct ring_buffer_event *event;
	unsigned int len = b->len;
	struct trace_entry *to;

	if (unlikely(rb_busy(cb) || !trace_task_is_plain(current)))
		return keep_filtered_full(b);
	b->cpu = cb;
	/* A length of 0 is not asked for here: rb_event_size() need not test for it. */
	if (unlikely(len - 1 >= COPIED_MAX))
		return keep_filtered_long(b);
	event = rb_reserve_straight(cb, len, &b->next);
	if (unlikely(!event))
		return keep_filtered_late(b);
	to = rb_data_of(event, len);
	copy_fields(to, b->event, len);
	fill(b, to, trace_ctx_plain(trace_callers_word()));
	trace_taskinfo_mark();
	trace_beside_end();
	if (unlikely(!rb_commit_straight(cb, b->next)))
		rb_commit_rest(cb);
}

/* The filter needs more than the fields, or is gone. */
static void commit_filtered_whole(struct trace_event_buffer *b)
{
	fill(b, b->event, trace_ctx_full(trace_callers_word()));
	if (event_filter_lets(b->trace_file, b->event))
		return keep_filtered(b);
	trace_beside_end();
}

/* Its fields are all that it needs. */
static void commit_filtered_texts(struct trace_event_buffer *b, const struct event_filter *filter)
{
	bool yes = event_filter_asks(filter, b->event);

	event_filter_count(filter, yes);
	if (yes)
		return keep_filtered(b);
	trace_beside_end();
}

/* It asks more than numbers. */
static noinline void commit_filtered_more(struct trace_event_buffer *b,
					  const struct event_filter *filter)
{
	if (filter->needs == PREDICATE_MORE)
		commit_filtered_texts(b, filter);
	else
		commit_filtered_whole(b);
}

static __always_inline void commit_filtered(struct trace_event_buffer *b)
{
	/* The tracepoint has preemption off. */
	const struct event_filter *filter = rcu_dereference_raw(b->trace_file->filter);

	if (unlikely(filter->needs))
		return commit_filtered_more(b, filter);
	if (predicate_match_numbers(filter->p, b->event)) {
		event_filter_count(filter, true);
		return keep_filtered(b);
	}
	event_filter_count(filter, false);
	trace_beside_end();
}

static noinline void commit_rarely(struct trace_event_buffer *b, unsigned long probe)
{
	if (b->kind == LONG)
		rb_commit_long(b->cpu);
	else
		commit_general(b, probe);
}

static __always_inline void commit_unusual(struct trace_event_buffer *b)
{
	if (likely(b->kind == FILTERED))
		return commit_filtered(b);
	if (b->kind == UNRECORDED)
		return commit_unrecorded(b, _RET_IP_);
	commit_rarely(b, _RET_IP_);
}

void trace_event_buffer_commit(struct trace_event_buffer *b)
{
	struct rb_cpu *cb;

	if (unlikely(b->kind != STRAIGHT))
		return commit_unusual(b);
	cb = b->cpu;
	if (unlikely(!rb_commit_straight(cb, b->next)))
		rb_commit_rest(cb);
}
EXPORT_SYMBOL_GPL(trace_event_buffer_commit);
