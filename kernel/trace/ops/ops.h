/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The registered ops: registering them, and attaching them to their sites again.  ops.c
 * implements the part that concerns call sites, or ops_chain.c where sites cannot be changed.
 */
#ifndef _KERNEL_TRACE_OPS_H
#define _KERNEL_TRACE_OPS_H

#include <linux/types.h>

struct ftrace_ops;
struct site_region;

/* All registered ops in the order of registration, by &ftrace_ops.node; under ftrace_lock. */
extern struct list_head ftrace_ops_registered;

/**
 * ops_are_attached() - check whether sites call the registered ops
 *
 * Context: ftrace_lock held.
 *
 * Return: 1; 0 while tracing is disabled (kernel.ftrace_enabled) and all sites are
 * nops; -ENODEV when the tracer is dead.
 */
int ops_are_attached(void);

/**
 * ops_unregister_later() - unregister an ops without waiting for its callback
 * @ops: the ops
 *
 * The callback may still be running until the caller has called dispatch_synchronize(), once
 * for any number of ops.
 *
 * Context: may sleep; takes ftrace_lock.
 * Return: as unregister_ftrace_function().
 */
int ops_unregister_later(struct ftrace_ops *ops);

/**
 * ops_register_all() - register many ops in one pass over the sites
 * @ops: the ops, each with a list of functions; none of them with FTRACE_OPS_FL_IPMODIFY
 * @nr: number of ops
 *
 * Either all of them are registered, in this order, or none.
 *
 * Context: may sleep; takes ftrace_lock.
 * Return: as register_ftrace_function(); -EINVAL also if an ops has no list of functions.
 */
int ops_register_all(struct ftrace_ops **ops, unsigned int nr);

/**
 * ops_unregister_all_later() - unregister many ops without waiting for their callbacks
 * @ops: the ops, all of them registered by ops_register_all()
 * @nr: number of ops
 *
 * Needs one pass over the sites.  The caller calls dispatch_synchronize() afterwards, as for
 * ops_unregister_later().
 *
 * Context: may sleep; takes ftrace_lock.
 * Return: 0; -ENOMEM: all of them are still registered; any other error: the tracer is dead,
 * all of them are unregistered, and their callbacks no longer run.
 */
int ops_unregister_all_later(struct ftrace_ops **ops, unsigned int nr);

/**
 * ops_suspend_all() - turn every site into a nop unless a permanent ops is registered (SPEC D7)
 *
 * The ops stay registered; ops_resume_all() attaches them again.
 *
 * Context: ftrace_lock held, may sleep.
 *
 * Return: 0; -EBUSY: an ops with FTRACE_OPS_FL_PERMANENT is registered, and
 * no site has changed; errors of ops_nop_all().
 */
int ops_suspend_all(void);

/**
 * ops_nop_region() - turn the sites of a region of text into nops
 * @r: the region; if it is not live, its sites are nops already
 *
 * The ops stay registered; ops_resume_all() would attach them again.
 *
 * Context: ftrace_lock held, may sleep.
 *
 * Return: as ops_nop_all().
 */
int ops_nop_region(struct site_region *r);

/**
 * ops_resume_all() - attach every registered ops to those of its sites that lack it
 *
 * Used after ops_suspend_all() and for new text.  An ops that cannot be
 * attached does not prevent the others from being attached.
 *
 * Context: ftrace_lock held, may sleep.
 *
 * Return: 0, or the first error.
 */
int ops_resume_all(void);

/**
 * ftrace_ops_init() - disable tracing when the tracer dies
 *
 * Context: boot, before anything is registered.
 */
void __init ftrace_ops_init(void);

#endif /* _KERNEL_TRACE_OPS_H */
