// SPDX-License-Identifier: GPL-2.0
/*
 * Events and the tasks that an instance follows (set_event_pid, set_event_notrace_pid).
 *
 * Most events are about the task in which they happen: their probes find that it is not
 * followed where they find that nothing is recorded. A few are about another one as well,
 * and who follows that one wants them too: these are asked about when the record, which
 * says who it is, is complete. So is what they make happen, in any instance: an event that
 * comes of it, by a histogram or by a probe of the event, is about the same two.
 */
#include <linux/cleanup.h>
#include <linux/kernel.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "events.h"
#include "pids.h"
#include "tasks/pids.h"

/* Events, the field that names the other task, and whether it is switched to. */
struct of_two {
	const char	*event;
	const char	*field;
	bool		switches;
};

static const struct of_two of_two[] = {
	{ "sched_switch",	"next_pid", true },
	{ "sched_waking",	"pid" },
	{ "sched_wakeup",	"pid" },
	{ "sched_wakeup_new",	"pid" },
};

/* By the tracepoint: a module may have fields of its own for it, in a system of its own. */
static const struct of_two *find_of_two(const struct event *event)
{
	if (!(event->call->flags & (TRACE_EVENT_FL_TRACEPOINT | TRACE_EVENT_FL_CUSTOM)))
		return NULL;
	for (unsigned int i = 0; i < ARRAY_SIZE(of_two); i++)
		if (!strcmp(event->type.name, of_two[i].event))
			return &of_two[i];
	return NULL;
}

static unsigned int offset_of(const struct event *event, const char *field)
{
	const struct trace_event_fields *f;
	unsigned int at;

	f = record_field_find(event->type.fields, field, strlen(field), &at);
	return f && f->size == sizeof(pid_t) ? at : 0;
}

static bool has_lists(struct trace_array *tr)
{
	return trace_pids_set(tr, TRACE_EVENT_PIDS) || trace_pids_set(tr, TRACE_EVENT_NO_PIDS);
}

void event_pids_find(struct trace_event_file *file)
{
	const struct of_two *two = find_of_two(file->event);

	if (!two)
		return;
	file->other_pid = offset_of(file->event, two->field);
	file->switches = two->switches;
}

void event_pids_follow(struct trace_event_file *file)
{
	event_pids_find(file);
	if (!file->other_pid)
		return;
	file->word = &file->tr->cpus->events_of_two.any;
	if (has_lists(file->tr))
		file->how |= EVENT_HOW_PIDS;
}

static pid_t other_of(const struct trace_event_file *file, const void *rec)
{
	return *(const pid_t *)(rec + file->other_pid);
}

bool event_pids_let(const struct trace_event_file *file, const void *rec)
{
	return !trace_pids_exclude_two(file->tr, other_of(file, rec), file->switches);
}

void event_pids_begin(const struct trace_event_file *file, const void *rec)
{
	trace_pids_two_begin(other_of(file, rec), file->switches);
}

void event_pids_hit(struct action_hit *hit, unsigned int when)
{
	event_pids_begin(hit->file, hit->rec);
	event_trigger_ops->hit(hit, when);
	trace_pids_two_end();
}

static void lists_changed(struct trace_array *tr, bool on)
{
	struct trace_event_file *file;

	guard(mutex)(&events_lock);
	list_for_each_entry(file, &events_of(tr)->files, node)
		if (file->other_pid)
			event_how_set(file, EVENT_HOW_PIDS, on);
}

void event_pids_setup(void)
{
	trace_pids_follow_events(lists_changed);
}
