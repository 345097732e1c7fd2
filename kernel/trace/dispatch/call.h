/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions about calls of an ops that dispatch.c implements with trampolines, and chain.c
 * where call sites cannot be changed.
 */
#ifndef _KERNEL_TRACE_DISPATCH_CALL_H
#define _KERNEL_TRACE_DISPATCH_CALL_H

#include <linux/types.h>

struct ftrace_ops;

/**
 * dispatch_disarm() - stop the calls of an ops after the tracer has died
 * @ops: the ops; it may be freed after dispatch_synchronize()
 *
 * Needed since sites no longer change.  Trampolines that call @ops jump over
 * all their calls from now on, so other ops of its sites are no longer called either.
 *
 * Context: may sleep; takes ftrace_lock, the CPU hotplug lock and text_mutex.
 */
void dispatch_disarm(const struct ftrace_ops *ops);

/**
 * dispatch_synchronize() - wait until no task runs a callback that was detached before
 *
 * Also waits for the code that calls callbacks, that is retired trampolines and walks of a
 * chain: everything that a site called before it was changed has returned afterwards.
 *
 * Context: sleeps for long (a grace period of Tasks RCU); ftrace_lock not held.
 */
void dispatch_synchronize(void);

#endif /* _KERNEL_TRACE_DISPATCH_CALL_H */
