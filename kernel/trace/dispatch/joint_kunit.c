// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of dispatch: one call for several ops of a set (&ftrace_ops.joint).
 */
#include <kunit/test.h>
#include <linux/ftrace.h>
#include <linux/ftrace_arch.h>
#include <linux/mutex.h>

#include "dispatch.h"
#include "sites/sites.h"

#define NR_OPS	5

static unsigned int alone[NR_OPS];
static unsigned int jointly[NR_OPS];
static unsigned int joint_calls;

static unsigned int number_of(const struct ftrace_ops *ops)
{
	return (unsigned long)ops->private;
}

static void count_alone(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			struct ftrace_regs *fregs)
{
	alone[number_of(ops)]++;
}

static void count_jointly(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
			  struct ftrace_regs *fregs)
{
	struct ftrace_ops **ops = (void *)op;

	joint_calls++;
	do {
		jointly[number_of(*ops)]++;
		ops++;
	} while (*ops && (*ops)->joint == count_jointly);
}

/* The third ops separates the ones that have a joint function. */
static struct ftrace_ops test_ops[NR_OPS] = {
	{ .func = count_alone, .private = (void *)0, .seq = 1, .joint = count_jointly },
	{ .func = count_alone, .private = (void *)1, .seq = 2, .joint = count_jointly },
	{ .func = count_alone, .private = (void *)2, .seq = 3 },
	{ .func = count_alone, .private = (void *)3, .seq = 4, .joint = count_jointly },
	{ .func = count_alone, .private = (void *)4, .seq = 5, .joint = count_jointly },
};

static struct dispatch_set *set_of(struct kunit *test, unsigned int mask)
{
	u32 id = DISPATCH_EMPTY;

	for (unsigned int i = 0; i < NR_OPS; i++) {
		int ret = mask & BIT(i) ? dispatch_with(id, &test_ops[i]) : id;

		KUNIT_EXPECT_GE(test, ret, 0);
		id = ret >= 0 ? ret : id;
	}
	return dispatch_set_by_id(id);
}

/* Expect one call of each ops of @mask, those of @together by @nr calls of joint functions. */
static void expect_calls(struct kunit *test, unsigned int mask, unsigned int together,
			 unsigned int nr)
{
	struct dispatch_set *set;

	memset(alone, 0, sizeof(alone));
	memset(jointly, 0, sizeof(jointly));
	joint_calls = 0;
	guard(mutex)(&ftrace_lock);
	set = set_of(test, mask);
	if (!set || !set->size)
		return;
	arch_trampoline_call(set->trampoline);
	KUNIT_EXPECT_EQ(test, joint_calls, nr);
	for (unsigned int i = 0; i < NR_OPS; i++) {
		KUNIT_EXPECT_EQ_MSG(test, jointly[i], !!(together & BIT(i)), "%u of %x", i, mask);
		KUNIT_EXPECT_EQ_MSG(test, alone[i], !!(mask & ~together & BIT(i)), "%u of %x", i,
				    mask);
	}
	dispatch_reap();
}

static void neighbours_have_one_call(struct kunit *test)
{
	expect_calls(test, BIT(0), 0, 0);
	expect_calls(test, BIT(0) | BIT(1), BIT(0) | BIT(1), 1);
	expect_calls(test, BIT(0) | BIT(1) | BIT(3), BIT(0) | BIT(1) | BIT(3), 1);
	expect_calls(test, BIT(0) | BIT(1) | BIT(2), BIT(0) | BIT(1), 1);
	expect_calls(test, BIT(2) | BIT(3) | BIT(4), BIT(3) | BIT(4), 1);
}

static void others_are_called_alone(struct kunit *test)
{
	expect_calls(test, BIT(0) | BIT(2) | BIT(3), 0, 0);
	expect_calls(test, BIT(NR_OPS) - 1, (BIT(NR_OPS) - 1) & ~BIT(2), 2);
}

static struct kunit_case joint_cases[] = {
	KUNIT_CASE(neighbours_have_one_call),
	KUNIT_CASE(others_are_called_alone),
	{}
};

static struct kunit_suite joint_suite = {
	.name		= "ftrace_dispatch_joint",
	.test_cases	= joint_cases,
};

kunit_test_suite(joint_suite);
