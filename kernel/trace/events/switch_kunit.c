// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of switching events: while events are on, names of tasks are saved; and many events
 * go off as one batch. The tests cannot see that names are saved, because trace_printk() has them
 * saved from boot on, nor that static keys are queued, because they are not while the kernel
 * boots (events.tc tests that).
 */
#include <kunit/resource.h>
#include <kunit/test.h>
#include <linux/cleanup.h>
#include <linux/delay.h>
#include <linux/errno.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/srcu.h>
#include <linux/static_call.h>
#include <linux/string.h>
#include <linux/trace.h>
#include <linux/trace_events.h>
#include <linux/tracepoint.h>
#include <linux/workqueue.h>

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

/* A new instance takes the option from the top instance, so it is set explicitly. */
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

/* The event refuses to be switched on. */
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

/* A soft-disabled event counts as on, because its probe is called. */
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
	WARN_ON(trace_array_destroy(other));
}

/* KUnit destroys this instance after remove_instance(). */
static struct trace_array *make_other(struct kunit *test)
{
	struct trace_array *other = trace_array_get_by_name(OTHER, NULL);

	KUNIT_ASSERT_NOT_NULL(test, other);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, remove_other, other), 0);
	return other;
}

static void switch_sched(struct kunit *test, struct trace_array *tr, bool on)
{
	KUNIT_ASSERT_EQ(test, trace_array_set_clr_event(tr, "sched", NULL, on), 0);
}

/* A tracepoint may have another user, asked for on the command line. */
static bool has_one_user(const struct tracepoint *tp)
{
	const struct tracepoint_func *funcs;

	guard(rcu)();
	funcs = rcu_dereference(tp->funcs);
	return funcs && !funcs[1].func;
}

static bool calls_directly(const struct tracepoint *tp)
{
	guard(rcu)();
	return READ_ONCE(tp->static_call_key->func) == rcu_dereference(tp->funcs)->func;
}

/* Return: the tracepoint; NULL if the event is in another system, or made by a probe. */
static const struct tracepoint *of_sched(const struct trace_event_file *file)
{
	const struct trace_event_call *call = file->event->call;

	if (strcmp(event_system_name(file->event), "sched") || call->class->reg)
		return NULL;
	return call->flags & TRACE_EVENT_FL_TRACEPOINT ? call->tp : NULL;
}

static int nr_with_one_user(struct trace_array *tr)
{
	struct trace_event_file *file;
	int nr = 0;

	guard(mutex)(&events_lock);
	list_for_each_entry(file, &events_of(tr)->files, node)
		nr += of_sched(file) && has_one_user(of_sched(file));
	return nr;
}

static void expect_direct_calls(struct kunit *test, struct trace_array *tr)
{
	struct trace_event_file *file;

	guard(mutex)(&events_lock);
	list_for_each_entry(file, &events_of(tr)->files, node)
		if (of_sched(file) && has_one_user(of_sched(file)))
			KUNIT_EXPECT_TRUE_MSG(test, calls_directly(of_sched(file)), "%s",
					      file->event->type.name);
}

/* Switch on the events of sched in the first instance, then in the other one. */
static struct trace_array *begin_both(struct kunit *test)
{
	struct trace_array *other;

	if (!IS_ENABLED(CONFIG_HAVE_STATIC_CALL))
		kunit_skip(test, "nobody waits where tracepoints always call their iterator");
	other = make_other(test);
	switch_sched(test, test->priv, true);
	if (!nr_with_one_user(test->priv))
		kunit_skip(test, "each event of sched has another user");
	switch_sched(test, other, true);
	return other;
}

static void who_is_left_is_called_directly(struct kunit *test)
{
	struct trace_array *other = begin_both(test);

	switch_sched(test, test->priv, false);
	expect_direct_calls(test, other);
}

struct going_off {
	struct work_struct	work;
	struct trace_array	*tr;
	int			err;
};

static void sched_goes_off(struct work_struct *work)
{
	struct going_off *off = container_of(work, struct going_off, work);

	off->err = trace_array_set_clr_event(off->tr, "sched", NULL, false);
}

static void wait_until_off(struct kunit *test)
{
	unsigned int *nr_on = &events_of(test->priv)->nr_on;

	for (int tries = 1500; READ_ONCE(*nr_on) && tries; tries--)
		msleep(20);
	KUNIT_EXPECT_EQ(test, READ_ONCE(*nr_on), 0);
}

/*
 * A reader of tracepoints delays a grace period, so no task waits for one before the last event
 * is off. The other instance is second, because there is something to wait for only where the
 * first of two users goes.
 */
static void all_are_off_before_anybody_waits(struct kunit *test)
{
	struct going_off off = { .tr = test->priv };
	int idx;

	begin_both(test);
	INIT_WORK_ONSTACK(&off.work, sched_goes_off);
	idx = srcu_read_lock(&tracepoint_srcu);
	queue_work(system_unbound_wq, &off.work);
	wait_until_off(test);
	srcu_read_unlock(&tracepoint_srcu, idx);
	flush_work(&off.work);
	destroy_work_on_stack(&off.work);
	KUNIT_EXPECT_EQ(test, off.err, 0);
}

static struct kunit_case switch_cases[] = {
	KUNIT_CASE(names_are_saved_until_the_last_is_off),
	KUNIT_CASE(names_are_saved_while_asked_for),
	KUNIT_CASE(who_refuses_is_not_on),
	KUNIT_CASE(soft_events_count_once),
	KUNIT_CASE(who_is_left_is_called_directly),
	KUNIT_CASE(all_are_off_before_anybody_waits),
	{}
};

static struct kunit_suite switch_suite = {
	.name		= "ftrace_events",
	.init		= make_instance,
	.exit		= remove_instance,
	.test_cases	= switch_cases,
};

kunit_test_suite(switch_suite);
