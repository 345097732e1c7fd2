/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The sides of a filter: addresses, and words that wait for functions to come. All of it
 * under ftrace_lock, or on a side that nobody else sees.
 */
#ifndef _KERNEL_TRACE_FILTER_SIDE_H
#define _KERNEL_TRACE_FILTER_SIDE_H

#include <linux/types.h>

struct filter_pending;
struct filter_side;
struct filter_word;
struct ip_set;

/* An empty one. */
void side_init(struct filter_side *side);
void side_clear(struct filter_side *side);

/* Return: 0; -ENOMEM, and @to is to be cleared. */
int side_copy(struct filter_side *to, const struct filter_side *from);

/* @from is empty afterwards. */
void side_move(struct filter_side *to, struct filter_side *from);

/* Put @sites, which is used up, into a side or take it out. Return: 0 or -ENOMEM. */
int side_apply(struct filter_side *side, struct ip_set *sites, bool remove);

/* The text from @start up to @end goes. Cannot fail. */
void side_cut(struct filter_side *side, unsigned long start, unsigned long end);

/**
 * side_add_word - have a word wait
 * @side: the side
 * @w: the word; one that takes away does so where those before it have put in
 * @named: it names a function that is there
 *
 * Return: 0 or -ENOMEM.
 */
int side_add_word(struct filter_side *side, const struct filter_word *w, bool named);

/**
 * side_remove_word - have words wait no more
 * @side: the side
 * @w: what is taken away
 *
 * Those with the same text, or for "*" all of its module, are forgotten. If others wait
 * that may name the same functions, @w waits as well, to take them away.
 *
 * Return: 0; -EINVAL if there is nothing to be done; -ENOMEM, and nothing has changed.
 */
int side_remove_word(struct filter_side *side, const struct filter_word *w);

/**
 * side_resolve_live - words whose module has come become sites
 * @side: the side
 *
 * A word for a module without a table of its sites goes on waiting.
 *
 * Return: 0 or -ENOMEM, with some of them done.
 */
int side_resolve_live(struct filter_side *side);

/* The same for one word, if it is for that module. */
int side_resolve_module(struct filter_side *side, const char *module);

/**
 * side_take_found - words that wait name functions that were found (SPEC D14)
 * @side: the side
 * @found: their sites, in live regions or gone; they may be NEW; NULL for none
 *
 * Return: 0; -ENOMEM, and nothing has changed.
 */
int side_take_found(struct filter_side *side, const struct ip_set *found);

#endif /* _KERNEL_TRACE_FILTER_SIDE_H */
