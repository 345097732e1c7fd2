/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Who is called where call sites cannot be changed (SPEC D15): all sites call one
 * entry, and that calls everybody who is attached.
 *
 * What it calls is a *chain*, which is built once for each change and never changes
 * itself; so the entry looks at one pointer, and whatever it finds there is consistent.
 */
#ifndef _KERNEL_TRACE_DISPATCH_CHAIN_H
#define _KERNEL_TRACE_DISPATCH_CHAIN_H

#include "call.h"

struct ftrace_ops;

/**
 * chain_add - have an ops called, behind those that are
 * @ops: the ops; one that is called already is fine; its func and flags do not change any
 *	more
 *
 * Context: ftrace_lock held, may sleep.
 *
 * Return: 0; -ENOMEM, and nothing has changed.
 */
int chain_add(struct ftrace_ops *ops);

/**
 * chain_remove - have an ops called no more
 * @ops: the ops; one that is not in the chain is fine
 *
 * Taking out must not fail, so it waits for memory if it has to.  The callback may
 * still run: see dispatch_synchronize().
 *
 * Context: ftrace_lock held, may sleep.
 */
void chain_remove(const struct ftrace_ops *ops);

/**
 * chain_clear - have nobody called
 *
 * Context: ftrace_lock held.
 */
void chain_clear(void);

#endif /* _KERNEL_TRACE_DISPATCH_CHAIN_H */
