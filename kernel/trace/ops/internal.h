/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions that the files of ops/ offer each other: attaching ops to sites, for register.c,
 * sysctl.c and the commit of an edit, and edits for the functions of <linux/ftrace.h>.
 */
#ifndef _KERNEL_TRACE_OPS_INTERNAL_H
#define _KERNEL_TRACE_OPS_INTERNAL_H

#include <linux/types.h>

struct filter_edit;
struct ftrace_filter;
struct ftrace_ops;

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
 * ops_nop_all() - turn every site into a nop, whatever ops are attached
 *
 * Context: ftrace_lock held, may sleep.
 *
 * Return: 0; -ENOMEM: some sites still call their ops; any other error: the
 * tracer has died of it.
 */
int ops_nop_all(void);

/**
 * ops_update_noting() - note sites that are in no table if and only if tracing is enabled
 *
 * Must be called after each change of kernel.ftrace_enabled and after the tracer has died.
 *
 * Context: any.
 */
void ops_update_noting(void);

/**
 * filter_add_user() - add a registered ops to the users of its filter
 * @ops: the ops; nothing happens if it has no filter
 *
 * The list of users lets ops_change_filter() find the ops of a filter without a walk
 * over all registered ops.
 *
 * Context: ftrace_lock held.
 */
void filter_add_user(struct ftrace_ops *ops);

/**
 * filter_remove_user() - remove an ops from the users of its filter
 * @ops: the ops, about to be unregistered; nothing happens if it has no filter
 *
 * Context: ftrace_lock held.
 */
void filter_remove_user(struct ftrace_ops *ops);

/**
 * filter_edit_ips() - add or remove functions by address
 * @edit: the edit
 * @ips: addresses of functions or of their call sites
 * @nr: number of addresses
 * @remove: true to remove; words applied before need a filter_edit_merge() first
 *
 * Context: may sleep; takes ftrace_lock.
 *
 * Return: 0; -EINVAL for an address that is not traceable; -ENOENT for an address to
 * remove that is not in the set; -ENOMEM.  Each error leaves the edit as it
 * was.
 */
int filter_edit_ips(struct filter_edit *edit, const unsigned long *ips,
		    unsigned int nr, bool remove);

/**
 * filter_trim() - free the filter of an ops if it selects all functions
 * @ops: the ops; without a filter, it still wants all functions
 *
 * Nothing happens while @ops is registered or its filter is being edited, nor for the
 * global filter.
 *
 * Context: may sleep; takes ftrace_lock.
 */
void filter_trim(struct ftrace_ops *ops);

#endif /* _KERNEL_TRACE_OPS_INTERNAL_H */
