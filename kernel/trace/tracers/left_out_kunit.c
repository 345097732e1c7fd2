// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the count of calls that function_graph leaves out.
 */
#include <kunit/test.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/ring_buffer.h>
#include <linux/smp.h>

#include "instance/instance.h"
#include "instance/part.h"
#include "left_out.h"
#include "left_out_count.h"

/* The instance of the test, which is not in the list of instances. */
static struct trace_array *alone(struct kunit *test)
{
	return test->priv;
}

/* Leave out @calls calls on one CPU. Returns the number of that CPU. */
static int leave_out(struct kunit *test, unsigned int calls)
{
	int cpu;

	preempt_disable();
	while (calls--)
		left_out_add(alone(test));
	cpu = smp_processor_id();
	preempt_enable();
	return cpu;
}

static u64 all(struct kunit *test)
{
	return left_out_calls(alone(test), RING_BUFFER_ALL_CPUS);
}

static void test_counts(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, all(test), 0);
	leave_out(test, 3);
	KUNIT_EXPECT_EQ(test, all(test), 3);
	leave_out(test, 2);
	KUNIT_EXPECT_EQ(test, all(test), 5);
}

static void test_forgets_one_cpu(struct kunit *test)
{
	int cpu, other;

	migrate_disable();
	cpu = leave_out(test, 3);
	KUNIT_EXPECT_EQ(test, left_out_calls(alone(test), cpu), 3);
	for_each_possible_cpu(other) {
		if (other == cpu)
			continue;
		KUNIT_EXPECT_EQ(test, left_out_calls(alone(test), other), 0);
		left_out_part.emptied(alone(test), other);
	}
	KUNIT_EXPECT_EQ(test, all(test), 3);
	left_out_part.emptied(alone(test), cpu);
	KUNIT_EXPECT_EQ(test, all(test), 0);
	leave_out(test, 1);
	KUNIT_EXPECT_EQ(test, left_out_calls(alone(test), cpu), 1);
	migrate_enable();
}

static void test_forgets_all(struct kunit *test)
{
	leave_out(test, 4);
	left_out_part.emptied(alone(test), RING_BUFFER_ALL_CPUS);
	KUNIT_EXPECT_EQ(test, all(test), 0);
	leave_out(test, 2);
	KUNIT_EXPECT_EQ(test, all(test), 2);
}

static void test_only_what_would_be_recorded(struct kunit *test)
{
	struct trace_array *tr = alone(test);
	int cpu;

	tracer_tracing_off(tr);
	leave_out(test, 1);
	tracer_tracing_on(tr);
	trace_array_stop(tr);
	leave_out(test, 1);
	trace_array_start(tr);
	for_each_possible_cpu(cpu)
		per_cpu_ptr(tr->cpus, cpu)->masked = true;
	leave_out(test, 1);
	KUNIT_EXPECT_EQ(test, all(test), 0);
	for_each_possible_cpu(cpu)
		per_cpu_ptr(tr->cpus, cpu)->masked = false;
	leave_out(test, 1);
	KUNIT_EXPECT_EQ(test, all(test), 1);
}

/* The count goes beyond 32 bits. */
static void test_counts_many(struct kunit *test)
{
#ifdef CONFIG_64BIT
	kunit_skip(test, "there is room for all");
#else
	struct left_out *calls;

	migrate_disable();
	calls = left_out_of(alone(test), smp_processor_id());
	atomic_set(&calls->count.low, -2);
	atomic_set(&calls->count.half_laps, 1);
	leave_out(test, 3);
	migrate_enable();
	KUNIT_EXPECT_EQ(test, all(test), BIT_ULL(32) + 1);
#endif
}

static struct kunit_case left_out_cases[] = {
	KUNIT_CASE(test_counts),
	KUNIT_CASE(test_counts_many),
	KUNIT_CASE(test_forgets_one_cpu),
	KUNIT_CASE(test_forgets_all),
	KUNIT_CASE(test_only_what_would_be_recorded),
	{}
};

static int left_out_test_init(struct kunit *test)
{
	struct trace_array *tr = kunit_kzalloc(test, sizeof(*tr), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, tr);
	KUNIT_ASSERT_EQ(test, trace_array_init(tr), 0);
	test->priv = tr;
	return 0;
}

static void left_out_test_exit(struct kunit *test)
{
	if (test->priv)
		trace_array_exit(test->priv);
}

static struct kunit_suite left_out_suite = {
	.name		= "ftrace_left_out",
	.init		= left_out_test_init,
	.exit		= left_out_test_exit,
	.test_cases	= left_out_cases,
};

kunit_test_suite(left_out_suite);
