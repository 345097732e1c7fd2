// SPDX-License-Identifier: GPL-2.0
/*
 * The users of traced functions: who is registered (SPEC D7, D10).  What that means for
 * call sites is in ops.c or, where sites cannot be changed, in ops_chain.c.
 */
#include <linux/ftrace.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <asm/sections.h>

#include "dispatch/call.h"
#include "dispatch/death.h"
#include "edit.h"
#include "ops.h"
#include "sites/lock.h"

LIST_HEAD(ftrace_ops_registered);

/* Changes under ftrace_lock, but for the end of the tracer, which comes at any time. */
int ftrace_enabled __read_mostly = 1;

int ops_are_attached(void)
{
	/*
	 * First, and pairs with the release in disable_at_death(): who finds tracing
	 * disabled by that also finds it dead, not the sites nops.
	 */
	int enabled = smp_load_acquire(&ftrace_enabled);

	lockdep_assert_held(&ftrace_lock);
	return ftrace_is_dead() ? -ENODEV : !!enabled;
}

/* ------------------------------------------------------------------ */
/* Registering								*/

/* One that can do without registers says so, whatever else it says of them. */
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
	return ops_check_modifier(ops, ops->filter);
}

/* From here on FTRACE_OPS_FL_SAVE_REGS says whether it gets them. */
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

static int ops_join(struct ftrace_ops *ops)
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

/* The tracer is dead: make sure that an ops which sites call may go. */
static void ops_forsake(struct ftrace_ops *ops)
{
	dispatch_disarm(ops);
	if (ops->flags & FTRACE_OPS_FL_DYNAMIC)
		dispatch_synchronize();
}

/**
 * register_ftrace_function - have a callback called by traced functions
 * @ops: the callback and its filter; the memory must stay
 *
 * Each registered ops gets exactly the calls that its filter lets through,
 * whoever else is registered (SPEC D10).  While kernel.ftrace_enabled is 0 it
 * is registered, but not called.
 *
 * Context: may sleep; takes ftrace_lock.
 *
 * Return: 0; -EBUSY if it is registered already, wants to modify the
 * instruction pointer where another one does, or must stay attached while
 * kernel.ftrace_enabled is 0; -EINVAL for flags that this architecture cannot
 * honour, or if it would modify the instruction pointer of all functions;
 * -ENOMEM; -ENODEV after ftrace_kill(); -EINVAL, -EFAULT if a site was not as
 * expected: the tracer has died of it.
 */
int register_ftrace_function(struct ftrace_ops *ops)
{
	int ret = ops_join(ops);

	/* Has the tracer died of it, when some sites were written already? */
	if (ret && ret != -ENODEV && ftrace_is_dead())
		ops_forsake(ops);
	return ret;
}
EXPORT_SYMBOL_GPL(register_ftrace_function);

static int ops_leave(struct ftrace_ops *ops)
{
	int ret;

	guard(mutex)(&ftrace_lock);
	if (!(ops->flags & FTRACE_OPS_FL_ENABLED))
		return -EBUSY;
	ret = ops_are_attached();
	if (ret > 0)
		ret = ops_detach(ops);
	/* By what it has returned: the tracer may be killed at any moment. */
	if (ret == -ENOMEM)
		return ret;
	ops_unlink(ops);
	return ret;
}

int ops_unregister_later(struct ftrace_ops *ops)
{
	int ret = ops_leave(ops);

	if (ret && ret != -EBUSY && ret != -ENOMEM)
		ops_forsake(ops);
	return ret;
}

/**
 * unregister_ftrace_function - the end of register_ftrace_function()
 * @ops: the ops
 *
 * When it returns, no function entered from then on calls the callback.  Nor
 * is the callback running any more, so that its memory and that of @ops may go;
 * except for an ops in static kernel memory, which is not waited for.
 *
 * Context: sleeps, for long (see dispatch_synchronize()); takes ftrace_lock.
 *
 * Return: 0; -EBUSY if it is not registered; -ENOMEM: it still is, as before;
 * any other error: the tracer is dead, and what was said above holds all the
 * same.
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
/* Many at once								*/

/* Each has a list of functions, and does not change where these go on. */
static int ops_check_one_of_many(struct ftrace_ops *ops)
{
	if (!ops->filter || !ops->filter->only.set ||
	    (ops->flags & (FTRACE_OPS_FL_IPMODIFY | FTRACE_OPS_FL_STUB)))
		return -EINVAL;
	return ops_check(ops);
}

static int ops_join_all(struct ftrace_ops **ops, unsigned int nr)
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

static void ops_forsake_all(struct ftrace_ops **ops, unsigned int nr)
{
	for (unsigned int i = 0; i < nr; i++)
		dispatch_disarm(ops[i]);
	dispatch_synchronize();
}

int ops_register_all(struct ftrace_ops **ops, unsigned int nr)
{
	int ret = ops_join_all(ops, nr);

	/* As in register_ftrace_function(). */
	if (ret && ret != -ENODEV && ftrace_is_dead())
		ops_forsake_all(ops, nr);
	return ret;
}

static int ops_leave_all(struct ftrace_ops **ops, unsigned int nr)
{
	int ret;

	guard(mutex)(&ftrace_lock);
	ret = ops_are_attached();
	if (ret > 0)
		ret = ops_detach_all(ops, nr);
	/* As in ops_leave(). */
	if (ret == -ENOMEM)
		return ret;
	for (unsigned int i = 0; i < nr; i++)
		ops_unlink(ops[i]);
	return ret;
}

int ops_unregister_all_later(struct ftrace_ops **ops, unsigned int nr)
{
	int ret = ops_leave_all(ops, nr);

	if (ret && ret != -ENOMEM)
		ops_forsake_all(ops, nr);
	return ret;
}

/* ------------------------------------------------------------------ */
/* On and off								*/

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
		/* Memory may be there the next time; what two users cannot share stays so. */
		if (!ret || err == -ENOMEM)
			ret = err;
	}
	return ret;
}

static int disable_at_death(struct notifier_block *nb, unsigned long action, void *data)
{
	/* Pairs with the acquire in ops_are_attached(). */
	smp_store_release(&ftrace_enabled, 0);
	ops_update_noting();
	return NOTIFY_OK;
}

static struct notifier_block death_notifier = {
	.notifier_call = disable_at_death,
};

void __init ftrace_ops_init(void)
{
	atomic_notifier_chain_register(&ftrace_death, &death_notifier);
}
