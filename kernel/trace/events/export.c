// SPDX-License-Identifier: GPL-2.0
/*
 * Events for those who have records exported: as long as there is one, no record goes the
 * straight way, which has nothing about them.
 */
#include <linux/cleanup.h>
#include <linux/init.h>
#include <linux/list.h>
#include <linux/mutex.h>

#include "events.h"
#include "record/export.h"

unsigned int event_export_how(void)
{
	return trace_export_wants_events() ? EVENT_HOW_EXPORT : 0;
}

/* Asked for with the lock: who comes last has seen the last change. */
static void tell_all(void)
{
	struct instance_events *in;
	struct trace_event_file *file;

	guard(mutex)(&events_lock);
	list_for_each_entry(in, &all_instance_events, node)
		list_for_each_entry(file, &in->files, node)
			event_how_set(file, EVENT_HOW_EXPORT, event_export_how());
}

void __init event_export_boot(void)
{
	trace_export_follow_events(tell_all);
}
