/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The hook into task switches that saved comms (cmdlines.h) and pid lists (pids.h) share, and the
 * functions of both that it calls.
 */
#ifndef _KERNEL_TRACE_SWITCH_PROBE_H
#define _KERNEL_TRACE_SWITCH_PROBE_H

struct task_struct;

/**
 * switch_probe_get - attach the hook into task switches
 *
 * Each task switch then calls trace_save_at_switch() and trace_pids_at_switch(). Counted: each
 * successful call needs a switch_probe_put().
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int switch_probe_get(void);

/**
 * switch_probe_put - undo switch_probe_get()
 *
 * The hook may stay attached for some seconds.
 *
 * Context: may sleep.
 */
void switch_probe_put(void);

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

/**
 * trace_pids_at_switch - evaluate the lists of all instances for the next task
 * @next: the task that this CPU switches to; current is still the previous one
 *
 * Called by the hook into task switches (switch_probe.c) while it is attached. The result is stored
 * in the &struct trace_cpu of each instance that has a list.
 *
 * Context: inside the scheduler, run queue locked, interrupts off.
 */
void trace_pids_at_switch(struct task_struct *next);

#endif /* _KERNEL_TRACE_SWITCH_PROBE_H */
