/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of traced tasks: entries hold a pid only, so the comm (and on request
 * the thread group) of tasks that recorded something is saved when they are
 * switched out, in a cache of a fixed number of tasks.
 */
#ifndef _KERNEL_TRACE_CMDLINES_H
#define _KERNEL_TRACE_CMDLINES_H

#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/types.h>

/* The number of comms saved unless saved_cmdlines_size says otherwise. */
#define SAVED_CMDLINES_DEFAULT	4096

/*
 * Something was recorded on this CPU since the last save: the tasks of the
 * next switch are worth saving.
 */
DECLARE_PER_CPU(bool, trace_taskinfo_save);

/**
 * trace_taskinfo_mark - note that the current task has recorded something
 *
 * Context: any, preemption off.
 */
static __always_inline void trace_taskinfo_mark(void)
{
	__this_cpu_write(trace_taskinfo_save, true);
}

/**
 * trace_find_cmdline - the saved comm of a pid
 * @pid: as in an entry
 * @comm: filled with the comm, "<idle>" for 0, "<...>" when none is saved
 *
 * Context: any; in NMI or while oopsing it does not wait for the cache and may
 * say "<...>" instead.
 */
void trace_find_cmdline(int pid, char comm[TASK_COMM_LEN]);

/**
 * trace_find_tgid - the saved thread group of a pid
 * @pid: as in an entry
 *
 * Context: any.
 * Return: the tgid; 0 when none is saved or record-tgid was never set.
 */
int trace_find_tgid(int pid);

/**
 * trace_saved_tgid_next - walk the saved thread groups (file saved_tgids)
 * @pid: where to start; changed to the pid found
 * @tgid: its thread group
 *
 * Context: any.
 * Return: false when there is none at or after @pid.
 */
bool trace_saved_tgid_next(int *pid, int *tgid);

/**
 * struct saved_comm - one entry of the cache
 */
struct saved_comm {
	int	pid;
	char	comm[TASK_COMM_LEN];
};

/**
 * trace_saved_cmdlines - copy what is saved (file saved_cmdlines)
 * @nr: filled with the number of entries
 *
 * Context: may sleep.
 * Return: an array for the caller to kvfree(), ERR_PTR(-ENOMEM).
 */
struct saved_comm *trace_saved_cmdlines(unsigned int *nr);

/**
 * trace_cmdlines_size - how many comms can be saved
 */
unsigned int trace_cmdlines_size(void);

/**
 * trace_cmdlines_resize - change how many comms can be saved
 * @nr: at least 1
 *
 * The cache starts empty, as after boot.
 *
 * Context: may sleep.
 * Return: 0, -EINVAL for 0 or more than PID_MAX_DEFAULT, -ENOMEM; then nothing
 * was changed.
 */
int trace_cmdlines_resize(unsigned int nr);

/**
 * trace_cmdlines_prepare - allocate the cache, if that was not done yet
 *
 * Until somebody records there is none.
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int trace_cmdlines_prepare(void);

/**
 * trace_save_cmdline - save the comm of a task now
 * @task: the task
 *
 * Does nothing while there is no cache.
 *
 * Context: any; preemption off.
 * Return: false when the cache was busy.
 */
bool trace_save_cmdline(struct task_struct *task);

/*
 * Start and stop the saving at task switches.  Counted: each start needs its
 * stop.  Context: may sleep.
 * Return: 0, or -ENOMEM (of the map for tgids, or of the probes).
 */
int trace_cmdlines_start(void);
void trace_cmdlines_stop(void);
int trace_tgids_start(void);
void trace_tgids_stop(void);

/* Of the probe at task switches (switch_probe.c); preemption off. */
void trace_save_at_switch(struct task_struct *prev, struct task_struct *next);

#endif /* _KERNEL_TRACE_CMDLINES_H */
