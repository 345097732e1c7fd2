/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Private to events/: the kinds of records, and what record.c, which has the fast paths, and
 * record_general.c, which has the general path, know of each other.
 */
#ifndef _KERNEL_TRACE_EVENTS_RECORD_KINDS_H
#define _KERNEL_TRACE_EVENTS_RECORD_KINDS_H

#include <linux/compiler.h>
#include <linux/trace_events.h>
#include <linux/types.h>

#include "events.h"

struct task_struct;

/* How a record is made: values of &trace_event_buffer.kind. The table in record.c says when. */
enum {
	RECORD_FAST,		/* in the buffer, by rb_reserve_inline() */
	RECORD_LONG,		/* in the buffer, by rb_reserve_slow() */
	RECORD_FILTERED,	/* scratch record of a task, for the filter */
	RECORD_BUFFER_GUARDED,	/* in the buffer, inside the recursion guard */
	RECORD_SCRATCH_GUARDED,	/* scratch record, inside the recursion guard */
	RECORD_CONSUMER,	/* memory of another consumer, by &event_other_consumers.reserve */
	RECORD_TRIGGERS_ONLY,	/* scratch record that only triggers read */
};

/*
 * Begin a record that another consumer (&struct event_other_consumers) takes in place of an
 * instance. @count, @task and @inside are stored in the members of @b with these names.
 */
static __always_inline void *event_reserve_consumer(struct trace_event_buffer *b, u64 count,
						    struct task_struct *task, bool inside)
{
	b->kind = RECORD_CONSUMER;
	b->inside = inside;
	b->count = count;
	b->task = task;
	/* perf replaces it when programs are attached to the event, or detached. */
	return READ_ONCE(b->trace_file->other_consumers)->reserve(b);
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
 * True if the event is off and only its triggers want the record. With EVENT_HOW_TOGGLES one of
 * the triggers may switch recording on, and then the event needs a record.
 */
static __always_inline bool event_only_has_triggers(const struct trace_event_file *file,
						    unsigned int how)
{
	how &= EVENT_HOW_TRIGGERS | EVENT_HOW_TOGGLES | EVENT_HOW_PIDS | EVENT_HOW_OTHER_CONSUMERS;
	return how == EVENT_HOW_TRIGGERS && !event_is_soft_enabled(file);
}

/**
 * event_reserve_general - begin a record in any context, for any combination of EVENT_HOW_* bits
 * @b: @trace_file and @len are set
 * @word: trace_preempt_word() of the event
 *
 * Context: the probe; preemption off.
 * Return: the record, its header filled in; NULL if none is to be made.
 */
void *event_reserve_general(struct trace_event_buffer *b, unsigned int word);

/**
 * event_commit_general - end a record of event_reserve_general()
 * @b: the record
 * @probe: an address in the probe
 *
 * Context: as for event_reserve_general().
 */
void event_commit_general(struct trace_event_buffer *b, unsigned long probe);

/**
 * event_reserve_guarded - begin a record that is not for another consumer, inside the guard
 * @b: @trace_file and @len are set
 * @word: trace_preempt_word() of the event
 *
 * Context: the probe; preemption off; inside the recursion guard until event_commit_guarded().
 * Return: the record, its header filled in; NULL if none is to be made.
 */
void *event_reserve_guarded(struct trace_event_buffer *b, unsigned int word);

/* Ends a record of kind RECORD_BUFFER_GUARDED: see event_commit_guarded(). */
void event_commit_guarded_buffer(struct trace_event_buffer *b, unsigned long probe);

/* Ends a record of kind RECORD_SCRATCH_GUARDED: see event_commit_guarded(). */
void event_commit_guarded_scratch(struct trace_event_buffer *b, unsigned long probe);

/**
 * event_commit_guarded - end a record of event_reserve_guarded()
 * @b: the record
 * @probe: an address in the probe
 *
 * Context: as for event_reserve_guarded().
 */
static inline void event_commit_guarded(struct trace_event_buffer *b, unsigned long probe)
{
	if (b->kind == RECORD_SCRATCH_GUARDED)
		event_commit_guarded_scratch(b, probe);
	else
		event_commit_guarded_buffer(b, probe);
}

#endif /* _KERNEL_TRACE_EVENTS_RECORD_KINDS_H */
