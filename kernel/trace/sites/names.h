/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of call sites: what users type into filter files, turned into sites
 * and back (D5, D6). Each region has its own table, built in one pass over the
 * symbols when it is asked for, and given back when it has not been for a while.
 * An exact name is found in it by binary search, a pattern by one pass over
 * decoded names.
 *
 * Building also finds the sites no symbol starts at: they belong to weak
 * functions that were overridden, and are retired (site_retire()).
 */
#ifndef _KERNEL_TRACE_NAMES_H
#define _KERNEL_TRACE_NAMES_H

#include <linux/ftrace.h>
#include <linux/limits.h>
#include <linux/types.h>

#include "sites.h"

/*
 * How far behind its function's symbol a site may be. An architecture that
 * does not say is given the next site behind each symbol, however far it is.
 */
#ifdef FTRACE_MCOUNT_MAX_OFFSET
#define SITE_MAX_DISTANCE	((u32)FTRACE_MCOUNT_MAX_OFFSET)
#else
#define SITE_MAX_DISTANCE	U32_MAX
#endif

/**
 * enum name_glob_kind - how a pattern is matched, cheapest form that does
 * @GLOB_ALL: `*`, anything
 * @GLOB_EXACT: `text`
 * @GLOB_PREFIX: `text*`
 * @GLOB_SUFFIX: `*text`
 * @GLOB_MIDDLE: `*text*`
 * @GLOB_FULL: everything else, left to glob_match()
 */
enum name_glob_kind {
	GLOB_ALL,
	GLOB_EXACT,
	GLOB_PREFIX,
	GLOB_SUFFIX,
	GLOB_MIDDLE,
	GLOB_FULL,
};

/**
 * struct name_glob - a pattern, parsed
 * @kind: how to match
 * @text: what is left to compare, see &enum name_glob_kind; points into the
 *	pattern that was parsed and is NUL-terminated only for GLOB_EXACT,
 *	GLOB_SUFFIX and GLOB_FULL
 * @len: length of @text
 */
struct name_glob {
	enum name_glob_kind kind;
	const char *text;
	unsigned int len;
};

/**
 * name_glob_parse() - understand a pattern
 * @g: the result
 * @pattern: the pattern, without `!` or `:mod:`; must stay as long as @g does
 *
 * A backslash, `[` or `?` anywhere makes it a GLOB_FULL, as do stars elsewhere
 * than first and last.
 *
 * Context: any.
 */
void name_glob_parse(struct name_glob *g, const char *pattern);

/* name_glob_match(), by the text. */
bool name_glob_compare(const struct name_glob *g, const char *name);

/**
 * name_glob_match() - does a name match?
 * @g: the pattern
 * @name: the name
 *
 * Context: any.
 */
static inline bool name_glob_match(const struct name_glob *g, const char *name)
{
	/* What is asked for most. */
	return g->kind == GLOB_ALL || name_glob_compare(g, name);
}

/**
 * typedef name_match_fn - called for each site that matches
 * @region: the site's region
 * @index: its index there
 * @data: the caller's
 *
 * Return: 0 to go on, anything else ends the pass.
 */
typedef int (*name_match_fn)(struct site_region *region, unsigned int index,
			     void *data);

/**
 * names_get() - make sure the names of a region are there
 * @r: the region
 *
 * Builds them if need be. Needed once before any of the functions below is
 * used on a region, in the same section of ftrace_lock.
 *
 * Context: may sleep; ftrace_lock held, module_mutex not.
 * Return: 0; -EAGAIN if the region is not live yet; -ENOMEM, when nothing has
 * changed and the next call tries again.
 */
int names_get(struct site_region *r);

/**
 * site_name() - name of a site
 * @r: a region that passed names_get()
 * @index: index of the site in it
 *
 * Context: ftrace_lock held.
 * Return: the function's name, without a module's; NULL if it has none, which
 * only a site that is not usable, or is about to be retired, has not.
 */
const char *site_name(const struct site_region *r, unsigned int index);

/**
 * names_find() - sites with exactly this name
 * @r: a region that passed names_get()
 * @name: the name
 * @first: set to the first position that names_at() takes
 * @count: set to the number of positions, 0 if the name is unknown
 *
 * Static functions share names, so there may be several. Some of them may have
 * become unusable since.
 *
 * Context: ftrace_lock held.
 */
void names_find(const struct site_region *r, const char *name,
		unsigned int *first, unsigned int *count);

/**
 * names_at() - a site by its position in the order of names
 * @r: a region that passed names_get()
 * @pos: position, as from names_find()
 *
 * Context: ftrace_lock held.
 * Return: index of the site in @r.
 */
unsigned int names_at(const struct site_region *r, unsigned int pos);

/**
 * names_match() - call a function for each usable site that matches
 * @r: a region that passed names_get()
 * @g: the pattern
 * @fn: called for each, by address, or by name for GLOB_EXACT and GLOB_PREFIX
 * @data: passed to @fn
 *
 * Context: ftrace_lock held.
 * Return: 0, or what @fn returned other than 0.
 */
int names_match(struct site_region *r, const struct name_glob *g,
		name_match_fn fn, void *data);

/**
 * names_nth() - the function on a line of the list of all
 * @n: rank among the usable sites that have a name, by address, from 0
 * @region: set to its region
 *
 * A site without a name is not listed, but may be usable for as long as it is traced.
 *
 * Context: ftrace_lock held; all live regions passed names_get().
 * Return: the site or NULL.
 */
struct site *names_nth(unsigned long n, struct site_region **region);

/**
 * names_bytes() - memory held by the names of all regions
 *
 * Context: ftrace_lock held.
 */
size_t names_bytes(void);

/**
 * names_decoded() - how many times names of a region were built since boot
 *
 * Context: ftrace_lock held.
 */
unsigned long names_decoded(void);

/**
 * names_drop() - give the names of a region back
 * @r: any region; it has no names until its next names_get()
 *
 * Context: ftrace_lock held.
 */
void names_drop(struct site_region *r);

/**
 * names_drop_all() - give the names of all regions back
 *
 * Happens by itself some seconds after the last names_get(), and when memory
 * runs short.
 *
 * Context: ftrace_lock held.
 */
void names_drop_all(void);

#endif /* _KERNEL_TRACE_NAMES_H */
