// SPDX-License-Identifier: GPL-2.0
/*
 * Events that users make come and go.
 */
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/lockdep.h>
#include <linux/trace_events.h>

#include "dynevent.h"

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

int dyn_events_clear(const struct dyn_event_kind *kind)
{
	struct dyn_event *ev, *next;
	int err = 0;

	guard(mutex)(&dyn_events_lock);
	if (any_busy(kind))
		return -EBUSY;
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
