// SPDX-License-Identifier: GPL-2.0
/*
 * Units of events/: for how long events that are on have the names of tasks saved, and that
 * many go off as one. That names are saved cannot be seen here: trace_printk() has them saved
 * from the boot on.
 */
#include <kunit/resource.h>
#include <kunit/test.h>
#include <linux/cleanup.h>
#include <linux/errno.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/static_call.h>
#include <linux/string.h>
#include <linux/trace.h>
#include <linux/trace_events.h>
#include <linux/tracepoint.h>

#include "events.h"
#include "instance/instance.h"
#include "instance/options.h"

#define INSTANCE	"events_kunit"
#define OTHER		"events_kunit_other"

static int record_cmd(struct kunit *test, bool on)
{
	guard(mutex)(&trace_lock);
	return trace_option_set(test->priv, TRACE_OPT_RECORD_CMD_BIT, on);
}

/* Which would have the option as the first one has it. */
static int make_instance(struct kunit *test)
{
	test->priv = trace_array_get_by_name(INSTANCE, NULL);
	return test->priv ? record_cmd(test, true) : -ENOMEM;
}

static void remove_instance(struct kunit *test)
{
	if (!test->priv)
		return;
	trace_array_put(test->priv);
	KUNIT_EXPECT_EQ(test, trace_array_destroy(test->priv), 0);
}

static void switch_event(struct kunit *test, const char *name, bool on)
{
	KUNIT_EXPECT_EQ(test, trace_array_set_clr_event(test->priv, "sched", name, on), 0);
}

static void expect_on(struct kunit *test, unsigned int nr, bool comms)
{
	const struct instance_events *in = events_of(test->priv);

	KUNIT_EXPECT_EQ(test, in->nr_on, nr);
	KUNIT_EXPECT_EQ(test, in->comms, comms);
}

static void names_are_saved_until_the_last_is_off(struct kunit *test)
{
	expect_on(test, 0, false);
	switch_event(test, "sched_process_fork", true);
	expect_on(test, 1, true);
	switch_event(test, "sched_process_exit", true);
	switch_event(test, "sched_process_exit", true);
	expect_on(test, 2, true);
	switch_event(test, "sched_process_fork", false);
	expect_on(test, 1, true);
	switch_event(test, "sched_process_exit", false);
	expect_on(test, 0, false);
}

static void names_are_saved_while_asked_for(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, record_cmd(test, false), 0);
	switch_event(test, "sched_process_fork", true);
	expect_on(test, 1, false);
	KUNIT_EXPECT_EQ(test, record_cmd(test, true), 0);
	expect_on(test, 1, true);
	KUNIT_EXPECT_EQ(test, record_cmd(test, false), 0);
	expect_on(test, 1, false);
	KUNIT_EXPECT_EQ(test, record_cmd(test, true), 0);
	switch_event(test, "sched_process_fork", false);
	KUNIT_EXPECT_EQ(test, record_cmd(test, false), 0);
	KUNIT_EXPECT_EQ(test, record_cmd(test, true), 0);
	expect_on(test, 0, false);
}

static int refuse(struct trace_event_call *call, enum trace_reg what, void *data)
{
	return -EBUSY;
}

static void print_nothing(struct trace_event_line *line)
{
}

/* An event that cannot be switched on. */
static void who_refuses_is_not_on(struct kunit *test)
{
	static const struct trace_event_fields no_fields[] = { { } };
	static struct trace_event_class class = {
		.system = "kunit", .reg = refuse, .fields_array = no_fields,
		.print = print_nothing, .print_fmt = "\"\"",
	};
	static struct trace_event_call call = {
		.class = &class, .name = "refused", .flags = TRACE_EVENT_FL_DYNAMIC,
	};

	KUNIT_ASSERT_EQ(test, trace_add_event_call(&call), 0);
	KUNIT_EXPECT_EQ(test, trace_array_set_clr_event(test->priv, "kunit", "refused", true),
			-EBUSY);
	expect_on(test, 0, false);
	KUNIT_EXPECT_EQ(test, trace_remove_event_call(&call), 0);
}

/* In soft mode it is on, too: its probe is called. */
static void soft_events_count_once(struct kunit *test)
{
	struct trace_event_file *file = event_file_get(test->priv, "sched", "sched_process_fork");

	KUNIT_ASSERT_NOT_NULL(test, file);
	KUNIT_EXPECT_EQ(test, event_soft_get(file), 0);
	expect_on(test, 1, true);
	switch_event(test, "sched_process_fork", true);
	KUNIT_EXPECT_EQ(test, event_soft_get(file), 0);
	expect_on(test, 1, true);
	event_soft_put(file);
	switch_event(test, "sched_process_fork", false);
	expect_on(test, 1, true);
	event_soft_put(file);
	event_file_put(file);
	expect_on(test, 0, false);
}

/* ------------------------------------------------------------------ */
/* Many at once								*/

static void remove_other(void *other)
{
	trace_array_put(other);
	trace_array_destroy(other);
}

/* It goes before the first one does. */
static struct trace_array *make_other(struct kunit *test)
{
	struct trace_array *other = trace_array_get_by_name(OTHER, NULL);

	KUNIT_ASSERT_NOT_NULL(test, other);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, remove_other, other), 0);
	return other;
}

static void switch_all(struct kunit *test, struct trace_array *tr, const char *system, bool on)
{
	KUNIT_ASSERT_EQ(test, trace_array_set_clr_event(tr, system, NULL, on), 0);
}

/* In passing: somebody else may have it as well, who was asked for at boot. */
static bool calls_who_is_alone(const struct trace_event_file *file)
{
	const struct trace_event_call *call = file->event->call;
	const struct tracepoint_func *funcs;

	if (!IS_ENABLED(CONFIG_HAVE_STATIC_CALL) || call->class->reg)
		return true;
	guard(rcu)();
	funcs = rcu_dereference(call->tp->funcs);
	return !funcs || funcs[1].func ||
	       READ_ONCE(call->tp->static_call_key->func) == funcs[0].func;
}

static void who_is_left_is_called_directly(struct kunit *test)
{
	struct trace_array *other = make_other(test);
	struct trace_event_file *file;

	switch_all(test, test->priv, "sched", true);
	switch_all(test, other, "sched", true);
	switch_all(test, test->priv, "sched", false);
	guard(mutex)(&events_lock);
	list_for_each_entry(file, &events_of(other)->files, node) {
		KUNIT_EXPECT_EQ(test, file->on, !strcmp(event_system_name(file->event), "sched"));
		KUNIT_EXPECT_TRUE_MSG(test, calls_who_is_alone(file), "%s",
				      file->event->type.name);
	}
}

/* The count of grace periods is above two bits of their state. */
static unsigned long grace_periods(void)
{
	return get_state_synchronize_rcu() >> 2;
}

/* Also those that another instance keeps on, and got later. */
static void all_go_off_in_one_wait(struct kunit *test)
{
	struct trace_array *other = make_other(test);
	unsigned long before, nr;

	switch_all(test, test->priv, NULL, true);
	switch_all(test, other, NULL, true);
	nr = events_of(test->priv)->nr_on;
	before = grace_periods();
	switch_all(test, test->priv, NULL, false);
	KUNIT_EXPECT_LT(test, grace_periods() - before, nr / 4);
	expect_on(test, 0, false);
}

static struct kunit_case switch_cases[] = {
	KUNIT_CASE(names_are_saved_until_the_last_is_off),
	KUNIT_CASE(names_are_saved_while_asked_for),
	KUNIT_CASE(who_refuses_is_not_on),
	KUNIT_CASE(soft_events_count_once),
	KUNIT_CASE(who_is_left_is_called_directly),
	KUNIT_CASE(all_go_off_in_one_wait),
	{}
};

static struct kunit_suite switch_suite = {
	.name		= "ftrace_events",
	.init		= make_instance,
	.exit		= remove_instance,
	.test_cases	= switch_cases,
};

kunit_test_suite(switch_suite);
