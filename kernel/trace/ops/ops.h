/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The registered ops: checking, registering and attaching them.  ops.c implements the part
 * that concerns call sites, or ops_chain.c where sites cannot be changed.
 */
#ifndef _KERNEL_TRACE_OPS_H
#define _KERNEL_TRACE_OPS_H

#include <linux/types.h>

struct ftrace_filter;
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
 * ops_check_modifier() - check that an IPMODIFY ops may have a filter
 * @ops: the ops; without FTRACE_OPS_FL_IPMODIFY every filter is allowed
 * @filter: the filter that @ops is going to have
 *
 * While tracing is disabled, no site detects a conflict. Another IPMODIFY ops for one of the
 * functions is therefore looked for here; otherwise tracing could not be enabled again.
 *
 * Context: ftrace_lock held.
 *
 * Return: 0; -EINVAL if @filter selects all functions, or where call sites cannot be
 * changed; -EBUSY if another IPMODIFY ops has one of the functions.
 */
int ops_check_modifier(const struct ftrace_ops *ops, const struct ftrace_filter *filter);

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
 * ops_attach() - make the sites that the filter of an ops selects call it
 * @ops: the ops
 *
 * On failure no site has changed, unless the tracer has died during the change.
 *
 * Context: ftrace_lock held, may sleep.
 *
 * Return: 0; errors as of register_ftrace_function().
 */
int ops_attach(struct ftrace_ops *ops);

/**
 * ops_detach() - make all sites stop calling an ops
 * @ops: the ops
 *
 * Context: ftrace_lock held, may sleep.
 *
 * Return: 0; -ENOMEM: sites may still call @ops; any other error: the tracer is dead.
 */
int ops_detach(struct ftrace_ops *ops);

/**
 * ops_attach_all() - attach many ops in one pass over their sites
 * @ops: the ops, in the order of their &ftrace_ops.seq; each filter has a list of functions
 * @nr: number of ops
 *
 * Context: ftrace_lock held, may sleep.
 * Return: as ops_attach().
 */
int ops_attach_all(struct ftrace_ops *const *ops, unsigned int nr);

/**
 * ops_detach_all() - detach many ops in one pass over their sites
 * @ops: the ops, in any order; each filter has a list of functions
 * @nr: number of ops
 *
 * Context: ftrace_lock held, may sleep.
 * Return: as ops_detach().
 */
int ops_detach_all(struct ftrace_ops *const *ops, unsigned int nr);

/**
 * ops_change_filter() - move the ops of a filter from its old to its new set of sites
 * @filter: the filter that the ops point to, with its old contents
 * @next: the new contents of the filter
 *
 * Patches the sites of every registered ops that uses @filter (SPEC D10).  The
 * caller copies @next into @filter afterwards.  While tracing is disabled
 * (kernel.ftrace_enabled) there is nothing to patch.
 *
 * Context: ftrace_lock held, may sleep.
 *
 * Return: 0; an error of ops_check_modifier() for one of the ops: no site has changed;
 * -ENOMEM or -EBUSY: all changes have been undone; -ENODEV: the tracer is dead;
 * any other error: the tracer has died during the change.
 */
int ops_change_filter(const struct ftrace_filter *filter,
		      const struct ftrace_filter *next);

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
 * ops_nop_all() - turn every site into a nop, whatever ops are attached
 *
 * Context: ftrace_lock held, may sleep.
 *
 * Return: 0; -ENOMEM: some sites still call their ops; any other error: the
 * tracer has died of it.
 */
int ops_nop_all(void);

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
 * ops_update_noting() - note sites that are in no table if and only if tracing is enabled
 *
 * Must be called after each change of kernel.ftrace_enabled and after the tracer has died.
 *
 * Context: any.
 */
void ops_update_noting(void);

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
