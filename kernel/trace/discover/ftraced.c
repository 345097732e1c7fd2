// SPDX-License-Identifier: GPL-2.0
/*
 * The thread that makes sites of what was noted. Whoever notes cannot wake anybody, so a
 * timer looks once a second whether there is anything; on an idle CPU it waits until that
 * has something to do.
 */
#define pr_fmt(fmt) "ftrace: " fmt

#include <linux/err.h>
#include <linux/init.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/sched.h>
#include <linux/timer.h>

#include "discover.h"
#include "dispatch/death.h"
#include "ops/filter.h"
#include "sites/noted.h"

static struct task_struct *ftraced_task;
static bool ftraced_enabled = true;

bool ftraced_is_enabled(void)
{
	return READ_ONCE(ftraced_enabled);
}

void ftraced_enable(bool on)
{
	WRITE_ONCE(ftraced_enabled, on);
}

static bool work_is_due(void)
{
	return (noted_any(&noted_sites) || discover_is_unfinished()) &&
	       ftraced_is_enabled() && !ftrace_is_dead();
}

static void wake_if_due(struct timer_list *timer)
{
	if (work_is_due())
		wake_up_process(ftraced_task);
	mod_timer(timer, jiffies + HZ);
}

static struct timer_list wake_timer;

/* Only the timer wakes it: that is what "once a second" rests on. */
static int ftraced(void *unused)
{
	for (;;) {
		set_current_state(TASK_IDLE);
		schedule();
		if (work_is_due())
			discover_convert();
	}
	return 0;
}

/* For who knows its address there is no need to wait. */
static void find_function(unsigned long addr)
{
	if (discover_note(addr))
		discover_convert();
}

static int __init ftraced_init(void)
{
	struct task_struct *task = kthread_run(ftraced, NULL, "ftraced");

	if (IS_ERR(task)) {
		pr_warn("no thread to find call sites: error %ld\n", PTR_ERR(task));
		return PTR_ERR(task);
	}
	ftraced_task = task;
	filter_find_function = find_function;
	timer_setup(&wake_timer, wake_if_due, TIMER_DEFERRABLE);
	mod_timer(&wake_timer, jiffies + HZ);
	return 0;
}
early_initcall(ftraced_init);
