// SPDX-License-Identifier: GPL-2.0
/*
 * Events and exporters: while an exporter wants events, each event has EVENT_HOW_EXPORT. No
 * record takes the fast path then, because the fast path does not export.
 */
#include <linux/init.h>

#include "boot.h"
#include "events.h"
#include "internal.h"
#include "record/export.h"

unsigned int event_export_how(void)
{
	return trace_export_wants_events() ? EVENT_HOW_EXPORT : 0;
}

static void event_export_update(void)
{
	events_how_set(EVENT_HOW_EXPORT, event_export_how);
}

void __init event_export_boot(void)
{
	trace_export_follow_events(event_export_update);
}
