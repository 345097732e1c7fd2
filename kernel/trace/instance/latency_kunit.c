// SPDX-License-Identifier: GPL-2.0
/* KUnit tests of which latency is kept, on an instance that nobody else uses. */
#include <kunit/test.h>
#include <linux/cleanup.h>
#include <linux/irqflags.h>
#include <linux/sched.h>

#include "instance.h"
#include "latency.h"
#include "snapshot.h"

static int latency_test_init(struct kunit *test)
{
	struct trace_array *tr = kunit_kzalloc(test, sizeof(*tr), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, tr);
	KUNIT_ASSERT_EQ(test, trace_array_init(tr), 0);
	test->priv = tr;
	guard(mutex)(&trace_lock);
	KUNIT_ASSERT_EQ(test, snapshot_alloc(tr), 0);
	return 0;
}

static void latency_test_exit(struct kunit *test)
{
	if (test->priv)
		trace_array_exit(test->priv);
}

/* Keep a latency as a tracer does. */
static bool is_kept(struct kunit *test, u64 ns)
{
	struct trace_latency new = { .ns = ns };

	guard(irqsave)();
	return latency_should_keep(test->priv, ns) && latency_keep_all(test->priv, &new, current);
}

static void expect_longest(struct kunit *test, u64 ns)
{
	struct trace_latency kept;

	latency_get(test->priv, &kept);
	KUNIT_EXPECT_EQ(test, kept.ns, ns);
	KUNIT_EXPECT_EQ(test, latency_longest(test->priv), ns);
}

static void longest_is_kept(struct kunit *test)
{
	KUNIT_EXPECT_TRUE(test, is_kept(test, 1000));
	KUNIT_EXPECT_FALSE(test, is_kept(test, 1000));
	KUNIT_EXPECT_FALSE(test, is_kept(test, 999));
	KUNIT_EXPECT_TRUE(test, is_kept(test, 1001));
	expect_longest(test, 1001);
}

/* Latencies that do not fit into 32 bits of nanoseconds are compared correctly. */
static void longest_of_very_long_is_kept(struct kunit *test)
{
	const u64 long_time = 5ULL * NSEC_PER_SEC;

	KUNIT_EXPECT_TRUE(test, is_kept(test, long_time));
	KUNIT_EXPECT_TRUE(test, is_kept(test, 2 * long_time));
	KUNIT_EXPECT_FALSE(test, is_kept(test, long_time + 1));
	expect_longest(test, 2 * long_time);
	latency_reset(test->priv);
	expect_longest(test, 0);
	KUNIT_EXPECT_TRUE(test, is_kept(test, 7));
	expect_longest(test, 7);
}

static struct kunit_case latency_cases[] = {
	KUNIT_CASE(longest_is_kept),
	KUNIT_CASE(longest_of_very_long_is_kept),
	{}
};

static struct kunit_suite latency_suite = {
	.name		= "ftrace_latency",
	.init		= latency_test_init,
	.exit		= latency_test_exit,
	.test_cases	= latency_cases,
};

kunit_test_suite(latency_suite);
