/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Room: dispatch - who is called from a site.
 *
 * The ops attached to a site form a set.  Sets are interned: two sites with
 * the same ops hold the same set, so a kernel with 20,000 traced functions has
 * a handful.  Set 0 is empty and stands for the nop.  Each other set has a
 * trampoline of its own that saves the registers once and calls its ops one
 * after the other; a site calls the trampoline of its set directly.
 *
 * Everything that changes something runs under ftrace_lock.
 */
#ifndef _KERNEL_TRACE_DISPATCH_H
#define _KERNEL_TRACE_DISPATCH_H

#include <linux/ftrace_arch.h>
#include <linux/types.h>

struct ftrace_ops;

/**
 * dispatch_set_by_id - the set that a site's word names
 * @id: not DISPATCH_EMPTY
 *
 * Context: any, NMI too.  The result stays valid under ftrace_lock, or as long
 * as the caller runs under a trampoline of the set.
 *
 * Return: NULL for an id that is not in use.
 */
struct dispatch_set *dispatch_set_by_id(u32 id);

/**
 * dispatch_with - the set that has one ops more
 * @id: a set, may be DISPATCH_EMPTY
 * @ops: the ops to add
 *
 * Return: the id of the set, made if need be; @id itself when @ops is in it;
 * -ENOMEM; -EBUSY when two ops would modify the instruction pointer.
 */
int dispatch_with(u32 id, struct ftrace_ops *ops);

/**
 * dispatch_without - the set that has one ops less
 * @id: a set, may be DISPATCH_EMPTY
 * @ops: the ops to take out
 *
 * Detaching must not fail, so it waits for memory if it has to.
 *
 * Return: the id of the set, made if need be; @id itself if @ops is not in it.
 */
u32 dispatch_without(u32 id, struct ftrace_ops *ops);

/**
 * dispatch_target - the address a site with this set calls
 * @id: the set
 *
 * Return: 0 for the nop.
 */
unsigned long dispatch_target(u32 id);

/* Account @nr sites that moved from one set to another. */
void dispatch_moved(u32 from, u32 to, unsigned int nr);

/**
 * dispatch_reap - retire the sets that no site holds
 *
 * Their trampolines may still be under a preempted task: they are freed later,
 * after a grace period of Tasks RCU, by background work.
 */
void dispatch_reap(void);

/**
 * dispatch_freeze - keep every trampoline from now on
 *
 * After a failed change nobody knows what a site calls.  Context: any.
 */
void dispatch_freeze(void);

/**
 * dispatch_synchronize - wait until no task runs in a retired trampoline
 *
 * May sleep for long; without ftrace_lock.
 */
void dispatch_synchronize(void);

/**
 * dispatch_trampoline_at - the set whose trampoline holds an address
 * @ip: any address
 *
 * Context: any, NMI too; RCU or preemption off.
 *
 * Return: NULL if it is in none.
 */
struct dispatch_set *dispatch_trampoline_at(unsigned long ip);

#endif /* _KERNEL_TRACE_DISPATCH_H */
