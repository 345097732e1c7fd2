// SPDX-License-Identifier: GPL-2.0
/*
 * Registering and unregistering ops (SPEC D7, D10).  The changes of call sites are made by
 * ops.c or, where sites cannot be changed, by ops_chain.c.
 */
#include <linux/ftrace.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/mutex.h>
#include <asm/sections.h>

#include "dispatch/call.h"
#include "dispatch/death.h"
#include "filter/filter.h"
#include "internal.h"
#include "ops.h"
#include "sites/lock.h"

/* ------------------------------------------------------------------ */
/* Registering								*/

/* An ops with FTRACE_OPS_FL_SAVE_REGS_IF_SUPPORTED also works without registers. */
static bool ops_needs_missing_regs(const struct ftrace_ops *ops)
{
	return !IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_REGS) &&
	       (ops->flags & FTRACE_OPS_FL_SAVE_REGS) &&
	       !(ops->flags & FTRACE_OPS_FL_SAVE_REGS_IF_SUPPORTED);
}

static int ops_check(struct ftrace_ops *ops)
{
	if (ftrace_is_dead())
		return -ENODEV;
	if (ops->flags & FTRACE_OPS_FL_ENABLED)
		return -EBUSY;
	if (!ftrace_enabled && (ops->flags & FTRACE_OPS_FL_PERMANENT))
		return -EBUSY;
	if (ops_needs_missing_regs(ops))
		return -EINVAL;
	return ops_check_exclusive(ops, ops->filter) ?: direct_check_modifier(ops, ops->filter);
}

/* Make FTRACE_OPS_FL_SAVE_REGS say whether the ops gets registers, from here on. */
static void ops_settle_regs(struct ftrace_ops *ops)
{
	if (!(ops->flags & FTRACE_OPS_FL_SAVE_REGS_IF_SUPPORTED))
		return;
	if (IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_REGS))
		ops->flags |= FTRACE_OPS_FL_SAVE_REGS;
	else
		ops->flags &= ~FTRACE_OPS_FL_SAVE_REGS;
}

static void ops_init(struct ftrace_ops *ops)
{
	static u64 seq;

	if (!(ops->flags & FTRACE_OPS_FL_ORDERED))
		ops->seq = ++seq;
	ops_settle_regs(ops);
	if (!is_kernel_core_data((unsigned long)ops))
		ops->flags |= FTRACE_OPS_FL_DYNAMIC;
	ops->flags |= FTRACE_OPS_FL_INITIALIZED;
}

static void ops_link(struct ftrace_ops *ops)
{
	list_add_tail(&ops->node, &ftrace_ops_registered);
	filter_add_user(ops);
	ops->flags |= FTRACE_OPS_FL_ENABLED;
}

static void ops_unlink(struct ftrace_ops *ops)
{
	list_del(&ops->node);
	filter_remove_user(ops);
	ops->flags &= ~FTRACE_OPS_FL_ENABLED;
}

int ops_register(struct ftrace_ops *ops)
{
	int ret;

	guard(mutex)(&ftrace_lock);
	ret = ops_check(ops);
	if (ret)
		return ret;
	ops_init(ops);
	if (ftrace_enabled && !(ops->flags & FTRACE_OPS_FL_STUB))
		ret = ops_attach(ops);
	if (!ret)
		ops_link(ops);
	return ret;
}

/* The tracer is dead: sites that still call @ops can no longer be changed, so disarm it. */
static void ops_quiesce_dead(struct ftrace_ops *ops)
{
	dispatch_disarm(ops);
	if (ops->flags & FTRACE_OPS_FL_DYNAMIC)
		dispatch_synchronize();
}

/**
 * register_ftrace_function() - make traced functions call a callback
 * @ops: the callback and its filter; must exist until it is unregistered
 *
 * Each registered ops gets exactly the calls that its filter selects,
 * whatever other ops are registered (SPEC D10).  While kernel.ftrace_enabled is 0, @ops
 * is registered, but not called.
 *
 * Context: may sleep; takes ftrace_lock.
 *
 * Return: 0; -EBUSY if @ops is registered already, modifies the instruction pointer where
 * another ops does or a direct call does not agree, or is permanent while
 * kernel.ftrace_enabled is 0; another errno with which a direct call has refused; -EINVAL
 * for flags that this architecture does not support, or if @ops would modify the instruction
 * pointer of all functions; -ENOMEM; -ENODEV after ftrace_kill(); -EINVAL or -EFAULT if a
 * site was not as expected: the tracer has died of it.
 */
int register_ftrace_function(struct ftrace_ops *ops)
{
	int ret = ops->flags & FTRACE_OPS_FL_IPMODIFY ? direct_register_modifier(ops) :
							ops_register(ops);

	/* The tracer has died of this, and some sites may call @ops already. */
	if (ret && ret != -ENODEV && ftrace_is_dead())
		ops_quiesce_dead(ops);
	return ret;
}
EXPORT_SYMBOL_GPL(register_ftrace_function);

int ops_unregister(struct ftrace_ops *ops)
{
	int ret;

	guard(mutex)(&ftrace_lock);
	if (!(ops->flags & FTRACE_OPS_FL_ENABLED))
		return -EBUSY;
	ret = ops_are_attached();
	if (ret > 0)
		ret = ops_detach(ops);
	/* Do not test ftrace_is_dead() instead of @ret: the tracer may be killed at any time. */
	if (ret == -ENOMEM)
		return ret;
	ops_unlink(ops);
	return ret;
}

int ops_unregister_later(struct ftrace_ops *ops)
{
	int ret = ops->flags & FTRACE_OPS_FL_IPMODIFY ? direct_unregister_modifier(ops) :
							ops_unregister(ops);

	if (ret && ret != -EBUSY && ret != -ENOMEM)
		ops_quiesce_dead(ops);
	return ret;
}

/**
 * unregister_ftrace_function() - make traced functions stop calling a callback
 * @ops: the ops
 *
 * A function entered after this returns does not call the callback.  The
 * callback is no longer running either, so its memory and that of @ops may be freed.
 * Only for an ops in static kernel memory, running callbacks are not waited for.
 *
 * Context: sleeps, for long (see dispatch_synchronize()); takes ftrace_lock.
 *
 * Return: 0; -EBUSY if @ops is not registered; -ENOMEM: @ops is still registered;
 * any other error: the tracer is dead, @ops is unregistered, and the guarantees above
 * hold.
 */
int unregister_ftrace_function(struct ftrace_ops *ops)
{
	int ret = ops_unregister_later(ops);

	if (!ret && ops->flags & FTRACE_OPS_FL_DYNAMIC)
		dispatch_synchronize();
	return ret;
}
EXPORT_SYMBOL_GPL(unregister_ftrace_function);

/* ------------------------------------------------------------------ */
/* Registering many ops at once						*/

/* Each ops needs a list of functions and must not modify the instruction pointer. */
static int ops_check_one_of_many(struct ftrace_ops *ops)
{
	if (!ops->filter || !ops->filter->only.set ||
	    (ops->flags & (FTRACE_OPS_FL_IPMODIFY | FTRACE_OPS_FL_STUB)))
		return -EINVAL;
	return ops_check(ops);
}

static int ops_register_all_locked(struct ftrace_ops **ops, unsigned int nr)
{
	int ret = 0;

	guard(mutex)(&ftrace_lock);
	for (unsigned int i = 0; !ret && i < nr; i++)
		ret = ops_check_one_of_many(ops[i]);
	if (ret)
		return ret;
	for (unsigned int i = 0; i < nr; i++)
		ops_init(ops[i]);
	if (ftrace_enabled)
		ret = ops_attach_all(ops, nr);
	for (unsigned int i = 0; !ret && i < nr; i++)
		ops_link(ops[i]);
	return ret;
}

static void ops_quiesce_all_dead(struct ftrace_ops **ops, unsigned int nr)
{
	for (unsigned int i = 0; i < nr; i++)
		dispatch_disarm(ops[i]);
	dispatch_synchronize();
}

int ops_register_all(struct ftrace_ops **ops, unsigned int nr)
{
	int ret = ops_register_all_locked(ops, nr);

	/* The tracer has died of this, and some sites may call the ops already. */
	if (ret && ret != -ENODEV && ftrace_is_dead())
		ops_quiesce_all_dead(ops, nr);
	return ret;
}

static int ops_unregister_all_locked(struct ftrace_ops **ops, unsigned int nr)
{
	int ret;

	guard(mutex)(&ftrace_lock);
	ret = ops_are_attached();
	if (ret > 0)
		ret = ops_detach_all(ops, nr);
	/* Do not test ftrace_is_dead() instead of @ret: the tracer may be killed at any time. */
	if (ret == -ENOMEM)
		return ret;
	for (unsigned int i = 0; i < nr; i++)
		ops_unlink(ops[i]);
	return ret;
}

int ops_unregister_all_later(struct ftrace_ops **ops, unsigned int nr)
{
	int ret = ops_unregister_all_locked(ops, nr);

	if (ret && ret != -ENOMEM)
		ops_quiesce_all_dead(ops, nr);
	return ret;
}

/* ------------------------------------------------------------------ */
/* Suspending and resuming						*/

int ops_suspend_all(void)
{
	struct ftrace_ops *ops;

	lockdep_assert_held(&ftrace_lock);
	list_for_each_entry(ops, &ftrace_ops_registered, node)
		if (ops->flags & FTRACE_OPS_FL_PERMANENT)
			return -EBUSY;
	return ops_nop_all();
}

int ops_resume_all(void)
{
	struct ftrace_ops *ops;
	int ret = 0, err;

	lockdep_assert_held(&ftrace_lock);
	list_for_each_entry(ops, &ftrace_ops_registered, node) {
		if (ftrace_is_dead() || (ops->flags & FTRACE_OPS_FL_STUB))
			continue;
		err = ops_attach(ops);
		/* Prefer -ENOMEM: a retry may succeed, while a conflict of two ops stays. */
		if (!ret || err == -ENOMEM)
			ret = err;
	}
	return ret;
}
