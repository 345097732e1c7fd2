/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Words of set_ftrace_filter: taken apart, and the functions that they name (SPEC D5).
 */
#ifndef _KERNEL_TRACE_FILTER_WORD_H
#define _KERNEL_TRACE_FILTER_WORD_H

#include <linux/types.h>

struct ip_set;
struct ip_set_builder;
struct module;

/**
 * struct filter_word - a word, taken apart
 * @pattern: what the names are matched with; "*" if there was none
 * @module: what follows ":mod:", or NULL; "" stands for any module
 * @remove: it began with '!'
 * @copy: the memory that the others point into
 */
struct filter_word {
	const char	*pattern;
	const char	*module;
	bool		remove;
	char		*copy;
};

/**
 * filter_word_parse - take a word apart
 * @w: the result, for filter_word_free() whatever is returned
 * @text: the word
 *
 * Whether it makes sense is for filter_word_sane() to say.
 *
 * Context: may sleep.
 *
 * Return: 0 or -ENOMEM.
 */
int filter_word_parse(struct filter_word *w, const char *text);

/**
 * filter_word_free - free what filter_word_parse() has allocated
 * @w: the word; its strings are gone
 *
 * Context: any but NMI.
 */
void filter_word_free(struct filter_word *w);

/**
 * filter_word_sane - could this word name functions?
 * @w: the word
 *
 * Context: any.
 *
 * Return: false without a pattern, or with a colon in it (of a command that
 * nobody has taken).
 */
bool filter_word_sane(const struct filter_word *w);

/**
 * filter_word_is_line - is it the number of a line of available_filter_functions
 * @w: the word
 *
 * Context: any.
 */
bool filter_word_is_line(const struct filter_word *w);

/**
 * filter_word_waits - may functions come that a word names
 * @w: the word
 *
 * Context: may sleep.
 *
 * Return: false if all there will ever be are there.
 */
bool filter_word_waits(const struct filter_word *w);

/**
 * filter_word_names - does a word name a function
 * @w: the word, not a line number
 * @mod: whose function, NULL for the kernel
 * @name: its name
 *
 * Context: any.
 */
bool filter_word_names(const struct filter_word *w, struct module *mod, const char *name);

/**
 * filter_word_collect - note the usable sites that a word names
 * @w: the word; whether to add or to take away is not looked at
 * @b: where they are noted, one that is there already once more
 *
 * Builds the names of the regions if need be.  Regions that are not live are
 * passed over.
 *
 * Context: ftrace_lock held, may sleep.
 *
 * Return: how many, or -ENOMEM and @b is as before.
 */
int filter_word_collect(const struct filter_word *w, struct ip_set_builder *b);

/**
 * filter_collect_undo - forget what was collected last
 * @b: where to
 * @nr: how many addresses there were before
 *
 * Context: any but NMI.
 */
void filter_collect_undo(struct ip_set_builder *b, unsigned int nr);

/**
 * filter_word_sites - the usable sites that a word names
 * @w: the word
 *
 * Context: ftrace_lock held, may sleep.
 *
 * Return: a set to be freed with ip_set_free(), NULL if there are none,
 * ERR_PTR(-ENOMEM).
 */
struct ip_set *filter_word_sites(const struct filter_word *w);

/**
 * filter_match_sites - the sites that a word names
 * @word: as a filter file takes it, without '!'; for no module is waited
 *
 * Context: may sleep; takes ftrace_lock.
 *
 * Return: a set to be freed with ip_set_free(), NULL when nothing matches,
 * ERR_PTR(-ENOMEM).
 */
struct ip_set *filter_match_sites(const char *word);

#endif /* _KERNEL_TRACE_FILTER_WORD_H */
