/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Dispatch sets: the ops that a site calls.
 *
 * The ops attached to a site form a set.  Sets are interned: two sites with
 * the same ops hold the same set, so a kernel with 20,000 traced functions has
 * only a few sets.  Set 0 is empty and stands for the nop.  Each other set has a
 * trampoline of its own that saves the registers once and calls its ops one
 * after the other; a site calls the trampoline of its set directly.
 *
 * All changes are made under ftrace_lock.
 */
#ifndef _KERNEL_TRACE_DISPATCH_H
#define _KERNEL_TRACE_DISPATCH_H

#include <linux/ftrace_arch.h>
#include <linux/types.h>

#include "call.h"

struct ftrace_ops;

/**
 * dispatch_set_by_id() - get a set by the id that site words hold
 * @id: the id
 *
 * Context: any, NMI too.  The result stays valid under ftrace_lock, or as long
 * as the caller is called from a trampoline of the set.
 *
 * Return: the set; NULL for DISPATCH_EMPTY and for an id that is not in use.
 */
struct dispatch_set *dispatch_set_by_id(u32 id);

/**
 * dispatch_with() - get the set with one more ops
 * @id: id of a set, may be DISPATCH_EMPTY
 * @ops: the ops to add; its func and flags must not change while it is attached
 *
 * The ops of a set are called in the order of &ftrace_ops.seq: in the order of registration,
 * followed by the ops that trace returns.  A new set gets a trampoline;
 * if none can be generated, the set works without, slower (SPEC D11).
 *
 * Context: ftrace_lock held, may sleep.
 *
 * Return: the id of the set, which is created if it does not exist; @id if @ops is in the
 * set already; -ENOMEM; -EBUSY if two ops of the set would modify the instruction pointer, or two
 * would have a direct call.
 */
int dispatch_with(u32 id, struct ftrace_ops *ops);

/**
 * dispatch_with_all() - get the set with many more ops
 * @id: id of a set, may be DISPATCH_EMPTY
 * @ops: the ops to add, in the order of their &ftrace_ops.seq, each once; some may be in
 *	the set already
 * @nr: number of ops
 *
 * The result is that of dispatch_with() for one ops after the other, but no set with only
 * some of them is created.
 *
 * Context: ftrace_lock held, may sleep.
 *
 * Return: as dispatch_with().
 */
int dispatch_with_all(u32 id, struct ftrace_ops *const *ops, unsigned int nr);

/**
 * dispatch_without() - get the set without one ops
 * @id: id of a set, may be DISPATCH_EMPTY
 * @ops: the ops to remove
 *
 * Detaching must not fail, so this waits for memory if necessary.
 *
 * Context: ftrace_lock held, may sleep.
 *
 * Return: the id of the set, which is created if it does not exist; @id if @ops is not in
 * the set.
 */
u32 dispatch_without(u32 id, struct ftrace_ops *ops);

/**
 * dispatch_without_all() - get the set without many ops
 * @id: id of a set, may be DISPATCH_EMPTY
 * @ops: the ops to remove, in the order of their &ftrace_ops.seq; some may not be in the set
 * @nr: number of ops
 *
 * Context: ftrace_lock held, may sleep.
 *
 * Return: as dispatch_without().
 */
u32 dispatch_without_all(u32 id, struct ftrace_ops *const *ops, unsigned int nr);

/**
 * dispatch_outdate_all() - mark all sets outdated, so that their trampolines are replaced
 *
 * No call returns an outdated set; dispatch_renewed() gets the set that replaces it.
 *
 * Context: boot; ftrace_lock held.
 */
void dispatch_outdate_all(void);

/**
 * dispatch_renewed() - get the set that replaces an outdated set
 * @id: id of a set, may be DISPATCH_EMPTY
 *
 * The new set has the same ops and a new trampoline.  A set is also outdated if the direct call of
 * one of its ops has another address now.
 *
 * Context: ftrace_lock held, may sleep.
 *
 * Return: the id of the new set, which is created if it does not exist; @id if that set is
 * not outdated; -ENOMEM.
 */
int dispatch_renewed(u32 id);

/**
 * dispatch_target() - get the address that a site with a given set calls
 * @id: DISPATCH_EMPTY, or the id of a set that is in use
 * @ip: address of the site
 *
 * Context: ftrace_lock held.
 *
 * Return: the address of the trampoline of the set; that of the static entry if the set has
 * no trampoline or a call at @ip does not reach it; 0 for the nop.
 */
unsigned long dispatch_target(u32 id, unsigned long ip);

/**
 * dispatch_note_sites() - switch the noting of unknown sites on or off
 * @on: true to note a site without a record in noted_sites when it calls (SPEC D14)
 *
 * Context: any.
 */
void dispatch_note_sites(bool on);

/**
 * dispatch_count_moved() - count sites that have moved from one set to another
 * @from: id of the set that the sites held, may be DISPATCH_EMPTY
 * @to: id of the set that the sites hold now, may be DISPATCH_EMPTY
 * @nr: number of sites
 *
 * Patches nothing.  dispatch_reap() retires the sets whose count is 0.
 *
 * Context: ftrace_lock held.
 */
void dispatch_count_moved(u32 from, u32 to, unsigned int nr);

/**
 * dispatch_reap() - retire the sets that no site holds
 *
 * A preempted task may still be in a trampoline, so a work frees the retired sets
 * after a grace period of Tasks RCU (SPEC D11).
 *
 * Context: ftrace_lock held.  No change may be queued (patch.h): the new set
 * of a queued change would be retired.
 */
void dispatch_reap(void);

/**
 * dispatch_nth_trampoline() - get a generated trampoline by its number
 * @n: the number, from 0; numbers change when a trampoline is made or freed
 *
 * Context: any, NMI too; under rcu_read_lock() or with preemption off.
 *
 * Return: the set of the trampoline; NULL if there are not so many.
 */
struct dispatch_set *dispatch_nth_trampoline(unsigned int n);

/* Symbol and module name of trampolines in /proc/kallsyms and in perf. */
#define TRAMPOLINE_SYMBOL	"ftrace_trampoline"
#define TRAMPOLINE_MODULE	"__builtin__ftrace"

#endif /* _KERNEL_TRACE_DISPATCH_H */
