// SPDX-License-Identifier: GPL-2.0
/*
 * Self-tests of events: enable and disable each event, each system of events, and all events at
 * once while the function tracer records.
 */
#include <linux/cleanup.h>
#include <linux/delay.h>
#include <linux/ftrace.h>
#include <linux/ring_buffer.h>
#include <linux/string.h>

#include "events/events.h"
#include "instance/instance.h"
#include "selftest.h"
#include "types/types.h"

/* Time for all CPUs to write records, or to finish those in progress. */
#define SHORT_MS	20

/* There are many system call events, which all work the same way: test them only if configured. */
static bool is_left_out(const struct trace_event_file *file)
{
	return !IS_ENABLED(CONFIG_EVENT_TRACE_TEST_SYSCALLS) &&
	       !strcmp(event_system_name(file->event), "syscalls");
}

/* True if boot parameters have enabled events or print them to the console: skip the tests then. */
static bool some_are_on(struct trace_array *tr)
{
	struct trace_event_file *file;

	guard(mutex)(&events_lock);
	if (events_how_is_set(EVENT_HOW_PRINTK))
		return true;
	list_for_each_entry(file, &events_of(tr)->files, node)
		if (file->on)
			return true;
	return false;
}

static const char *switch_event(struct trace_event_file *file, bool on)
{
	const char *why = expect_true(!event_switch_later(file, on), "one cannot be switched") ?:
			  expect_true(file->on == on, "one that was switched is not");

	if (why)
		pr_err("event %s:%s\n", event_system_name(file->event), file->event->type.name);
	return why;
}

/* Switch all events in one pass: switching each by itself would wait for all CPUs each time. */
static const char *switch_each(struct trace_array *tr, bool on)
{
	struct trace_event_file *file;
	const char *why = NULL;

	guard(mutex)(&events_lock);
	list_for_each_entry(file, &events_of(tr)->files, node) {
		if (!is_left_out(file))
			why = switch_event(file, on) ?: why;
	}
	return expect_true(!events_settle(), "some are not hit") ?: why;
}

static const char *switch_system(struct trace_array *tr, const struct event_system *system,
				 bool on)
{
	char word[64];

	snprintf(word, sizeof(word), "%s%s:", on ? "" : "!", system->name);
	return expect_true(!events_switch_word_later(tr, word), "one cannot be switched");
}

/* Switch all systems in one pass. The records are not checked, so the buffer may stay small. */
static const char *switch_each_system(struct trace_array *tr, bool on)
{
	struct event_system *system;
	const char *why = NULL;

	guard(mutex)(&events_lock);
	list_for_each_entry(system, &events_of(tr)->systems, node)
		why = switch_system(tr, system, on) ?: why;
	return expect_true(!events_settle(), "some are not hit") ?: why;
}

static const char *test_switching(const char *(*switch_all)(struct trace_array *tr, bool on))
{
	struct trace_array *tr = &global_trace;
	const char *why;

	if (some_are_on(tr))
		return NULL;
	why = switch_all(tr, true) ?:
	      expect_true(some_are_on(tr), "those that were switched on are off");
	return switch_all(tr, false) ?: why ?:
	       expect_true(!some_are_on(tr), "some that were switched off are on");
}

static const char *test_each_event(void)
{
	return test_switching(switch_each);
}

static const char *test_each_system(void)
{
	return test_switching(switch_each_system);
}

/**
 * struct found - records found in a buffer
 * @events: number of records of events
 * @functions: number of records of the function tracer
 */
struct found {
	unsigned long	events, functions;
};

static void drain_cpu(struct trace_array *tr, int cpu, struct found *found)
{
	struct ring_buffer_event *event;

	while ((event = ring_buffer_consume(tr->buffer, cpu, NULL, NULL))) {
		const struct trace_entry *entry = ring_buffer_event_data(event);

		if (entry->type >= TRACE_FIRST_EVENT)
			found->events++;
		else if (entry->type == TRACE_FN)
			found->functions++;
	}
}

/* Count the records that are written during the next SHORT_MS. */
static struct found count_records(struct trace_array *tr)
{
	struct found found = {};
	int cpu;

	tracing_reset(tr, RING_BUFFER_ALL_CPUS);
	msleep(SHORT_MS);
	trace_array_stop(tr);
	for_each_online_cpu(cpu)
		drain_cpu(tr, cpu, &found);
	trace_array_start(tr);
	return found;
}

static const char *try_all(struct trace_array *tr)
{
	struct found found;

	if (events_switch(tr, NULL, NULL, true))
		return "some cannot be switched on";
	found = count_records(tr);
	if (events_switch(tr, NULL, NULL, false))
		return "some cannot be switched off";
	return expect_true(found.events, "nothing is recorded") ?:
	       expect_true(found.functions || !IS_ENABLED(CONFIG_FUNCTION_TRACER),
			   "no functions are recorded any more") ?:
	       expect_true(!count_records(tr).events, "some that were switched off are recorded");
}

static const char *test_all_events(void)
{
	struct trace_array *tr = &global_trace;
	const char *why;

	if (some_are_on(tr))
		return NULL;
	if (IS_ENABLED(CONFIG_FUNCTION_TRACER) && tracing_set_tracer(tr, "function"))
		return "no function tracer";
	why = try_all(tr);
	return expect_true(!tracing_set_tracer(tr, "nop"), "the tracer cannot be left") ?: why;
}

const struct selftest event_selftests[] = {
	{ "each event",			test_each_event },
	{ "each system of events",	test_each_system },
	{ "all events",			test_all_events },
	{ }
};
