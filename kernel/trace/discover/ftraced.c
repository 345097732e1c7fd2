// SPDX-License-Identifier: GPL-2.0
/*
 * The thread that makes sites of what was noted. Whoever notes cannot wake anybody, so a
 * timer of each CPU looks once a second whether there is anything; that of an idle CPU
 * waits until the CPU has something to do, and so something to note.
 */
#define pr_fmt(fmt) "ftrace: " fmt

#include <linux/cpuhotplug.h>
#include <linux/err.h>
#include <linux/init.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/timer.h>

#include "discover.h"
#include "dispatch/death.h"
#include "ops/edit.h"
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

/* When the thread was woken last; written by itself. */
static unsigned long last_pass;

/* Less than a second ago? Jiffies wrap. */
static bool has_just_looked(void)
{
	unsigned long last = READ_ONCE(last_pass);

	return time_in_range(jiffies, last, last + HZ - 1);
}

static void wake_if_due(struct timer_list *timer)
{
	if (work_is_due() && !has_just_looked())
		wake_up_process(ftraced_task);
	mod_timer(timer, jiffies + HZ);
}

static int ftraced(void *unused)
{
	for (;;) {
		set_current_state(TASK_IDLE);
		schedule();
		if (!work_is_due() || has_just_looked())
			continue;
		WRITE_ONCE(last_pass, jiffies);
		discover_convert();
	}
	return 0;
}

static DEFINE_PER_CPU(struct timer_list, wake_timer);

static int start_timer(unsigned int cpu)
{
	struct timer_list *timer = per_cpu_ptr(&wake_timer, cpu);

	timer->expires = jiffies + HZ;
	add_timer_on(timer, cpu);
	return 0;
}

static int stop_timer(unsigned int cpu)
{
	timer_delete_sync(per_cpu_ptr(&wake_timer, cpu));
	return 0;
}

static int __init start_timers(void)
{
	unsigned int cpu;
	int ret;

	for_each_possible_cpu(cpu)
		timer_setup(per_cpu_ptr(&wake_timer, cpu), wake_if_due,
			    TIMER_DEFERRABLE | TIMER_PINNED);
	ret = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "trace/ftraced:online", start_timer,
				stop_timer);
	return min(ret, 0);
}

/* For who knows its address there is no need to wait. */
static void find_function(unsigned long addr)
{
	int ret = discover_note(addr);

	if (ret == -ENOENT)
		return;
	discover_convert();
	/* There are slots now, also when ftraced is disabled and they were all taken. */
	if (ret == -ENOSPC && !discover_note(addr))
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
	return start_timers();
}
early_initcall(ftraced_init);
