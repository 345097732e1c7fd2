// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the chain: which ops are called, and in which order.  All functions of the kernel
 * call it meanwhile, so callbacks count calls from one address only, which no function has.
 */
#include <kunit/test.h>
#include <linux/cleanup.h>
#include <linux/ftrace_arch.h>

#include "chain.h"
#include "sites/lock.h"

#define LISTEN_TO	42UL

/* The callbacks that were called, one decimal digit each. */
static unsigned int called;

static void note_call(unsigned long ip, unsigned long parent_ip,
		      struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	if (ip == LISTEN_TO)
		called = 10 * called + (unsigned long)ops->private;
}

static struct ftrace_ops ops[] = {
	{ .func = note_call, .private = (void *)1UL },
	{ .func = note_call, .private = (void *)2UL, .flags = FTRACE_OPS_FL_RECURSION },
	{ .func = note_call, .private = (void *)3UL },
};

static unsigned int calls(void)
{
	called = 0;
	arch_ftrace_ops_list_func(LISTEN_TO, 0, NULL, NULL);
	return called;
}

static void order_test(struct kunit *test)
{
	guard(mutex)(&ftrace_lock);
	KUNIT_EXPECT_EQ(test, calls(), 0);
	KUNIT_EXPECT_EQ(test, chain_add(&ops[0]), 0);
	KUNIT_EXPECT_EQ(test, calls(), 1);
	KUNIT_EXPECT_EQ(test, chain_add(&ops[1]), 0);
	KUNIT_EXPECT_EQ(test, chain_add(&ops[2]), 0);
	KUNIT_EXPECT_EQ(test, calls(), 123);
	chain_remove(&ops[1]);
	KUNIT_EXPECT_EQ(test, calls(), 13);
	KUNIT_EXPECT_EQ(test, chain_add(&ops[1]), 0);
	KUNIT_EXPECT_EQ(test, calls(), 132);
	chain_remove(&ops[0]);
	chain_remove(&ops[2]);
	KUNIT_EXPECT_EQ(test, calls(), 2);
	chain_remove(&ops[1]);
	KUNIT_EXPECT_EQ(test, calls(), 0);
}

static void twice_test(struct kunit *test)
{
	guard(mutex)(&ftrace_lock);
	chain_remove(&ops[0]);
	KUNIT_EXPECT_EQ(test, chain_add(&ops[0]), 0);
	KUNIT_EXPECT_EQ(test, chain_add(&ops[0]), 0);
	KUNIT_EXPECT_EQ(test, calls(), 1);
	chain_remove(&ops[1]);
	KUNIT_EXPECT_EQ(test, calls(), 1);
	chain_clear();
	KUNIT_EXPECT_EQ(test, calls(), 0);
	chain_clear();
}

static void stop_test(struct kunit *test)
{
	guard(mutex)(&ftrace_lock);
	KUNIT_EXPECT_EQ(test, chain_add(&ops[0]), 0);
	function_trace_stop = 1;
	/* If the entry tests function_trace_stop, arch_ftrace_ops_list_func() does not. */
	KUNIT_EXPECT_EQ(test, calls(), IS_ENABLED(CONFIG_HAVE_FUNCTION_TRACE_MCOUNT_TEST));
	function_trace_stop = 0;
	KUNIT_EXPECT_EQ(test, calls(), 1);
	chain_clear();
}

static struct kunit_case chain_cases[] = {
	KUNIT_CASE(order_test),
	KUNIT_CASE(twice_test),
	KUNIT_CASE(stop_test),
	{}
};

static struct kunit_suite chain_suite = {
	.name = "ftrace_chain",
	.test_cases = chain_cases,
};

kunit_test_suite(chain_suite);

MODULE_DESCRIPTION("Tests of the chain of ops");
MODULE_LICENSE("GPL");
