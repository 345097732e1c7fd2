// SPDX-License-Identifier: GPL-2.0
/*
 * The sides of a filter (SPEC D5, D12, D14).
 *
 * Pending words, adding and removing ones, are kept in the order in which they were written:
 * the last word that names a function decides about it.
 */
#include <linux/err.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "filter.h"
#include "internal.h"
#include "side.h"
#include "sites/ip_set.h"
#include "sites/names.h"
#include "sites/sites.h"
#include "word.h"

/* ------------------------------------------------------------------ */
/* Pending words							*/

static void pending_free(struct filter_pending *p)
{
	list_del(&p->node);
	kfree(p->pattern);
	kfree(p->module);
	kfree(p);
}

/* Return: a copy that is in no list; NULL if there is no memory. */
static struct filter_pending *pending_copy(const struct filter_pending *like)
{
	struct filter_pending *p = kzalloc(sizeof(*p), GFP_KERNEL);

	if (!p)
		return NULL;
	INIT_LIST_HEAD(&p->node);
	p->remove = like->remove;
	p->named = like->named;
	p->pattern = kstrdup(like->pattern, GFP_KERNEL);
	p->module = kstrdup(like->module, GFP_KERNEL);
	if (p->pattern && !p->module == !like->module)
		return p;
	pending_free(p);
	return NULL;
}

static struct filter_pending *pending_from_word(const struct filter_word *w, bool named)
{
	struct filter_pending like = {
		.pattern = (char *)w->pattern,
		.module	 = (char *)w->module,
		.remove	 = w->remove,
		.named	 = named,
	};

	return pending_copy(&like);
}

/* Convert a pending word to a word of a filter file. The result points into @p. */
static struct filter_word pending_to_word(const struct filter_pending *p)
{
	return (struct filter_word) { .pattern = p->pattern, .module = p->module };
}

/* Check whether @p is for @module. NULL means no module. */
static bool pending_has_module(const struct filter_pending *p, const char *module)
{
	if (!p->module || !module)
		return p->module == module;
	return !strcmp(p->module, module);
}

static bool pattern_is_glob(const char *pattern)
{
	return strpbrk(pattern, "*?[\\");
}

static bool pattern_matches(const char *pattern, const char *name)
{
	struct name_glob g;

	name_glob_parse(&g, pattern);
	return name_glob_match(&g, name);
}

/* Check whether @pattern matches every function that @p may name. */
static bool pattern_covers(const char *pattern, const struct filter_pending *p)
{
	if (pattern_is_glob(p->pattern))
		return !strcmp(pattern, "*") || !strcmp(pattern, p->pattern);
	return pattern_matches(pattern, p->pattern);
}

/* Check whether both may match some function, provided that @pattern does not cover @p. */
static bool pattern_may_overlap(const char *pattern, const struct filter_pending *p)
{
	return pattern_is_glob(p->pattern) &&
	       (pattern_is_glob(pattern) || pattern_matches(p->pattern, pattern));
}

int side_add_word(struct filter_side *side, const struct filter_word *w, bool named)
{
	struct filter_pending *word = pending_from_word(w, named), *p, *next;

	if (!word)
		return -ENOMEM;
	/* Earlier words with the same text have no effect any more. */
	list_for_each_entry_safe(p, next, &side->pending, node)
		if (pending_has_module(p, w->module) && !strcmp(p->pattern, w->pattern))
			pending_free(p);
	list_add_tail(&word->node, &side->pending);
	return 0;
}

/* Free removing words at the beginning of the list: no word before them adds functions. */
static void side_drop_leading_removals(struct filter_side *side)
{
	struct filter_pending *p, *next;

	list_for_each_entry_safe(p, next, &side->pending, node) {
		if (!p->remove)
			return;
		pending_free(p);
	}
}

/*
 * Find out whether there are pending words whose functions @w removes all (@covered), and
 * others of whose functions it may remove some (@overlaps).
 */
static void side_find_affected(const struct filter_side *side, const struct filter_word *w,
			       bool *covered, bool *overlaps)
{
	struct filter_pending *p;

	list_for_each_entry(p, &side->pending, node) {
		if (p->remove || !pending_has_module(p, w->module))
			continue;
		if (pattern_covers(w->pattern, p))
			*covered = true;
		else if (pattern_may_overlap(w->pattern, p))
			*overlaps = true;
	}
}

int side_remove_word(struct filter_side *side, const struct filter_word *w)
{
	struct filter_pending *word = NULL, *p, *next;
	bool covered = false, overlaps = false;

	side_find_affected(side, w, &covered, &overlaps);
	if (overlaps) {
		/* Add @w as a pending word that removes functions which those words add later. */
		word = pending_from_word(w, true);
		if (!word)
			return -ENOMEM;
	}
	list_for_each_entry_safe(p, next, &side->pending, node)
		if (pending_has_module(p, w->module) && pattern_covers(w->pattern, p))
			pending_free(p);
	if (word)
		list_add_tail(&word->node, &side->pending);
	side_drop_leading_removals(side);
	return covered || overlaps ? 0 : -EINVAL;
}

/* ------------------------------------------------------------------ */
/* Sides								*/

void side_clear(struct filter_side *side)
{
	struct filter_pending *p, *next;

	ip_set_free(side->sites);
	side->sites = NULL;
	side->set = false;
	side->lost = false;
	list_for_each_entry_safe(p, next, &side->pending, node)
		pending_free(p);
}

void side_init(struct filter_side *side)
{
	side->sites = NULL;
	side->set = false;
	side->lost = false;
	INIT_LIST_HEAD(&side->pending);
}

int side_copy(struct filter_side *to, const struct filter_side *from)
{
	struct filter_pending *p, *word;

	to->set = from->set;
	to->lost = from->lost;
	to->sites = ip_set_copy(from->sites);
	if (IS_ERR(to->sites)) {
		to->sites = NULL;
		return -ENOMEM;
	}
	list_for_each_entry(p, &from->pending, node) {
		word = pending_copy(p);
		if (!word)
			return -ENOMEM;
		list_add_tail(&word->node, &to->pending);
	}
	return 0;
}

void side_move(struct filter_side *to, struct filter_side *from)
{
	side_clear(to);
	to->sites = from->sites;
	to->set = from->set;
	to->lost = from->lost;
	list_splice_init(&from->pending, &to->pending);
	from->sites = NULL;
}

int side_apply(struct filter_side *side, struct ip_set *sites, bool remove)
{
	struct ip_set *result;

	result = remove ? ip_set_minus(side->sites, sites) :
			  ip_set_union(side->sites, sites);
	ip_set_free(sites);
	if (IS_ERR(result))
		return PTR_ERR(result);
	ip_set_free(side->sites);
	side->sites = result;
	return 0;
}

void side_cut(struct filter_side *side, unsigned long start, unsigned long end)
{
	unsigned int before = ip_set_size(side->sites);

	side->sites = ip_set_cut_range(side->sites, start, end);
	side->lost |= ip_set_size(side->sites) < before;
}

/* ------------------------------------------------------------------ */
/* Modules that are loaded						*/

/* The module of @p is loaded: replace the word by the sites that it names, if any. */
static int side_resolve(struct filter_side *side, struct filter_pending *p)
{
	struct filter_word w = pending_to_word(p);
	struct ip_set *sites;
	int ret = 0;

	/* The module has no table of its sites: its functions are found while they run. */
	if (module_may_be_loaded(p->module))
		return 0;
	sites = filter_word_sites(&w);
	if (IS_ERR(sites))
		return PTR_ERR(sites);
	if (sites)
		ret = side_apply(side, sites, p->remove);
	if (!ret)
		pending_free(p);
	return ret;
}

static bool side_module_is_live(const char *name)
{
	struct site_region *r;

	for_each_site_region(r) {
		if (r->live && r->mod && !strcmp(module_name(r->mod), name))
			return true;
	}
	return false;
}

int side_resolve_module(struct filter_side *side, const char *module)
{
	struct filter_pending *p, *next;
	int ret = 0;

	lockdep_assert_held(&ftrace_lock);
	list_for_each_entry_safe(p, next, &side->pending, node)
		if (!ret && p->module && !strcmp(p->module, module))
			ret = side_resolve(side, p);
	return ret;
}

/*
 * Needed for an edit: filter_module_live() does not resolve the words of edits when a module
 * is loaded, and does not run again for that module.
 */
int side_resolve_live(struct filter_side *side)
{
	struct filter_pending *p, *next;
	int ret = 0;

	lockdep_assert_held(&ftrace_lock);
	list_for_each_entry_safe(p, next, &side->pending, node)
		if (!ret && p->module && side_module_is_live(p->module))
			ret = side_resolve(side, p);
	return ret;
}

/* ------------------------------------------------------------------ */
/* Functions that are found while they run				*/

/* Check whether pending words select a function. The last word that names it decides. */
static bool side_words_want(struct filter_side *side, struct module *mod, const char *name)
{
	struct filter_pending *p;
	bool wanted = false;

	list_for_each_entry(p, &side->pending, node) {
		struct filter_word w = pending_to_word(p);

		if (!filter_word_names(&w, mod, name))
			continue;
		p->named = true;
		wanted = !p->remove;
	}
	return wanted;
}

/* Add a found site to @b if pending words select its function. Return: 0 or -ENOMEM. */
static int side_collect_wanted(struct filter_side *side, unsigned long ip,
			       struct ip_set_builder *b)
{
	struct site_region *r;
	struct site *site = site_at(ip, &r);
	const char *name;
	int ret;

	if (!site || !r->live)
		return 0;
	ret = names_get(r);
	if (ret)
		return ret;
	if (site_has(site, SITE_FAILED | SITE_RETIRED))
		return 0;
	name = site_name(r, site_index(r, site));
	return name && side_words_want(side, r->mod, name) ? ip_set_add(b, ip) : 0;
}

int side_take_found(struct filter_side *side, const struct ip_set *found)
{
	struct ip_set_builder b = IP_SET_BUILDER_INIT;
	struct ip_set *sites;
	int ret = 0;

	lockdep_assert_held(&ftrace_lock);
	if (list_empty(&side->pending))
		return 0;
	for (unsigned int i = 0; !ret && i < ip_set_size(found); i++)
		ret = side_collect_wanted(side, found->ips[i], &b);
	if (ret) {
		ip_set_drop(&b);
		return ret;
	}
	sites = ip_set_finish(&b);
	return IS_ERR(sites) ? PTR_ERR(sites) : side_apply(side, sites, false);
}
