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

/* Number of comms saved, unless saved_cmdlines_size is written. */
#define SAVED_CMDLINES_DEFAULT	4096

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
 * trace_saved_tgid_next - iterate over the saved thread groups (file saved_tgids)
 * @pid: pid to start at; set to the next pid with a saved thread group
 * @tgid: set to the thread group
 *
 * Context: any; takes no lock. May visit all possible pids.
 * Return: false if there is none at or after @pid.
 */
bool trace_saved_tgid_next(int *pid, int *tgid);

/**
 * struct saved_comm - the saved comm of a task
 * @pid: pid of the task; 0 in an unused slot of the cache
 * @comm: name of the task, NUL-terminated
 */
struct saved_comm {
	int	pid;
	char	comm[TASK_COMM_LEN];
};

/**
 * trace_saved_cmdlines - copy all saved comms (file saved_cmdlines)
 * @nr: set to the number of comms
 *
 * The comms are in no particular order. A task that is saved during the copy may be there twice;
 * during a resize, comms may be missing.
 *
 * Context: may sleep.
 * Return: an array for the caller to kvfree(); ERR_PTR(-ENOMEM).
 */
struct saved_comm *trace_saved_cmdlines(unsigned int *nr);

/**
 * trace_cmdlines_size - the number of comms that the cache can hold
 *
 * Context: any.
 * Return: the number, also before the cache is allocated.
 */
unsigned int trace_cmdlines_size(void);

/**
 * trace_cmdlines_resize - change the number of comms that the cache can hold
 * @nr: the number, at least 1
 *
 * The new cache is empty.
 *
 * Context: may sleep; takes resize_lock.
 * Return: 0; -EINVAL for 0 or more than PID_MAX_DEFAULT; -ENOMEM. After an error nothing has
 * changed.
 */
int trace_cmdlines_resize(unsigned int nr);

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

/**
 * trace_save_at_switch - save both tasks of a task switch if this CPU is marked
 * @prev: the task that leaves the CPU
 * @next: the task that the CPU switches to
 *
 * Called by the hook into task switches (switch_probe.c) while it is attached. Does nothing unless
 * something was recorded on this CPU since the last save. If the cache is locked, the next task
 * switch tries again.
 *
 * Context: inside the scheduler, run queue locked, interrupts off.
 */
void trace_save_at_switch(struct task_struct *prev, struct task_struct *next);

/**
 * trace_save_backlogs - save the backlogs of all CPUs
 *
 * A backlog has the comms that could not be saved because the cache was locked.
 *
 * Context: process; trace_save_at_switch() must not run until the function returns.
 */
void trace_save_backlogs(void);

#endif /* _KERNEL_TRACE_CMDLINES_H */
