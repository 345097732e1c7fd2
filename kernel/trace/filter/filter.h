/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which functions somebody wants: a value, whoever that is (SPEC D5).
 *
 * A filter is two sets of site addresses: "only" and "except".  What it lets through is
 * (only empty ? everything : only) - except.  Each of the two is a side, with words beside
 * the addresses that wait for functions to come.  How a word finds its functions is in
 * word.h, what is done with a side in side.h.
 */
#ifndef _KERNEL_TRACE_FILTER_H
#define _KERNEL_TRACE_FILTER_H

#include <linux/atomic.h>
#include <linux/list.h>
#include <linux/types.h>

struct ip_set;

/**
 * struct filter_pending - a word that waits for functions to come
 * @node: in filter_side.pending
 * @pattern: the word, or what stands before ":mod:"
 * @module: what stands behind that, the exact name of a module to come; where the
 *	functions of a module or of all text are found while they run, also that of one
 *	that is there, or a glob, or NULL for any text
 * @remove: takes away what words in front of it put in
 * @named: has named a function, so there is no need to show it
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
 * @sites: addresses of its sites, NULL for none
 * @pending: words that wait for functions, struct filter_pending
 * @set: the user has left something in it.  Stays when the last of @sites goes
 *	with its module: "only" lets nothing through then.
 * @lost: some of @sites went with their text.  So @set stays as well when the user takes
 *	away those that were left.
 *
 * That of a filter changes under ftrace_lock, that of an edit is its user's.
 */
struct filter_side {
	struct ip_set		*sites;
	struct list_head	pending;
	bool			set;
	bool			lost;
};

/**
 * struct ftrace_filter - what an ops wants
 * @only: what it lets through, when @only.set; else that is everything
 * @except: what it does not let through even so
 * @node: for whom the filter is of: among all, under ftrace_lock
 * @users: the registered ops that have it, first come first; under ftrace_lock
 * @edits: for whom the filter is of: how many edits point to it; goes up under ftrace_lock only
 */
struct ftrace_filter {
	struct filter_side	only;
	struct filter_side	except;
	struct list_head	node;
	struct list_head	users;
	atomic_t		edits;
};

/**
 * filter_wants - does a filter let a site through
 * @filter: NULL lets all through
 * @ip: address of the site
 *
 * Context: ftrace_lock held.
 *
 * Return: true if an ops with this filter shall be called from there.
 */
bool filter_wants(const struct ftrace_filter *filter, unsigned long ip);

#endif /* _KERNEL_TRACE_FILTER_H */
