// SPDX-License-Identifier: GPL-2.0
/*
 * Executing the triggers of an event: called by its probe, in any context, with preemption
 * off, inside the guard. Nothing here may sleep, lock or allocate.
 */
#include <linux/rculist.h>

#include "events/events.h"
#include "events/filter.h"
#include "internal.h"

static bool trigger_applies(struct trigger *t, const void *rec, unsigned int when)
{
	if (!(t->when & when) || t->reads & when)
		return false;
	if (!t->filter)
		return true;
	if (likely(rec))
		return event_filter_match(t->filter, rec);
	t->kind->miss(t);
	return false;
}

void trigger_hit(struct action_hit *hit, unsigned int when)
{
	struct event_triggers *triggers = rcu_dereference_sched(hit->file->triggers);
	struct trigger *t;

	/* The last trigger may have been removed meanwhile. */
	if (!triggers)
		return;
	list_for_each_entry_rcu(t, &triggers->list, node, true)
		if (trigger_applies(t, hit->rec, when))
			t->kind->hit(t, hit);
}

void triggers_miss(struct trace_event_file *file)
{
	struct event_triggers *triggers = rcu_dereference_sched(file->triggers);
	struct trigger *t;

	if (!triggers)
		return;
	list_for_each_entry_rcu(t, &triggers->list, node, true)
		t->kind->miss(t);
}

void triggers_pause(struct trace_event_file *file, bool on)
{
	struct event_triggers *triggers = rcu_dereference_sched(file->triggers);
	struct trigger *t;

	if (!triggers)
		return;
	list_for_each_entry_rcu(t, &triggers->list, node, true)
		if (t->kind->pause)
			t->kind->pause(t, on);
}
