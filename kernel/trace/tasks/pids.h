/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lists of the tasks that are followed in an instance: set_ftrace_pid and set_ftrace_notrace_pid
 * for the function tracer, set_event_pid and set_event_notrace_pid for events.
 *
 * The lists are evaluated at each task switch. The result is stored in a per-CPU word that every
 * traced call, or event, tests anyway. Until the next task runs, the result does not apply to
 * current; so while any instance has a list for functions, calls are recorded the general way,
 * which checks the task to which the result applies (trace_pids_allow()).
 */
#ifndef _KERNEL_TRACE_PIDS_H
#define _KERNEL_TRACE_PIDS_H

#include <linux/jump_label.h>
#include <linux/percpu.h>
#include <linux/types.h>

#include "instance/instance.h"

struct instance_part;
struct task_struct;

/* Keeps the pid lists of each instance. */
extern struct instance_part trace_pids_part;

/**
 * enum trace_pid_type - the pid lists of an instance
 * @TRACE_PIDS: only functions of these tasks are traced (set_ftrace_pid)
 * @TRACE_NO_PIDS: functions of these tasks are not traced (set_ftrace_notrace_pid)
 * @TRACE_EVENT_PIDS: only events of these tasks are recorded (set_event_pid)
 * @TRACE_EVENT_NO_PIDS: events of these tasks are not recorded (set_event_notrace_pid)
 * @NR_TRACE_PID_TYPES: number of lists
 */
enum trace_pid_type {
	TRACE_PIDS,
	TRACE_NO_PIDS,
	TRACE_EVENT_PIDS,
	TRACE_EVENT_NO_PIDS,
	NR_TRACE_PID_TYPES
};

/* Enabled while an instance has a pid list for functions. Changed only by pids.c. */
DECLARE_STATIC_KEY_FALSE(trace_pids_key);
/* Enabled while an instance has a pid list for events. Changed only by pids.c. */
DECLARE_STATIC_KEY_FALSE(trace_event_pids_key);

/**
 * trace_pids_are_set - check whether there is a list
 * @tr: the instance
 * @type: the list
 *
 * A list from which exits have removed all pids (function-fork, event-fork) is still a list: it
 * allows no task, or excludes none. Without a list set_ftrace_pid reads "no pid".
 *
 * Context: any.
 * Return: true if pids were written since the last trace_pids_clear().
 */
bool trace_pids_are_set(struct trace_array *tr, enum trace_pid_type type);

/**
 * trace_pids_follow_events - register the callback of events/ for changes of its lists
 * @changed: called with trace_lock held when an instance gets its first list for events, with @on,
 *	or loses its last one
 *
 * Called once, by events/, before there are instances.
 *
 * Context: boot.
 */
void trace_pids_follow_events(void (*changed)(struct trace_array *tr, bool on));

/**
 * trace_pids_exclude_two - check whether the lists for events exclude an event of two tasks
 * @tr: the instance
 * @other: pid of the task besides current; may be an invalid number
 * @at_once: true if one list has to exclude both tasks; false if it suffices that each task is
 *	excluded by some list
 *
 * Context: any, NMI included; preemption off.
 * Return: true if current and the other task are both excluded.
 */
bool trace_pids_exclude_two(struct trace_array *tr, pid_t other, bool at_once);

/**
 * trace_pids_two_begin - begin an event of two tasks on this CPU
 * @other: pid of the task besides current; may be an invalid number
 * @at_once: true if one list has to exclude both tasks; false if it suffices that each task is
 *	excluded by some list
 *
 * Until trace_pids_two_end(), events of current are recorded in each instance whose lists do not
 * exclude both tasks. Calls nest, in interrupts too.
 *
 * Context: any, NMI included; preemption off until trace_pids_two_end().
 */
void trace_pids_two_begin(pid_t other, bool at_once);

/**
 * trace_pids_two_end - undo trace_pids_two_begin()
 *
 * Context: that of trace_pids_two_begin(), on the same CPU.
 */
void trace_pids_two_end(void);

/**
 * trace_pids_allow - check whether the pid lists for functions allow a task on this CPU
 * @tr: the instance
 * @task: current
 *
 * The lists are evaluated when the scheduler has chosen the next task, while the previous one
 * still runs until the stacks are switched. Calls in between are not calls of the next task. The
 * check is a nop while no instance has a list.
 *
 * Context: any, NMI included; preemption off.
 * Return: false if a list excludes @task, or in the middle of a task switch.
 */
static __always_inline bool trace_pids_allow(const struct trace_array *tr,
					     const struct task_struct *task)
{
	const struct task_struct *asked;

	if (!static_branch_unlikely(&trace_pids_key))
		return true;
	asked = raw_cpu_read(tr->cpus->ignore_checked_for);
	return !asked || (asked == task && !raw_cpu_read(tr->cpus->ignore_task));
}

#endif /* _KERNEL_TRACE_PIDS_H */
