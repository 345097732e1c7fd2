/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of traced tasks. Records have only a pid, so the comm, and on request the thread group, of
 * a task that has recorded something is saved when the task is switched out. The cache of comms
 * has a fixed number of slots.
 */
#ifndef _KERNEL_TRACE_CMDLINES_H
#define _KERNEL_TRACE_CMDLINES_H

#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/types.h>

struct instance_part;

/* Applies option record-tgid, which a new instance inherits from the top one. */
extern struct instance_part trace_cmdlines_part;

/*
 * True if something was recorded on this CPU since the last save: the next task switch saves both
 * tasks. Accessed only by its own CPU, with preemption off.
 */
DECLARE_PER_CPU(bool, trace_taskinfo_save);

/**
 * trace_taskinfo_mark - note that the current task has recorded something
 *
 * Context: any, NMI included; preemption off.
 */
static __always_inline void trace_taskinfo_mark(void)
{
	__this_cpu_write(trace_taskinfo_save, true);
}

/**
 * trace_find_cmdline - find the saved comm of a task
 * @pid: pid of a record
 * @comm: set to the comm, to "<idle>" for pid 0, or to "<...>" if none is saved
 *
 * Context: any, NMI included. In an NMI, and during an oops, the function does not wait for the
 * lock of the cache, and @comm may be "<...>" for a saved task.
 */
void trace_find_cmdline(int pid, char comm[TASK_COMM_LEN]);

/**
 * trace_find_tgid - find the saved thread group of a task
 * @pid: pid of a record
 *
 * Context: any, NMI included; takes no lock.
 * Return: the tgid, or 0 if none is saved: for idle tasks, and for pids above the pid_max of the
 * time when option record-tgid was first set.
 */
int trace_find_tgid(int pid);

/**
 * trace_cmdlines_prepare - allocate the cache, unless there is one
 *
 * The first recorder allocates the cache, which is never freed.
 *
 * Context: may sleep; takes resize_lock if there is no cache yet.
 * Return: 0 or -ENOMEM.
 */
int trace_cmdlines_prepare(void);

/**
 * trace_save_cmdline - save the comm of a task now
 * @task: the task
 *
 * Does nothing if there is no cache, and for an idle task. A new comm replaces the oldest one.
 *
 * Context: any, NMI included; preemption off. Waits a microsecond or two at most.
 * Return: false if the cache was locked and nothing was saved.
 */
bool trace_save_cmdline(struct task_struct *task);

/**
 * trace_cmdlines_start - start saving comms at task switches
 *
 * Counted: each successful call needs a trace_cmdlines_stop().
 *
 * Context: may sleep; takes resize_lock and users_lock; trace_lock may be held.
 * Return: 0; -ENOMEM for the cache or for the hook into task switches.
 */
int trace_cmdlines_start(void);

/**
 * trace_cmdlines_stop - undo trace_cmdlines_start()
 *
 * The saved comms are kept.
 *
 * Context: may sleep; takes users_lock; trace_lock may be held.
 */
void trace_cmdlines_stop(void);

#endif /* _KERNEL_TRACE_CMDLINES_H */
