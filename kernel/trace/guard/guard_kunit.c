// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the recursion guard. A test cannot bring about all the ways in which contexts
 * nest, so each context is given by the word that preempt_count() would be in it.
 */
#include <kunit/test.h>
#include <linux/irqflags.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/preempt.h>

#include "guard.h"

/* Amount that the kernel adds to preempt_count() for each NMI, as in __nmi_enter(). */
#define ONE_NMI	(NMI_OFFSET + HARDIRQ_OFFSET)

/* Number of contexts that may enter the guard if each one interrupts the previous one. */
static unsigned int depth_of(const unsigned int *words, unsigned int nr)
{
	unsigned int old, outermost, depth = 0;

	guard(irqsave)();
	outermost = raw_cpu_read(trace_guard);
	while (depth < nr && trace_guard_enter(words[depth], &old))
		depth++;
	trace_guard_exit(outermost);
	return depth;
}

/* A task, a soft interrupt, an interrupt and an NMI may all record, each inside the previous. */
static void test_contexts_nest(struct kunit *test)
{
	static const unsigned int words[] = {
		0, SOFTIRQ_OFFSET, HARDIRQ_OFFSET, HARDIRQ_OFFSET + ONE_NMI,
	};

	KUNIT_EXPECT_EQ(test, depth_of(words, ARRAY_SIZE(words)), ARRAY_SIZE(words));
}

static const unsigned int again[] = { 0, 0, SOFTIRQ_DISABLE_OFFSET };

static unsigned long turned_away(void)
{
	unsigned long before;

	guard(irqsave)();
	before = trace_recursions();
	depth_of(again, ARRAY_SIZE(again));
	return trace_recursions() - before;
}

/*
 * In the same context one more level may enter, because it might be the start of an
 * interrupt, but no further one. The least of many counts is taken, because a running tracer
 * may cause recursions on other CPUs, too.
 */
static void test_context_once(struct kunit *test)
{
	unsigned long least = ULONG_MAX;
	int i;

	KUNIT_EXPECT_EQ(test, depth_of(again, ARRAY_SIZE(again)), 2);
	for (i = 0; i < 1000; i++)
		least = min(least, turned_away());
	KUNIT_EXPECT_EQ(test, least, 1);
}

/* A breakpoint in an NMI looks like a nested NMI, which is not another context. */
static void test_nested_nmis(struct kunit *test)
{
	static const unsigned int words[] = {
		ONE_NMI, 2 * ONE_NMI, 3 * ONE_NMI, 4 * ONE_NMI,
	};

	KUNIT_EXPECT_EQ(test, depth_of(words, ARRAY_SIZE(words)), 2);
	KUNIT_EXPECT_EQ(test, depth_of(words + 1, 1), 1);
}

static struct kunit_case guard_cases[] = {
	KUNIT_CASE(test_contexts_nest),
	KUNIT_CASE(test_context_once),
	KUNIT_CASE(test_nested_nmis),
	{}
};

static struct kunit_suite guard_suite = {
	.name		= "ftrace_guard",
	.test_cases	= guard_cases,
};

kunit_test_suite(guard_suite);
