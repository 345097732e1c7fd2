// SPDX-License-Identifier: GPL-2.0
/*
 * Words: see words.h.
 */
#include <linux/ctype.h>
#include <linux/init.h>
#include <linux/string.h>

#include "words.h"

static bool is_between(char c)
{
	return !c || isspace(c);
}

char *words_next(struct words *w)
{
	char *word;

	while (w->at < w->end && is_between(*w->at))
		w->at++;
	if (w->at == w->end)
		return NULL;
	word = w->at;
	while (w->at < w->end && !is_between(*w->at))
		w->at++;
	*w->at = '\0';
	/* Behind the NUL that takes the place of what was there. */
	if (w->at < w->end)
		w->at++;
	return word;
}

size_t words_whole(const char *text, size_t len)
{
	while (len && !is_between(text[len - 1]))
		len--;
	return len;
}

void __init words_add_boot(char *list, size_t size, const char *more)
{
	if (*list)
		strlcat(list, ",", size);
	strlcat(list, more, size);
}
