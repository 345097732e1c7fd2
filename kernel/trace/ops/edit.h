/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which functions an ops wants, and changing that.
 *
 * Filters belong to an ops, or are shared: every ops that follows the top-level
 * set_ftrace_filter points at the one global filter.
 *
 * A change goes in three steps: begin an edit (a private copy of one of the
 * two sides), apply words or addresses to it, commit.  Until the commit nobody
 * sees a thing; a commit that fails (ENOMEM, a site that refuses) leaves
 * everything as it was.  An edit has one user at a time.  Of two edits of the
 * same side, the one that is committed later wins.
 */
#ifndef _KERNEL_TRACE_OPS_EDIT_H
#define _KERNEL_TRACE_OPS_EDIT_H

#include <linux/bits.h>
#include <linux/types.h>

#include "filter/filter.h"

struct ftrace_ops;
struct ip_set;
struct module;

/* The filter of the top-level set_ftrace_filter and set_ftrace_notrace. */
extern struct ftrace_filter global_filter;

/**
 * filter_add_user - a registered ops has its filter from now on
 * @ops: the ops; if it has no filter, nothing is to be done
 *
 * So a filter that changes finds those that it concerns among any number of others.
 *
 * Context: ftrace_lock held.
 */
void filter_add_user(struct ftrace_ops *ops);

/**
 * filter_remove_user - an ops with a filter is no longer registered
 * @ops: the ops
 *
 * Context: ftrace_lock held.
 */
void filter_remove_user(struct ftrace_ops *ops);

/* Flags of filter_edit_begin(). */
#define FILTER_EDIT_NOTRACE	BIT(0)	/* the "except" side */
#define FILTER_EDIT_RESET	BIT(1)	/* begin from an empty set */
#define FILTER_EDIT_TO_NONE	BIT(2)	/* without the last one: none, not all */

struct filter_edit;

/**
 * filter_edit_begin - a private copy of one side of a filter
 * @ops: whose filter; one is allocated for it when it has none
 * @flags: FILTER_EDIT_*
 *
 * @ops keeps its filter until the edit has ended.
 *
 * Context: may sleep; takes ftrace_lock.
 *
 * Return: the edit, to be ended by filter_edit_commit() or
 * filter_edit_abort(); ERR_PTR(-ENOMEM); ERR_PTR(-EINVAL) for the "except" side of an ops
 * that changes where functions go on, which has none.
 */
struct filter_edit *filter_edit_begin(struct ftrace_ops *ops, unsigned int flags);

/**
 * filter_edit_word - apply one word of set_ftrace_filter (SPEC D5)
 * @edit: the edit
 * @word: NUL-terminated, without white space: a name, a glob, a line number
 *	of available_filter_functions, each also with a leading '!' (take away)
 *	or a trailing ":mod:" and a glob of module names (nothing: any module),
 *	which a line number goes without
 *
 * A word that matches nothing, but has the exact name of a module that is not
 * loaded behind ":mod:", waits for that module.  Where sites are found while they
 * run (SPEC D14), every word goes on waiting for functions that it names.  Taking
 * away a function that exists, but is not in the set, is no error; "*" takes away
 * all words that wait for a module.
 *
 * Does not know function commands ("func:traceoff"): the caller has taken those
 * out.
 *
 * Context: may sleep; takes ftrace_lock.
 *
 * Return: 0; -EINVAL when nothing matches or the word makes no sense; -ENOMEM.
 * Either leaves what the edit stands for unchanged.
 */
int filter_edit_word(struct filter_edit *edit, const char *word);

/**
 * filter_edit_ips - add addresses, or take them away
 * @edit: the edit
 * @ips: addresses of functions or of their call sites
 * @nr: how many
 * @remove: take away; after words, only behind a filter_edit_settle()
 *
 * Context: may sleep; takes ftrace_lock.
 *
 * Return: 0; -EINVAL for an address that is not traceable; -ENOENT for one to
 * remove that is not in the set; -ENOMEM.  Any of them leaves the edit as it
 * was.
 */
int filter_edit_ips(struct filter_edit *edit, const unsigned long *ips,
		    unsigned int nr, bool remove);

/**
 * filter_find_function - make the site of a function that is in no table usable
 * @addr: the function, or anything else
 *
 * Set by discover/, which stands above this room, while the kernel comes up; NULL before
 * (SPEC D14).
 *
 * Context: sleeps; takes kprobe_mutex, then ftrace_lock.
 */
extern void (*filter_find_function)(unsigned long addr);

/**
 * filter_edit_commit - make the edit the filter and patch the difference
 * @edit: the edit; freed in any case
 *
 * Sites that went since the edit began are left out, and words whose module has
 * come since become sites.  The registered ops that have the filter are attached
 * and detached accordingly (SPEC D10), unless kernel.ftrace_enabled is 0.
 *
 * Context: may sleep; takes ftrace_lock.
 *
 * Return: 0; -ENOMEM, -EBUSY (IPMODIFY conflict), -ENODEV (tracer dead): the
 * filter and the sites are as they were; -EINVAL: so they are if an ops that has
 * the filter does IPMODIFY, and the edit would have it want all; else, and for
 * -EFAULT, the filter is as it was, and the tracer has died on the way.
 */
int filter_edit_commit(struct filter_edit *edit);

/**
 * filter_edit_abort - end an edit without changing anything
 * @edit: the edit; freed
 *
 * Context: may sleep; takes ftrace_lock.
 */
void filter_edit_abort(struct filter_edit *edit);

/**
 * filter_edit_settle - take what words have added into the set of the edit
 * @edit: the edit
 *
 * Needed before filter_edit_side(); a commit does it by itself.
 *
 * Context: may sleep; takes no lock.
 *
 * Return: 0; -ENOMEM, and the edit is as before.
 */
int filter_edit_settle(struct filter_edit *edit);

/**
 * filter_edit_side - what the edit holds, for reading it back
 * @edit: the edit, settled
 *
 * Context: any; good until the edit is changed or ended.
 *
 * Return: the side, the caller's to look at only.
 */
const struct filter_side *filter_edit_side(const struct filter_edit *edit);

/**
 * filter_remove_ips - take functions away from an ops, down to none
 * @ops: the ops
 * @ips: addresses of their call sites
 * @nr: how many
 *
 * As ftrace_set_filter_ips() does, but without the last one @ops wants none,
 * where there it wants all.  For a caller that has others left cannot rely on
 * those: their module may be going.
 *
 * Context, Return: as ftrace_set_filter_ips().
 */
int filter_remove_ips(struct ftrace_ops *ops, const unsigned long *ips,
		      unsigned int nr);

/**
 * filter_trim - free the filter of an ops that lets everything through
 * @ops: whose filter; it has none afterwards, which means the same
 *
 * Nothing happens while @ops is registered, an edit is going on, or for the
 * global filter.
 *
 * Context: may sleep; takes ftrace_lock.
 */
void filter_trim(struct ftrace_ops *ops);

/**
 * filter_boot - obey ftrace_filter= and ftrace_notrace= of the command line
 *
 * Words that name nothing are warned about.
 *
 * Context: boot, once the sites are recorded; takes ftrace_lock.
 */
void filter_boot(void);

/**
 * filter_module_live - words that waited for a module become sites (SPEC D12)
 * @mod: the module, after sites_set_live()
 *
 * Nothing is patched: the caller attaches the ops afterwards.  A word that
 * names nothing in the module is forgotten.  One for whose sites there is no
 * memory is reported and goes on waiting: for the next edit of that side to be
 * committed, or the next time that the module comes.
 *
 * Context: ftrace_lock held, may sleep.
 */
void filter_module_live(struct module *mod);

/**
 * filter_found - words that wait name functions that were found (SPEC D14)
 * @found: their sites; they may be NEW
 *
 * Nothing is patched: the caller makes them usable and attaches the ops afterwards.  What
 * is being edited learns of them with its commit, which fails for want of memory if
 * there is none for that now.
 *
 * Context: ftrace_lock held, may sleep.
 *
 * Return: 0; -ENOMEM: to be called again with the same sites, before they are usable.
 */
int filter_found(const struct ip_set *found);

/**
 * filter_text_gone - take the sites of a stretch of text out of all filters
 * @start: its first byte
 * @end: the byte behind its last
 *
 * Cannot fail.  Nothing is patched; edits leave such sites out by themselves
 * when they are committed.
 *
 * Context: ftrace_lock held.
 */
void filter_text_gone(unsigned long start, unsigned long end);

#endif /* _KERNEL_TRACE_OPS_EDIT_H */
