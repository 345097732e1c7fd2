// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of actions/: how often an action is executed.
 */
#include <kunit/test.h>
#include <linux/atomic.h>
#include <linux/completion.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/kthread.h>

#include "action.h"

static atomic_long_t done;
static bool is_pending;

static void do_it(const struct action_target *on, const struct action_hit *hit)
{
	atomic_long_inc(&done);
}

static bool pending(const struct action_target *on)
{
	return is_pending;
}

static bool is_reached(const struct action_target *on)
{
	return !atomic_long_read(&done);
}

static const struct action any = { .name = "any", .act = do_it };
static const struct action if_pending = { .name = "pending", .act = do_it, .pending = pending };
static const struct action state = {
	.name = "state", .act = do_it, .pending = is_reached, .sets_state = true,
};

static const struct action_target nothing;
static const struct action_hit hit;

static int action_test_init(struct kunit *test)
{
	atomic_long_set(&done, 0);
	is_pending = false;
	return 0;
}

static void as_often_as_is_said(struct kunit *test)
{
	atomic_long_t left = ATOMIC_LONG_INIT(3);

	for (unsigned int i = 0; i < 5; i++)
		action_do(&any, &nothing, &left, &hit);
	KUNIT_EXPECT_EQ(test, 3, atomic_long_read(&done));
	KUNIT_EXPECT_EQ(test, 0, atomic_long_read(&left));
}

static void without_end(struct kunit *test)
{
	atomic_long_t left = ATOMIC_LONG_INIT(ACTION_UNLIMITED);

	for (unsigned int i = 0; i < 5; i++)
		action_do(&any, &nothing, &left, &hit);
	KUNIT_EXPECT_EQ(test, 5, atomic_long_read(&done));
	KUNIT_EXPECT_EQ(test, ACTION_UNLIMITED, atomic_long_read(&left));
}

static void what_is_not_done_is_not_counted(struct kunit *test)
{
	atomic_long_t left = ATOMIC_LONG_INIT(3);

	action_do(&if_pending, &nothing, &left, &hit);
	KUNIT_EXPECT_EQ(test, 3, atomic_long_read(&left));
	is_pending = true;
	action_do(&if_pending, &nothing, &left, &hit);
	KUNIT_EXPECT_EQ(test, 2, atomic_long_read(&left));
	/* The first execution sets the state, so the others neither act nor count. */
	action_test_init(test);
	for (unsigned int i = 0; i < 3; i++)
		action_do(&state, &nothing, &left, &hit);
	KUNIT_EXPECT_EQ(test, 1, atomic_long_read(&done));
	KUNIT_EXPECT_EQ(test, 1, atomic_long_read(&left));
}

/* ------------------------------------------------------------------ */
/* Concurrent execution on all CPUs					*/

#define RACE_TRIES	100000

/* The count is 1 at first; a thread that finds it 0 sets it to 1 again. */
static atomic_long_t one = ATOMIC_LONG_INIT(1), given, racing;
static DECLARE_COMPLETION(raced);

static int race(void *unused)
{
	long none;

	for (unsigned int i = 0; i < RACE_TRIES; i++) {
		action_do(&any, &nothing, &one, &hit);
		none = 0;
		if (atomic_long_try_cmpxchg(&one, &none, 1))
			atomic_long_inc(&given);
		if (!(i % 1024))
			cond_resched();
	}
	if (atomic_long_dec_and_test(&racing))
		complete(&raced);
	return 0;
}

static void one_is_taken_once(struct kunit *test)
{
	struct task_struct *task;
	unsigned int cpu;

	atomic_long_set(&one, 1);
	atomic_long_set(&given, 1);
	atomic_long_set(&racing, 1);
	for_each_online_cpu(cpu) {
		task = kthread_create_on_cpu(race, NULL, cpu, "action_race/%u");
		if (IS_ERR(task))
			continue;
		atomic_long_inc(&racing);
		wake_up_process(task);
	}
	race(NULL);
	wait_for_completion(&raced);
	KUNIT_EXPECT_EQ(test, atomic_long_read(&given),
			atomic_long_read(&done) + atomic_long_read(&one));
}

static struct kunit_case action_test_cases[] = {
	KUNIT_CASE(as_often_as_is_said),
	KUNIT_CASE(without_end),
	KUNIT_CASE(what_is_not_done_is_not_counted),
	KUNIT_CASE(one_is_taken_once),
	{ }
};

static struct kunit_suite action_test_suite = {
	.name		= "ftrace_action",
	.init		= action_test_init,
	.test_cases	= action_test_cases,
};

kunit_test_suite(action_test_suite);
