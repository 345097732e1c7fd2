// SPDX-License-Identifier: GPL-2.0
/*
 * Attaching and detaching registered ops where call sites cannot be changed (SPEC D15): an
 * ops is attached if it is in the chain that all sites call.
 */
#include <linux/ftrace.h>
#include <linux/init.h>

#include "dispatch/chain.h"
#include "internal.h"
#include "ops.h"

int ops_check_exclusive(const struct ftrace_ops *ops, const struct ftrace_filter *filter)
{
	/* Registers that a callback changes are not restored into the function. */
	return ops->flags & FTRACE_OPS_FL_IPMODIFY ? -EINVAL : 0;
}

int ops_attach(struct ftrace_ops *ops)
{
	return chain_add(ops);
}

int ops_detach(struct ftrace_ops *ops)
{
	chain_remove(ops);
	return 0;
}

int ops_attach_all(struct ftrace_ops *const *ops, unsigned int nr)
{
	int ret = 0;

	for (unsigned int i = 0; !ret && i < nr; i++) {
		ret = chain_add(ops[i]);
		if (ret)
			ops_detach_all(ops, i);
	}
	return ret;
}

int ops_detach_all(struct ftrace_ops *const *ops, unsigned int nr)
{
	for (unsigned int i = 0; i < nr; i++)
		chain_remove(ops[i]);
	return 0;
}

int ops_nop_all(void)
{
	chain_clear();
	return 0;
}

/* Without dynamic tracing, ftrace_init() is empty and does not call ftrace_ops_init(). */
static int __init ops_chain_init(void)
{
	ftrace_ops_init();
	return 0;
}
early_initcall(ops_chain_init);
