// SPDX-License-Identifier: GPL-2.0
/*
 * Attaching and detaching registered ops: which sites change, and to which dispatch set
 * (SPEC D8, D10).
 *
 * An attached ops is in the dispatch set of exactly those sites that
 * its filter selects.  Each change first makes sure that it is
 * possible (all sets and trampolines exist, no IPMODIFY conflict), then walks the sites
 * and queues those that change in dispatch/patch.c.  A change that fails for lack of
 * memory has therefore changed nothing.
 */
#define pr_fmt(fmt) "ftrace: " fmt

#include <linux/ftrace.h>
#include <linux/kernel.h>
#include <linux/list.h>

#include "dispatch/death.h"
#include "dispatch/dispatch.h"
#include "dispatch/patch.h"
#include "filter/filter.h"
#include "internal.h"
#include "ops.h"
#include "sites/ip_set.h"
#include "sites/lock.h"
#include "sites/sites.h"
#include "visit.h"

/* ------------------------------------------------------------------ */
/* Walking the sites of a filter					*/

/* Number of sites after which a binary search is quicker than stepping. */
#define STEPS_MAX	8

/**
 * struct site_cursor - position of the last site that was found in a walk over addresses
 * @r: the region of @site
 * @site: the site; NULL before the first was found
 */
struct site_cursor {
	struct site_region	*r;
	struct site		*site;
};

/* Step to the site at @ip if it is near: in a long list, the next site is usually close. */
static bool cursor_step_to(struct site_cursor *at, unsigned long ip)
{
	for (unsigned int i = 0; i < STEPS_MAX && ++at->site < sites_end(at->r); i++)
		if (site_ip(at->r, at->site) >= ip)
			return site_ip(at->r, at->site) == ip;
	return false;
}

static int visit_listed_site(struct site_cursor *at, unsigned long ip, site_fn fn, void *data)
{
	if (!at->site || !cursor_step_to(at, ip))
		at->site = site_at(ip, &at->r);
	return at->site && at->r->live && site_usable(at->site) ? fn(at->site, ip, data) : 0;
}

/*
 * ip_set_has() for callers that ask for ascending addresses: @at is the position in @set that
 * the last call has reached, 0 at first.
 */
static bool set_has_ascending(const struct ip_set *set, unsigned int *at, unsigned long ip)
{
	while (*at < ip_set_size(set) && set->ips[*at] < ip)
		(*at)++;
	return *at < ip_set_size(set) && set->ips[*at] == ip;
}

/* filter_wants() for ascending addresses; @at is used by set_has_ascending(). */
static bool filter_wants_ascending(const struct ftrace_filter *filter, unsigned int *at,
				   unsigned long ip)
{
	if (!filter->only.set || filter->except.sites)
		return filter_wants(filter, ip);
	return set_has_ascending(filter->only.sites, at, ip);
}

/*
 * Functions that @skip selects are passed over before their sites are looked up, so adding
 * a function to a long list costs little.
 */
static int visit_listed_sites(const struct ftrace_filter *filter,
			      const struct ftrace_filter *skip, site_fn fn, void *data)
{
	const struct ip_set *only = filter->only.sites, *except = filter->except.sites;
	unsigned int i, at_skip = 0, at_except = 0;
	struct site_cursor at = { };
	int ret = 0;

	for (i = 0; !ret && i < ip_set_size(only); i++) {
		unsigned long ip = only->ips[i];

		if (!(skip && filter_wants_ascending(skip, &at_skip, ip)) &&
		    !(except && set_has_ascending(except, &at_except, ip)))
			ret = visit_listed_site(&at, ip, fn, data);
	}
	return ret;
}

static int visit_region_sites(struct site_region *r, const struct ip_set *except,
			      const struct ftrace_filter *skip, site_fn fn, void *data)
{
	struct site *site;
	int ret = 0;

	if (!r->live)
		return 0;
	for (site = r->sites; site < sites_end(r); site++) {
		unsigned long ip = site_ip(r, site);

		if (site_usable(site) && !(except && ip_set_has(except, ip)) &&
		    !(skip && filter_wants(skip, ip)))
			ret = fn(site, ip, data);
		if (ret)
			break;
	}
	return ret;
}

static int visit_all_sites(const struct ip_set *except, const struct ftrace_filter *skip,
			   site_fn fn, void *data)
{
	struct site_region *r;
	int ret = 0;

	for_each_site_region(r) {
		ret = visit_region_sites(r, except, skip, fn, data);
		if (ret)
			break;
	}
	return ret;
}

/*
 * Call @fn for each usable site that @filter selects, in the order of addresses. Sites that
 * @skip selects as well are left out, unless @skip is NULL.
 */
static int visit_filtered_sites(const struct ftrace_filter *filter,
				const struct ftrace_filter *skip, site_fn fn, void *data)
{
	if (!filter)
		return visit_all_sites(NULL, skip, fn, data);
	if (filter->only.set)
		return visit_listed_sites(filter, skip, fn, data);
	return visit_all_sites(filter->except.sites, skip, fn, data);
}

/* Code in this file calls visit_filtered_sites(), which the compiler specializes for its @fn. */
int ops_visit_sites(const struct ftrace_filter *filter, site_fn fn, void *data)
{
	return visit_filtered_sites(filter, NULL, fn, data);
}

/* ------------------------------------------------------------------ */
/* Ops that exclude each other						*/

/* Check whether a site is selected by both filters. Each has a list of functions. */
static bool filters_overlap(const struct ftrace_filter *a, const struct ftrace_filter *b)
{
	const struct ip_set *only = a->only.sites;

	for (unsigned int i = 0; i < ip_set_size(only); i++)
		if (filter_wants(a, only->ips[i]) && filter_wants(b, only->ips[i]))
			return true;
	return false;
}

/*
 * Check whether another ops with the same OPS_EXCLUSIVE flag has one of the functions of @filter.
 * @filter is about to replace the filter of @ops, also for the other ops that share it.
 */
static bool exclusive_conflicts(const struct ftrace_ops *ops, const struct ftrace_filter *filter)
{
	const struct ftrace_ops *other;

	list_for_each_entry(other, &ftrace_ops_registered, node) {
		const struct ftrace_filter *its = other->filter;

		if (other == ops || !(other->flags & ops->flags & OPS_EXCLUSIVE))
			continue;
		if (filters_overlap(filter, its == ops->filter ? filter : its))
			return true;
	}
	return false;
}

int ops_check_exclusive(const struct ftrace_ops *ops, const struct ftrace_filter *filter)
{
	if (!(ops->flags & OPS_EXCLUSIVE))
		return 0;
	if (!filter_has_list(filter))
		return -EINVAL;
	/* While ops are attached, dispatch_with() finds the conflict at the site. */
	return !ops_are_attached() && exclusive_conflicts(ops, filter) ? -EBUSY : 0;
}

unsigned int ops_find_sharing(const struct ftrace_filter *filter, unsigned long flag,
			      struct ftrace_ops **found, unsigned int room)
{
	struct ftrace_ops *ops;
	unsigned int nr = 0;

	lockdep_assert_held(&ftrace_lock);
	list_for_each_entry(ops, &ftrace_ops_registered, node) {
		if (!(ops->flags & flag) || !filters_overlap(filter, ops->filter))
			continue;
		if (nr < room)
			found[nr] = ops;
		nr++;
	}
	return nr;
}

/* ------------------------------------------------------------------ */
/* Attaching and detaching						*/

/**
 * struct ops_move - one walk that attaches or detaches an ops
 * @ops: the ops
 * @attach: true to add @ops to the sets of the visited sites, false to remove it
 * @dry: only create the sets and check for conflicts; queue no change
 * @lenient: skip the sites that @ops cannot be added to
 * @from: id of the set of the last site; cached since neighbouring sites often share a set
 * @to: id of the set that replaces @from, or an error
 */
struct ops_move {
	struct ftrace_ops		*ops;
	bool				attach;
	bool				dry;
	bool				lenient;
	u32				from;
	int				to;
};

static int ops_move_target(struct ops_move *m, u32 from)
{
	if (from != m->from || m->to < 0) {
		m->from = from;
		m->to = m->attach ? dispatch_with(from, m->ops) :
				    (int)dispatch_without(from, m->ops);
	}
	return m->to;
}

static int ops_move_site(struct site *site, unsigned long ip, void *data)
{
	struct ops_move *m = data;
	u32 from = site_set_id(site);
	int to = ops_move_target(m, from);

	if (to < 0)
		return m->lenient ? 0 : to;
	if (to == from || m->dry)
		return 0;
	return patch_add(site, ip, to);
}

static int ops_move_sites(struct ops_move *m, const struct ftrace_filter *filter,
			  const struct ftrace_filter *skip)
{
	m->to = -ENOENT;
	return visit_filtered_sites(filter, skip, ops_move_site, m);
}

/*
 * Attaching changes nothing at sites of the old filter. A walk over a list of functions
 * skips them. A walk over all sites does not: finding the ops in the set of a site is
 * quicker than a look into the filter.
 */
static const struct ftrace_filter *sites_to_skip(const struct ftrace_filter *filter,
						 const struct ftrace_filter *old)
{
	return filter_has_list(filter) ? old : NULL;
}

/*
 * Make sure that @ops can be attached to the sites of @filter. It is attached to those of
 * @old; NULL if it is not attached.
 */
static int ops_attach_dry(struct ftrace_ops *ops, const struct ftrace_filter *filter,
			  const struct ftrace_filter *old)
{
	struct ops_move m = { .ops = ops, .attach = true, .dry = true };

	return ops_move_sites(&m, filter, sites_to_skip(filter, old));
}

/* Must follow ops_attach_dry(), which has created all sets that this needs. */
static int ops_attach_sites(struct ftrace_ops *ops, const struct ftrace_filter *filter,
			    const struct ftrace_filter *old)
{
	struct ops_move m = { .ops = ops, .attach = true };

	return ops_move_sites(&m, filter, sites_to_skip(filter, old));
}

/* Detach from the sites that @filter selects, except those that @keep (may be NULL) selects. */
static int ops_detach_sites(struct ftrace_ops *ops, const struct ftrace_filter *filter,
			    const struct ftrace_filter *keep)
{
	struct ops_move m = { .ops = ops };

	return ops_move_sites(&m, filter, keep);
}

int ops_detach(struct ftrace_ops *ops)
{
	int ret = ops_detach_sites(ops, ops->filter, NULL) ?: patch_run();

	dispatch_reap();
	return ret;
}

/*
 * Attach to all sites or to none, unless the tracer dies during the change: after
 * ops_attach_dry(), only arch_patch_prepare() can fail for lack of memory, and only as long
 * as no site was ever written.
 */
int ops_attach(struct ftrace_ops *ops)
{
	int ret = ops_attach_dry(ops, ops->filter, NULL) ?:
		  ops_attach_sites(ops, ops->filter, NULL) ?: patch_run();

	if (ret)
		patch_drop();
	dispatch_reap();
	return ret;
}

static int ops_switch_filter(struct ftrace_ops *ops, const struct ftrace_filter *old,
			     const struct ftrace_filter *new)
{
	int ret;

	ret = ops_attach_dry(ops, new, old) ?: ops_attach_sites(ops, new, old) ?:
	      ops_detach_sites(ops, old, new) ?: patch_run();
	if (ret)
		patch_drop();
	return ret;
}

/*
 * Undo ops_switch_filter() from @filter to @next, also if it has failed half-way.  @ops must
 * not stay at a site that @filter does not select: that site would still call it after it is
 * unregistered.  Sites that @ops cannot be attached to are skipped: @ops was not attached
 * there before either.
 */
static void ops_restore_filter(struct ftrace_ops *ops, const struct ftrace_filter *filter,
			       const struct ftrace_filter *next)
{
	struct ops_move m = { .ops = ops, .attach = true, .lenient = true };

	if (!ops_detach_sites(ops, next, filter))
		ops_move_sites(&m, filter, NULL);
	/* An error can be ignored: it means that the tracer has died, see ops_attach(). */
	patch_run();
}

/*
 * Restore @filter for @last and the ops before it, in reverse order: each site then returns
 * through the sets that it has had, which exist until dispatch_reap().  In forward
 * order, sites would need new sets, and memory for these may just have run out.
 */
static void ops_restore_filters(struct ftrace_ops *last, const struct ftrace_filter *filter,
				const struct ftrace_filter *next)
{
	struct ftrace_ops *ops = last;

	list_for_each_entry_from_reverse(ops, &filter->users, filter_node)
		if (!ftrace_is_dead())
			ops_restore_filter(ops, filter, next);
}

int ops_change_filter(const struct ftrace_filter *filter,
		      const struct ftrace_filter *next)
{
	int attached = ops_are_attached(), ret = 0;
	struct ftrace_ops *ops;

	if (attached <= 0)
		return attached;
	list_for_each_entry(ops, &filter->users, filter_node) {
		ret = ops_switch_filter(ops, filter, next);
		if (ret) {
			ops_restore_filters(ops, filter, next);
			break;
		}
	}
	dispatch_reap();
	return ret;
}

/* ------------------------------------------------------------------ */
/* Detaching all ops, new trampolines					*/

static int ops_nop_site(struct site *site, unsigned long ip, void *data)
{
	return site_set_id(site) == DISPATCH_EMPTY ? 0 :
		patch_add(site, ip, DISPATCH_EMPTY);
}

int ops_nop_all(void)
{
	int ret;

	lockdep_assert_held(&ftrace_lock);
	patch_drop();
	ret = visit_all_sites(NULL, NULL, ops_nop_site, NULL) ?: patch_run();
	dispatch_reap();
	return ret;
}

/* Create the set that replaces the set of a site. */
static int renew_site_dry(struct site *site, unsigned long ip, void *data)
{
	return min(dispatch_renewed(site_set_id(site)), 0);
}

static int renew_site(struct site *site, unsigned long ip, void *data)
{
	u32 from = site_set_id(site);
	int to = dispatch_renewed(from);

	if (to < 0 || to == from)
		return min(to, 0);
	return patch_add(site, ip, to);
}

int ops_renew(struct ftrace_ops *ops)
{
	int ret;

	lockdep_assert_held(&ftrace_lock);
	ret = ops_visit_sites(ops->filter, renew_site_dry, NULL) ?:
	      ops_visit_sites(ops->filter, renew_site, NULL) ?: patch_run();
	if (ret)
		patch_drop();
	dispatch_reap();
	return ret;
}

/*
 * Replace the trampolines of early boot: they were made before the CPU mitigations were
 * chosen and may lack instructions that these require.  Without memory, the old ones stay.
 */
static int __init renew_trampolines(void)
{
	guard(mutex)(&ftrace_lock);
	dispatch_outdate_all();
	if (visit_all_sites(NULL, NULL, renew_site, NULL) || patch_run())
		pr_warn("trampolines of the early boot could not be renewed\n");
	patch_drop();
	dispatch_reap();
	return 0;
}
early_initcall(renew_trampolines);

int ops_nop_region(struct site_region *r)
{
	int ret;

	lockdep_assert_held(&ftrace_lock);
	ret = visit_region_sites(r, NULL, NULL, ops_nop_site, NULL) ?: patch_run();
	if (ret)
		patch_drop();
	return ret;
}
