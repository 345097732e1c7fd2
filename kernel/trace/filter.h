/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Room: filter - which functions an ops wants.
 *
 * A filter is two sets of site addresses: "only" and "except".  What it lets
 * through is (only empty ? everything : only) - except  (SPEC D5).  Filters
 * belong to an ops, or are shared: every ops that follows the top-level
 * set_ftrace_filter points at the one global filter.
 *
 * A change goes in three steps: begin an edit (a private copy of one of the
 * two sets), apply words or addresses to it, commit.  Until the commit nobody
 * sees a thing; a commit that fails (ENOMEM, a site that refuses) leaves
 * everything as it was.
 */
#ifndef _KERNEL_TRACE_FILTER_H
#define _KERNEL_TRACE_FILTER_H

#include <linux/list.h>
#include <linux/types.h>

struct ftrace_ops;
struct ip_set;
struct module;

/* A `pattern:mod:name` word whose module is not loaded yet. */
struct filter_pending {
	struct list_head	node;
	char			*pattern;
	char			*module;
};

/* One side of a filter: its sites, and the words that wait for a module. */
struct filter_side {
	struct ip_set		*sites;		/* NULL: empty */
	struct list_head	pending;	/* of struct filter_pending */
	bool			set;		/* it was given something */
};

struct ftrace_filter {
	struct filter_side	only;
	struct filter_side	except;
	struct list_head	node;		/* among all but the global one */
};

/* The filter of the top-level set_ftrace_filter and set_ftrace_notrace. */
extern struct ftrace_filter global_filter;

/* Flags of filter_edit_begin(). */
#define FILTER_EDIT_NOTRACE	BIT(0)	/* the "except" side */
#define FILTER_EDIT_RESET	BIT(1)	/* begin from an empty set */

struct filter_edit;

/**
 * filter_edit_begin - a private copy of one side of a filter
 * @ops: whose filter; one is allocated for it when it has none
 * @flags: FILTER_EDIT_*
 *
 * May sleep; takes ftrace_lock.
 *
 * Return: the edit, to be ended by filter_edit_commit() or
 * filter_edit_abort(); ERR_PTR(-ENOMEM).
 */
struct filter_edit *filter_edit_begin(struct ftrace_ops *ops, unsigned int flags);

/**
 * filter_edit_word - apply one word of set_ftrace_filter (SPEC D5)
 * @edit: the edit
 * @word: NUL-terminated, without white space: a name, a glob, a line number
 *	of available_filter_functions, each also with a leading '!' (take away)
 *	or a trailing ":mod:" and a glob of module names
 *
 * May sleep; takes ftrace_lock.  Does not know function commands
 * ("func:traceoff"): the caller has taken those out.
 *
 * Return: 0; -EINVAL when nothing matches or the word makes no sense (the
 * edit is unchanged); -ENOMEM.
 */
int filter_edit_word(struct filter_edit *edit, const char *word);

/**
 * filter_edit_ips - add addresses, or take them away
 * @edit: the edit
 * @ips: addresses of functions or of their call sites
 * @nr: how many
 * @remove: take away
 *
 * Return: 0; -EINVAL for an address that is not traceable; -ENOENT for one to
 * remove that is not in the set; -ENOMEM.
 */
int filter_edit_ips(struct filter_edit *edit, const unsigned long *ips,
		    unsigned int nr, bool remove);

/**
 * filter_edit_commit - make the edit the filter and patch the difference
 * @edit: the edit; freed in any case
 *
 * May sleep; takes ftrace_lock.
 *
 * Return: 0; -ENOMEM, -EBUSY (IPMODIFY conflict), -ENODEV (tracer dead): the
 * filter is as it was.
 */
int filter_edit_commit(struct filter_edit *edit);
void filter_edit_abort(struct filter_edit *edit);

/**
 * filter_edit_settle - take what words have added into the set of the edit
 * @edit: the edit
 *
 * May sleep.  Return: 0 or -ENOMEM, and what was added is lost.
 */
int filter_edit_settle(struct filter_edit *edit);

/**
 * filter_edit_side - what the edit holds, for reading it back
 * @edit: the edit, settled
 */
const struct filter_side *filter_edit_side(const struct filter_edit *edit);

/**
 * filter_match_sites - the sites that a word names
 * @word: as for filter_edit_word(), without '!'
 *
 * May sleep; takes ftrace_lock.
 *
 * Return: a set to be freed with ip_set_free(), NULL when nothing matches,
 * ERR_PTR(-ENOMEM).
 */
struct ip_set *filter_match_sites(const char *word);

/**
 * filter_wants - does a filter let a site through
 * @filter: NULL lets all through
 * @ip: address of the site
 *
 * Context: ftrace_lock held.
 */
bool filter_wants(const struct ftrace_filter *filter, unsigned long ip);

/* Hooks of hooks.c; ftrace_lock held, but for filter_boot(). */
void filter_boot(void);
void filter_module_live(struct module *mod);
void filter_text_gone(unsigned long start, unsigned long end);

#endif /* _KERNEL_TRACE_FILTER_H */
