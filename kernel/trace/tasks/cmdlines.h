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

struct instance_part;

/* Option record-tgid. */
extern struct instance_part trace_cmdlines_part;

/* The number of comms saved unless saved_cmdlines_size says otherwise. */
#define SAVED_CMDLINES_DEFAULT	4096

/*
 * Something was recorded on this CPU since the last save: the tasks of the
 * next switch are worth saving.  Touched by its own CPU, preemption off.
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
 * trace_find_cmdline - the saved comm of a pid
 * @pid: as in an entry
 * @comm: filled with the comm, "<idle>" for 0, "<...>" when none is saved
 *
 * Context: any, NMI included; there, and while oopsing, it does not wait for
 * the cache and may say "<...>" instead.
 */
void trace_find_cmdline(int pid, char comm[TASK_COMM_LEN]);

/**
 * trace_find_tgid - the saved thread group of a pid
 * @pid: as in an entry
 *
 * Context: any, NMI included; takes no lock.
 * Return: the tgid; 0 when none is saved, as for idle tasks and for pids above
 * what pid_max was when option record-tgid was set first.
 */
int trace_find_tgid(int pid);

/**
 * trace_saved_tgid_next - walk the saved thread groups (file saved_tgids)
 * @pid: where to start; changed to the pid found
 * @tgid: its thread group
 *
 * Context: any; takes no lock.  May go over all the pids there are.
 * Return: false when there is none at or after @pid.
 */
bool trace_saved_tgid_next(int *pid, int *tgid);

/**
 * struct saved_comm - one entry of the cache
 * @pid: of the task, 0 in one that was never used
 * @comm: its name, NUL-terminated
 */
struct saved_comm {
	int	pid;
	char	comm[TASK_COMM_LEN];
};

/**
 * trace_saved_cmdlines - copy what is saved (file saved_cmdlines)
 * @nr: filled with the number of entries
 *
 * In no order.  A task that is saved meanwhile may be there twice; with a resize
 * under way some may be missing.
 *
 * Context: may sleep.
 * Return: an array for the caller to kvfree(), ERR_PTR(-ENOMEM).
 */
struct saved_comm *trace_saved_cmdlines(unsigned int *nr);

/**
 * trace_cmdlines_size - how many comms can be saved
 *
 * Context: any.
 * Return: the size, also before there is a cache.
 */
unsigned int trace_cmdlines_size(void);

/**
 * trace_cmdlines_resize - change how many comms can be saved
 * @nr: at least 1
 *
 * The cache starts empty, as after boot.
 *
 * Context: may sleep; takes resize_lock.
 * Return: 0; -EINVAL for 0 or more than PID_MAX_DEFAULT, -ENOMEM: nothing was
 * changed.
 */
int trace_cmdlines_resize(unsigned int nr);

/**
 * trace_cmdlines_prepare - allocate the cache, if that was not done yet
 *
 * Until somebody records there is none.  Once there, it stays for good.
 *
 * Context: may sleep; takes resize_lock, the first time.
 * Return: 0 or -ENOMEM.
 */
int trace_cmdlines_prepare(void);

/**
 * trace_save_cmdline - save the comm of a task now
 * @task: the task
 *
 * Does nothing while there is no cache, and for an idle task.  The oldest comm
 * makes room for a new one.
 *
 * Context: any, NMI included; preemption off.  Waits a microsecond or two.
 * Return: false when the cache was busy and nothing was saved.
 */
bool trace_save_cmdline(struct task_struct *task);

/**
 * trace_cmdlines_start - save comms at task switches from now on
 *
 * Counted: each start that succeeded needs its trace_cmdlines_stop().
 *
 * Context: may sleep; takes resize_lock and users_lock, may be called under
 * trace_lock.
 * Return: 0; -ENOMEM, for the cache or for the hook into task switches.
 */
int trace_cmdlines_start(void);

/**
 * trace_cmdlines_stop - end a trace_cmdlines_start()
 *
 * What is saved stays.
 *
 * Context: may sleep; takes users_lock, may be called under trace_lock.
 */
void trace_cmdlines_stop(void);

/**
 * trace_save_at_switch - save both tasks of a switch, if that is asked for
 * @prev: the task that leaves the CPU
 * @next: the one that comes
 *
 * Called by the hook into task switches (switch_probe.c), as long as somebody
 * has it.  Does nothing unless something was recorded on this CPU since the
 * last save; when the cache is busy it leaves that to the next switch.
 *
 * Context: inside the scheduler, run queue locked, interrupts off.
 */
void trace_save_at_switch(struct task_struct *prev, struct task_struct *next);

/**
 * trace_save_left - save what the cache was busy for at the last switches
 *
 * Context: process; nobody is in trace_save_at_switch(), nor will be before it returns.
 */
void trace_save_left(void);

#endif /* _KERNEL_TRACE_CMDLINES_H */
