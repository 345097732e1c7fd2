/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What other rooms may ask about the registered ops.
 */
#ifndef _KERNEL_TRACE_OPS_H
#define _KERNEL_TRACE_OPS_H

#include <linux/types.h>

struct ftrace_filter;
struct ftrace_ops;
struct site_region;

/* Registered ops by their node, first come first; under ftrace_lock. */
extern struct list_head ftrace_ops_registered;

/**
 * ops_are_attached - are the registered ops called?
 *
 * Context: ftrace_lock held.
 *
 * Return: 1; 0 while tracing is disabled (kernel.ftrace_enabled), and no site calls
 * anybody; -ENODEV when the tracer is dead.
 */
int ops_are_attached(void);

/**
 * ops_check_modifier - may an ops change where functions go on?
 * @ops: the ops
 * @filter: which functions it is going to want
 *
 * While tracing is disabled no site refuses an ops: another one that does the same to one
 * of the functions is looked for here, or tracing could not be enabled again.
 *
 * Context: ftrace_lock held.
 *
 * Return: 0, also if it does not do that; -EINVAL if it would with whatever function there
 * is, or sites do not change; -EBUSY if there is another one.
 */
int ops_check_modifier(const struct ftrace_ops *ops, const struct ftrace_filter *filter);

/**
 * ops_unregister_later - unregister_ftrace_function() for one of many
 * @ops: the ops
 *
 * The callback may still be running until dispatch_synchronize(), which is called once for all.
 *
 * Context: may sleep; takes ftrace_lock.
 * Return: as unregister_ftrace_function().
 */
int ops_unregister_later(struct ftrace_ops *ops);

/**
 * ops_register_all - register_ftrace_function() for many in one pass
 * @ops: the ops, each with a list of functions; none of them changes where they go on
 * @nr: how many
 *
 * All or none of them are registered, in this order.
 *
 * Context: may sleep; takes ftrace_lock.
 * Return: as register_ftrace_function(); -EINVAL also if one is for all functions.
 */
int ops_register_all(struct ftrace_ops **ops, unsigned int nr);

/**
 * ops_unregister_all_later - ops_unregister_later() for many in one pass
 * @ops: the ops, all of them registered by ops_register_all()
 * @nr: how many
 *
 * Context: may sleep; takes ftrace_lock.
 * Return: 0; -ENOMEM: all of them are as before; any other error: the tracer is dead, and no
 * callback is running any more.
 */
int ops_unregister_all_later(struct ftrace_ops **ops, unsigned int nr);

/**
 * ops_attach - have an ops called
 * @ops: the ops; its filter says by which sites
 *
 * All or nothing, unless the tracer dies on the way.
 *
 * Context: ftrace_lock held, may sleep.
 *
 * Return: 0; or as register_ftrace_function().
 */
int ops_attach(struct ftrace_ops *ops);

/**
 * ops_detach - have an ops called no more
 * @ops: the ops
 *
 * Context: ftrace_lock held, may sleep.
 *
 * Return: 0; -ENOMEM, and sites may call it; any other error: the tracer is dead.
 */
int ops_detach(struct ftrace_ops *ops);

/**
 * ops_attach_all - ops_attach() for many in one pass
 * @ops: the ops, in the order of their &ftrace_ops.seq; the filter of each has a list
 * @nr: how many
 *
 * Context: ftrace_lock held, may sleep.
 * Return: as ops_attach().
 */
int ops_attach_all(struct ftrace_ops *const *ops, unsigned int nr);

/**
 * ops_detach_all - ops_detach() for many in one pass
 * @ops: the ops, as for ops_attach_all(), but in any order
 * @nr: how many
 *
 * Context: ftrace_lock held, may sleep.
 * Return: as ops_detach().
 */
int ops_detach_all(struct ftrace_ops *const *ops, unsigned int nr);

/**
 * ops_change_filter - make a filter let through what another one does
 * @filter: the filter that ops point to, as it still is
 * @next: what it is going to be
 *
 * Patches the sites of every registered ops that uses @filter (SPEC D10).  The
 * caller makes @filter look like @next afterwards.  While tracing is disabled
 * (kernel.ftrace_enabled) there is nothing to patch.
 *
 * Context: ftrace_lock held, may sleep.
 *
 * Return: 0; as ops_check_modifier() for one of them, and nothing was changed; -ENOMEM or
 * -EBUSY, and what was changed has been changed back; -ENODEV when the tracer is dead;
 * another error when it has died on the way.
 */
int ops_change_filter(const struct ftrace_filter *filter,
		      const struct ftrace_filter *next);

/**
 * ops_suspend_all - return every site to the nop (SPEC D7)
 *
 * The ops stay registered; ops_resume_all() attaches them again.
 *
 * Context: ftrace_lock held, may sleep.
 *
 * Return: 0; -EBUSY while an ops that must stay attached is registered, and
 * nothing is changed; or as ops_nop_all().
 */
int ops_suspend_all(void);

/**
 * ops_nop_all - return every site to the nop, whoever is attached
 *
 * Context: ftrace_lock held, may sleep.
 *
 * Return: 0; -ENOMEM with some sites still calling; or the error of which the
 * tracer has died.
 */
int ops_nop_all(void);

/**
 * ops_nop_region - return the sites of a stretch of text to the nop
 * @r: the region; one that is not live calls nobody
 *
 * The ops stay registered, and would be attached by ops_resume_all().
 *
 * Context: ftrace_lock held, may sleep.
 *
 * Return: as ops_nop_all().
 */
int ops_nop_region(struct site_region *r);

/**
 * ops_update_noting - have sites that are in no table noted, if tracing is enabled
 *
 * To be called when kernel.ftrace_enabled has changed, and when the tracer has died.
 *
 * Context: any.
 */
void ops_update_noting(void);

/**
 * ops_resume_all - attach every registered ops where it is not attached
 *
 * After ops_suspend_all(), and when there is new text.  An ops that cannot be
 * attached does not keep the others from it.
 *
 * Context: ftrace_lock held, may sleep.
 *
 * Return: 0, or the first error.
 */
int ops_resume_all(void);

/**
 * ftrace_ops_init - note when the tracer dies
 *
 * Context: boot, before anything is registered.
 */
void __init ftrace_ops_init(void);

#endif /* _KERNEL_TRACE_OPS_H */
