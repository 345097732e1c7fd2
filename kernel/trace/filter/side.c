// SPDX-License-Identifier: GPL-2.0
/*
 * The sides of a filter (SPEC D5, D12, D14).
 *
 * Words that wait are kept in the order in which they came, those that take away
 * among them: of those that name a function the last one decides about it.
 */
#include <linux/err.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "filter.h"
#include "side.h"
#include "sites/ip_set.h"
#include "sites/names.h"
#include "sites/sites.h"
#include "word.h"

/* ------------------------------------------------------------------ */
/* Words that wait							*/

static void pending_free(struct filter_pending *p)
{
	list_del(&p->node);
	kfree(p->pattern);
	kfree(p->module);
	kfree(p);
}

/* A copy in no list yet; NULL if there is no memory. */
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

static struct filter_pending *pending_new(const struct filter_word *w, bool named)
{
	struct filter_pending like = {
		.pattern = (char *)w->pattern,
		.module	 = (char *)w->module,
		.remove	 = w->remove,
		.named	 = named,
	};

	return pending_copy(&like);
}

/* As a word of a filter file. */
static struct filter_word pending_word(const struct filter_pending *p)
{
	return (struct filter_word) { .pattern = p->pattern, .module = p->module };
}

/* Are both for the same module, or for none? */
static bool same_module(const struct filter_pending *p, const char *module)
{
	if (!p->module || !module)
		return p->module == module;
	return !strcmp(p->module, module);
}

static bool is_glob(const char *pattern)
{
	return strpbrk(pattern, "*?[\\");
}

static bool matches(const char *pattern, const char *name)
{
	struct name_glob g;

	name_glob_parse(&g, pattern);
	return name_glob_match(&g, name);
}

/* Whatever @p may name, does @pattern name that as well? */
static bool covers(const char *pattern, const struct filter_pending *p)
{
	if (is_glob(p->pattern))
		return !strcmp(pattern, "*") || !strcmp(pattern, p->pattern);
	return matches(pattern, p->pattern);
}

/* May there be a function that both name? */
static bool may_meet(const char *pattern, const struct filter_pending *p)
{
	return is_glob(p->pattern) && (is_glob(pattern) || matches(p->pattern, pattern));
}

int side_add_word(struct filter_side *side, const struct filter_word *w, bool named)
{
	struct filter_pending *word = pending_new(w, named), *p, *next;

	if (!word)
		return -ENOMEM;
	/* What has the same text is of no use in front of it. */
	list_for_each_entry_safe(p, next, &side->pending, node)
		if (same_module(p, w->module) && !strcmp(p->pattern, w->pattern))
			pending_free(p);
	list_add_tail(&word->node, &side->pending);
	return 0;
}

/* Nothing is there for the first of them to be taken away from. */
static void drop_leading_removals(struct filter_side *side)
{
	struct filter_pending *p, *next;

	list_for_each_entry_safe(p, next, &side->pending, node) {
		if (!p->remove)
			return;
		pending_free(p);
	}
}

/* Which words put in what @w takes away: all of it (@covered), or perhaps some? */
static void find_concerned(const struct filter_side *side, const struct filter_word *w,
			   bool *covered, bool *overlaps)
{
	struct filter_pending *p;

	list_for_each_entry(p, &side->pending, node) {
		if (p->remove || !same_module(p, w->module))
			continue;
		if (covers(w->pattern, p))
			*covered = true;
		else if (may_meet(w->pattern, p))
			*overlaps = true;
	}
}

int side_remove_word(struct filter_side *side, const struct filter_word *w)
{
	struct filter_pending *word = NULL, *p, *next;
	bool covered = false, overlaps = false;

	find_concerned(side, w, &covered, &overlaps);
	if (overlaps) {
		/* It waits as well, to take away what they will put in. */
		word = pending_new(w, true);
		if (!word)
			return -ENOMEM;
	}
	list_for_each_entry_safe(p, next, &side->pending, node)
		if (same_module(p, w->module) && covers(w->pattern, p))
			pending_free(p);
	if (word)
		list_add_tail(&word->node, &side->pending);
	drop_leading_removals(side);
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
/* Modules that come							*/

/* The module of @p has come: its sites take the place of the word, if any. */
static int side_resolve(struct filter_side *side, struct filter_pending *p)
{
	struct filter_word w = pending_word(p);
	struct ip_set *sites;
	int ret = 0;

	/* Its functions are yet to be found. */
	if (module_may_come(p->module))
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

static bool module_has_come(const char *name)
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
 * A module that came while @side was being edited was not waited for here, and
 * nobody will call again.
 */
int side_resolve_live(struct filter_side *side)
{
	struct filter_pending *p, *next;
	int ret = 0;

	lockdep_assert_held(&ftrace_lock);
	list_for_each_entry_safe(p, next, &side->pending, node)
		if (!ret && p->module && module_has_come(p->module))
			ret = side_resolve(side, p);
	return ret;
}

/* ------------------------------------------------------------------ */
/* Functions that are found						*/

/* The last word that names a function decides. */
static bool words_want(struct filter_side *side, struct module *mod, const char *name)
{
	struct filter_pending *p;
	bool wanted = false;

	list_for_each_entry(p, &side->pending, node) {
		struct filter_word w = pending_word(p);

		if (!filter_word_names(&w, mod, name))
			continue;
		p->named = true;
		wanted = !p->remove;
	}
	return wanted;
}

static int take_if_wanted(struct filter_side *side, unsigned long ip,
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
	if (site_has(site, SITE_FAILED | SITE_GONE))
		return 0;
	name = site_name(r, site_index(r, site));
	return name && words_want(side, r->mod, name) ? ip_set_add(b, ip) : 0;
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
		ret = take_if_wanted(side, found->ips[i], &b);
	if (ret) {
		ip_set_drop(&b);
		return ret;
	}
	sites = ip_set_finish(&b);
	return IS_ERR(sites) ? PTR_ERR(sites) : side_apply(side, sites, false);
}
