/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What holds for calls of an ops, by whatever code they are made.
 */
#ifndef _KERNEL_TRACE_DISPATCH_CALL_H
#define _KERNEL_TRACE_DISPATCH_CALL_H

#include <linux/types.h>

struct ftrace_ops;

/**
 * dispatch_is_used - is there anybody who is called, or was and may still be
 *
 * Context: boot.
 */
bool dispatch_is_used(void);

/**
 * dispatch_disarm - have an ops called no more, although sites cannot change
 * @ops: the ops; it may go after dispatch_synchronize()
 *
 * After the tracer has died.  Where there are trampolines, those that call it jump over
 * all their calls from now on, so others on its sites are not called either.
 *
 * Context: may sleep; takes ftrace_lock, the CPU hotplug lock and text_mutex.
 */
void dispatch_disarm(const struct ftrace_ops *ops);

/**
 * dispatch_synchronize - wait until no task is in a callback that was detached
 *
 * Nor in the code that called it, a trampoline that was retired or the walk of a
 * chain: all that a site called before it was changed has returned by then.
 *
 * Context: sleeps for long (a grace period of Tasks RCU); ftrace_lock not held.
 */
void dispatch_synchronize(void);

#endif /* _KERNEL_TRACE_DISPATCH_CALL_H */
