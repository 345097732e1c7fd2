// SPDX-License-Identifier: GPL-2.0
/*
 * The kthread ftraced, which converts noted call sites (SPEC D14). The tracer notes sites in any
 * context and cannot wake a task there. So a timer on each CPU checks once a second for noted
 * sites. The timer is deferrable: an idle CPU calls nothing that could be noted.
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
#include "internal.h"
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

static bool ftraced_has_work(void)
{
	return (noted_any(&noted_sites) || discover_is_unfinished()) &&
	       ftraced_is_enabled() && !ftrace_is_dead();
}

/* Time of the last pass in jiffies; written by the thread only. */
static unsigned long ftraced_last_pass;

/* True if the last pass was less than a second ago. Both ends are compared because jiffies wrap. */
static bool ftraced_ran_recently(void)
{
	unsigned long last = READ_ONCE(ftraced_last_pass);

	return time_in_range(jiffies, last, last + HZ - 1);
}

static void ftraced_timer_fn(struct timer_list *timer)
{
	if (ftraced_has_work() && !ftraced_ran_recently())
		wake_up_process(ftraced_task);
	mod_timer(timer, jiffies + HZ);
}

static int ftraced_thread(void *unused)
{
	for (;;) {
		set_current_state(TASK_IDLE);
		schedule();
		if (!ftraced_has_work() || ftraced_ran_recently())
			continue;
		WRITE_ONCE(ftraced_last_pass, jiffies);
		discover_convert();
	}
	return 0;
}

static DEFINE_PER_CPU(struct timer_list, ftraced_timer);

static int ftraced_start_timer(unsigned int cpu)
{
	struct timer_list *timer = per_cpu_ptr(&ftraced_timer, cpu);

	timer->expires = jiffies + HZ;
	add_timer_on(timer, cpu);
	return 0;
}

static int ftraced_stop_timer(unsigned int cpu)
{
	timer_delete_sync(per_cpu_ptr(&ftraced_timer, cpu));
	return 0;
}

static int __init ftraced_start_timers(void)
{
	unsigned int cpu;
	int ret;

	for_each_possible_cpu(cpu)
		timer_setup(per_cpu_ptr(&ftraced_timer, cpu), ftraced_timer_fn,
			    TIMER_DEFERRABLE | TIMER_PINNED);
	ret = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "trace/ftraced:online", ftraced_start_timer,
				ftraced_stop_timer);
	return min(ret, 0);
}

/* Find the call site of the function at @addr at once, without waiting for its first call. */
static void ftraced_find_function(unsigned long addr)
{
	int ret = discover_note(addr);

	if (ret == -ENOENT)
		return;
	discover_convert();
	/* All slots were in use, as happens while ftraced is disabled. Now they are free. */
	if (ret == -ENOSPC && !discover_note(addr))
		discover_convert();
}

static int __init ftraced_init(void)
{
	struct task_struct *task = kthread_run(ftraced_thread, NULL, "ftraced");

	if (IS_ERR(task)) {
		pr_warn("no thread to find call sites: error %ld\n", PTR_ERR(task));
		return PTR_ERR(task);
	}
	ftraced_task = task;
	filter_find_function = ftraced_find_function;
	return ftraced_start_timers();
}
early_initcall(ftraced_init);
