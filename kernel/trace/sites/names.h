/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of call sites: the names and patterns that users write to filter files are turned
 * into sites, and sites into names (SPEC D5, D6). Each region has its own table of names,
 * which is built in one pass over the symbols on demand and freed when it was not used for a
 * while. An exact name is found by binary search, a pattern by one pass over the
 * decoded names.
 *
 * Building a table also finds the sites that belong to no symbol. These are in weak
 * functions that were overridden, and are retired (site_retire()).
 */
#ifndef _KERNEL_TRACE_NAMES_H
#define _KERNEL_TRACE_NAMES_H

#include <linux/ftrace.h>
#include <linux/limits.h>
#include <linux/types.h>

#include "sites.h"

/*
 * Maximum distance of a site from the symbol of its function in bytes. Without a limit of
 * the architecture, each symbol gets the next site after it, at any distance.
 */
#ifdef FTRACE_MCOUNT_MAX_OFFSET
#define SITE_MAX_DISTANCE	((u32)FTRACE_MCOUNT_MAX_OFFSET)
#else
#define SITE_MAX_DISTANCE	U32_MAX
#endif

/**
 * enum name_glob_kind - form of a pattern, which selects the cheapest way to match it
 * @GLOB_ALL: `*`, matches every name
 * @GLOB_EXACT: `text`, a name without wildcards
 * @GLOB_PREFIX: `text*`, the beginning of a name
 * @GLOB_SUFFIX: `*text`, the end of a name
 * @GLOB_MIDDLE: `*text*`, any part of a name
 * @GLOB_FULL: every other pattern, matched by glob_match()
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
 * struct name_glob - a parsed pattern
 * @kind: form of the pattern
 * @text: the text to compare, see &enum name_glob_kind; points into the
 *	pattern that was parsed and is NUL-terminated only for GLOB_EXACT,
 *	GLOB_SUFFIX and GLOB_FULL
 * @len: length of @text in bytes
 */
struct name_glob {
	enum name_glob_kind kind;
	const char *text;
	unsigned int len;
};

/**
 * name_glob_parse() - parse a pattern
 * @g: the parsed pattern
 * @pattern: the pattern, without `!` or `:mod:`; must exist as long as @g
 *
 * A backslash, `[` or `?` makes the pattern a GLOB_FULL, as does a star that is neither
 * its first nor its last character.
 *
 * Context: any.
 */
void name_glob_parse(struct name_glob *g, const char *pattern);

/**
 * name_glob_compare() - match a name without the shortcut for GLOB_ALL
 * @g: the pattern
 * @name: the name
 *
 * For name_glob_match() only.
 *
 * Context: any.
 * Return: true if @name matches.
 */
bool name_glob_compare(const struct name_glob *g, const char *name);

/**
 * name_glob_match() - check whether a name matches a pattern
 * @g: the pattern
 * @name: the name
 *
 * Context: any.
 * Return: true if @name matches.
 */
static inline bool name_glob_match(const struct name_glob *g, const char *name)
{
	/* GLOB_ALL is the most frequent case. */
	return g->kind == GLOB_ALL || name_glob_compare(g, name);
}

/**
 * typedef name_match_fn - function that names_match() calls for each site that matches
 * @region: the region of the site
 * @index: index of the site in @region
 * @data: argument of names_match()
 *
 * Return: 0 to continue; any other value ends the walk.
 */
typedef int (*name_match_fn)(struct site_region *region, unsigned int index,
			     void *data);

/**
 * names_get() - make sure that the names of a region are decoded
 * @r: the region
 *
 * site_name(), names_find(), names_at() and names_match() need a call of this before, within
 * the same critical section of ftrace_lock.
 *
 * Context: may sleep; ftrace_lock held, module_mutex not held.
 * Return: 0; -EAGAIN if the region is not live yet; -ENOMEM: nothing has
 * changed, and the next call tries again.
 */
int names_get(struct site_region *r);

/**
 * site_name() - get the name of the function of a site
 * @r: the region of the site, after names_get()
 * @index: index of the site in @r
 *
 * Context: ftrace_lock held.
 * Return: name of the function, without the module; NULL for a site without a name, which is
 * not usable or is about to be retired.
 */
const char *site_name(const struct site_region *r, unsigned int index);

/* For names_find(): the name may be anywhere. */
#define NAMES_NO_HINT	UINT_MAX

/**
 * names_find() - find the sites with exactly one name
 * @r: the region, after names_get()
 * @name: the name
 * @hint: position to look at first: if names are looked up in ascending order, the one behind
 *	those found last; otherwise NAMES_NO_HINT. It makes no difference but for the time
 * @first: set to the first position for names_at()
 * @count: set to the number of positions, 0 if the name is unknown
 *
 * Static functions may share a name, so there may be several sites. Some of them may have
 * become unusable since the names were decoded.
 *
 * Context: ftrace_lock held.
 */
void names_find(const struct site_region *r, const char *name, unsigned int hint,
		unsigned int *first, unsigned int *count);

/**
 * names_at() - get a site by its position in the order of names
 * @r: the region, after names_get()
 * @pos: position, from names_find()
 *
 * Context: ftrace_lock held.
 * Return: index of the site in @r.
 */
unsigned int names_at(const struct site_region *r, unsigned int pos);

/**
 * names_match() - call a function for each usable site whose name matches
 * @r: the region, after names_get()
 * @g: the pattern
 * @fn: the function, called in the order of names for GLOB_EXACT and GLOB_PREFIX, else in the
 *	order of addresses
 * @data: passed to @fn
 *
 * Context: ftrace_lock held.
 * Return: 0, or the first value other than 0 that @fn has returned.
 */
int names_match(struct site_region *r, const struct name_glob *g,
		name_match_fn fn, void *data);

/**
 * names_nth() - find the site of a line of available_filter_functions
 * @n: number of the line, from 0: the rank by address among usable sites that have a name
 * @region: set to the region of the site
 *
 * A site without a name is not listed, but may stay usable as long as it is traced.
 *
 * Context: ftrace_lock held; names_get() was called for all live regions.
 * Return: the site or NULL.
 */
struct site *names_nth(unsigned long n, struct site_region **region);

/**
 * names_bytes() - get the size in bytes of the names of all regions
 *
 * Context: ftrace_lock held.
 * Return: the size.
 */
size_t names_bytes(void);

/**
 * names_decoded() - get the number of times that names of a region were decoded since boot
 *
 * Context: ftrace_lock held.
 * Return: the number.
 */
unsigned long names_decoded(void);

#endif /* _KERNEL_TRACE_NAMES_H */
