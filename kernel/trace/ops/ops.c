// SPDX-License-Identifier: GPL-2.0
/*
 * Attaching and detaching registered ops: which sites change, and to which dispatch set
 * (SPEC D8, D10).
 *
 * An ops that is attached is in the dispatch set of exactly those sites that
 * its filter lets through.  Each change here first makes sure that it can be
 * done (all sets and trampolines exist, nobody objects), then walks the sites
 * and hands those that change to dispatch/patch.c.  So what fails for want of memory
 * has changed nothing.
 */
#define pr_fmt(fmt) "ftrace: " fmt

#include <linux/ftrace.h>
#include <linux/kernel.h>
#include <linux/list.h>

#include "dispatch/death.h"
#include "dispatch/dispatch.h"
#include "dispatch/patch.h"
#include "filter/filter.h"
#include "ops.h"
#include "sites/ip_set.h"
#include "sites/sites.h"
#include "visit.h"

/* ------------------------------------------------------------------ */
/* Walking the sites of a filter					*/

/* So many sites further it is quicker to search again. */
#define STEPS_MAX	8

/**
 * struct site_place - where the last site of a list was found
 * @r: the region it is in
 * @site: the site; NULL before the first
 */
struct site_place {
	struct site_region	*r;
	struct site		*site;
};

/* In a list that has many, the next one stands close behind. */
static bool step_to(struct site_place *at, unsigned long ip)
{
	for (unsigned int i = 0; i < STEPS_MAX && ++at->site < sites_end(at->r); i++)
		if (site_ip(at->r, at->site) >= ip)
			return site_ip(at->r, at->site) == ip;
	return false;
}

static int visit_site(struct site_place *at, unsigned long ip, site_fn fn, void *data)
{
	if (!at->site || !step_to(at, ip))
		at->site = site_at(ip, &at->r);
	return at->site && at->r->live && site_usable(at->site) ? fn(at->site, ip, data) : 0;
}

/* @at: where the last one was looked for; they come in the order of their addresses. */
static bool has_next(const struct ip_set *set, unsigned int *at, unsigned long ip)
{
	while (*at < ip_set_size(set) && set->ips[*at] < ip)
		(*at)++;
	return *at < ip_set_size(set) && set->ips[*at] == ip;
}

/* Does a filter let a site through? @at as above. */
static bool wants_next(const struct ftrace_filter *filter, unsigned int *at, unsigned long ip)
{
	if (!filter->only.set || filter->except.sites)
		return filter_wants(filter, ip);
	return has_next(filter->only.sites, at, ip);
}

/* A function more in a long list costs little: those that stay are not looked up. */
static int visit_listed(const struct ftrace_filter *filter, const struct ftrace_filter *but,
			site_fn fn, void *data)
{
	const struct ip_set *only = filter->only.sites, *except = filter->except.sites;
	unsigned int i, at_but = 0, at_except = 0;
	struct site_place at = { };
	int ret = 0;

	for (i = 0; !ret && i < ip_set_size(only); i++) {
		unsigned long ip = only->ips[i];

		if (!(but && wants_next(but, &at_but, ip)) &&
		    !(except && has_next(except, &at_except, ip)))
			ret = visit_site(&at, ip, fn, data);
	}
	return ret;
}

static int visit_region(struct site_region *r, const struct ip_set *except,
			const struct ftrace_filter *but, site_fn fn, void *data)
{
	struct site *site;
	int ret = 0;

	if (!r->live)
		return 0;
	for (site = r->sites; site < sites_end(r); site++) {
		unsigned long ip = site_ip(r, site);

		if (site_usable(site) && !(except && ip_set_has(except, ip)) &&
		    !(but && filter_wants(but, ip)))
			ret = fn(site, ip, data);
		if (ret)
			break;
	}
	return ret;
}

static int visit_all(const struct ip_set *except, const struct ftrace_filter *but,
		     site_fn fn, void *data)
{
	struct site_region *r;
	int ret = 0;

	for_each_site_region(r) {
		ret = visit_region(r, except, but, fn, data);
		if (ret)
			break;
	}
	return ret;
}

/*
 * Call @fn for each usable site that @filter lets through, by address; but for those that
 * @but lets through, too, if it is given.
 */
static int visit_wanted(const struct ftrace_filter *filter, const struct ftrace_filter *but,
			site_fn fn, void *data)
{
	if (!filter)
		return visit_all(NULL, but, fn, data);
	if (filter->only.set)
		return visit_listed(filter, but, fn, data);
	return visit_all(filter->except.sites, but, fn, data);
}

/* Here each walk is compiled for what it calls. */
int ops_visit_sites(const struct ftrace_filter *filter, site_fn fn, void *data)
{
	return visit_wanted(filter, NULL, fn, data);
}

/* ------------------------------------------------------------------ */
/* Who changes where functions go on					*/

/* Is there a site that both let through? Each has a list. */
static bool filters_meet(const struct ftrace_filter *a, const struct ftrace_filter *b)
{
	const struct ip_set *only = a->only.sites;

	for (unsigned int i = 0; i < ip_set_size(only); i++)
		if (filter_wants(a, only->ips[i]) && filter_wants(b, only->ips[i]))
			return true;
	return false;
}

/* @filter is going to be that of all that have what @ops has now. */
static bool meets_another(const struct ftrace_ops *ops, const struct ftrace_filter *filter)
{
	const struct ftrace_ops *other;

	list_for_each_entry(other, &ftrace_ops_registered, node) {
		const struct ftrace_filter *its = other->filter;

		if (other == ops || !(other->flags & FTRACE_OPS_FL_IPMODIFY))
			continue;
		if (filters_meet(filter, its == ops->filter ? filter : its))
			return true;
	}
	return false;
}

int ops_check_modifier(const struct ftrace_ops *ops, const struct ftrace_filter *filter)
{
	if (!(ops->flags & FTRACE_OPS_FL_IPMODIFY))
		return 0;
	if (!filter || !filter->only.set)
		return -EINVAL;
	/* Otherwise the sites tell: dispatch_with(). */
	return !ops_are_attached() && meets_another(ops, filter) ? -EBUSY : 0;
}

/* Is @next something for all that have @filter? */
static int check_modifiers(const struct ftrace_filter *filter,
			   const struct ftrace_filter *next)
{
	struct ftrace_ops *ops;
	int ret = 0;

	list_for_each_entry(ops, &filter->users, filter_node) {
		ret = ops_check_modifier(ops, next);
		if (ret)
			break;
	}
	return ret;
}

/* ------------------------------------------------------------------ */
/* Attaching and detaching						*/

/**
 * struct ops_move - what happens to the sites of one ops
 * @ops: the ops
 * @attach: add to the sites visited, or take out of them
 * @dry: only make sure that it is possible
 * @lenient: pass over the sites where it is not
 * @from: the last set met, and
 * @to: what becomes of it: sites of one function after the other agree
 */
struct ops_move {
	struct ftrace_ops		*ops;
	bool				attach;
	bool				dry;
	bool				lenient;
	u32				from;
	int				to;
};

static int move_target(struct ops_move *m, u32 from)
{
	if (from != m->from || m->to < 0) {
		m->from = from;
		m->to = m->attach ? dispatch_with(from, m->ops) :
				    (int)dispatch_without(from, m->ops);
	}
	return m->to;
}

static int move_site(struct site *site, unsigned long ip, void *data)
{
	struct ops_move *m = data;
	u32 from = site_set_id(site);
	int to = move_target(m, from);

	if (to < 0)
		return m->lenient ? 0 : to;
	if (to == from || m->dry)
		return 0;
	return patch_add(site, ip, to);
}

static int move_sites(struct ops_move *m, const struct ftrace_filter *filter,
		      const struct ftrace_filter *but)
{
	m->to = -ENOENT;
	return visit_wanted(filter, but, move_site, m);
}

/*
 * Where it is attached already nothing changes: of a list these need not be visited. To ask
 * for each of all sites whether it is one takes longer than to see it there.
 */
static const struct ftrace_filter *passed_over(const struct ftrace_filter *filter,
					       const struct ftrace_filter *old)
{
	return filter && filter->only.set ? old : NULL;
}

/* Make sure that @ops can be attached where @filter says; it is where @old, if given, does. */
static int attach_dry(struct ftrace_ops *ops, const struct ftrace_filter *filter,
		      const struct ftrace_filter *old)
{
	struct ops_move m = { .ops = ops, .attach = true, .dry = true };

	return move_sites(&m, filter, passed_over(filter, old));
}

/* Only after attach_dry(): all it takes is there then. */
static int attach_sites(struct ftrace_ops *ops, const struct ftrace_filter *filter,
			const struct ftrace_filter *old)
{
	struct ops_move m = { .ops = ops, .attach = true };

	return move_sites(&m, filter, passed_over(filter, old));
}

/* Detach from what @filter lets through; @keep, if given, says what stays. */
static int detach_sites(struct ftrace_ops *ops, const struct ftrace_filter *filter,
			const struct ftrace_filter *keep)
{
	struct ops_move m = { .ops = ops };

	return move_sites(&m, filter, keep);
}

int ops_detach(struct ftrace_ops *ops)
{
	int ret = detach_sites(ops, ops->filter, NULL) ?: patch_run();

	dispatch_reap();
	return ret;
}

/*
 * All or nothing, unless the tracer dies on the way: after attach_dry() only
 * arch_patch_prepare() can want memory, and only while no site was ever written.
 */
int ops_attach(struct ftrace_ops *ops)
{
	int ret = attach_dry(ops, ops->filter, NULL) ?:
		  attach_sites(ops, ops->filter, NULL) ?: patch_run();

	if (ret)
		patch_drop();
	dispatch_reap();
	return ret;
}

static int refilter(struct ftrace_ops *ops, const struct ftrace_filter *old,
		    const struct ftrace_filter *new)
{
	int ret;

	ret = attach_dry(ops, new, old) ?: attach_sites(ops, new, old) ?:
	      detach_sites(ops, old, new) ?: patch_run();
	if (ret)
		patch_drop();
	return ret;
}

/*
 * Undo a refilter() from @filter to @next, however far it has come.  No site
 * may keep @ops that @filter does not want: it would call it after its end.
 * Attaching is impossible only where @ops was missing before, and goes on
 * without.
 */
static void refilter_back(struct ftrace_ops *ops, const struct ftrace_filter *filter,
			  const struct ftrace_filter *next)
{
	struct ops_move m = { .ops = ops, .attach = true, .lenient = true };

	if (!detach_sites(ops, next, filter))
		move_sites(&m, filter, NULL);
	/* An error is the death of the tracer: see ops_attach(). */
	patch_run();
}

/*
 * Back to @filter for @last and those before it.  Backwards: each site returns
 * through the sets that it has held, and those are there until dispatch_reap().
 * The other way round would need sets that never were, and memory for them when
 * it may just have run out.
 */
static void refilter_undo(struct ftrace_ops *last, const struct ftrace_filter *filter,
			  const struct ftrace_filter *next)
{
	struct ftrace_ops *ops = last;

	list_for_each_entry_from_reverse(ops, &filter->users, filter_node)
		if (!ftrace_is_dead())
			refilter_back(ops, filter, next);
}

int ops_change_filter(const struct ftrace_filter *filter,
		      const struct ftrace_filter *next)
{
	int attached = ops_are_attached(), ret;
	struct ftrace_ops *ops;

	if (attached < 0)
		return attached;
	ret = check_modifiers(filter, next);
	if (ret || !attached)
		return ret;
	list_for_each_entry(ops, &filter->users, filter_node) {
		ret = refilter(ops, filter, next);
		if (ret) {
			refilter_undo(ops, filter, next);
			break;
		}
	}
	dispatch_reap();
	return ret;
}

/* ------------------------------------------------------------------ */
/* On and off								*/

static int nop_site(struct site *site, unsigned long ip, void *data)
{
	return site_set_id(site) == DISPATCH_EMPTY ? 0 :
		patch_add(site, ip, DISPATCH_EMPTY);
}

int ops_nop_all(void)
{
	int ret;

	lockdep_assert_held(&ftrace_lock);
	patch_drop();
	ret = visit_all(NULL, NULL, nop_site, NULL) ?: patch_run();
	dispatch_reap();
	return ret;
}

static int __init renew_site(struct site *site, unsigned long ip, void *data)
{
	u32 from = site_set_id(site);
	int to = dispatch_renewed(from);

	if (to < 0 || to == from)
		return min(to, 0);
	return patch_add(site, ip, to);
}

/*
 * Trampolines of the early boot were made before the CPU's mitigations were
 * chosen, and may lack what these ask for.  Without memory the old ones stay.
 */
static int __init renew_trampolines(void)
{
	guard(mutex)(&ftrace_lock);
	dispatch_outdate_all();
	if (visit_all(NULL, NULL, renew_site, NULL) || patch_run())
		pr_warn("trampolines of the early boot could not be renewed\n");
	patch_drop();
	dispatch_reap();
	return 0;
}
early_initcall(renew_trampolines);

void ops_update_noting(void)
{
	dispatch_note_sites(READ_ONCE(ftrace_enabled));
	/* Pairs with ftrace_kill(), which says so first: one of the two is last. */
	smp_mb();
	if (ftrace_is_dead())
		dispatch_note_sites(false);
}

int ops_nop_region(struct site_region *r)
{
	int ret;

	lockdep_assert_held(&ftrace_lock);
	ret = visit_region(r, NULL, NULL, nop_site, NULL) ?: patch_run();
	if (ret)
		patch_drop();
	return ret;
}
