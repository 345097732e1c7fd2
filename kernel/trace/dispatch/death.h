/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The death of the tracer: after an anomaly, ftrace_kill() of <linux/ftrace.h> turns function
 * tracing off until the next boot (SPEC D8).
 */
#ifndef _KERNEL_TRACE_DEATH_H
#define _KERNEL_TRACE_DEATH_H

#include <linux/types.h>

struct atomic_notifier_head;

/*
 * Notifiers of layers above that have to stop something when the tracer dies. Called once,
 * after ftrace_is_dead() has become true, in any context but NMI.
 */
extern struct atomic_notifier_head ftrace_death;

/**
 * ftrace_is_dead() - check whether the tracer has turned itself off for good (SPEC D8)
 *
 * Sites and trampolines of a dead tracer no longer change: after a failed change,
 * it is unknown what a site calls.
 *
 * Context: any; the result may become true at any time, even under ftrace_lock.
 * Return: true if the tracer is dead.
 */
bool ftrace_is_dead(void);

#endif /* _KERNEL_TRACE_DEATH_H */
