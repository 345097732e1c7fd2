// SPDX-License-Identifier: GPL-2.0
/*
 * The hook into task switches.
 *
 * Attaching to a tracepoint patches the scheduler's text, which costs every CPU
 * an interrupt or two.  Users who switch tracers back and forth would pay that
 * each time, so the probe stays attached for a while after its last user has
 * gone.  It is called with the run queue locked: it must not wait.
 */
#include <linux/cleanup.h>
#include <linux/jiffies.h>
#include <linux/mm_types.h>
#include <linux/mutex.h>
#include <linux/tracepoint.h>
#include <linux/workqueue.h>
#include <trace/events/sched.h>

#include "cmdlines.h"
#include "pids.h"
#include "switch_probe.h"

#define LINGER	(5 * HZ)

/* Protects the two below; innermost of the tracer's mutexes. */
static DEFINE_MUTEX(switch_probe_lock);
static unsigned int users;
static bool attached;

static void at_switch(void *data, bool preempt, struct task_struct *prev,
		      struct task_struct *next, unsigned int prev_state)
{
	trace_save_at_switch(prev, next);
	trace_pids_at_switch(next);
}

static void detach_if_idle(struct work_struct *work)
{
	guard(mutex)(&switch_probe_lock);
	if (users || !attached)
		return;
	unregister_trace_sched_switch(at_switch, NULL);
	attached = false;
	/* It may still be under way. */
	tracepoint_synchronize_unregister();
	trace_save_left();
}

static DECLARE_DELAYED_WORK(detach_work, detach_if_idle);

int switch_probe_get(void)
{
	int ret = 0;

	guard(mutex)(&switch_probe_lock);
	if (!attached)
		ret = register_trace_sched_switch(at_switch, NULL);
	if (ret)
		return ret;
	attached = true;
	users++;
	return 0;
}

void switch_probe_put(void)
{
	guard(mutex)(&switch_probe_lock);
	/* Where there is no work yet, early in the boot, it stays for the next put. */
	if (!--users && system_wq)
		mod_delayed_work(system_wq, &detach_work, LINGER);
}
