// SPDX-License-Identifier: GPL-2.0
/*
 * register_ftrace_function() and unregister_ftrace_function(), for all of the kernel.
 */
#include <linux/export.h>
#include <linux/ftrace.h>

#include "dispatch/call.h"
#include "dispatch/death.h"
#include "internal.h"
#include "ops.h"

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
