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

/* Flags of ops of which a function has at most one with each flag. */
#define OPS_EXCLUSIVE	(FTRACE_OPS_FL_IPMODIFY | FTRACE_OPS_FL_DIRECT)

/**
 * ops_check_exclusive() - check that an ops with an OPS_EXCLUSIVE flag may have a filter
 * @ops: the ops; without such a flag every filter is allowed
 * @filter: the filter that @ops is going to have
 *
 * While tracing is disabled, no site detects a conflict. Another ops with the same flag for one of
 * the functions is therefore looked for here; otherwise tracing could not be enabled again.
 *
 * Context: ftrace_lock held.
 *
 * Return: 0; -EINVAL if @filter selects all functions, or where call sites cannot be
 * changed; -EBUSY if another ops with the flag has one of the functions.
 */
int ops_check_exclusive(const struct ftrace_ops *ops, const struct ftrace_filter *filter);

/**
 * ops_find_sharing() - find the registered ops with a flag that have functions of a filter
 * @filter: the filter, which has a list of functions
 * @flag: the flag, one of OPS_EXCLUSIVE
 * @found: filled in, unless it is NULL
 * @room: number of elements of @found
 *
 * Context: ftrace_lock held.
 *
 * Return: number of ops, which may be more than @room.
 */
unsigned int ops_find_sharing(const struct ftrace_filter *filter, unsigned long flag,
			      struct ftrace_ops **found, unsigned int room);

/**
 * ops_register() - register an ops
 * @ops: the ops
 *
 * Context: may sleep; takes ftrace_lock.
 *
 * Return: as register_ftrace_function(); the tracer may have died of the change.
 */
int ops_register(struct ftrace_ops *ops);

/**
 * ops_unregister() - unregister an ops without waiting for its callback
 * @ops: the ops
 *
 * Context: may sleep; takes ftrace_lock.
 *
 * Return: as unregister_ftrace_function(); with an error other than -EBUSY and -ENOMEM sites may
 * call @ops still.
 */
int ops_unregister(struct ftrace_ops *ops);

/**
 * ops_renew() - make the sites of an ops call the current address of its direct call
 * @ops: an attached ops, whose &ftrace_ops.direct_call has changed
 *
 * Context: ftrace_lock held, may sleep.
 *
 * Return: 0; -ENOMEM: no site has changed; any other error: the tracer has died of it.
 */
int ops_renew(struct ftrace_ops *ops);

/*
 * direct_lock serializes the registrations of ops with an OPS_EXCLUSIVE flag. While it is held, an
 * IPMODIFY ops and the direct calls of its functions agree to share them: see direct.c. Taken
 * after the locks of users of direct calls, and before ftrace_lock.
 */
#ifdef CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS

/**
 * direct_register_modifier() - register an IPMODIFY ops, if the direct calls of its functions agree
 * @ops: the ops
 *
 * Context: may sleep; takes direct_lock and ftrace_lock.
 *
 * Return: as ops_register(); or what the &ftrace_ops.ops_func of a direct call has answered.
 */
int direct_register_modifier(struct ftrace_ops *ops);

/**
 * direct_unregister_modifier() - unregister an IPMODIFY ops, and notify the direct calls
 * @ops: the ops
 *
 * Context: may sleep; takes direct_lock and ftrace_lock.
 *
 * Return: as ops_unregister().
 */
int direct_unregister_modifier(struct ftrace_ops *ops);

/**
 * ops_ask_direct() - ask the user of a direct call
 * @direct: the ops of the direct call
 * @cmd: the request
 *
 * Context: that of &ftrace_ops.ops_func for the request.
 *
 * Return: what the user answers; -EBUSY if @direct has no &ftrace_ops.ops_func.
 */
int ops_ask_direct(struct ftrace_ops *direct, enum ftrace_ops_cmd cmd);

/**
 * ops_check_sharing() - check that direct calls and IPMODIFY ops agree to share functions
 * @ops: the ops, of any kind, that is about to be registered or to get a filter
 * @filter: the filter that @ops is going to have
 *
 * Asks the user of @ops if that is a direct call. For an IPMODIFY ops that is about to be
 * registered, direct_register_modifier() has asked the users of direct calls; one that is
 * registered gets no further function with a direct call.
 *
 * Context: ftrace_lock held.
 *
 * Return: 0; -EBUSY; or what the user of the direct call has answered.
 */
int ops_check_sharing(struct ftrace_ops *ops, const struct ftrace_filter *filter);

#else

static inline int direct_register_modifier(struct ftrace_ops *ops)
{
	return ops_register(ops);
}

static inline int direct_unregister_modifier(struct ftrace_ops *ops)
{
	return ops_unregister(ops);
}

static inline int ops_check_sharing(struct ftrace_ops *ops, const struct ftrace_filter *filter)
{
	return 0;
}

#endif

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
 * (kernel.ftrace_enabled) there is nothing to patch.  The caller has made sure that each of the ops
 * may have @next: ops_check_exclusive(), ops_check_sharing().
 *
 * Context: ftrace_lock held, may sleep.
 *
 * Return: 0; -ENOMEM or -EBUSY: all changes have been undone; -ENODEV: the tracer is dead;
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
 * ops_set_enabled() - switch tracing on or off
 * @on: true if sites call the registered ops from now on
 *
 * The caller has attached all ops, or made all sites nops. Notes sites that are in no table if
 * and only if tracing is on. Once the tracer has died, tracing stays off.
 *
 * Context: ftrace_lock held.
 */
void ops_set_enabled(bool on);

#ifdef CONFIG_DYNAMIC_FTRACE

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

#else

static inline void filter_add_user(struct ftrace_ops *ops) { }
static inline void filter_remove_user(struct ftrace_ops *ops) { }

#endif

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
