// SPDX-License-Identifier: GPL-2.0
/*
 * Events and the tasks that an instance follows (set_event_pid, set_event_notrace_pid).
 *
 * Most events are about the current task only: their probes find in &trace_event_head.stopped
 * that it is not followed. A few events are about a second task as well, and are wanted if that
 * one is followed. They are tested when the record is complete, because the record has the PID of
 * the second task. What they cause, in any instance, is tested in the same way: an event made
 * from such an event, by a histogram or by an eprobe, is about the same two tasks.
 */
#include <linux/cleanup.h>
#include <linux/kernel.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "events.h"
#include "internal.h"
#include "pids.h"
#include "tasks/pids.h"

/**
 * struct two_task_event - an event about two tasks
 * @event: its name
 * @field: name of the field with the PID of the second task
 * @switches: true if the CPU switches from the current task to the second one
 */
struct two_task_event {
	const char	*event;
	const char	*field;
	bool		switches;
};

static const struct two_task_event two_task_events[] = {
	{ "sched_switch",	"next_pid", true },
	{ "sched_waking",	"pid" },
	{ "sched_wakeup",	"pid" },
	{ "sched_wakeup_new",	"pid" },
};

/*
 * Only events of tracepoints can be about two tasks. Their system is not compared: a module may add
 * a custom event for one of these tracepoints, with fields of its own, in another system.
 */
static const struct two_task_event *event_find_two_task(const struct event *event)
{
	if (!(event->call->flags & (TRACE_EVENT_FL_TRACEPOINT | TRACE_EVENT_FL_CUSTOM)))
		return NULL;
	for (unsigned int i = 0; i < ARRAY_SIZE(two_task_events); i++)
		if (!strcmp(event->type.name, two_task_events[i].event))
			return &two_task_events[i];
	return NULL;
}

static unsigned int event_pid_offset(const struct event *event, const char *field)
{
	const struct trace_event_fields *f;
	unsigned int at;

	f = record_field_find(event->type.fields, field, strlen(field), &at);
	return f && f->size == sizeof(pid_t) ? at : 0;
}

static bool event_pids_has_lists(struct trace_array *tr)
{
	return trace_pids_are_set(tr, TRACE_EVENT_PIDS) ||
	       trace_pids_are_set(tr, TRACE_EVENT_NO_PIDS);
}

void event_pids_find(struct trace_event_file *file)
{
	const struct two_task_event *two = event_find_two_task(file->event);

	if (!two)
		return;
	file->other_pid = event_pid_offset(file->event, two->field);
	file->switches = two->switches;
}

void event_pids_follow(struct trace_event_file *file)
{
	event_pids_find(file);
	if (!file->other_pid)
		return;
	file->word = &file->tr->cpus->events_two_tasks.any;
	if (event_pids_has_lists(file->tr))
		file->how |= EVENT_HOW_PIDS;
}

static pid_t event_pids_other(const struct trace_event_file *file, const void *rec)
{
	return *(const pid_t *)(rec + file->other_pid);
}

bool event_pids_pass(const struct trace_event_file *file, const void *rec)
{
	return !trace_pids_exclude_two(file->tr, event_pids_other(file, rec), file->switches);
}

void event_pids_begin(const struct trace_event_file *file, const void *rec)
{
	trace_pids_two_begin(event_pids_other(file, rec), file->switches);
}

void event_pids_hit(struct action_hit *hit, unsigned int when)
{
	event_pids_begin(hit->file, hit->rec);
	event_trigger_ops->hit(hit, when);
	trace_pids_two_end();
}

static void event_pids_lists_changed(struct trace_array *tr, bool on)
{
	struct trace_event_file *file;

	guard(mutex)(&events_lock);
	list_for_each_entry(file, &events_of(tr)->files, node)
		if (file->other_pid)
			event_how_set(file, EVENT_HOW_PIDS, on);
}

void event_pids_setup(void)
{
	trace_pids_follow_events(event_pids_lists_changed);
}
