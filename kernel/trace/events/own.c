// SPDX-License-Identifier: GPL-2.0
/*
 * What is written to trace_marker, as an event that makes other things happen: ftrace:print.
 * It is no event that could be switched: it has a format, and triggers.
 */
#include <linux/string.h>

#include "events.h"
#include "filter.h"
#include "messages/marker.h"

/* Nobody has to be told: see told(). */
static int reg(struct trace_event_call *call, enum trace_reg what, void *data)
{
	return 0;
}

static struct trace_event_class print_class = { .system = "ftrace", .reg = reg };

static struct trace_event_call print_call = {
	.class		= &print_class,
	.name		= "print",
	.event.type	= TRACE_PRINT,
};

static struct event print_event = { .call = &print_call };

static bool is_wanted(const struct trace_array *tr)
{
	return rcu_access_pointer(events_of(tr)->print.triggers);
}

static void told(struct trace_array *tr, void *rec)
{
	event_triggers_tell(&events_of(tr)->print, rec);
}

static const struct trace_marker_ops marker_ops = { .is_wanted = is_wanted, .told = told };

void event_print_init(struct trace_array *tr)
{
	struct trace_event_file *file = &events_of(tr)->print;

	/* One and the same for all instances: that of the first one, which comes at boot. */
	if (!print_event.type.name)
		print_event.type = *record_type_of(TRACE_PRINT);
	file->tr = tr;
	file->word = &tr->cpus->events.any;
	file->head.stopped = file->word;
	file->type = TRACE_PRINT;
	file->event = &print_event;
	file->hash = event_name_hash(print_call.name);
	file->let = true;
	RCU_INIT_POINTER(file->filter, &event_no_filter);
}

void event_print_setup(void)
{
	trace_marker_ops = &marker_ops;
}
