// SPDX-License-Identifier: GPL-2.0
/*
 * Parsing words of filter files and finding the call sites that they name (SPEC D5).
 *
 * A word is `pattern`, `pattern:mod:module` or a line number of
 * available_filter_functions.  This file does not use filters: callers add the sites
 * to a filter or remove them.
 */
#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/kstrtox.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "internal.h"
#include "sites/ip_set.h"
#include "sites/names.h"
#include "sites/sites.h"
#include "word.h"

int filter_word_parse(struct filter_word *w, const char *text)
{
	char *mod;

	w->copy = kstrdup(text, GFP_KERNEL);
	if (!w->copy)
		return -ENOMEM;
	w->pattern = w->copy;
	w->module = NULL;
	w->remove = *w->pattern == '!';
	if (w->remove)
		w->pattern++;
	mod = strstr(w->pattern, ":mod:");
	if (mod) {
		*mod = '\0';
		w->module = mod + strlen(":mod:");
		if (!*w->pattern)
			w->pattern = "*";
	}
	return 0;
}

void filter_word_free(struct filter_word *w)
{
	kfree(w->copy);
	w->copy = NULL;
}

bool filter_word_sane(const struct filter_word *w)
{
	/* A colon other than those of ":mod:" belongs to an unknown command. */
	return *w->pattern && !strchr(w->pattern, ':');
}

/*
 * Check the module of a function against the text after ":mod:". "!name" matches functions
 * that are not in a module of that name; an empty name stands for every module.
 */
static bool word_matches_module(struct module *mod, const char *module)
{
	bool not = *module == '!';
	struct name_glob g;

	if (!module[not])
		return !mod == not;
	name_glob_parse(&g, module + not);
	return (mod && name_glob_match(&g, module_name(mod))) != not;
}

bool filter_word_names(const struct filter_word *w, struct module *mod, const char *name)
{
	struct name_glob g;

	if (w->module && !word_matches_module(mod, w->module))
		return false;
	name_glob_parse(&g, w->pattern);
	return name_glob_match(&g, name);
}

static bool word_parse_line(const struct filter_word *w, unsigned long *line)
{
	return isdigit(*w->pattern) && !kstrtoul(w->pattern, 0, line);
}

bool filter_word_is_line(const struct filter_word *w)
{
	unsigned long line;

	return word_parse_line(w, &line);
}

bool filter_word_waits(const struct filter_word *w)
{
	if (filter_word_is_line(w))
		return false;
	if (!IS_ENABLED(CONFIG_FTRACE_MCOUNT_RECORD))
		return true;
	return w->module && *w->module && !strpbrk(w->module, "*?[!") &&
	       module_may_be_loaded(w->module);
}

/* ------------------------------------------------------------------ */
/* Collecting								*/

static int filter_collect_site(struct site_region *r, unsigned int index, void *data)
{
	return ip_set_add(data, site_ip(r, &r->sites[index]));
}

static int filter_collect_exact(struct site_region *r, const char *name,
				struct ip_set_builder *b)
{
	unsigned int first, count, i;
	int ret = 0;

	names_find(r, name, NAMES_NO_HINT, &first, &count);
	for (i = first; !ret && i < first + count; i++) {
		unsigned int index = names_at(r, i);

		if (site_usable(&r->sites[index]))
			ret = filter_collect_site(r, index, b);
	}
	return ret;
}

static int filter_collect_region(struct site_region *r, const struct name_glob *g,
				 struct ip_set_builder *b)
{
	int ret = names_get(r);

	if (ret)
		return ret == -EAGAIN ? 0 : ret;
	if (g->kind == GLOB_EXACT)
		return filter_collect_exact(r, g->text, b);
	return names_match(r, g, filter_collect_site, b);
}

static int filter_collect_line(unsigned long line, struct ip_set_builder *b)
{
	struct site_region *r;
	struct site *site;

	/* Names are needed to count lines: a site without a name is not listed. */
	for_each_site_region(r) {
		int ret = names_get(r);

		if (ret == -ENOMEM)
			return ret;
	}
	site = line ? names_nth(line - 1, &r) : NULL;
	return site ? ip_set_add(b, site_ip(r, site)) : 0;
}

static int filter_collect_pattern(const struct filter_word *w, struct ip_set_builder *b)
{
	struct site_region *r;
	struct name_glob g;
	int ret = 0;

	name_glob_parse(&g, w->pattern);
	for_each_site_region(r) {
		if (!r->live || (w->module && !word_matches_module(r->mod, w->module)))
			continue;
		ret = filter_collect_region(r, &g, b);
		if (ret)
			break;
	}
	return ret;
}

void filter_collect_undo(struct ip_set_builder *b, unsigned int nr)
{
	if (nr)
		b->set->nr = nr;
	else
		ip_set_drop(b);
}

int filter_word_collect(const struct filter_word *w, struct ip_set_builder *b)
{
	unsigned int before = ip_set_size(b->set);
	unsigned long line;
	int ret;

	lockdep_assert_held(&ftrace_lock);
	if (word_parse_line(w, &line))
		ret = filter_collect_line(line, b);
	else
		ret = filter_collect_pattern(w, b);
	if (ret) {
		filter_collect_undo(b, before);
		return ret;
	}
	return ip_set_size(b->set) - before;
}

struct ip_set *filter_word_sites(const struct filter_word *w)
{
	struct ip_set_builder b = IP_SET_BUILDER_INIT;
	int ret = filter_word_collect(w, &b);

	if (ret < 0) {
		ip_set_drop(&b);
		return ERR_PTR(ret);
	}
	return ip_set_finish(&b);
}

struct ip_set *filter_match_sites(const char *word)
{
	struct filter_word w;
	struct ip_set *set;
	int ret = filter_word_parse(&w, word);

	if (ret)
		return ERR_PTR(ret);
	mutex_lock(&ftrace_lock);
	set = filter_word_sites(&w);
	mutex_unlock(&ftrace_lock);
	filter_word_free(&w);
	return set;
}
