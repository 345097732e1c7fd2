// SPDX-License-Identifier: GPL-2.0
/*
 * Options of an instance that change what its events do.
 */
#include <linux/cleanup.h>

#include "events.h"
#include "instance/options.h"

static void want(struct instance_events *in, u32 option, bool on)
{
	in->wanted = on ? in->wanted | option : in->wanted & ~option;
}

static int record_cmd(struct trace_array *tr, bool on)
{
	struct instance_events *in = events_of(tr);
	int err;

	guard(mutex)(&events_lock);
	want(in, TRACE_OPT_RECORD_CMD, on);
	err = events_save_comms(in);
	if (err)
		want(in, TRACE_OPT_RECORD_CMD, !on);
	return err;
}

/* The other of the two options may be set as well. */
static int want_stacks(struct trace_array *tr, bool on, u32 option)
{
	struct instance_events *in = events_of(tr);
	struct trace_event_file *file;

	guard(mutex)(&events_lock);
	want(in, option, on);
	list_for_each_entry(file, &in->files, node)
		event_how_set(file, EVENT_HOW_STACKS, in->wanted & EVENT_OPTS_STACKS);
	return 0;
}

static int kernel_stacks(struct trace_array *tr, bool on)
{
	return want_stacks(tr, on, TRACE_OPT_STACKTRACE);
}

static int user_stacks(struct trace_array *tr, bool on)
{
	return want_stacks(tr, on, TRACE_OPT_USERSTACKTRACE);
}

void event_options_follow(void)
{
	trace_option_follow(TRACE_OPT_RECORD_CMD_BIT, record_cmd);
	trace_option_follow(TRACE_OPT_USERSTACKTRACE_BIT, user_stacks);
#ifdef CONFIG_STACKTRACE
	trace_option_follow(TRACE_OPT_STACKTRACE_BIT, kernel_stacks);
#endif
}
