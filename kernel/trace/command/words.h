/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Splitting what users write into words, which are separated by white space or NULs.
 *
 * A program may write any number of bytes at once. A file whose writes are independent takes the
 * rest of a write for a word (set_ftrace_pid). A file in which a word may continue in the next
 * write keeps the rest until then (set_ftrace_filter).
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
 * struct words - text that is being split
 * @at: start of the rest
 * @end: end of the text
 */
struct words {
	char	*at;
	char	*end;
};

/**
 * words_begin - begin to split a text into words
 * @w: set up for words_next()
 * @text: the text, which is changed; must have room for a NUL behind @len bytes
 * @len: bytes of the text, which may include NULs
 *
 * Context: any.
 */
static inline void words_begin(struct words *w, char *text, size_t len)
{
	*w = (struct words){ .at = text, .end = text + len };
}

/**
 * words_next - the next word of a text
 * @w: the text
 *
 * Context: any.
 * Return: the word, as a string; NULL behind the last word.
 */
char *words_next(struct words *w);

/**
 * words_whole - the length of the whole words of a text
 * @text: the text
 * @len: bytes of the text
 *
 * Context: any.
 * Return: number of bytes up to and including the last white space or NUL; 0 if there is none.
 */
size_t words_whole(const char *text, size_t len);

/**
 * words_add_boot - add words of a boot parameter to those that it had before
 * @list: the words, separated by commas
 * @size: bytes of the memory of @list; a longer text is truncated
 * @more: the words to be added
 *
 * Context: boot.
 */
void __init words_add_boot(char *list, size_t size, const char *more);

#endif /* _KERNEL_TRACE_WORDS_H */
