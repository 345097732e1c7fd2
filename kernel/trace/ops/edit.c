// SPDX-License-Identifier: GPL-2.0
/*
 * Which functions an ops wants (SPEC D5, D12).
 *
 * Called by functions/filter_files.c, by modules through ftrace_set_filter*(), and by
 * text/ when text comes and goes.  It owns the filters and their edits; how
 * a word finds its sites is in filter/, and what a changed filter means
 * for the sites is ops.c's.
 */
#define pr_fmt(fmt) "ftrace: " fmt

#include <linux/cleanup.h>
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "edit.h"
#include "filter/side.h"
#include "filter/word.h"
#include "ops.h"
#include "sites/ip_set.h"
#include "sites/sites.h"

struct ftrace_filter global_filter = {
	.only.pending	= LIST_HEAD_INIT(global_filter.only.pending),
	.except.pending	= LIST_HEAD_INIT(global_filter.except.pending),
	.node		= LIST_HEAD_INIT(global_filter.node),
	.users		= LIST_HEAD_INIT(global_filter.users),
};

/* All filters but the global one; ftrace_lock. */
static LIST_HEAD(filters);

/* All edits that have begun and not ended; ftrace_lock. */
static LIST_HEAD(edits);

/**
 * struct filter_edit - a side of a filter that is being changed
 * @filter: the filter
 * @except: which side
 * @to_none: taking the last one away is not the same as wanting all
 * @side: the copy
 * @added: sites to be joined with those of @side: many words cost one union
 * @seen: sites_latest() when the addresses in both were those of their functions
 * @losses: sites_losses() when all of them were last known to be there
 * @came: sites that were found since it began, for words that wait
 * @missed: there was no memory for one of those
 * @node: in the list of edits
 */
struct filter_edit {
	struct ftrace_filter	*filter;
	bool			except;
	bool			to_none;
	struct filter_side	side;
	struct ip_set_builder	added;
	unsigned long		seen;
	unsigned long		losses;
	struct ip_set		*came;
	bool			missed;
	struct list_head	node;
};

static struct filter_side *filter_side_of(struct ftrace_filter *filter, bool except)
{
	return except ? &filter->except : &filter->only;
}

/* ------------------------------------------------------------------ */
/* Filters								*/

static struct ftrace_filter *filter_alloc(void)
{
	struct ftrace_filter *filter = kzalloc(sizeof(*filter), GFP_KERNEL);

	if (!filter)
		return NULL;
	side_init(&filter->only);
	side_init(&filter->except);
	INIT_LIST_HEAD(&filter->users);
	list_add(&filter->node, &filters);
	return filter;
}

static void filter_free(struct ftrace_filter *filter)
{
	side_clear(&filter->only);
	side_clear(&filter->except);
	list_del(&filter->node);
	kfree(filter);
}

void filter_add_user(struct ftrace_ops *ops)
{
	if (ops->filter)
		list_add_tail(&ops->filter_node, &ops->filter->users);
}

void filter_remove_user(struct ftrace_ops *ops)
{
	if (ops->filter)
		list_del(&ops->filter_node);
}

/* Does it let everything through, with nobody about to change that? */
static bool filter_is_idle(struct ftrace_filter *filter)
{
	lockdep_assert_held(&ftrace_lock);
	/* Pairs with the end of an edit, its last look at the filter. */
	return !atomic_read_acquire(&filter->edits) &&
	       !filter->only.set && !filter->except.set;
}

void filter_trim(struct ftrace_ops *ops)
{
	struct ftrace_filter *filter;

	guard(mutex)(&ftrace_lock);
	filter = ops->filter;
	if (!filter || filter == &global_filter)
		return;
	if ((ops->flags & FTRACE_OPS_FL_ENABLED) || !filter_is_idle(filter))
		return;
	filter_free(filter);
	ops->filter = NULL;
}

/**
 * ftrace_free_filter - free what the filter of an ops takes
 * @ops: not registered
 *
 * It wants all functions afterwards.
 *
 * Context: may sleep; takes ftrace_lock.
 */
void ftrace_free_filter(struct ftrace_ops *ops)
{
	guard(mutex)(&ftrace_lock);
	if (WARN_ON_ONCE(ops->flags & FTRACE_OPS_FL_ENABLED))
		return;
	if (ops->filter && ops->filter != &global_filter)
		filter_free(ops->filter);
	ops->filter = NULL;
}
EXPORT_SYMBOL_GPL(ftrace_free_filter);

/**
 * ftrace_ops_set_global_filter - follow the top-level set_ftrace_filter
 * @ops: not registered yet; if it has a filter, it keeps that
 *
 * Context: may sleep; takes ftrace_lock.
 */
void ftrace_ops_set_global_filter(struct ftrace_ops *ops)
{
	guard(mutex)(&ftrace_lock);
	if (WARN_ON_ONCE(ops->flags & FTRACE_OPS_FL_ENABLED))
		return;
	if (!ops->filter)
		ops->filter = &global_filter;
}
EXPORT_SYMBOL_GPL(ftrace_ops_set_global_filter);

/* ------------------------------------------------------------------ */
/* Edits								*/

/* An ops without a filter may be registered: it has wanted all functions until now. */
static bool give_filter(struct ftrace_ops *ops)
{
	ops->filter = filter_alloc();
	if (ops->flags & FTRACE_OPS_FL_ENABLED)
		filter_add_user(ops);
	return ops->filter;
}

struct filter_edit *filter_edit_begin(struct ftrace_ops *ops, unsigned int flags)
{
	struct filter_edit *edit __free(kfree) = kzalloc(sizeof(*edit), GFP_KERNEL);
	int ret = 0;

	if (!edit)
		return ERR_PTR(-ENOMEM);
	if ((flags & FILTER_EDIT_NOTRACE) && (ops->flags & FTRACE_OPS_FL_IPMODIFY))
		return ERR_PTR(-EINVAL);
	guard(mutex)(&ftrace_lock);
	if (!ops->filter && !give_filter(ops))
		return ERR_PTR(-ENOMEM);
	edit->filter = ops->filter;
	edit->except = flags & FILTER_EDIT_NOTRACE;
	edit->to_none = flags & FILTER_EDIT_TO_NONE;
	side_init(&edit->side);
	if (!(flags & FILTER_EDIT_RESET))
		ret = side_copy(&edit->side, filter_side_of(edit->filter, edit->except));
	if (ret) {
		side_clear(&edit->side);
		return ERR_PTR(ret);
	}
	edit->seen = sites_latest();
	/* A site that was found to be no function's may be in a copy. */
	edit->losses = sites_losses() - (edit->side.sites ? 1 : 0);
	list_add(&edit->node, &edits);
	atomic_inc(&edit->filter->edits);
	return no_free_ptr(edit);
}

void filter_edit_abort(struct filter_edit *edit)
{
	scoped_guard(mutex, &ftrace_lock)
		list_del(&edit->node);
	ip_set_free(edit->came);
	ip_set_drop(&edit->added);
	side_clear(&edit->side);
	/* Pairs with the acquire in filter_is_idle(): it may be freed now. */
	atomic_dec_return_release(&edit->filter->edits);
	kfree(edit);
}

static bool site_is_still_there(unsigned long ip, unsigned long seen)
{
	struct site_region *r;
	struct site *site = site_at(ip, &r);

	return site && !site_has(site, SITE_GONE) && r->born <= seen;
}

static unsigned int edit_size(const struct filter_edit *edit)
{
	return ip_set_size(edit->side.sites) + ip_set_size(edit->added.set);
}

/*
 * Text may have gone since the addresses were noted, and other text come to the
 * same place. Before more are noted, and before they become the filter.
 */
static void edit_forget_gone(struct filter_edit *edit)
{
	unsigned int before = edit_size(edit);

	if (edit->losses != sites_losses()) {
		edit->side.sites = ip_set_keep(edit->side.sites, site_is_still_there, edit->seen);
		edit->added.set = ip_set_keep(edit->added.set, site_is_still_there, edit->seen);
		edit->side.lost |= edit_size(edit) < before;
		edit->losses = sites_losses();
	}
	edit->seen = sites_latest();
}

static void edit_update_set(struct filter_edit *edit)
{
	struct filter_side *side = &edit->side;

	if (!edit->to_none && !side->lost)
		side->set = false;
	side->set |= side->sites || !list_empty(&side->pending);
}

int filter_edit_settle(struct filter_edit *edit)
{
	const struct ip_set *added = edit->added.set;
	struct ip_set *sites;
	int ret;

	if (!added)
		return 0;
	/* A copy: until it is in the set, nothing that was added may be lost. */
	sites = ip_set_from(added->ips, added->nr);
	if (IS_ERR(sites))
		return PTR_ERR(sites);
	ret = side_apply(&edit->side, sites, false);
	if (ret)
		return ret;
	ip_set_drop(&edit->added);
	edit->side.set = true;
	return 0;
}

const struct filter_side *filter_edit_side(const struct filter_edit *edit)
{
	return &edit->side;
}

static int edit_remove(struct filter_edit *edit, const struct filter_word *w)
{
	struct ip_set *sites = filter_word_sites(w), *rest;
	int ret;

	if (IS_ERR(sites))
		return PTR_ERR(sites);
	if (!sites)
		return filter_word_is_line(w) ? -EINVAL : side_remove_word(&edit->side, w);
	ret = filter_edit_settle(edit);
	rest = ret ? ERR_PTR(ret) : ip_set_minus(edit->side.sites, sites);
	ip_set_free(sites);
	if (IS_ERR(rest))
		return PTR_ERR(rest);
	/* That no word waits that would name them is as well. */
	if (!filter_word_is_line(w) && side_remove_word(&edit->side, w) == -ENOMEM) {
		ip_set_free(rest);
		return -ENOMEM;
	}
	ip_set_free(edit->side.sites);
	edit->side.sites = rest;
	return 0;
}

/* Words overlap: no more is kept of them than a few times all there is. */
static int edit_bound(struct filter_edit *edit)
{
	return ip_set_size(edit->added.set) > 2 * sites_total() ? filter_edit_settle(edit) : 0;
}

static int edit_add(struct filter_edit *edit, const struct filter_word *w)
{
	bool waits = filter_word_waits(w);
	unsigned int before;
	int found = edit_bound(edit);

	if (found)
		return found;
	before = ip_set_size(edit->added.set);
	found = filter_word_collect(w, &edit->added);
	if (found < 0)
		return found;
	if (!found && !waits)
		return -EINVAL;
	if (waits && side_add_word(&edit->side, w, found)) {
		filter_collect_undo(&edit->added, before);
		return -ENOMEM;
	}
	/* Now: what was found may be gone when it is settled. */
	edit->side.set = true;
	return 0;
}

static int edit_word(struct filter_edit *edit, const struct filter_word *w)
{
	int ret;

	if (!filter_word_sane(w))
		return -EINVAL;
	guard(mutex)(&ftrace_lock);
	if (edit->seen != sites_latest())
		edit_forget_gone(edit);
	if (!w->remove)
		return edit_add(edit, w);
	/* What still waits would come back with the commit. */
	ret = side_resolve_live(&edit->side) ?: edit_remove(edit, w);
	if (!ret)
		edit_update_set(edit);
	return ret;
}

int filter_edit_word(struct filter_edit *edit, const char *word)
{
	struct filter_word w;
	int ret = filter_word_parse(&w, word);

	if (!ret)
		ret = edit_word(edit, &w);
	filter_word_free(&w);
	return ret;
}

int filter_edit_ips(struct filter_edit *edit, const unsigned long *ips,
		    unsigned int nr, bool remove)
{
	struct ip_set_builder b = IP_SET_BUILDER_INIT;
	struct ip_set *sites;
	unsigned int i;
	int ret = 0;

	guard(mutex)(&ftrace_lock);
	edit_forget_gone(edit);
	for (i = 0; !ret && i < nr; i++) {
		unsigned long site = ftrace_location(ips[i]);

		if (!site)
			ret = -EINVAL;
		else if (remove && !ip_set_has(edit->side.sites, site))
			ret = -ENOENT;
		else
			ret = ip_set_add(&b, site);
	}
	if (ret) {
		ip_set_drop(&b);
		return ret;
	}
	sites = ip_set_finish(&b);
	if (IS_ERR(sites))
		return PTR_ERR(sites);
	ret = side_apply(&edit->side, sites, remove);
	if (!ret)
		edit_update_set(edit);
	return ret;
}

/* What has come since the edit began, to words that would have named it. */
static int edit_catch_up(struct filter_edit *edit)
{
	if (edit->missed)
		return -ENOMEM;
	return side_resolve_live(&edit->side) ?: side_take_found(&edit->side, edit->came);
}

/* Replace one side of a filter and move the ops that use it. */
static int filter_replace(struct ftrace_filter *filter, bool except,
			  struct filter_side *side)
{
	struct ftrace_filter next = *filter;
	int ret;

	filter_side_of(&next, except)->sites = side->sites;
	filter_side_of(&next, except)->set = side->set;
	ret = ops_change_filter(filter, &next);
	if (!ret)
		side_move(filter_side_of(filter, except), side);
	return ret;
}

int filter_edit_commit(struct filter_edit *edit)
{
	int ret = filter_edit_settle(edit);

	mutex_lock(&ftrace_lock);
	edit_forget_gone(edit);
	if (!ret)
		ret = edit_catch_up(edit);
	if (!ret)
		ret = filter_replace(edit->filter, edit->except, &edit->side);
	mutex_unlock(&ftrace_lock);
	filter_edit_abort(edit);
	return ret;
}

/* ------------------------------------------------------------------ */
/* Text that comes and goes						*/

/* Failing to keeps no module away. */
static void filter_resolve(struct ftrace_filter *filter, const char *module)
{
	if (side_resolve_module(&filter->only, module) ||
	    side_resolve_module(&filter->except, module))
		pr_warn("no memory: functions of %s are missing from a filter\n", module);
}

void filter_module_live(struct module *mod)
{
	struct ftrace_filter *filter;

	filter_resolve(&global_filter, module_name(mod));
	list_for_each_entry(filter, &filters, node)
		filter_resolve(filter, module_name(mod));
}

static int filter_take_found(struct ftrace_filter *filter, const struct ip_set *found)
{
	return side_take_found(&filter->only, found) ?:
	       side_take_found(&filter->except, found);
}

static int filters_take_found(const struct ip_set *found)
{
	struct ftrace_filter *filter;
	int ret = filter_take_found(&global_filter, found);

	list_for_each_entry(filter, &filters, node)
		ret = ret ?: filter_take_found(filter, found);
	return ret;
}

/* The words that an edit has by the time of its commit may name them as well. */
static void edit_note_found(struct filter_edit *edit, const struct ip_set *found)
{
	struct ip_set *came = ip_set_union(edit->came, found);

	if (IS_ERR(came)) {
		edit->missed = true;
		return;
	}
	ip_set_free(edit->came);
	edit->came = came;
}

int filter_found(const struct ip_set *found)
{
	struct filter_edit *edit;
	int ret;

	lockdep_assert_held(&ftrace_lock);
	ret = filters_take_found(found);
	if (ret)
		return ret;
	list_for_each_entry(edit, &edits, node)
		edit_note_found(edit, found);
	return 0;
}

static void filter_cut(struct ftrace_filter *filter, unsigned long start,
		       unsigned long end)
{
	side_cut(&filter->only, start, end);
	side_cut(&filter->except, start, end);
}

void filter_text_gone(unsigned long start, unsigned long end)
{
	struct ftrace_filter *filter;

	lockdep_assert_held(&ftrace_lock);
	filter_cut(&global_filter, start, end);
	list_for_each_entry(filter, &filters, node)
		filter_cut(filter, start, end);
}
