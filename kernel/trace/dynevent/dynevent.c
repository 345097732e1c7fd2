// SPDX-License-Identifier: GPL-2.0
/*
 * Events that users make come and go.
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

/* What it protects, and where it stands, is told in dynevent.h. */
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

static bool is_of(const struct dyn_event *ev, const struct dyn_event_kind *kind)
{
	return !kind || ev->kind == kind;
}

static bool any_busy(const struct dyn_event_kind *kind)
{
	struct dyn_event *ev;

	list_for_each_entry(ev, &all_dyn_events, node)
		if (is_of(ev, kind) && ev->kind->is_busy(ev))
			return true;
	return false;
}

/* Their calls into @calls, if it is not NULL. Return: how many. */
static unsigned int calls_of(const struct dyn_event_kind *kind, struct trace_event_call **calls)
{
	struct dyn_event *ev;
	unsigned int nr = 0;

	list_for_each_entry(ev, &all_dyn_events, node) {
		if (!is_of(ev, kind) || !ev->kind->call)
			continue;
		if (calls)
			calls[nr] = ev->kind->call(ev);
		nr++;
	}
	return nr;
}

/*
 * Whoever takes an event away waits for who makes records of it, and for who prints them. So
 * those of all go together; without memory each goes, and waits, by itself.
 */
static int remove_calls(const struct dyn_event_kind *kind)
{
	unsigned int nr = calls_of(kind, NULL);
	struct trace_event_call **calls;
	int err;

	calls = nr ? kvmalloc_array(nr, sizeof(*calls), GFP_KERNEL) : NULL;
	if (!calls)
		return 0;
	calls_of(kind, calls);
	err = event_calls_remove(calls, nr);
	kvfree(calls);
	return err;
}

int dyn_events_clear(const struct dyn_event_kind *kind)
{
	struct dyn_event *ev, *next;
	int err;

	guard(mutex)(&dyn_events_lock);
	if (any_busy(kind))
		return -EBUSY;
	err = remove_calls(kind);
	if (err)
		return err;
	list_for_each_entry_safe(ev, next, &all_dyn_events, node) {
		if (is_of(ev, kind))
			err = ev->kind->remove(ev);
		if (err)
			break;
	}
	return err;
}

/**
 * dynevent_create - make the event that a command says
 * @cmd: the command, complete
 *
 * Context: process, may sleep.
 * Return: 0; -E2BIG if the command was longer than there was room for; or why there can be no
 * such event.
 */
int dynevent_create(struct dynevent_cmd *cmd)
{
	return seq_buf_has_overflowed(&cmd->seq) ? -E2BIG : cmd->run_command(cmd);
}
EXPORT_SYMBOL_GPL(dynevent_create);
