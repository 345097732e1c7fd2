/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which tasks are followed in an instance: by the function tracer set_ftrace_pid and
 * set_ftrace_notrace_pid, by events set_event_pid and set_event_notrace_pid.
 *
 * The lists are looked at when a task is switched to; the answer waits in a
 * per-CPU word that every traced call, or event, tests anyway. Until that task runs it is
 * the wrong answer, so as long as somebody has a list for functions, calls are recorded the
 * general way, which looks whom it is about (trace_pids_fit()).
 */
#ifndef _KERNEL_TRACE_PIDS_H
#define _KERNEL_TRACE_PIDS_H

#include <linux/jump_label.h>
#include <linux/percpu.h>
#include <linux/types.h>

#include "instance/instance.h"

struct instance_part;
struct task_struct;

/* The lists of an instance. */
extern struct instance_part trace_pids_part;

/**
 * enum trace_pid_type - which of the lists of an instance
 * @TRACE_PIDS: only functions of these are traced (set_ftrace_pid)
 * @TRACE_NO_PIDS: theirs are not traced (set_ftrace_notrace_pid)
 * @TRACE_EVENT_PIDS: only events of these are recorded (set_event_pid)
 * @TRACE_EVENT_NO_PIDS: theirs are not recorded (set_event_notrace_pid)
 * @NR_TRACE_PID_TYPES: how many lists there are
 */
enum trace_pid_type {
	TRACE_PIDS,
	TRACE_NO_PIDS,
	TRACE_EVENT_PIDS,
	TRACE_EVENT_NO_PIDS,
	NR_TRACE_PID_TYPES
};

/* An instance has a pid list for functions.  Changed by pids.c. */
DECLARE_STATIC_KEY_FALSE(trace_pids_key);
/* Likewise, for events. */
DECLARE_STATIC_KEY_FALSE(trace_event_pids_key);

/**
 * trace_pids_write - add the pids that user space wrote
 * @tr: the instance
 * @type: which list
 * @ubuf: numbers separated by white space or NULs
 * @cnt: bytes in it
 *
 * All that it takes, or nothing.  Takes effect on all CPUs before it returns.
 * White space alone adds nothing and makes no list.
 *
 * Context: may sleep; takes trace_lock.
 * Return: how many bytes it took: @cnt, or of more than 64 KiB the whole words
 * in the first 64, and the caller comes back with the rest; -EINVAL for what is
 * not a pid, -EFAULT, -ENOMEM.
 */
ssize_t trace_pids_write(struct trace_array *tr, enum trace_pid_type type,
			 const char __user *ubuf, size_t cnt);

/**
 * trace_pids_clear - empty a list (the file was opened with O_TRUNC)
 * @tr: the instance
 * @type: which list
 *
 * Takes effect on all CPUs before it returns.  Waits for a grace period of RCU
 * when there was a list.
 *
 * Context: may sleep; takes trace_lock.
 */
void trace_pids_clear(struct trace_array *tr, enum trace_pid_type type);

/**
 * trace_pids_next - walk a list in ascending order
 * @tr: the instance
 * @type: which list
 * @pid: where to start; changed to the pid found, or to something above all
 *	pids
 *
 * Context: any; takes the RCU read lock.
 * Return: false when there is no list, or no pid at or after @pid in it.
 */
bool trace_pids_next(struct trace_array *tr, enum trace_pid_type type, int *pid);

/**
 * trace_pids_set - is there a list
 * @tr: the instance
 * @type: which list
 *
 * A list that was emptied by exits (function-fork, event-fork) is still one: nothing, or
 * everything, passes it.  Without one set_ftrace_pid reads "no pid".
 *
 * Context: any.
 * Return: true if pids were written since the last trace_pids_clear().
 */
bool trace_pids_set(struct trace_array *tr, enum trace_pid_type type);

/**
 * trace_pids_follow_events - be told when there are lists for events
 * @changed: called when an instance has got its first one (@on), or none any more
 *
 * For events/, once, before there are instances. It is called with trace_lock held.
 *
 * Context: boot.
 */
void trace_pids_follow_events(void (*changed)(struct trace_array *tr, bool on));

/**
 * trace_pids_exclude_two - do the lists for events exclude both current and another task
 * @tr: the instance
 * @other: pid of the other one, or any number
 * @at_once: each list is asked about both: it excludes them if it would exclude each of them.
 *	Else each task is asked about in both lists, so that one may exclude current, and the
 *	other one the other one
 *
 * Context: any, NMI included; preemption off.
 */
bool trace_pids_exclude_two(struct trace_array *tr, pid_t other, bool at_once);

/**
 * trace_pids_two_begin - what happens on this CPU from now on is about two tasks
 * @other: as for trace_pids_exclude_two(), and
 * @at_once: likewise
 *
 * No instance ignores current by which the two are not excluded, until trace_pids_two_end().
 * Each of these needs one of those. Who interrupts may do the same.
 *
 * Context: any, NMI included; preemption off up to that.
 */
void trace_pids_two_begin(pid_t other, bool at_once);

/* It is over. Context: that of trace_pids_two_begin(), on the same CPU. */
void trace_pids_two_end(void);

/**
 * trace_pids_fit - is what the pid lists say on this CPU said of this task
 * @tr: the instance
 * @task: current
 *
 * They are asked when the scheduler has chosen the next task, while the one
 * before still runs, and goes on to until the stacks are switched. What is called
 * in between is no call of the next one. Costs a nop while there is no list.
 *
 * Context: any, NMI included; preemption off.
 * Return: false in the middle of a task switch, for an instance with a pid list.
 */
static __always_inline bool trace_pids_fit(const struct trace_array *tr,
					   const struct task_struct *task)
{
	const struct task_struct *asked;

	if (!static_branch_unlikely(&trace_pids_key))
		return true;
	asked = raw_cpu_read(tr->cpus->ignore_is_for);
	return !asked || (asked == task && !raw_cpu_read(tr->cpus->ignore_task));
}

/**
 * trace_pids_at_switch - find out whether the lists exclude the next task
 * @next: the task that comes to this CPU
 *
 * Called by the hook into task switches (switch_probe.c), as long as somebody
 * has it.  The answer goes to &struct trace_cpu of each instance that has
 * a list; current is still the task before.
 *
 * Context: inside the scheduler, run queue locked, interrupts off.
 */
void trace_pids_at_switch(struct task_struct *next);

#endif /* _KERNEL_TRACE_PIDS_H */
