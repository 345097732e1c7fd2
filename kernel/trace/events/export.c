// SPDX-License-Identifier: GPL-2.0
/*
 * Events and exporters: while an exporter wants events, each event has EVENT_HOW_EXPORT. No
 * record takes the fast path then, because the fast path does not export.
 */
#include <linux/cleanup.h>
#include <linux/init.h>
#include <linux/types.h>

#include "boot.h"
#include "events.h"
#include "internal.h"
#include "record/export.h"

/* Note that an exporter of events was registered (@added) or unregistered. */
static void event_export_note_exporter(bool added)
{
	guard(mutex)(&events_lock);
	if (added)
		events_how_get(EVENT_HOW_EXPORT);
	else
		events_how_put(EVENT_HOW_EXPORT);
}

void __init event_export_boot(void)
{
	trace_export_follow_events(event_export_note_exporter);
}
