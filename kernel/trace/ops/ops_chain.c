// SPDX-License-Identifier: GPL-2.0
/*
 * Who is registered, where call sites cannot be changed (SPEC D15): whoever is attached
 * is in the chain that all of them call.
 */
#include <linux/ftrace.h>
#include <linux/init.h>

#include "dispatch/chain.h"
#include "ops.h"

int ops_check_modifier(const struct ftrace_ops *ops, const struct ftrace_filter *filter)
{
	/* What a callback changes in the registers is not put back. */
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

/* Sites stay as they are. */
void ops_update_noting(void)
{
}

/* ftrace_init(), which does this with dynamic tracing, is empty here. */
static int __init ops_chain_init(void)
{
	ftrace_ops_init();
	return 0;
}
early_initcall(ops_chain_init);
