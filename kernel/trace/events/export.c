// SPDX-License-Identifier: GPL-2.0
/*
 * Events for those who have records exported: as long as there is one, no record goes the
 * straight way, which has nothing about them.
 */
#include <linux/init.h>

#include "events.h"
#include "record/export.h"

unsigned int event_export_how(void)
{
	return trace_export_wants_events() ? EVENT_HOW_EXPORT : 0;
}

static void tell_all(void)
{
	events_how_set(EVENT_HOW_EXPORT, event_export_how);
}

void __init event_export_boot(void)
{
	trace_export_follow_events(tell_all);
}
