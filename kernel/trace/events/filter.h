/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Filters of events: they select the records that an instance keeps, and count them. Without a
 * filter, nothing counts the hits of an event.
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
#include <linux/compiler.h>
#include <linux/types.h>

#include "predicate/match.h"
#include "predicate/predicate.h"

struct event;
struct event_filter_counts;
struct trace_array;

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
 * event_filter_log_error - log an error in a filter
 * @tr: instance whose error_log gets it
 * @text: the filter
 * @why: the error, from event_filter_make()
 *
 * Context: may sleep.
 */
void event_filter_log_error(struct trace_array *tr, const char *text,
			    const struct predicate_error *why);

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

#endif /* _KERNEL_TRACE_EVENTS_FILTER_H */
