// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of registering: the flags of an ops, and many ops at once (SPEC D10).
 */
#include <kunit/test.h>
#include <linux/fs.h>
#include <linux/ftrace.h>
#include <linux/ftrace_kunit.h>

#include "edit.h"
#include "ops.h"

static struct ftrace_ops ops, other;
static unsigned long site;

static int register_test_init(struct kunit *test)
{
	ops = (struct ftrace_ops) { .func = ftrace_stub };
	other = ops;
	site = ftrace_location((unsigned long)vfs_read);
	KUNIT_ASSERT_NE(test, site, 0UL);
	return 0;
}

static void forget(struct ftrace_ops *one)
{
	if (one->flags & FTRACE_OPS_FL_ENABLED)
		unregister_ftrace_function(one);
	ftrace_free_filter(one);
}

static void register_test_exit(struct kunit *test)
{
	forget(&ops);
	forget(&other);
}

static void registers_where_there_are_any(struct kunit *test)
{
	bool any = IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_REGS);

	KUNIT_ASSERT_EQ(test, ftrace_set_filter_ip(&ops, site, 0, 0), 0);
	ops.flags = FTRACE_OPS_FL_SAVE_REGS;
	KUNIT_EXPECT_EQ(test, register_ftrace_function(&ops), any ? 0 : -EINVAL);
	KUNIT_EXPECT_EQ(test, unregister_ftrace_function(&ops), any ? 0 : -EBUSY);

	ops.flags = FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_SAVE_REGS_IF_SUPPORTED;
	KUNIT_EXPECT_EQ(test, register_ftrace_function(&ops), 0);
	KUNIT_EXPECT_EQ(test, !!(ops.flags & FTRACE_OPS_FL_SAVE_REGS), any);
	KUNIT_EXPECT_EQ(test, unregister_ftrace_function(&ops), 0);

	ops.flags = FTRACE_OPS_FL_SAVE_REGS_IF_SUPPORTED;
	KUNIT_EXPECT_EQ(test, register_ftrace_function(&ops), 0);
	KUNIT_EXPECT_EQ(test, !!(ops.flags & FTRACE_OPS_FL_SAVE_REGS), any);
}

/* The steps by which live patching begins and ends, and changes that are refused between. */
static void modifiers_name_their_functions(struct kunit *test)
{
	u8 word[] = "vfs_write";

	ops.flags = FTRACE_OPS_FL_IPMODIFY;
	KUNIT_EXPECT_EQ(test, register_ftrace_function(&ops), -EINVAL);
	KUNIT_EXPECT_EQ(test, ftrace_set_notrace(&ops, word, sizeof(word) - 1, 0), -EINVAL);
	KUNIT_ASSERT_EQ(test, ftrace_set_filter_ip(&ops, site, 0, 0), 0);
	KUNIT_ASSERT_EQ(test, register_ftrace_function(&ops), 0);
	KUNIT_EXPECT_EQ(test, ftrace_set_filter(&ops, NULL, 0, 1), -EINVAL);
	KUNIT_EXPECT_EQ(test, ftrace_set_filter_ip(&ops, site, 1, 0), -EINVAL);
	/* An IPMODIFY ops may want no function at all. */
	KUNIT_EXPECT_EQ(test, filter_remove_ips(&ops, &site, 1), 0);
	KUNIT_EXPECT_EQ(test, ftrace_set_filter_ip(&ops, site, 0, 0), 0);
	KUNIT_EXPECT_EQ(test, unregister_ftrace_function(&ops), 0);
	KUNIT_EXPECT_EQ(test, ftrace_set_filter_ip(&ops, site, 1, 0), 0);
	KUNIT_EXPECT_NULL(test, ops.filter);
}

static void expect_registered(struct kunit *test, bool both)
{
	KUNIT_EXPECT_EQ(test, !!(ops.flags & FTRACE_OPS_FL_ENABLED), both);
	KUNIT_EXPECT_EQ(test, !!(other.flags & FTRACE_OPS_FL_ENABLED), both);
}

static void many_or_none(struct kunit *test)
{
	struct ftrace_ops *both[] = { &ops, &other };

	KUNIT_ASSERT_EQ(test, ftrace_set_filter_ip(&ops, site, 0, 0), 0);
	/* The other ops is for all functions. */
	KUNIT_EXPECT_EQ(test, ops_register_all(both, 2), -EINVAL);
	expect_registered(test, false);
	KUNIT_ASSERT_EQ(test, ftrace_set_filter_ip(&other, site, 0, 0), 0);
	other.flags = FTRACE_OPS_FL_IPMODIFY;
	KUNIT_EXPECT_EQ(test, ops_register_all(both, 2), -EINVAL);
	expect_registered(test, false);
	other.flags = 0;
	KUNIT_EXPECT_EQ(test, ops_register_all(both, 2), 0);
	expect_registered(test, true);
	KUNIT_EXPECT_LT(test, ops.seq, other.seq);
	KUNIT_EXPECT_EQ(test, ops_register_all(both, 2), -EBUSY);
	KUNIT_EXPECT_EQ(test, ops_unregister_all_later(both, 2), 0);
	expect_registered(test, false);
	/* Unregistered ops can be registered again. */
	KUNIT_EXPECT_EQ(test, ops_register_all(both, 2), 0);
	/* An ops that is registered again is last in the order. */
	KUNIT_EXPECT_EQ(test, unregister_ftrace_function(&ops), 0);
	KUNIT_EXPECT_EQ(test, register_ftrace_function(&ops), 0);
	KUNIT_EXPECT_LT(test, other.seq, ops.seq);
}

static struct kunit_case register_cases[] = {
	KUNIT_CASE(many_or_none),
	KUNIT_CASE(registers_where_there_are_any),
	KUNIT_CASE(modifiers_name_their_functions),
	{}
};

static int register_suite_init(struct kunit_suite *suite)
{
	return ftrace_find_functions("vfs_*");
}

static struct kunit_suite register_suite = {
	.name		= "ftrace_register",
	.suite_init	= register_suite_init,
	.init		= register_test_init,
	.exit		= register_test_exit,
	.test_cases	= register_cases,
};

kunit_test_suite(register_suite);
