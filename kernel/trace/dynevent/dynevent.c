// SPDX-License-Identifier: GPL-2.0
/*
 * The list of all dynamic events, and the removal of many of them at once.
 */
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/lockdep.h>
#include <linux/slab.h>
#include <linux/trace_events.h>

#include "dynevent.h"
#include "events/events.h"

/* Protection and lock order: see dynevent.h. */
DEFINE_MUTEX(dyn_events_lock);
LIST_HEAD(all_dyn_events);

void dyn_event_add(struct dyn_event *ev, const struct dyn_event_kind *kind)
{
	lockdep_assert_held(&dyn_events_lock);
	ev->kind = kind;
	list_add_tail(&ev->node, &all_dyn_events);
}

void dyn_event_del(struct dyn_event *ev)
{
	lockdep_assert_held(&dyn_events_lock);
	list_del(&ev->node);
}

static bool dyn_event_is_kind(const struct dyn_event *ev, const struct dyn_event_kind *kind)
{
	return !kind || ev->kind == kind;
}

static bool dyn_events_any_busy(const struct dyn_event_kind *kind)
{
	struct dyn_event *ev;

	list_for_each_entry(ev, &all_dyn_events, node)
		if (dyn_event_is_kind(ev, kind) && ev->kind->is_busy(ev))
			return true;
	return false;
}

/* Store the event calls of a kind in @calls, if @calls is not NULL. Return: number of calls. */
static unsigned int dyn_events_collect_calls(const struct dyn_event_kind *kind,
					     struct trace_event_call **calls)
{
	struct dyn_event *ev;
	unsigned int nr = 0;

	list_for_each_entry(ev, &all_dyn_events, node) {
		if (!dyn_event_is_kind(ev, kind) || !ev->kind->call)
			continue;
		if (calls)
			calls[nr] = ev->kind->call(ev);
		nr++;
	}
	return nr;
}

/*
 * Unregistering an event call waits for all users that make or print records of the event. To
 * wait only once, the calls of all events are unregistered together. Without memory for that,
 * each &dyn_event_kind.remove unregisters its own call, and waits.
 */
static int dyn_events_remove_calls(const struct dyn_event_kind *kind)
{
	unsigned int nr = dyn_events_collect_calls(kind, NULL);
	struct trace_event_call **calls;
	int err;

	calls = nr ? kvmalloc_array(nr, sizeof(*calls), GFP_KERNEL) : NULL;
	if (!calls)
		return 0;
	dyn_events_collect_calls(kind, calls);
	err = event_calls_remove(calls, nr);
	kvfree(calls);
	return err;
}

int dyn_events_clear(const struct dyn_event_kind *kind)
{
	struct dyn_event *ev, *next;
	int err;

	guard(mutex)(&dyn_events_lock);
	if (dyn_events_any_busy(kind))
		return -EBUSY;
	err = dyn_events_remove_calls(kind);
	if (err)
		return err;
	list_for_each_entry_safe(ev, next, &all_dyn_events, node) {
		if (dyn_event_is_kind(ev, kind))
			err = ev->kind->remove(ev);
		if (err)
			break;
	}
	return err;
}

/**
 * dynevent_create - create the event that a command describes
 * @cmd: the complete command
 *
 * Context: process, may sleep.
 * Return: 0; -E2BIG if the command did not fit into its buffer; or the errno with which the event
 * was refused.
 */
int dynevent_create(struct dynevent_cmd *cmd)
{
	return seq_buf_has_overflowed(&cmd->seq) ? -E2BIG : cmd->run_command(cmd);
}
EXPORT_SYMBOL_GPL(dynevent_create);
