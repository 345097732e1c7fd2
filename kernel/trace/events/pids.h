/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events and the tasks that an instance follows: pids.c.
 */
#ifndef _KERNEL_TRACE_EVENTS_PIDS_H
#define _KERNEL_TRACE_EVENTS_PIDS_H

#include <linux/jump_label.h>
#include <linux/trace_events.h>
#include <linux/types.h>

#include "events.h"
#include "tasks/pids.h"

/**
 * event_pids_follow - an event of an instance is being made: see to the tasks it is about
 * @file: the event in the instance
 *
 * Context: may sleep; events_lock held.
 */
void event_pids_follow(struct trace_event_file *file);

/**
 * event_pids_let - does the instance follow a task that the record is about
 * @file: the event in the instance, which has EVENT_HOW_PIDS
 * @rec: the record, complete
 *
 * Context: the probe; preemption off.
 */
bool event_pids_let(const struct trace_event_file *file, const void *rec);

/**
 * event_pids_find - find out whether an event is about two tasks
 * @file: the event, in an instance or elsewhere: &trace_event_file.other_pid is set if it is
 *
 * Context: any, before its probe is called.
 */
void event_pids_find(struct trace_event_file *file);

/**
 * event_is_of_two - is it an event of two tasks, while some instance follows tasks
 * @file: the event, in an instance or elsewhere
 *
 * Costs a nop while none does.
 *
 * Context: the probe; preemption off.
 * Return: true if what it makes happen has to stand between event_pids_begin() and
 * trace_pids_two_end().
 */
static __always_inline bool event_is_of_two(const struct trace_event_file *file)
{
	return static_branch_unlikely(&trace_event_pids_key) && file->other_pid;
}

/* @file: event_is_of_two(); @rec: its record, complete. Context: as trace_pids_two_begin(). */
void event_pids_begin(const struct trace_event_file *file, const void *rec);

/* event_trigger_ops->hit() of an event of two tasks, with a record. */
void event_pids_hit(struct action_hit *hit, unsigned int when);

/* event_trigger_ops->hit() of any event. */
static __always_inline void event_hit(struct action_hit *hit, unsigned int when)
{
	if (event_is_of_two(hit->file) && hit->rec)
		event_pids_hit(hit, when);
	else
		event_trigger_ops->hit(hit, when);
}

/* Boot, before there are instances. */
void event_pids_setup(void);

#endif /* _KERNEL_TRACE_EVENTS_PIDS_H */
