/* SPDX-License-Identifier: GPL-2.0 */
/* Events that are about two tasks, and the tasks that an instance follows. */
#ifndef _KERNEL_TRACE_EVENTS_PIDS_H
#define _KERNEL_TRACE_EVENTS_PIDS_H

#include <linux/jump_label.h>
#include <linux/trace_events.h>
#include <linux/types.h>

#include "events.h"
#include "tasks/pids.h"

/**
 * event_pids_find - set &trace_event_file.other_pid if an event is about two tasks
 * @file: the event in an instance, or the file that another consumer has for the event
 *
 * Context: any, before the probe of the event is registered.
 */
void event_pids_find(struct trace_event_file *file);

/**
 * event_has_two_tasks - test whether an event is about two tasks while any instance follows tasks
 * @file: the event in an instance, or the file that another consumer has for the event
 *
 * A nop while no instance follows tasks.
 *
 * Context: the probe; preemption off.
 * Return: true if what the event causes has to be enclosed by event_pids_begin() and
 * trace_pids_two_end().
 */
static __always_inline bool event_has_two_tasks(const struct trace_event_file *file)
{
	return static_branch_unlikely(&trace_event_pids_key) && file->other_pid;
}

/**
 * event_pids_begin - begin what an event about two tasks causes
 * @file: the event, for which event_has_two_tasks() is true
 * @rec: the record, complete
 *
 * Context: as for trace_pids_two_begin().
 */
void event_pids_begin(const struct trace_event_file *file, const void *rec);

#endif /* _KERNEL_TRACE_EVENTS_PIDS_H */
