// SPDX-License-Identifier: GPL-2.0
/*
 * The users of traced functions: who is registered, and what that means for
 * each site (SPEC D7, D8, D10).
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
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <asm/sections.h>

#include "dispatch/death.h"
#include "dispatch/dispatch.h"
#include "dispatch/patch.h"
#include "filter.h"
#include "ops.h"
#include "sites/ip_set.h"
#include "sites/sites.h"

LIST_HEAD(ftrace_ops_registered);

/* Changes under ftrace_lock, but for the end of the tracer, which comes at any time. */
int ftrace_enabled __read_mostly = 1;

/*
 * Are the registered ops attached?  -ENODEV when the tracer is dead; 0 while it
 * is disabled, and no site calls anybody; else 1.
 */
static int ops_are_attached(void)
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
/* Walking the sites of a filter					*/

typedef int (*site_fn)(struct site *site, unsigned long ip, void *data);

static int visit_site(unsigned long ip, site_fn fn, void *data)
{
	struct site_region *r;
	struct site *site = site_at(ip, &r);

	return site && r->live && site_usable(site) ? fn(site, ip, data) : 0;
}

static int visit_listed(const struct ftrace_filter *filter, site_fn fn, void *data)
{
	const struct ip_set *only = filter->only.sites;
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < ip_set_size(only); i++)
		if (!ip_set_has(filter->except.sites, only->ips[i]))
			ret = visit_site(only->ips[i], fn, data);
	return ret;
}

static int visit_region(struct site_region *r, const struct ip_set *except,
			site_fn fn, void *data)
{
	struct site *site;
	int ret = 0;

	if (!r->live)
		return 0;
	for (site = r->sites; site < sites_end(r); site++) {
		unsigned long ip = site_ip(r, site);

		if (site_usable(site) && !(except && ip_set_has(except, ip)))
			ret = fn(site, ip, data);
		if (ret)
			break;
	}
	return ret;
}

static int visit_all(const struct ip_set *except, site_fn fn, void *data)
{
	struct site_region *r;
	int ret = 0;

	for_each_site_region(r) {
		ret = visit_region(r, except, fn, data);
		if (ret)
			break;
	}
	return ret;
}

/* Call @fn for each usable site that @filter lets through, by address. */
static int visit_wanted(const struct ftrace_filter *filter, site_fn fn, void *data)
{
	if (!filter)
		return visit_all(NULL, fn, data);
	if (filter->only.set)
		return visit_listed(filter, fn, data);
	return visit_all(filter->except.sites, fn, data);
}

/* ------------------------------------------------------------------ */
/* Attaching and detaching						*/

/**
 * struct ops_move - what happens to the sites of one ops
 * @ops: the ops
 * @keep: when detaching: sites that this filter lets through stay; all go if
 *	@drop_all
 * @drop_all: ignore @keep
 * @attach: add to the sites visited, or take out of them
 * @dry: only make sure that it is possible
 * @lenient: pass over the sites where it is not
 * @from: the last set met, and
 * @to: what becomes of it: sites of one function after the other agree
 */
struct ops_move {
	struct ftrace_ops		*ops;
	const struct ftrace_filter	*keep;
	bool				drop_all;
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
	int to;

	/* Before a set is made for it that nobody needs. */
	if (!m->attach && !m->drop_all && filter_wants(m->keep, ip))
		return 0;
	to = move_target(m, from);
	if (to < 0)
		return m->lenient ? 0 : to;
	if (to == from || m->dry)
		return 0;
	return patch_add(site, ip, to);
}

static int move_sites(struct ops_move *m, const struct ftrace_filter *filter)
{
	m->to = -ENOENT;
	return visit_wanted(filter, move_site, m);
}

/* Make sure that @ops can be attached where @filter says. */
static int attach_dry(struct ftrace_ops *ops, const struct ftrace_filter *filter)
{
	struct ops_move m = { .ops = ops, .attach = true, .dry = true };

	return move_sites(&m, filter);
}

/* Only after attach_dry(): all it takes is there then. */
static int attach_sites(struct ftrace_ops *ops, const struct ftrace_filter *filter)
{
	struct ops_move m = { .ops = ops, .attach = true };

	return move_sites(&m, filter);
}

/* Detach from what @filter lets through; @keep, if given, says what stays. */
static int detach_sites(struct ftrace_ops *ops, const struct ftrace_filter *filter,
			const struct ftrace_filter *keep)
{
	struct ops_move m = { .ops = ops, .keep = keep, .drop_all = !keep };

	return move_sites(&m, filter);
}

static int ops_detach(struct ftrace_ops *ops)
{
	int ret = detach_sites(ops, ops->filter, NULL) ?: patch_run();

	dispatch_reap();
	return ret;
}

/*
 * All or nothing, unless the tracer dies on the way: after attach_dry() only
 * arch_patch_prepare() can want memory, and only while no site was ever written.
 */
static int ops_attach(struct ftrace_ops *ops)
{
	int ret = attach_dry(ops, ops->filter) ?:
		  attach_sites(ops, ops->filter) ?: patch_run();

	if (ret)
		patch_drop();
	dispatch_reap();
	return ret;
}

static int refilter(struct ftrace_ops *ops, const struct ftrace_filter *old,
		    const struct ftrace_filter *new)
{
	int ret;

	ret = attach_dry(ops, new) ?: attach_sites(ops, new) ?:
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
		move_sites(&m, filter);
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

	list_for_each_entry_from_reverse(ops, &ftrace_ops_registered, node)
		if (ops->filter == filter && !ftrace_is_dead())
			refilter_back(ops, filter, next);
}

int ops_change_filter(const struct ftrace_filter *filter,
		      const struct ftrace_filter *next)
{
	int ret = ops_are_attached();
	struct ftrace_ops *ops;

	if (ret <= 0)
		return ret;
	ret = 0;
	list_for_each_entry(ops, &ftrace_ops_registered, node) {
		if (ops->filter != filter)
			continue;
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
/* Registering								*/

static int ops_check(struct ftrace_ops *ops)
{
	if (ftrace_is_dead())
		return -ENODEV;
	if (ops->flags & FTRACE_OPS_FL_ENABLED)
		return -EBUSY;
	if (!ftrace_enabled && (ops->flags & FTRACE_OPS_FL_PERMANENT))
		return -EBUSY;
	if (IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_REGS))
		return 0;
	return ops->flags & FTRACE_OPS_FL_SAVE_REGS ? -EINVAL : 0;
}

static void ops_init(struct ftrace_ops *ops)
{
	static u64 seq;

	ops->seq = ++seq;
	if (IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_REGS) &&
	    (ops->flags & FTRACE_OPS_FL_SAVE_REGS_IF_SUPPORTED))
		ops->flags |= FTRACE_OPS_FL_SAVE_REGS;
	if (!is_kernel_core_data((unsigned long)ops))
		ops->flags |= FTRACE_OPS_FL_DYNAMIC;
	ops->flags |= FTRACE_OPS_FL_INITIALIZED;
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
	if (ret)
		return ret;
	list_add_tail(&ops->node, &ftrace_ops_registered);
	ops->flags |= FTRACE_OPS_FL_ENABLED;
	return 0;
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
 * honour; -ENOMEM; -ENODEV after ftrace_kill(); -EINVAL, -EFAULT if a site was
 * not as expected: the tracer has died of it.
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
	list_del(&ops->node);
	ops->flags &= ~FTRACE_OPS_FL_ENABLED;
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
	int ret = ops_leave(ops);

	if (ret == -EBUSY || ret == -ENOMEM)
		return ret;
	if (ret)
		ops_forsake(ops);
	else if (ops->flags & FTRACE_OPS_FL_DYNAMIC)
		dispatch_synchronize();
	return ret;
}
EXPORT_SYMBOL_GPL(unregister_ftrace_function);

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
	ret = visit_all(NULL, nop_site, NULL) ?: patch_run();
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
	if (visit_all(NULL, renew_site, NULL) || patch_run())
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
	ret = visit_region(r, NULL, nop_site, NULL) ?: patch_run();
	if (ret)
		patch_drop();
	return ret;
}

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
		ret = ret ?: err;
	}
	return ret;
}

static int disable_at_death(struct notifier_block *nb, unsigned long action, void *data)
{
	/* Pairs with the acquire in ops_are_attached(). */
	smp_store_release(&ftrace_enabled, 0);
	return NOTIFY_OK;
}

static struct notifier_block death_notifier = {
	.notifier_call = disable_at_death,
};

void __init ftrace_ops_init(void)
{
	atomic_notifier_chain_register(&ftrace_death, &death_notifier);
}
