// SPDX-License-Identifier: GPL-2.0
/*
 * The hook into task switches.
 *
 * Attaching to a tracepoint patches the text of the scheduler, which costs every CPU an interrupt
 * or two. To spare users this when they switch tracers back and forth, the probe stays attached for
 * a while after its last user is gone. The probe runs with the run queue locked, and must not wait.
 */
#include <linux/cleanup.h>
#include <linux/jiffies.h>
#include <linux/mm_types.h>
#include <linux/mutex.h>
#include <linux/tracepoint.h>
#include <linux/workqueue.h>
#include <trace/events/sched.h>

#include "switch_probe.h"

/* Jiffies for which the probe stays attached without users. */
#define SWITCH_PROBE_LINGER	(5 * HZ)

/* Protects switch_probe_users and switch_probe_attached. Innermost of the tracer's mutexes. */
static DEFINE_MUTEX(switch_probe_lock);
static unsigned int switch_probe_users;
static bool switch_probe_attached;

static void switch_probe_call(void *data, bool preempt, struct task_struct *prev,
			      struct task_struct *next, unsigned int prev_state)
{
	trace_save_at_switch(prev, next);
	trace_pids_at_switch(next);
}

static void switch_probe_detach_idle(struct work_struct *work)
{
	guard(mutex)(&switch_probe_lock);
	if (switch_probe_users || !switch_probe_attached)
		return;
	unregister_trace_sched_switch(switch_probe_call, NULL);
	switch_probe_attached = false;
	/* Wait for running probes: trace_save_backlogs() must not race with them. */
	tracepoint_synchronize_unregister();
	trace_save_backlogs();
}

static DECLARE_DELAYED_WORK(switch_probe_detach_work, switch_probe_detach_idle);

int switch_probe_get(void)
{
	int ret = 0;

	guard(mutex)(&switch_probe_lock);
	if (!switch_probe_attached)
		ret = register_trace_sched_switch(switch_probe_call, NULL);
	if (ret)
		return ret;
	switch_probe_attached = true;
	switch_probe_users++;
	return 0;
}

void switch_probe_put(void)
{
	guard(mutex)(&switch_probe_lock);
	/* Early in the boot there is no workqueue; the probe stays attached until the next put. */
	if (!--switch_probe_users && system_wq)
		mod_delayed_work(system_wq, &switch_probe_detach_work, SWITCH_PROBE_LINGER);
}
