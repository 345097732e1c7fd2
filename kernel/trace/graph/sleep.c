// SPDX-License-Identifier: GPL-2.0
/*
 * Time that a task does not run: not counted for the calls that it is in, when nobody
 * wants it counted (option sleep-time).
 *
 * When a task is switched to, the beginning of each of its calls is moved by the time that
 * it was away.  Its stack is nobody else's then.
 */
#include <linux/cleanup.h>
#include <linux/ftrace.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <trace/events/sched.h>

#include "graph.h"

/* Protects the next one. */
static DEFINE_MUTEX(sleep_lock);
static unsigned int nr_unwanted;

/* A task that was switched from before this is not known to have been. */
static u64 known_since;

static void move_calls(struct task_struct *task, u64 away)
{
	struct ftrace_ret_stack *call;
	int index;

	for (index = task->curr_ret_stack; index; index -= call->below) {
		call = graph_call_at(task, index);
		call->calltime += away;
	}
}

/* With the run queue locked, and interrupts off; @prev is still current. */
static void at_switch(void *data, bool preempt, struct task_struct *prev,
		      struct task_struct *next, unsigned int prev_state)
{
	u64 now = graph_clock();

	prev->ftrace_timestamp = now;
	/* Another CPU may be just giving the stack. */
	if (READ_ONCE(next->ret_stack) && next->ftrace_timestamp >= READ_ONCE(known_since))
		move_calls(next, now - next->ftrace_timestamp);
}

int graph_sleep_unwanted(bool unwanted)
{
	int ret;

	guard(mutex)(&sleep_lock);
	if (!unwanted) {
		if (!--nr_unwanted)
			unregister_trace_sched_switch(at_switch, NULL);
		return 0;
	}
	if (!nr_unwanted) {
		WRITE_ONCE(known_since, trace_clock_local());
		ret = register_trace_sched_switch(at_switch, NULL);
		if (ret)
			return ret;
	}
	nr_unwanted++;
	return 0;
}
