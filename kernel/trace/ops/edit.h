/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Filters of ops: the functions that call an ops, and edits that change them.
 *
 * A filter belongs to one ops, or is shared: every ops that follows the top-level
 * set_ftrace_filter points to the global filter.
 *
 * A change takes three steps: begin an edit (a private copy of one of the
 * two sides), apply words or addresses to it, commit it.  The change is invisible
 * until the commit; a commit that fails (no memory, a site that refuses) leaves
 * the filter and the sites as they were.  An edit has one user at a time.  Of two
 * edits of the same side, the one that is committed later wins.
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

/* Flags of filter_edit_begin(). */
#define FILTER_EDIT_NOTRACE	BIT(0)	/* edit the "except" side instead of "only" */
#define FILTER_EDIT_RESET	BIT(1)	/* begin with an empty set */
#define FILTER_EDIT_TO_NONE	BIT(2)	/* an "only" side emptied by the edit selects no function */

struct filter_edit;

/**
 * filter_edit_begin() - begin an edit with a private copy of one side of a filter
 * @ops: the ops that has the filter; an ops without a filter gets a new one
 * @flags: FILTER_EDIT_*
 *
 * @ops keeps its filter until the edit has ended.
 *
 * Context: may sleep; takes ftrace_lock.
 *
 * Return: the edit, to be ended by filter_edit_commit() or
 * filter_edit_abort(); ERR_PTR(-ENOMEM); ERR_PTR(-EINVAL) for the "except" side of an
 * IPMODIFY ops, which may not use that side.
 */
struct filter_edit *filter_edit_begin(struct ftrace_ops *ops, unsigned int flags);

/**
 * filter_edit_word() - apply one word of set_ftrace_filter (SPEC D5)
 * @edit: the edit
 * @word: NUL-terminated, without white space: a name, a glob, or a line number
 *	of available_filter_functions.  A leading '!' removes the functions.  A name or
 *	glob may be followed by ":mod:" and a glob of module names (empty: any module).
 *
 * A word that matches no function waits for its module if the text after ":mod:" is the
 * exact name of a module that is not loaded.  Where sites are found while they
 * run (SPEC D14), every word stays pending for functions found later.  Removing
 * a function that exists but is not in the set is no error.  "!*:mod:" with the name of a
 * module also removes all words that wait for this module.
 *
 * The caller has already handled function commands ("func:traceoff"); they are
 * not accepted here.
 *
 * Context: may sleep; takes ftrace_lock.
 *
 * Return: 0; -EINVAL when nothing matches or the word is malformed; -ENOMEM.
 * An error leaves the functions that the edit selects unchanged.
 */
int filter_edit_word(struct filter_edit *edit, const char *word);

/*
 * Makes a function traceable whose site is in no table (SPEC D14). Any address that is not
 * that of a function is ignored.
 *
 * discover/, a layer above this one, sets the pointer during boot; it is NULL before.
 *
 * Context: sleeps; takes kprobe_mutex, then ftrace_lock.
 */
extern void (*filter_find_function)(unsigned long addr);

/**
 * filter_edit_commit() - replace the side of the filter by the edit and patch the sites
 * @edit: the edit; freed in any case
 *
 * Sites retired since the edit began are left out, and words whose module was
 * loaded since are resolved to its sites.  The registered ops that use the filter are
 * attached and detached accordingly (SPEC D10), unless kernel.ftrace_enabled is 0.
 *
 * Context: may sleep; takes ftrace_lock.
 *
 * Return:
 * * 0 - the filter and the sites have changed
 * * -ENOMEM, -EBUSY (IPMODIFY conflict), -ENODEV (tracer dead) - the filter and the sites
 *   are as they were
 * * -EINVAL - either an IPMODIFY ops uses the filter and the edit would select all
 *   functions: the filter and the sites are as they were; or a site was not as expected: as
 *   for -EFAULT
 * * -EFAULT - the filter is as it was, and the tracer has died during the change
 */
int filter_edit_commit(struct filter_edit *edit);

/**
 * filter_edit_abort() - end an edit without changing anything
 * @edit: the edit; freed
 *
 * Context: may sleep; takes ftrace_lock.
 */
void filter_edit_abort(struct filter_edit *edit);

/**
 * filter_edit_merge() - merge the sites that words have added into the set of the edit
 * @edit: the edit
 *
 * Needed before filter_edit_side(); filter_edit_commit() calls it itself.
 *
 * Context: may sleep; takes no lock.
 *
 * Return: 0; -ENOMEM: the edit is as before.
 */
int filter_edit_merge(struct filter_edit *edit);

/**
 * filter_edit_side() - get the edited side, for reading it back
 * @edit: the edit, after filter_edit_merge()
 *
 * Context: any; the result is valid until the edit is changed or ended.
 *
 * Return: the side, read-only.
 */
const struct filter_side *filter_edit_side(const struct filter_edit *edit);

/**
 * filter_remove_ips() - remove functions from the filter of an ops, down to none
 * @ops: the ops
 * @ips: addresses of the call sites of the functions
 * @nr: number of addresses
 *
 * When the last function is removed, no function calls @ops; with ftrace_set_filter_ips(),
 * all functions would.  Callers that keep other functions in the filter need this, too:
 * those may vanish with their module.
 *
 * Context: may sleep; takes ftrace_lock.
 *
 * Return: 0; errors of ftrace_set_filter_ips() with @remove.
 */
int filter_remove_ips(struct ftrace_ops *ops, const unsigned long *ips,
		      unsigned int nr);

/**
 * filter_boot() - apply ftrace_filter= and ftrace_notrace= of the command line
 *
 * Prints a warning for each word that names no function.
 *
 * Context: boot, once the sites are recorded; takes ftrace_lock.
 */
void filter_boot(void);

/**
 * filter_module_live() - resolve the words that wait for a module (SPEC D12)
 * @mod: the module, after sites_set_live()
 *
 * Patches nothing: the caller attaches the ops afterwards.  A word that
 * names no function of the module is dropped.  If there is no memory for its sites, a
 * word stays pending, with a warning, until the next commit of an edit of that side or
 * the next load of the module.
 *
 * Context: ftrace_lock held, may sleep.
 */
void filter_module_live(struct module *mod);

/**
 * filter_add_found() - add newly found functions to the filters whose words name them (SPEC D14)
 * @found: the sites of the functions; they may be NEW
 *
 * Patches nothing: the caller makes the sites usable and attaches the ops afterwards.  Edits
 * in progress get the sites when they are committed; if there is no memory to note the
 * sites for an edit now, its commit fails with -ENOMEM.
 *
 * Context: ftrace_lock held, may sleep.
 *
 * Return: 0; -ENOMEM: the caller must call again with the same sites before they become
 * usable.
 */
int filter_add_found(const struct ip_set *found);

/**
 * filter_remove_text() - remove the sites of a range of text from all filters
 * @start: first address of the range
 * @end: address after the range
 *
 * Cannot fail.  Patches nothing.  Edits in progress drop such sites when they are
 * committed.
 *
 * Context: ftrace_lock held.
 */
void filter_remove_text(unsigned long start, unsigned long end);

#endif /* _KERNEL_TRACE_OPS_EDIT_H */
