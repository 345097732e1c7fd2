// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the function_graph tracer: calls its return callback with times that no clock
 * would give.
 */
#include <kunit/test.h>
#include <linux/ftrace.h>
#include <linux/ftrace_arch_return.h>
#include <linux/preempt.h>
#include <linux/ring_buffer.h>
#include <linux/string.h>
#include <linux/trace.h>
#include <linux/trace_clock.h>

#include "graph_limits.h"
#include "instance/instance.h"
#include "left_out.h"
#include "output/output.h"

#define INSTANCE	"function_graph_kunit"

/* The ops of the instance is a stub, so that no function is traced but by the test. */
static int graph_tracer_init(struct kunit *test)
{
	struct trace_array *tr = trace_array_get_by_name(INSTANCE, NULL);

	KUNIT_ASSERT_NOT_NULL(test, tr);
	test->priv = tr;
	tr->gops.ops.flags |= FTRACE_OPS_FL_STUB;
	KUNIT_ASSERT_EQ(test, tracing_set_tracer(tr, "function_graph"), 0);
	return 0;
}

static void graph_tracer_exit(struct kunit *test)
{
	graph_limits_set_thresh(0);
	if (!test->priv)
		return;
	trace_array_put(test->priv);
	KUNIT_EXPECT_EQ(test, trace_array_destroy(test->priv), 0);
}

/* A call that began @ago, which may be in the future, by the clock of another CPU. */
static void return_from(struct kunit *test, s64 ago)
{
	struct trace_array *tr = test->priv;
	struct ftrace_ret_stack call = { .func = _THIS_IP_ };
	struct ftrace_return r = { };
	u64 now;

	guard(preempt_notrace)();
	now = trace_clock_local();
	call.calltime = now - ago;
	tr->gops.notify(&tr->gops, &call, &r, now);
}

static void backwards_is_short(struct kunit *test)
{
	struct trace_array *tr = test->priv;

	graph_limits_set_thresh(NSEC_PER_MSEC);
	return_from(test, -50 * NSEC_PER_USEC);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(tr->buffer), 0);
	KUNIT_EXPECT_EQ(test, left_out_calls(tr, RING_BUFFER_ALL_CPUS), 1);
	return_from(test, NSEC_PER_MSEC - 1);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(tr->buffer), 0);
	return_from(test, NSEC_PER_MSEC);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(tr->buffer), 1);
	KUNIT_EXPECT_EQ(test, left_out_calls(tr, RING_BUFFER_ALL_CPUS), 2);
}

static void expect_line(struct kunit *test, struct trace_output *o, const char *part)
{
	KUNIT_ASSERT_TRUE(test, reader_next(&o->r));
	trace_seq_init(&o->seq);
	output_line(o);
	KUNIT_EXPECT_NOT_NULL_MSG(test, strstr(o->seq.buffer, part), "%s", o->seq.buffer);
}

static void backwards_takes_no_time(struct kunit *test)
{
	struct trace_array *tr = test->priv;
	struct trace_output *o;

	return_from(test, -50 * NSEC_PER_USEC);
	return_from(test, 3 * NSEC_PER_USEC);
	o = output_alloc_iterating(tr, tr->buffer, RING_BUFFER_ALL_CPUS);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, o);
	output_rewind(o);
	expect_line(test, o, " 0.000 us ");
	expect_line(test, o, " 3.000 us ");
	output_free(o);
}

static struct kunit_case graph_tracer_cases[] = {
	KUNIT_CASE(backwards_is_short),
	KUNIT_CASE(backwards_takes_no_time),
	{}
};

static struct kunit_suite graph_tracer_suite = {
	.name		= "ftrace_function_graph",
	.init		= graph_tracer_init,
	.exit		= graph_tracer_exit,
	.test_cases	= graph_tracer_cases,
};

kunit_test_suite(graph_tracer_suite);
