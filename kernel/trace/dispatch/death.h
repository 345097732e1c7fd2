/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The end of the tracer: after an anomaly it turns itself off for good (SPEC
 * D8).  ftrace_kill() of <linux/ftrace.h> is how it dies.
 */
#ifndef _KERNEL_TRACE_DEATH_H
#define _KERNEL_TRACE_DEATH_H

#include <linux/types.h>

struct atomic_notifier_head;

/*
 * Called once, when the tracer dies, by those who have to stop something: the
 * rooms above.  Any context but NMI; the tracer is dead already.
 */
extern struct atomic_notifier_head ftrace_death;

/**
 * ftrace_is_dead - has the tracer turned itself off for good (SPEC D8)
 *
 * Sites and trampolines stay as they are from then on: after a failed change
 * nobody knows what a site calls.
 *
 * Context: any; under ftrace_lock the answer can still change to yes.
 */
bool ftrace_is_dead(void);

#endif /* _KERNEL_TRACE_DEATH_H */
