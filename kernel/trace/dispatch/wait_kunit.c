// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of waiting for callbacks: a task may be preempted in a trampoline or
 * in a callback when both are about to be freed (SPEC D11).
 *
 * The task of the test never sleeps in its callback, so Tasks RCU waits for it.
 */
#include <kunit/test.h>
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/ftrace.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/math.h>
#include <linux/mutex.h>

#include "dispatch.h"
#include "sites/lockless.h"
#include "sites/sites.h"

/* Limit for the time until a retired trampoline is freed, on a busy machine. */
#define GONE_TIMEOUT	(60 * HZ)

static struct task_struct *busy_task;
static bool busy, let_go;
static unsigned long root = 1;
static DECLARE_COMPLETION(busy_left);

static void busy_call(unsigned long ip, unsigned long parent_ip,
		      struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	if (READ_ONCE(busy_task) != current)
		return;
	WRITE_ONCE(busy, true);
	while (!READ_ONCE(let_go))
		cpu_relax();
	WRITE_ONCE(busy, false);
}

/* Call the trampoline at @data, or a traced function if @data is NULL. */
static int busy_thread(void *data)
{
	WRITE_ONCE(busy_task, current);
	if (data)
		arch_trampoline_call((unsigned long)data);
	else
		WRITE_ONCE(root, int_sqrt(READ_ONCE(root)));
	WRITE_ONCE(busy_task, NULL);
	complete(&busy_left);
	return 0;
}

static void busy_begin(struct kunit *test, void *trampoline)
{
	struct task_struct *task;

	WRITE_ONCE(let_go, false);
	reinit_completion(&busy_left);
	task = kthread_run(busy_thread, trampoline, "ftrace_kunit_busy");
	KUNIT_ASSERT_FALSE(test, IS_ERR(task));
	while (!READ_ONCE(busy))
		msleep(20);
}

static void busy_end(void)
{
	WRITE_ONCE(let_go, true);
	wait_for_completion(&busy_left);
}

/* Wait long enough for a waiter that wrongly waits for no task to finish. */
static void give_time(void)
{
	lockless_synchronize();
	lockless_synchronize();
	msleep(100);
}

static bool trampoline_goes(unsigned long addr)
{
	unsigned long end = jiffies + GONE_TIMEOUT;

	while (is_ftrace_trampoline(addr) && time_before(jiffies, end))
		msleep(20);
	return !is_ftrace_trampoline(addr);
}

static struct ftrace_ops busy_ops = {
	.func = busy_call,
};

/* Create a set that counts one site, although no site holds it. */
static u32 set_begin(unsigned long *trampoline)
{
	int id;

	guard(mutex)(&ftrace_lock);
	id = dispatch_with(DISPATCH_EMPTY, &busy_ops);
	if (id <= 0)
		return DISPATCH_EMPTY;
	dispatch_count_moved(DISPATCH_EMPTY, id, 1);
	*trampoline = dispatch_set_by_id(id)->trampoline;
	return id;
}

static void set_end(u32 id)
{
	guard(mutex)(&ftrace_lock);
	dispatch_count_moved(id, DISPATCH_EMPTY, 1);
	dispatch_reap();
}

static void trampoline_outlives_who_is_in_it(struct kunit *test)
{
	unsigned long trampoline;
	u32 id;

	if (!IS_ENABLED(CONFIG_PREEMPTION))
		kunit_skip(test, "nobody is preempted in a trampoline");
	id = set_begin(&trampoline);
	KUNIT_ASSERT_NE(test, id, DISPATCH_EMPTY);
	if (!is_ftrace_trampoline(trampoline)) {
		set_end(id);
		kunit_skip(test, "no generated trampolines");
	}
	busy_begin(test, (void *)trampoline);
	set_end(id);
	give_time();
	KUNIT_EXPECT_TRUE(test, is_ftrace_trampoline(trampoline));
	busy_end();
	KUNIT_EXPECT_TRUE(test, trampoline_goes(trampoline));
}

static bool unregistered_early;
static DECLARE_COMPLETION(unregistered);

static int unregister_thread(void *ops)
{
	unregister_ftrace_function(ops);
	unregistered_early = READ_ONCE(busy);
	complete(&unregistered);
	return 0;
}

static void unregister_while_busy(struct kunit *test, struct ftrace_ops *ops)
{
	struct task_struct *task;

	busy_begin(test, NULL);
	reinit_completion(&unregistered);
	task = kthread_run(unregister_thread, ops, "ftrace_kunit_unregister");
	KUNIT_EXPECT_FALSE(test, IS_ERR(task));
	if (!IS_ERR(task)) {
		while (READ_ONCE(ops->flags) & FTRACE_OPS_FL_ENABLED)
			msleep(20);
		give_time();
	}
	busy_end();
	if (!IS_ERR(task))
		wait_for_completion(&unregistered);
}

/* After unregistering, the memory of the ops and the code of its callback may be freed. */
static void unregistering_waits_for_callbacks(struct kunit *test)
{
	unsigned long ip = ftrace_location((unsigned long)int_sqrt);
	struct ftrace_ops *ops = kunit_kzalloc(test, sizeof(*ops), GFP_KERNEL);

	if (!IS_ENABLED(CONFIG_PREEMPTION))
		kunit_skip(test, "no callback is preempted");
	KUNIT_ASSERT_NOT_NULL(test, ops);
	KUNIT_ASSERT_NE(test, ip, 0UL);
	ops->func = busy_call;
	KUNIT_ASSERT_EQ(test, ftrace_set_filter_ip(ops, ip, 0, 1), 0);
	KUNIT_ASSERT_EQ(test, register_ftrace_function(ops), 0);
	unregister_while_busy(test, ops);
	KUNIT_EXPECT_FALSE(test, unregistered_early);
	ftrace_free_filter(ops);
}

static struct kunit_case wait_cases[] = {
	KUNIT_CASE(trampoline_outlives_who_is_in_it),
	KUNIT_CASE(unregistering_waits_for_callbacks),
	{}
};

static struct kunit_suite wait_suite = {
	.name		= "ftrace_wait",
	.test_cases	= wait_cases,
};

kunit_test_suite(wait_suite);
