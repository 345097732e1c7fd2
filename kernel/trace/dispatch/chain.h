/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The list of attached ops where call sites cannot be changed (SPEC D15): all sites call one
 * entry, which calls all attached ops.
 *
 * The list is a *chain*. Each change builds a new chain; a published chain never changes.
 * The entry reads one pointer, so it always finds a consistent chain.
 */
#ifndef _KERNEL_TRACE_DISPATCH_CHAIN_H
#define _KERNEL_TRACE_DISPATCH_CHAIN_H

#include "call.h"

struct ftrace_ops;

/**
 * chain_add() - add an ops at the end of the chain
 * @ops: the ops, in the chain already or not; its func and flags must not change until it
 *	is removed
 *
 * Context: ftrace_lock held, may sleep.
 *
 * Return: 0; -ENOMEM: the chain has not changed.
 */
int chain_add(struct ftrace_ops *ops);

/**
 * chain_remove() - remove an ops from the chain
 * @ops: the ops, in the chain or not
 *
 * Removing must not fail, so it waits for memory if necessary.  The callback may
 * run until dispatch_synchronize() has returned.
 *
 * Context: ftrace_lock held, may sleep.
 */
void chain_remove(const struct ftrace_ops *ops);

/**
 * chain_clear() - remove all ops from the chain
 *
 * Context: ftrace_lock held.
 */
void chain_clear(void);

#endif /* _KERNEL_TRACE_DISPATCH_CHAIN_H */
