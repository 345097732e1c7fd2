// SPDX-License-Identifier: GPL-2.0
/* Bits of &trace_event_file.how that options of an instance set, or users of all events. */
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/cleanup.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/types.h>

#include "events.h"
#include "instance/options.h"
#include "internal.h"
#include "lookup.h"
#include "switch.h"

/* Number of users of each bit, by its number, that all events have; protected by events_lock. */
static unsigned int events_how_users[BITS_PER_TYPE(u16)];

/* The bits that have a user; protected by events_lock. */
static unsigned int events_how;

bool events_how_is_set(unsigned int bit)
{
	lockdep_assert_held(&events_lock);
	return events_how & bit;
}

static void events_how_set(unsigned int bit, bool on)
{
	struct instance_events *in;
	struct trace_event_file *file;

	events_how = on ? events_how | bit : events_how & ~bit;
	list_for_each_entry(in, &all_instance_events, node)
		list_for_each_entry(file, &in->files, node)
			event_how_set(file, bit, on);
}

void events_how_get(unsigned int bit)
{
	lockdep_assert_held(&events_lock);
	if (!events_how_users[__ffs(bit)]++)
		events_how_set(bit, true);
}

void events_how_put(unsigned int bit)
{
	lockdep_assert_held(&events_lock);
	if (!--events_how_users[__ffs(bit)])
		events_how_set(bit, false);
}

unsigned int event_how_initial(const struct instance_events *in)
{
	return (in->wanted & EVENT_OPTS_STACKS ? EVENT_HOW_STACKS : 0) | events_how;
}

/* ------------------------------------------------------------------ */
/* Options								*/

static void event_note_option(struct instance_events *in, u32 option, bool on)
{
	in->wanted = on ? in->wanted | option : in->wanted & ~option;
}

static int event_set_record_cmd(struct trace_array *tr, bool on)
{
	struct instance_events *in = events_of(tr);
	int err;

	guard(mutex)(&events_lock);
	event_note_option(in, TRACE_OPT_RECORD_CMD, on);
	err = events_save_comms(in);
	if (err)
		event_note_option(in, TRACE_OPT_RECORD_CMD, !on);
	return err;
}

/* EVENT_HOW_STACKS stays set while the other of the two options is set. */
static int event_set_stacks(struct trace_array *tr, bool on, u32 option)
{
	struct instance_events *in = events_of(tr);
	struct trace_event_file *file;

	guard(mutex)(&events_lock);
	event_note_option(in, option, on);
	list_for_each_entry(file, &in->files, node)
		event_how_set(file, EVENT_HOW_STACKS, in->wanted & EVENT_OPTS_STACKS);
	return 0;
}

static int event_set_kernel_stacks(struct trace_array *tr, bool on)
{
	return event_set_stacks(tr, on, TRACE_OPT_STACKTRACE);
}

static int event_set_user_stacks(struct trace_array *tr, bool on)
{
	return event_set_stacks(tr, on, TRACE_OPT_USERSTACKTRACE);
}

void event_options_follow(void)
{
	trace_option_register_set(TRACE_OPT_RECORD_CMD_BIT, event_set_record_cmd);
	trace_option_register_set(TRACE_OPT_USERSTACKTRACE_BIT, event_set_user_stacks);
#ifdef CONFIG_STACKTRACE
	trace_option_register_set(TRACE_OPT_STACKTRACE_BIT, event_set_kernel_stacks);
#endif
}
