/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Filters: selections of functions, as values that no particular user owns (SPEC D5).
 *
 * A filter has two sides, "only" and "except", each with a set of site addresses.  The filter
 * selects (only empty ? all sites : only) minus except.  A side also has pending words,
 * which wait for functions that do not exist yet.  word.h resolves words to sites, and
 * side.h has the operations on a side.
 */
#ifndef _KERNEL_TRACE_FILTER_H
#define _KERNEL_TRACE_FILTER_H

#include <linux/atomic.h>
#include <linux/list.h>
#include <linux/types.h>

struct ip_set;

/**
 * struct filter_pending - a word that waits for functions
 * @node: in &filter_side.pending
 * @pattern: the word without ":mod:" and a module
 * @module: the text after ":mod:", normally the exact name of a module that is not loaded. Where
 *	functions are found while they run (SPEC D14), also a glob, the name of a
 *	loaded module, or NULL for any text.
 * @remove: the word removes functions that words in front of it have added
 * @named: the word has named a function, so it need not be shown
 */
struct filter_pending {
	struct list_head	node;
	char			*pattern;
	char			*module;
	bool			remove;
	bool			named;
};

/**
 * struct filter_side - one side of a filter
 * @sites: addresses of sites, NULL for none
 * @pending: list of struct filter_pending, words that wait for functions
 * @set: the user has put functions or words into the side.  Stays true when the last of @sites
 *	is freed with its module: an "only" side then selects no function.
 * @lost: some of @sites were freed with their text.  @set therefore stays true when the user
 *	removes the remaining ones.
 *
 * The sides of a filter change under ftrace_lock, the side of an edit belongs to its user.
 */
struct filter_side {
	struct ip_set		*sites;
	struct list_head	pending;
	bool			set;
	bool			lost;
};

/**
 * struct ftrace_filter - a selection of functions
 * @only: the functions that the filter selects if @only.set, else it selects all
 * @except: functions that the filter does not select, even if they are in @only
 * @node: in the list of all filters of ops/edit.c; under ftrace_lock
 * @users: the registered ops that have the filter, in the order of registration; under
 *	ftrace_lock
 * @edits: number of edits of the filter, for ops/edit.c; incremented under ftrace_lock only
 */
struct ftrace_filter {
	struct filter_side	only;
	struct filter_side	except;
	struct list_head	node;
	struct list_head	users;
	atomic_t		edits;
};

/**
 * filter_has_list() - check whether a filter has a list of the functions that it selects
 * @filter: the filter; NULL selects all functions
 *
 * Context: any; a registered filter changes only under ftrace_lock.
 *
 * Return: true if it has one, which may be empty; false if it selects all functions, except for
 * those of &ftrace_filter.except.
 */
static inline bool filter_has_list(const struct ftrace_filter *filter)
{
	return filter && filter->only.set;
}

/**
 * filter_wants() - check whether a filter selects a site
 * @filter: the filter; NULL selects all sites
 * @ip: address of the site
 *
 * Context: ftrace_lock held.
 *
 * Return: true if the site must call an ops with this filter.
 */
bool filter_wants(const struct ftrace_filter *filter, unsigned long ip);

#endif /* _KERNEL_TRACE_FILTER_H */
