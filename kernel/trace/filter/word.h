/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Words of set_ftrace_filter: parsing them, and finding the functions that they name (SPEC D5).
 */
#ifndef _KERNEL_TRACE_FILTER_WORD_H
#define _KERNEL_TRACE_FILTER_WORD_H

#include <linux/types.h>

struct ip_set;
struct ip_set_builder;

/**
 * struct filter_word - a parsed word
 * @pattern: name, glob or line number; "*" if there is nothing before ":mod:"
 * @module: text after ":mod:", or NULL without ":mod:"; "" stands for any module
 * @remove: the word began with '!'
 * @copy: copy of the word that @pattern and @module point into
 */
struct filter_word {
	const char	*pattern;
	const char	*module;
	bool		remove;
	char		*copy;
};

/**
 * filter_word_parse() - parse a word
 * @w: the parsed word; the caller calls filter_word_free() for it, also after an error
 * @text: the word
 *
 * Does not check the word: see filter_word_sane().
 *
 * Context: may sleep.
 *
 * Return: 0 or -ENOMEM.
 */
int filter_word_parse(struct filter_word *w, const char *text);

/**
 * filter_word_free() - free the strings of a parsed word
 * @w: the word
 *
 * Context: any but NMI.
 */
void filter_word_free(struct filter_word *w);

/**
 * filter_word_sane() - check whether a word is valid
 * @w: the word
 *
 * Context: any.
 *
 * Return: false if the pattern is empty or contains a colon, which belongs to an unknown
 * command.
 */
bool filter_word_sane(const struct filter_word *w);

/**
 * filter_word_is_line() - check whether a word is a line number of available_filter_functions
 * @w: the word
 *
 * Context: any.
 * Return: true if it is.
 */
bool filter_word_is_line(const struct filter_word *w);

/**
 * filter_word_waits() - check whether functions may appear later that a word names
 * @w: the word
 *
 * Context: may sleep.
 *
 * Return: true if the word must become a pending word.
 */
bool filter_word_waits(const struct filter_word *w);

/**
 * filter_word_collect() - collect the usable sites that a word names
 * @w: the word; @w->remove is ignored
 * @b: builder that the sites are added to, also those that it has already
 *
 * Decodes the names of regions if necessary.  Skips regions that are not live.
 *
 * Context: ftrace_lock held, may sleep.
 *
 * Return: number of sites; -ENOMEM: @b is as before.
 */
int filter_word_collect(const struct filter_word *w, struct ip_set_builder *b);

/**
 * filter_collect_undo() - remove the addresses that were collected last
 * @b: the builder
 * @nr: number of addresses to keep
 *
 * Context: any but NMI.
 */
void filter_collect_undo(struct ip_set_builder *b, unsigned int nr);

/**
 * filter_word_sites() - get the usable sites that a word names
 * @w: the word; @w->remove is ignored
 *
 * Context: ftrace_lock held, may sleep.
 *
 * Return: a set to be freed with ip_set_free(), NULL if there are no sites,
 * ERR_PTR(-ENOMEM).
 */
struct ip_set *filter_word_sites(const struct filter_word *w);

/**
 * filter_match_sites() - get the usable sites that the text of a word names
 * @word: the text, as in a filter file, without '!'; matches functions that exist only
 *
 * Context: may sleep; takes ftrace_lock.
 *
 * Return: a set to be freed with ip_set_free(), NULL when nothing matches,
 * ERR_PTR(-ENOMEM).
 */
struct ip_set *filter_match_sites(const char *word);

#endif /* _KERNEL_TRACE_FILTER_WORD_H */
