// SPDX-License-Identifier: GPL-2.0
/*
 * Exclusion of the time in which a task does not run from the duration of its calls (option
 * sleep-time off).
 *
 * When a task is switched to, the time for which it was switched out is added to the calltime of
 * each of its traced calls. That is safe because the task, which owns its stack, does not run yet.
 */
#include <linux/cleanup.h>
#include <linux/ftrace.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <trace/events/sched.h>

#include "graph.h"

/* Protects graph_sleep_requests, and changes of graph_sleep_since. */
static DEFINE_MUTEX(graph_sleep_lock);
/* Number of requests of graph_exclude_sleep() that are in effect. */
static unsigned int graph_sleep_requests;

/*
 * When graph_sleep_on_switch() was registered. A task that was switched out earlier has a stale
 * task_struct.ftrace_timestamp; so when it is switched to, its calls are left unchanged.
 */
static u64 graph_sleep_since;

static void graph_sleep_shift_calls(struct task_struct *task, u64 away)
{
	struct ftrace_ret_stack *call;
	int index;

	for (index = task->curr_ret_stack; index; index -= call->below) {
		call = graph_call_at(task, index);
		call->calltime += away;
	}
}

/* Called with the run queue locked and interrupts off; current is still @prev. */
static void graph_sleep_on_switch(void *data, bool preempt, struct task_struct *prev,
				  struct task_struct *next, unsigned int prev_state)
{
	u64 now = graph_clock();

	prev->ftrace_timestamp = now;
	/* Another CPU may be giving @next its stack at this moment. */
	if (READ_ONCE(next->ret_stack) && next->ftrace_timestamp >= READ_ONCE(graph_sleep_since))
		graph_sleep_shift_calls(next, now - next->ftrace_timestamp);
}

int graph_exclude_sleep(bool exclude)
{
	int ret;

	guard(mutex)(&graph_sleep_lock);
	if (!exclude) {
		if (!--graph_sleep_requests)
			unregister_trace_sched_switch(graph_sleep_on_switch, NULL);
		return 0;
	}
	if (!graph_sleep_requests) {
		WRITE_ONCE(graph_sleep_since, trace_clock_local());
		ret = register_trace_sched_switch(graph_sleep_on_switch, NULL);
		if (ret)
			return ret;
	}
	graph_sleep_requests++;
	return 0;
}
