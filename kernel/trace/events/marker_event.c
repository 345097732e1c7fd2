// SPDX-License-Identifier: GPL-2.0
/*
 * ftrace:print, the event of writes to trace_marker. It cannot be switched on or off; it has a
 * format and triggers.
 */
#include <linux/string.h>

#include "events.h"
#include "internal.h"
#include "lookup.h"
#include "messages/marker.h"

/* Nothing to register: trace_marker calls print_event_notify(). */
static int print_event_reg(struct trace_event_call *call, enum trace_reg what, void *data)
{
	return 0;
}

static struct trace_event_class print_class = { .system = "ftrace", .reg = print_event_reg };

static struct trace_event_call print_call = {
	.class		= &print_class,
	.name		= "print",
	.event.type	= TRACE_PRINT,
};

static struct event print_event = { .call = &print_call };

static bool print_event_is_wanted(const struct trace_array *tr)
{
	return rcu_access_pointer(events_of(tr)->print.triggers);
}

static void print_event_notify(struct trace_array *tr, void *rec)
{
	event_triggers_notify(&events_of(tr)->print, rec);
}

static const struct trace_marker_ops marker_ops = {
	.is_wanted	= print_event_is_wanted,
	.notify		= print_event_notify,
};

void event_print_init(struct trace_array *tr)
{
	struct trace_event_file *file = &events_of(tr)->print;

	/* Shared by all instances; set by the first one, which is made at boot. */
	if (!print_event.type.name)
		print_event.type = *record_type_of(TRACE_PRINT);
	file->tr = tr;
	file->word = &tr->cpus->events.any;
	file->head.stopped = file->word;
	file->type = TRACE_PRINT;
	file->event = &print_event;
	file->soft_enabled = true;
	RCU_INIT_POINTER(file->filter, &event_no_filter);
}

void event_print_setup(void)
{
	trace_marker_ops = &marker_ops;
}
