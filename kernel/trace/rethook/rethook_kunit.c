// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of rethook/: the lifetime of a hook and its nodes (SPEC E3). lib/test_kprobes.c tests
 * that handlers are called at returns.
 */
#include <kunit/test.h>
#include <linux/err.h>
#include <linux/objpool.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/rethook.h>

#define NODES	3

static struct rethook *hook;
static unsigned int gone;
static int (*real_release)(struct objpool_head *pool, void *context);

static void at_return(struct rethook_node *node, void *data, unsigned long ret_addr,
		      struct pt_regs *regs)
{
}

static int count_release(struct objpool_head *pool, void *context)
{
	gone++;
	return real_release(pool, context);
}

static int make_hook(struct kunit *test)
{
	hook = rethook_alloc(NULL, at_return, sizeof(struct rethook_node), NODES);
	if (IS_ERR(hook))
		return PTR_ERR(hook);
	gone = 0;
	real_release = hook->pool.release;
	hook->pool.release = count_release;
	return 0;
}

/* Number of freed hooks, once all pending RCU callbacks have run. */
static unsigned int gone_by_now(void)
{
	rcu_barrier();
	return gone;
}

static struct rethook_node *take(void)
{
	guard(preempt)();
	return rethook_try_get(hook);
}

static void give_back(struct rethook_node *node)
{
	guard(preempt)();
	rethook_recycle(node);
}

static void goes_at_once_where_nothing_is_pending(struct kunit *test)
{
	struct rethook_node *node = take();

	KUNIT_ASSERT_NOT_NULL(test, node);
	give_back(node);
	KUNIT_ASSERT_EQ(test, gone_by_now(), 0);
	rethook_free(hook);
	KUNIT_EXPECT_EQ(test, gone_by_now(), 1);
}

/* Like a function that sleeps while its return probe is unregistered. */
static void stays_until_the_last_has_returned(struct kunit *test)
{
	struct rethook_node *first = take(), *second = take();

	KUNIT_ASSERT_NOT_NULL(test, first);
	KUNIT_ASSERT_NOT_NULL(test, second);
	rethook_free(hook);
	KUNIT_ASSERT_EQ(test, gone_by_now(), 0);
	give_back(first);
	KUNIT_ASSERT_EQ(test, gone_by_now(), 0);
	give_back(second);
	KUNIT_EXPECT_EQ(test, gone_by_now(), 1);
}

/* Nodes are given back before rethook_stop(), between it and rethook_free(), and after both. */
static void goes_whenever_they_have_returned(struct kunit *test)
{
	struct rethook_node *before = take(), *between = take(), *after = take();

	KUNIT_ASSERT_NOT_NULL(test, after);
	give_back(before);
	rethook_stop(hook);
	KUNIT_EXPECT_NULL(test, take());
	give_back(between);
	KUNIT_ASSERT_EQ(test, gone_by_now(), 0);
	rethook_free(hook);
	KUNIT_ASSERT_EQ(test, gone_by_now(), 0);
	give_back(after);
	KUNIT_EXPECT_EQ(test, gone_by_now(), 1);
}

/* Takes and gives back more often than there are nodes: a node that got lost would be missed. */
static void gives_what_came_back(struct kunit *test)
{
	struct rethook_node *node = NULL;

	for (int i = 0; i < 10 * NODES; i++) {
		node = take();
		KUNIT_ASSERT_NOT_NULL(test, node);
		KUNIT_EXPECT_PTR_EQ(test, node->rethook, hook);
		give_back(node);
	}
	rethook_free(hook);
	KUNIT_EXPECT_EQ(test, gone_by_now(), 1);
}

static struct kunit_case rethook_cases[] = {
	KUNIT_CASE(goes_at_once_where_nothing_is_pending),
	KUNIT_CASE(stays_until_the_last_has_returned),
	KUNIT_CASE(goes_whenever_they_have_returned),
	KUNIT_CASE(gives_what_came_back),
	{}
};

static struct kunit_suite rethook_suite = {
	.name		= "ftrace_rethook",
	.init		= make_hook,
	.test_cases	= rethook_cases,
};

kunit_test_suite(rethook_suite);
