// SPDX-License-Identifier: GPL-2.0
/*
 * Functions that a direct call and an ops that modifies the instruction pointer share (SPEC D17):
 * the check before an ops is registered or gets another filter. direct.c says why the two have to
 * agree.
 */
#include <linux/ftrace.h>
#include <linux/lockdep.h>

#include "dispatch/dispatch.h"
#include "filter/filter.h"
#include "internal.h"
#include "ops.h"
#include "sites/lock.h"
#include "sites/sites.h"
#include "visit.h"

int ops_ask_direct(struct ftrace_ops *direct, enum ftrace_ops_cmd cmd)
{
	return direct->ops_func ? direct->ops_func(direct, cmd) : -EBUSY;
}

static int site_has_modifier(struct site *site, unsigned long ip, void *data)
{
	const struct dispatch_set *set = dispatch_set_by_id(site_set_id(site));

	return set && (set->flags & FTRACE_OPS_FL_IPMODIFY);
}

static bool filter_has_modifier(const struct ftrace_filter *filter)
{
	if (!ops_are_attached())
		return ops_find_sharing(filter, FTRACE_OPS_FL_IPMODIFY, NULL, 0);
	return ops_visit_sites(filter, site_has_modifier, NULL);
}

/* Check whether the site has a direct call that @data, an IPMODIFY ops, does not share yet. */
static int site_has_new_direct(struct site *site, unsigned long ip, void *data)
{
	const struct dispatch_set *set = dispatch_set_by_id(site_set_id(site));
	const struct ftrace_ops *modifier = data;

	return set && set->direct && !filter_wants(modifier->filter, ip);
}

/* Check whether a registered IPMODIFY ops would get a function with a direct call. */
static bool modifier_gets_direct(struct ftrace_ops *ops, const struct ftrace_filter *next)
{
	if (!ops_are_attached())
		return ops_find_sharing(next, FTRACE_OPS_FL_DIRECT, NULL, 0) >
		       ops_find_sharing(ops->filter, FTRACE_OPS_FL_DIRECT, NULL, 0);
	return ops_visit_sites(next, site_has_new_direct, ops);
}

int ops_check_sharing(struct ftrace_ops *ops, const struct ftrace_filter *filter)
{
	lockdep_assert_held(&ftrace_lock);
	if (ops->flags & FTRACE_OPS_FL_DIRECT)
		return filter_has_modifier(filter) ?
		       ops_ask_direct(ops, FTRACE_OPS_CMD_ENABLE_SHARE_IPMODIFY_SELF) : 0;
	/* The users of direct calls cannot be asked here, because ftrace_lock is held. */
	if (ops->flags & FTRACE_OPS_FL_IPMODIFY && ops->flags & FTRACE_OPS_FL_ENABLED)
		return modifier_gets_direct(ops, filter) ? -EBUSY : 0;
	return 0;
}
