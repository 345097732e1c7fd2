// SPDX-License-Identifier: GPL-2.0
/*
 * Filters of ops and their edits (SPEC D5, D12).
 *
 * Called by functions/filter_files.c, by modules through ftrace_set_filter*(), and by
 * text/ when text is loaded or freed.  This file owns the filters and edits; filter/
 * resolves words to sites, and ops.c patches the sites when a filter has changed.
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
#include "internal.h"
#include "sites/ip_set.h"
#include "sites/sites.h"

struct ftrace_filter global_filter = {
	.only.pending	= LIST_HEAD_INIT(global_filter.only.pending),
	.except.pending	= LIST_HEAD_INIT(global_filter.except.pending),
	.node		= LIST_HEAD_INIT(global_filter.node),
	.users		= LIST_HEAD_INIT(global_filter.users),
};

/* All filters except the global one; under ftrace_lock. */
static LIST_HEAD(filters);

/* All edits in progress; under ftrace_lock. */
static LIST_HEAD(edits);

/**
 * struct filter_edit - an edit in progress of one side of a filter
 * @filter: the filter
 * @except: true if the edit is of the "except" side
 * @to_none: an "only" side that the edit has emptied selects no function instead of all
 * @side: the edited copy of the side
 * @added: sites not yet merged into @side.sites, so that many words cost one union
 * @seen: sites_latest() when all addresses in @side and @added were last valid
 * @losses: sites_losses() when all addresses in @side and @added were last valid
 * @found: sites that were found since the edit began, for pending words (SPEC D14)
 * @found_failed: there was no memory to add a site to @found
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
	struct ip_set		*found;
	bool			found_failed;
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

/* Check whether a filter selects all functions and is not being edited. */
static bool filter_is_idle(struct ftrace_filter *filter)
{
	lockdep_assert_held(&ftrace_lock);
	/* Pairs with the release in filter_edit_abort(), the last access of an edit. */
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
 * ftrace_free_filter() - free the filter of an ops
 * @ops: the ops, not registered; without a filter, it wants all functions
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
 * ftrace_ops_set_global_filter() - make an ops follow the top-level set_ftrace_filter
 * @ops: the ops, not registered; nothing happens if it has a filter already
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

/* Give @ops a new filter. @ops may be registered already, for all functions. */
static bool edit_give_filter(struct ftrace_ops *ops)
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
	if (!ops->filter && !edit_give_filter(ops))
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
	/* A retired site may be in the copy: make the first check of the edit look for it. */
	edit->losses = sites_losses() - (edit->side.sites ? 1 : 0);
	list_add(&edit->node, &edits);
	atomic_inc(&edit->filter->edits);
	return no_free_ptr(edit);
}

void filter_edit_abort(struct filter_edit *edit)
{
	scoped_guard(mutex, &ftrace_lock)
		list_del(&edit->node);
	ip_set_free(edit->found);
	ip_set_drop(&edit->added);
	side_clear(&edit->side);
	/* Pairs with the acquire in filter_is_idle(): the filter may be freed from now on. */
	atomic_dec_return_release(&edit->filter->edits);
	kfree(edit);
}

static bool edit_site_is_valid(unsigned long ip, unsigned long seen)
{
	struct site_region *r;
	struct site *site = site_at(ip, &r);

	return site && !site_has(site, SITE_RETIRED) && r->born <= seen;
}

static unsigned int edit_count_sites(const struct filter_edit *edit)
{
	return ip_set_size(edit->side.sites) + ip_set_size(edit->added.set);
}

/*
 * Drop the sites whose text was freed since their addresses were noted, even if other text
 * is at the same place now. Needed before addresses are added and before the edit is
 * committed.
 */
static void edit_drop_retired(struct filter_edit *edit)
{
	unsigned int before = edit_count_sites(edit);

	if (edit->losses != sites_losses()) {
		edit->side.sites = ip_set_keep(edit->side.sites, edit_site_is_valid, edit->seen);
		edit->added.set = ip_set_keep(edit->added.set, edit_site_is_valid, edit->seen);
		edit->side.lost |= edit_count_sites(edit) < before;
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

int filter_edit_merge(struct filter_edit *edit)
{
	const struct ip_set *added = edit->added.set;
	struct ip_set *sites;
	int ret;

	if (!added)
		return 0;
	/* Apply a copy: on failure, @edit->added must be complete. */
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
	ret = filter_edit_merge(edit);
	rest = ret ? ERR_PTR(ret) : ip_set_minus(edit->side.sites, sites);
	ip_set_free(sites);
	if (IS_ERR(rest))
		return PTR_ERR(rest);
	/* Pending words must not add the functions again. */
	if (!filter_word_is_line(w) && side_remove_word(&edit->side, w) == -ENOMEM) {
		ip_set_free(rest);
		return -ENOMEM;
	}
	ip_set_free(edit->side.sites);
	edit->side.sites = rest;
	return 0;
}

/* Limit the memory for the sites of overlapping words to a few times the number of sites. */
static int edit_limit_added(struct filter_edit *edit)
{
	return ip_set_size(edit->added.set) > 2 * sites_total() ? filter_edit_merge(edit) : 0;
}

static int edit_add(struct filter_edit *edit, const struct filter_word *w)
{
	bool waits = filter_word_waits(w);
	unsigned int before;
	int found = edit_limit_added(edit);

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
	/* Set here rather than in filter_edit_merge(): the sites may be retired by then. */
	edit->side.set = true;
	return 0;
}

static int edit_apply_word(struct filter_edit *edit, const struct filter_word *w)
{
	int ret;

	if (!filter_word_sane(w))
		return -EINVAL;
	guard(mutex)(&ftrace_lock);
	if (edit->seen != sites_latest())
		edit_drop_retired(edit);
	if (!w->remove)
		return edit_add(edit, w);
	/* Words that stay pending would add the functions again at the commit. */
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
		ret = edit_apply_word(edit, &w);
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
	edit_drop_retired(edit);
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

/* Resolve pending words against modules and sites that are new since the edit began. */
static int edit_resolve_new(struct filter_edit *edit)
{
	if (edit->found_failed)
		return -ENOMEM;
	return side_resolve_live(&edit->side) ?: side_take_found(&edit->side, edit->found);
}

/* Check that every registered ops that uses @filter may have @next instead. */
static int filter_check_users(const struct ftrace_filter *filter,
			      const struct ftrace_filter *next)
{
	struct ftrace_ops *ops;
	int ret = 0;

	list_for_each_entry(ops, &filter->users, filter_node) {
		ret = ops_check_exclusive(ops, next) ?: ops_check_sharing(ops, next);
		if (ret)
			break;
	}
	return ret;
}

/* Replace one side of a filter and move the ops that use it. */
static int filter_replace(struct ftrace_filter *filter, bool except,
			  struct filter_side *side)
{
	struct ftrace_filter next = *filter;
	int ret;

	filter_side_of(&next, except)->sites = side->sites;
	filter_side_of(&next, except)->set = side->set;
	ret = filter_check_users(filter, &next) ?: ops_change_filter(filter, &next);
	if (!ret)
		side_move(filter_side_of(filter, except), side);
	return ret;
}

int filter_edit_commit(struct filter_edit *edit)
{
	int ret = filter_edit_merge(edit);

	mutex_lock(&ftrace_lock);
	edit_drop_retired(edit);
	if (!ret)
		ret = edit_resolve_new(edit);
	if (!ret)
		ret = filter_replace(edit->filter, edit->except, &edit->side);
	mutex_unlock(&ftrace_lock);
	filter_edit_abort(edit);
	return ret;
}

/* ------------------------------------------------------------------ */
/* Text that is loaded, found or freed					*/

/* A failure is only reported: the load of the module must not fail. */
static void filter_resolve_module(struct ftrace_filter *filter, const char *module)
{
	if (side_resolve_module(&filter->only, module) ||
	    side_resolve_module(&filter->except, module))
		pr_warn("no memory: functions of %s are missing from a filter\n", module);
}

void filter_module_live(struct module *mod)
{
	struct ftrace_filter *filter;

	filter_resolve_module(&global_filter, module_name(mod));
	list_for_each_entry(filter, &filters, node)
		filter_resolve_module(filter, module_name(mod));
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

/* Keep @found for the words that @edit will have at its commit. */
static void edit_note_found(struct filter_edit *edit, const struct ip_set *found)
{
	struct ip_set *all = ip_set_union(edit->found, found);

	if (IS_ERR(all)) {
		edit->found_failed = true;
		return;
	}
	ip_set_free(edit->found);
	edit->found = all;
}

int filter_add_found(const struct ip_set *found)
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

static void filter_remove_range(struct ftrace_filter *filter, unsigned long start,
				unsigned long end)
{
	side_cut(&filter->only, start, end);
	side_cut(&filter->except, start, end);
}

void filter_remove_text(unsigned long start, unsigned long end)
{
	struct ftrace_filter *filter;

	lockdep_assert_held(&ftrace_lock);
	filter_remove_range(&global_filter, start, end);
	list_for_each_entry(filter, &filters, node)
		filter_remove_range(filter, start, end);
}
