/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which tasks the function tracer follows: set_ftrace_pid and
 * set_ftrace_notrace_pid of an instance.
 *
 * The lists are looked at when a task is switched to; the answer waits in a
 * per-CPU word that every traced call tests anyway.
 */
#ifndef _KERNEL_TRACE_PIDS_H
#define _KERNEL_TRACE_PIDS_H

#include <linux/types.h>

struct task_struct;
struct trace_array;

/* Which of the two lists of an instance. */
enum trace_pid_type {
	TRACE_PIDS,		/* only these are traced */
	TRACE_NO_PIDS,		/* these are not traced */
	NR_TRACE_PID_TYPES
};

/**
 * trace_pids_write - add the pids that user space wrote
 * @tr: the instance
 * @type: which list
 * @ubuf: numbers separated by white space
 * @cnt: bytes in it
 *
 * All or nothing.  Takes effect on all CPUs before it returns.
 *
 * Context: may sleep; takes trace_lock.
 * Return: @cnt; -EINVAL for what is not a pid, -EFAULT, -ENOMEM.
 */
ssize_t trace_pids_write(struct trace_array *tr, enum trace_pid_type type,
			 const char __user *ubuf, size_t cnt);

/**
 * trace_pids_clear - empty a list (the file was opened with O_TRUNC)
 * @tr: the instance
 * @type: which list
 *
 * Context: may sleep; takes trace_lock.
 */
void trace_pids_clear(struct trace_array *tr, enum trace_pid_type type);

/**
 * trace_pids_next - walk a list in ascending order
 * @tr: the instance
 * @type: which list
 * @pid: where to start; changed to the pid found
 *
 * Context: any but NMI; takes the RCU read lock.
 * Return: false when no pid at or after @pid is listed.
 */
bool trace_pids_next(struct trace_array *tr, enum trace_pid_type type, int *pid);

/**
 * trace_pids_set - whether a list is there (may be empty by exits)
 * @tr: the instance
 * @type: which list
 *
 * Without a list the file reads "no pid", for set_ftrace_pid.
 */
bool trace_pids_set(struct trace_array *tr, enum trace_pid_type type);

/**
 * trace_pids_follow_fork - children of listed tasks join the list, exits leave
 * @tr: the instance
 * @on: start or stop (option function-fork)
 *
 * Context: may sleep; caller holds trace_lock.
 * Return: 0 or -ENOMEM.
 */
int trace_pids_follow_fork(struct trace_array *tr, bool on);

/* Of the probe at task switches (switch_probe.c); preemption off. */
void trace_pids_at_switch(struct task_struct *next);

#endif /* _KERNEL_TRACE_PIDS_H */
