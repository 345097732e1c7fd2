// SPDX-License-Identifier: GPL-2.0
/* KUnit tests of the context that a record stores. */
#include <kunit/test.h>
#include <linux/bottom_half.h>
#include <linux/container_of.h>
#include <linux/interrupt.h>
#include <linux/sched.h>

#include "record.h"

static unsigned int flags_here(void)
{
	return trace_ctx() >> TRACE_CTX_FLAGS_SHIFT & 0xff;
}

#define SOFTIRQ_FLAGS	(TRACE_FLAG_SOFTIRQ | TRACE_FLAG_BH_OFF)

static void soft_interrupts_are_off(struct kunit *test)
{
	unsigned int flags;
	bool plain;

	KUNIT_EXPECT_EQ(test, flags_here() & SOFTIRQ_FLAGS, 0);

	local_bh_disable();
	flags = flags_here();
	plain = trace_ctx_is_plain(trace_preempt_word(), current);
	local_bh_enable();
	KUNIT_EXPECT_EQ(test, flags & SOFTIRQ_FLAGS, TRACE_FLAG_BH_OFF);
	KUNIT_EXPECT_FALSE(test, plain);
}

/**
 * struct seen - a softirq that stores its context
 * @tasklet: the softirq
 * @flags: value of flags_here() in it
 */
struct seen {
	struct tasklet_struct	tasklet;
	unsigned int		flags;
};

static void see_flags(struct tasklet_struct *tasklet)
{
	struct seen *seen = container_of(tasklet, struct seen, tasklet);

	seen->flags = flags_here();
}

static void in_a_soft_interrupt(struct kunit *test)
{
	struct seen seen = { };

	tasklet_setup(&seen.tasklet, see_flags);
	tasklet_schedule(&seen.tasklet);
	/* Waits until the tasklet has run. */
	tasklet_kill(&seen.tasklet);
	KUNIT_EXPECT_EQ(test, seen.flags & TRACE_FLAG_SOFTIRQ, TRACE_FLAG_SOFTIRQ);
	KUNIT_EXPECT_EQ(test, seen.flags & TRACE_FLAG_HARDIRQ, 0);
}

static struct kunit_case context_cases[] = {
	KUNIT_CASE(soft_interrupts_are_off),
	KUNIT_CASE(in_a_soft_interrupt),
	{ }
};

static struct kunit_suite context_suite = {
	.name		= "ftrace_context",
	.test_cases	= context_cases,
};

kunit_test_suite(context_suite);
