/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The sides of a filter: addresses of sites, and words that wait for functions. The caller
 * holds ftrace_lock, or the side is visible to no other code.
 */
#ifndef _KERNEL_TRACE_FILTER_SIDE_H
#define _KERNEL_TRACE_FILTER_SIDE_H

#include <linux/types.h>

struct filter_pending;
struct filter_side;
struct filter_word;
struct ip_set;

/**
 * side_init() - initialize an empty side
 * @side: the side, with undefined contents
 */
void side_init(struct filter_side *side);

/**
 * side_clear() - free the contents of a side
 * @side: the side, empty afterwards
 */
void side_clear(struct filter_side *side);

/**
 * side_copy() - copy a side
 * @to: an empty side
 * @from: the side to copy
 *
 * Context: may sleep.
 *
 * Return: 0; -ENOMEM: the caller must clear @to.
 */
int side_copy(struct filter_side *to, const struct filter_side *from);

/**
 * side_move() - replace a side by another one
 * @to: the side that is replaced
 * @from: the new contents; its sites and words are moved to @to
 */
void side_move(struct filter_side *to, struct filter_side *from);

/**
 * side_apply() - add sites to a side, or remove them
 * @side: the side
 * @sites: the sites; freed, also after an error
 * @remove: true to remove
 *
 * Context: may sleep.
 *
 * Return: 0 or -ENOMEM.
 */
int side_apply(struct filter_side *side, struct ip_set *sites, bool remove);

/**
 * side_cut() - remove the sites of a range of text that is about to be freed
 * @side: the side
 * @start: first address of the range
 * @end: address after the range
 *
 * Cannot fail.
 */
void side_cut(struct filter_side *side, unsigned long start, unsigned long end);

/**
 * side_add_word() - add a pending word
 * @side: the side
 * @w: the word; with '!', it removes functions that pending words before it have added
 * @named: the word names a function that exists
 *
 * Replaces a pending word with the same text.
 *
 * Context: may sleep.
 *
 * Return: 0 or -ENOMEM.
 */
int side_add_word(struct filter_side *side, const struct filter_word *w, bool named);

/**
 * side_remove_word() - remove pending words
 * @side: the side
 * @w: the word that names the functions to remove
 *
 * Removes the pending words for the same module that name only functions that @w names: those
 * with the same text and, for "*", all. If other pending words may name some of these
 * functions, @w becomes a pending word itself, which removes the functions when they appear.
 *
 * Context: may sleep.
 *
 * Return: 0; -EINVAL if no pending word may name a function of @w; -ENOMEM: nothing has
 * changed.
 */
int side_remove_word(struct filter_side *side, const struct filter_word *w);

/**
 * side_resolve_live() - resolve the pending words for all modules that are loaded
 * @side: the side
 *
 * Replaces such words by the sites that they name. A word for a module without a table of
 * its sites stays pending.
 *
 * Context: may sleep; ftrace_lock held.
 *
 * Return: 0; -ENOMEM: some words may have been resolved.
 */
int side_resolve_live(struct filter_side *side);

/**
 * side_resolve_module() - resolve the pending words for one module
 * @side: the side
 * @module: name of the module, which is loaded
 *
 * Context: may sleep; ftrace_lock held.
 *
 * Return: 0; -ENOMEM: some words may have been resolved.
 */
int side_resolve_module(struct filter_side *side, const char *module);

/**
 * side_take_found() - add found functions that pending words name (SPEC D14)
 * @side: the side
 * @found: sites of the functions, which may be NEW or RETIRED; NULL for none
 *
 * Sites that are RETIRED, FAILED, or not in a live region are ignored.
 *
 * Context: may sleep; ftrace_lock held.
 *
 * Return: 0; -ENOMEM: no site was added.
 */
int side_take_found(struct filter_side *side, const struct ip_set *found);

#endif /* _KERNEL_TRACE_FILTER_SIDE_H */
