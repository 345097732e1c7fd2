/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Filters of events: which records an instance keeps, and how many these were.
 *
 *	# echo 'prev_pid != 0' > events/sched/sched_switch/filter
 *	# cat events/sched/sched_switch/filter_stats
 *	passed: 131
 *	held back: 97
 *
 * What is asked is understood by predicate/. Triggers and perf have filters of their own.
 */
#ifndef _KERNEL_TRACE_EVENTS_FILTER_H
#define _KERNEL_TRACE_EVENTS_FILTER_H

#include <linux/bits.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/trace_events.h>

#include "predicate/match.h"
#include "predicate/predicate.h"

struct event;
struct event_system;
struct seq_file;

/**
 * event_filter_set - choose which records of an event an instance keeps
 * @file: the event in the instance
 * @text: what is asked of a record; "0" for all
 *
 * What makes no sense is shown by the file, with what was wrong, and logged; the filter that
 * there was holds.
 *
 * Context: may sleep; events_lock held.
 * Return: 0, or as predicate_compile().
 */
int event_filter_set(struct trace_event_file *file, const char *text);

/* Keep all. Context: likewise. */
void event_filter_clear(struct trace_event_file *file);

/**
 * event_system_filter_set - the same for all events of a system that have the fields
 * @system: the system in an instance
 * @text: as there; "0" for all events
 *
 * Context: may sleep; events_lock held.
 * Return: 0; -EINVAL if no event has them; -ENOMEM: some events may have it.
 */
int event_system_filter_set(struct event_system *system, const char *text);

/* What the files read as. */
void event_filter_show(struct seq_file *m, struct trace_event_file *file);
void event_filter_show_counts(struct seq_file *m, struct trace_event_file *file);
void event_system_filter_show(struct seq_file *m, const struct event_system *system);

/**
 * struct event_filter_counts - what has become of the records of a CPU; they wrap
 * @passed: those that were let pass
 * @held: those that were held back
 */
struct event_filter_counts {
	unsigned long		passed;
	unsigned long		held;
};

/* &event_filter.needs, besides PREDICATE_*: it is event_no_filter. */
#define EVENT_FILTER_NONE	BIT(31)

/**
 * struct event_filter - a filter of records of an event
 * @p: what it asks
 * @needs: PREDICATE_*, EVENT_FILTER_NONE
 * @counts: of an event in an instance; NULL where nobody asks
 * @rcu: frees it
 */
struct event_filter {
	struct predicate	*p;
	unsigned int		needs;
	struct event_filter_counts __percpu *counts;
	struct rcu_head		rcu;
};

/* What an event in an instance has that has none. */
extern struct event_filter event_no_filter;

/**
 * event_filter_make - understand a filter
 * @event: of whose records
 * @text: what is asked of them
 * @why: filled in when it is not understood
 *
 * Context: may sleep.
 * Return: the filter, to be freed by event_filter_free(); or as predicate_compile().
 */
struct event_filter *event_filter_make(const struct event *event, const char *text,
				       struct predicate_error *why);

/**
 * event_filter_free - the end of a filter that nobody asks any more
 * @filter: from event_filter_make()
 *
 * Context: may sleep.
 */
void event_filter_free(struct event_filter *filter);

/* What is behind event_filter_asks() when it asks of more than numbers. */
bool event_filter_asks_more(const struct event_filter *filter, const void *rec);

/**
 * event_filter_asks - does a record fit
 * @filter: what is asked
 * @rec: the record, complete
 *
 * Context: any, preemption off.
 */
static __always_inline bool event_filter_asks(const struct event_filter *filter, const void *rec)
{
	if (unlikely(filter->needs & PREDICATE_MORE))
		return event_filter_asks_more(filter, rec);
	return predicate_match_numbers(filter->p, rec);
}

/* Context: any, NMI included; preemption off. */
static __always_inline void event_filter_count(const struct event_filter *filter, bool passed)
{
	if (passed)
		this_cpu_inc(filter->counts->passed);
	else
		this_cpu_inc(filter->counts->held);
}

/**
 * event_filter_lets - is a record to be kept
 * @file: the event in the instance
 * @rec: the record, complete
 *
 * The answer is counted.
 *
 * Context: the probe; preemption off.
 */
static __always_inline bool event_filter_lets(const struct trace_event_file *file,
					      const void *rec)
{
	/* The tracepoint has preemption off. */
	const struct event_filter *filter = rcu_dereference_raw(file->filter);
	bool yes;

	/* Taken away meanwhile. */
	if (unlikely(filter->needs & EVENT_FILTER_NONE))
		return true;
	yes = event_filter_asks(filter, rec);
	event_filter_count(filter, yes);
	return yes;
}

#endif /* _KERNEL_TRACE_EVENTS_FILTER_H */
