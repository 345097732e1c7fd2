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
	return ops_check_exclusive(ops, ops->filter) ?: ops_check_sharing(ops, ops->filter);
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

/* ------------------------------------------------------------------ */
/* Registering many ops at once						*/

/* Each ops needs a list of functions and must not modify the instruction pointer. */
static int ops_check_one_of_many(struct ftrace_ops *ops)
{
	if (!filter_has_list(ops->filter) ||
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
