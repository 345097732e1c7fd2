/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What users write, taken apart: words with white space, or NULs, between them.
 *
 * A program writes as much as it likes at once, or a byte at a time. A file whose writes
 * stand alone takes a word that is not ended for a word (set_ftrace_pid); one in which a
 * word may go on in the next write keeps the part that it has (set_ftrace_filter).
 *
 *	words_begin(&words, text, len);
 *	while ((word = words_next(&words)))
 *		...
 */
#ifndef _KERNEL_TRACE_WORDS_H
#define _KERNEL_TRACE_WORDS_H

#include <linux/init.h>
#include <linux/types.h>

/**
 * struct words - text that is being taken apart
 * @at: what comes next
 * @end: behind the last byte
 */
struct words {
	char	*at;
	char	*end;
};

/**
 * words_begin - take text apart
 * @w: set up
 * @text: the text, which is changed; a NUL can be written behind it
 * @len: how long it is; there may be NULs in it
 *
 * Context: any.
 */
static inline void words_begin(struct words *w, char *text, size_t len)
{
	*w = (struct words){ .at = text, .end = text + len };
}

/**
 * words_next - the next word
 * @w: the text
 *
 * Context: any.
 * Return: the word, as a string; NULL behind the last.
 */
char *words_next(struct words *w);

/**
 * words_whole - how much of a text is whole words
 * @text: the text
 * @len: how long it is
 *
 * Context: any.
 * Return: up to behind the white space, or NUL, that ends the last one; 0 if none ends.
 */
size_t words_whole(const char *text, size_t len);

/**
 * words_add_boot - put words of a parameter behind those that it had before
 * @list: the words, with commas between
 * @size: what there is room for; the rest is cut off
 * @more: what comes behind
 *
 * Context: boot.
 */
void __init words_add_boot(char *list, size_t size, const char *more);

#endif /* _KERNEL_TRACE_WORDS_H */
