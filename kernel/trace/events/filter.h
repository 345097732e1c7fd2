/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Filters of events: they select the records that an instance keeps, and count them.
 *
 *	# echo 'prev_pid != 0' > events/sched/sched_switch/filter
 *	# cat events/sched/sched_switch/filter_stats
 *	passed: 131
 *	held back: 97
 *
 * Expressions are parsed by predicate/. Triggers and perf have filters of their own.
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
 * event_filter_set - set the filter of an event in an instance
 * @file: the event in the instance
 * @text: the expression; "0" removes the filter
 *
 * An error in the expression is logged and shown by the file filter; the previous filter stays in
 * use.
 *
 * Context: may sleep; events_lock held.
 * Return: 0, or as predicate_compile().
 */
int event_filter_set(struct trace_event_file *file, const char *text);

/**
 * event_filter_clear - remove the filter of an event in an instance
 * @file: the event in the instance
 *
 * Context: may sleep; events_lock held.
 */
void event_filter_clear(struct trace_event_file *file);

/**
 * event_system_filter_set - set the filter of all events of a system that have its fields
 * @system: the system in an instance
 * @text: the expression; "0" removes the filters of all events of the system
 *
 * Context: may sleep; events_lock held.
 * Return: 0; -EINVAL if no event has the fields; -ENOMEM: some events may have the new filter.
 */
int event_system_filter_set(struct event_system *system, const char *text);

/**
 * event_filter_show - print the content of the file filter of an event
 * @m: destination
 * @file: the event in the instance
 *
 * Context: may sleep; events_lock held.
 */
void event_filter_show(struct seq_file *m, struct trace_event_file *file);

/**
 * event_filter_show_counts - print the content of the file filter_stats of an event
 * @m: destination
 * @file: the event in the instance
 *
 * Context: may sleep; events_lock held.
 */
void event_filter_show_counts(struct seq_file *m, struct trace_event_file *file);

/**
 * event_system_filter_show - print the content of the file filter of a system
 * @m: destination
 * @system: the system in the instance
 *
 * Context: may sleep; events_lock held.
 */
void event_system_filter_show(struct seq_file *m, const struct event_system *system);

/**
 * struct event_filter_counts - number of records of a CPU that a filter has seen
 * @passed: records that passed; wraps
 * @held: records that were held back; wraps
 */
struct event_filter_counts {
	unsigned long		passed;
	unsigned long		held;
};

/* A bit of &event_filter.needs besides PREDICATE_*, which only event_no_filter has. */
#define EVENT_FILTER_NONE	BIT(31)

/**
 * struct event_filter - a filter of records of an event
 * @p: the compiled expression
 * @needs: PREDICATE_*, EVENT_FILTER_NONE
 * @counts: counts of an event in an instance, per CPU; NULL where no file shows them
 * @rcu: frees the filter
 */
struct event_filter {
	struct predicate	*p;
	unsigned int		needs;
	struct event_filter_counts __percpu *counts;
	struct rcu_head		rcu;
};

/* The filter of each event in an instance that has no filter. */
extern struct event_filter event_no_filter;

/**
 * event_filter_make - compile a filter
 * @event: the event whose records are filtered
 * @text: the expression
 * @why: filled in if the expression is wrong
 *
 * Context: may sleep.
 * Return: the filter, to be freed by event_filter_free(); or as predicate_compile().
 */
struct event_filter *event_filter_make(const struct event *event, const char *text,
				       struct predicate_error *why);

/**
 * event_filter_free - free a filter that is not in use any more
 * @filter: from event_filter_make()
 *
 * Context: may sleep.
 */
void event_filter_free(struct event_filter *filter);

/**
 * event_filter_match_more - test a record against a filter that compares more than numbers
 * @filter: the filter
 * @rec: the record, complete
 *
 * The slow path of event_filter_match().
 *
 * Context: any, NMI included; preemption off.
 * Return: true if the record matches.
 */
bool event_filter_match_more(const struct event_filter *filter, const void *rec);

/**
 * event_filter_match - test a record against a filter
 * @filter: the filter
 * @rec: the record, complete
 *
 * Context: any, preemption off.
 * Return: true if the record matches.
 */
static __always_inline bool event_filter_match(const struct event_filter *filter, const void *rec)
{
	if (unlikely(filter->needs & PREDICATE_MORE))
		return event_filter_match_more(filter, rec);
	return predicate_match_numbers(filter->p, rec);
}

/**
 * event_filter_count - count a record that a filter has seen
 * @filter: the filter of an event in an instance
 * @passed: whether the record passed
 *
 * Context: any, NMI included; preemption off.
 */
static __always_inline void event_filter_count(const struct event_filter *filter, bool passed)
{
	if (passed)
		this_cpu_inc(filter->counts->passed);
	else
		this_cpu_inc(filter->counts->held);
}

/**
 * event_filter_pass - test a record against the filter of an event, and count it
 * @file: the event in the instance
 * @rec: the record, complete
 *
 * Context: the probe; preemption off.
 * Return: true if the record is to be kept.
 */
static __always_inline bool event_filter_pass(const struct trace_event_file *file,
					      const void *rec)
{
	/* rcu_dereference_raw(): the tracepoint has disabled preemption. */
	const struct event_filter *filter = rcu_dereference_raw(file->filter);
	bool yes;

	/* The filter has been removed since EVENT_HOW_FILTER was read. */
	if (unlikely(filter->needs & EVENT_FILTER_NONE))
		return true;
	yes = event_filter_match(filter, rec);
	event_filter_count(filter, yes);
	return yes;
}

#endif /* _KERNEL_TRACE_EVENTS_FILTER_H */
