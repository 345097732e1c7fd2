/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Who is called from a site.
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

#include "call.h"

struct ftrace_ops;

/**
 * dispatch_set_by_id - the set that a site's word names
 * @id: not DISPATCH_EMPTY
 *
 * Context: any, NMI too.  The result stays valid under ftrace_lock, or as long
 * as the caller runs under a trampoline of the set.
 *
 * Return: the set; NULL for an id that is not in use, or no more.
 */
struct dispatch_set *dispatch_set_by_id(u32 id);

/**
 * dispatch_with - the set that has one ops more
 * @id: a set, may be DISPATCH_EMPTY
 * @ops: the ops to add; its func and flags do not change any more
 *
 * Members are called in the order of their &ftrace_ops.seq: as they were registered, and
 * behind those the ones that wait for returns.  A set that is made gets a trampoline;
 * where none can be generated it works without, slower (SPEC D11).
 *
 * Context: ftrace_lock held, may sleep.
 *
 * Return: the id of the set, made if need be; @id itself when @ops is in it;
 * -ENOMEM; -EBUSY when two ops would modify the instruction pointer.
 */
int dispatch_with(u32 id, struct ftrace_ops *ops);

/**
 * dispatch_with_all - the set that has many ops more
 * @id: a set, may be DISPATCH_EMPTY
 * @ops: the ops to add, in the order of their &ftrace_ops.seq, each once; some may be in it
 * @nr: how many
 *
 * As dispatch_with() for each of them, but no set with only some of them is made.
 *
 * Context: ftrace_lock held, may sleep.
 *
 * Return: as dispatch_with().
 */
int dispatch_with_all(u32 id, struct ftrace_ops *const *ops, unsigned int nr);

/**
 * dispatch_without - the set that has one ops less
 * @id: a set, may be DISPATCH_EMPTY
 * @ops: the ops to take out
 *
 * Detaching must not fail, so it waits for memory if it has to.
 *
 * Context: ftrace_lock held, may sleep.
 *
 * Return: the id of the set, made if need be; @id itself if @ops is not in it.
 */
u32 dispatch_without(u32 id, struct ftrace_ops *ops);

/**
 * dispatch_without_all - the set that has many ops less
 * @id: a set, may be DISPATCH_EMPTY
 * @ops: the ops to take out, in the order of their &ftrace_ops.seq; some may not be in it
 * @nr: how many
 *
 * Context: ftrace_lock held, may sleep.
 *
 * Return: as dispatch_without().
 */
u32 dispatch_without_all(u32 id, struct ftrace_ops *const *ops, unsigned int nr);

/**
 * dispatch_outdate_all - no set shall have its trampoline for long
 *
 * None of those there are is given out any more, but by dispatch_renewed().
 *
 * Context: boot; ftrace_lock held.
 */
void dispatch_outdate_all(void);

/**
 * dispatch_renewed - the set that takes the place of another one
 * @id: a set, may be DISPATCH_EMPTY
 *
 * It has the same ops, and a trampoline of its own if @id is outdated.
 *
 * Context: boot; ftrace_lock held, may sleep.
 *
 * Return: its id, made if need be; @id itself if that is not outdated; -ENOMEM.
 */
int dispatch_renewed(u32 id);

/**
 * dispatch_target - the address a site with this set calls
 * @id: DISPATCH_EMPTY, or a set that is in use
 * @ip: the site
 *
 * Context: ftrace_lock held.
 *
 * Return: the address of the set's trampoline, or of the static entry, where
 * there is none or the site does not reach it; 0 for the nop.
 */
unsigned long dispatch_target(u32 id, unsigned long ip);

/**
 * dispatch_note_sites - have sites that are as the compiler left them noted, or not
 * @on: have them noted in noted_sites when they call (SPEC D14)
 *
 * Context: any.
 */
void dispatch_note_sites(bool on);

/**
 * dispatch_moved - account sites that went from one set to another
 * @from: the set that they held, may be DISPATCH_EMPTY
 * @to: the one that they hold now, may be DISPATCH_EMPTY
 * @nr: how many sites
 *
 * Patches nothing.  dispatch_reap() goes by these numbers.
 *
 * Context: ftrace_lock held.
 */
void dispatch_moved(u32 from, u32 to, unsigned int nr);

/**
 * dispatch_reap - retire the sets that no site holds
 *
 * Their trampolines may still be under a preempted task: they are freed later,
 * after a grace period of Tasks RCU, by background work (SPEC D11).
 *
 * Context: ftrace_lock held.  No change may be queued (patch.h): a set
 * that is only about to be held would go.
 */
void dispatch_reap(void);

/**
 * dispatch_trampoline_at - the set whose trampoline holds an address
 * @ip: any address
 *
 * Context: any, NMI too; RCU or preemption off.
 *
 * Return: NULL if it is in none.
 */
struct dispatch_set *dispatch_trampoline_at(unsigned long ip);

/**
 * dispatch_nth_trampoline - visit the generated trampolines one by one
 * @n: from 0; the order changes when one comes or goes
 *
 * Context: as dispatch_trampoline_at().
 *
 * Return: the set that it belongs to; NULL if there are no more.
 */
struct dispatch_set *dispatch_nth_trampoline(unsigned int n);

/* What trampolines are called in /proc/kallsyms and by perf. */
#define TRAMPOLINE_SYMBOL	"ftrace_trampoline"
#define TRAMPOLINE_MODULE	"__builtin__ftrace"

#endif /* _KERNEL_TRACE_DISPATCH_H */
