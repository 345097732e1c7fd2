// SPDX-License-Identifier: GPL-2.0
/*
 * Patterns of function names. A pattern is parsed once and then matched with thousands
 * of names by the cheapest comparison that suffices.
 */
#include <linux/glob.h>
#include <linux/string.h>

#include "names.h"

void name_glob_parse(struct name_glob *g, const char *pattern)
{
	size_t len = strlen(pattern);
	bool head, tail, all;

	all = len && strspn(pattern, "*") == len;
	head = len && pattern[0] == '*';
	tail = len > 1 && pattern[len - 1] == '*';
	g->text = pattern + head;
	g->len = len - head - tail;

	if (all) {
		g->kind = GLOB_ALL;
	} else if (strcspn(g->text, "*?[\\") < g->len) {
		g->kind = GLOB_FULL;
		g->text = pattern;
		g->len = len;
	} else if (head) {
		g->kind = tail ? GLOB_MIDDLE : GLOB_SUFFIX;
	} else {
		g->kind = tail ? GLOB_PREFIX : GLOB_EXACT;
	}
}

static bool name_ends_with(const char *name, const char *text, size_t len)
{
	size_t size = strlen(name);

	return size >= len && !memcmp(name + size - len, text, len);
}

/* Faster than strstr(), which takes the length of both strings: few names have *@text at all. */
static bool name_contains(const char *name, const char *text, size_t len)
{
	for (; (name = strchr(name, *text)); name++)
		if (!strncmp(name, text, len))
			return true;
	return false;
}

bool name_glob_compare(const struct name_glob *g, const char *name)
{
	switch (g->kind) {
	case GLOB_ALL:
		return true;
	case GLOB_EXACT:
		return !strcmp(name, g->text);
	case GLOB_PREFIX:
		return !strncmp(name, g->text, g->len);
	case GLOB_SUFFIX:
		return name_ends_with(name, g->text, g->len);
	case GLOB_MIDDLE:
		return name_contains(name, g->text, g->len);
	case GLOB_FULL:
		return glob_match(g->text, name);
	}
	return false;
}
