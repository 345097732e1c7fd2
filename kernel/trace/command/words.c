// SPDX-License-Identifier: GPL-2.0
/* Splitting text into words: see words.h. */
#include <linux/ctype.h>
#include <linux/init.h>
#include <linux/string.h>

#include "words.h"

static bool words_is_separator(char c)
{
	return !c || isspace(c);
}

char *words_next(struct words *w)
{
	char *word;

	while (w->at < w->end && words_is_separator(*w->at))
		w->at++;
	if (w->at == w->end)
		return NULL;
	word = w->at;
	while (w->at < w->end && !words_is_separator(*w->at))
		w->at++;
	*w->at = '\0';
	/* Skip the separator, which is a NUL now. */
	if (w->at < w->end)
		w->at++;
	return word;
}

size_t words_whole(const char *text, size_t len)
{
	while (len && !words_is_separator(text[len - 1]))
		len--;
	return len;
}

void __init words_add_boot(char *list, size_t size, const char *more)
{
	if (*list)
		strlcat(list, ",", size);
	strlcat(list, more, size);
}
