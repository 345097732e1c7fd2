// SPDX-License-Identifier: GPL-2.0
/*
 * Texts of all kinds of probes: words, and names of groups and events.
 */
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/kstrtox.h>
#include <linux/string.h>

#include "events/events.h"
#include "text.h"

char *probe_next_word(char **rest)
{
	char *word;

	do
		word = strsep(rest, " \t");
	while (word && !*word);
	return word;
}

/* Limit of the calls of one function that can be in flight. */
#define INSTANCES_MAX	4096U

int probe_instances_parse(const struct cmd_text *text, const char *word, unsigned int *nr)
{
	if (kstrtouint(word, 0, nr) || !*nr)
		return cmd_refuse(text, word, PROBE_ERR_MAXACTIVE);
	return *nr > INSTANCES_MAX ? cmd_refuse(text, word, PROBE_ERR_MAXACTIVE_BIG) : 0;
}

int probe_return_parse(const struct cmd_text *text, char *word, bool *returns)
{
	char *suffix = strchr(word, '%');

	if (!suffix)
		return 0;
	if (strcmp(suffix, "%return"))
		return cmd_refuse(text, suffix, PROBE_ERR_SUFFIX);
	*suffix = '\0';
	*returns = true;
	return 0;
}

/* ------------------------------------------------------------------ */
/* Names								*/

bool probe_is_name(const char *name)
{
	if (!isalpha(*name) && *name != '_')
		return false;
	while (isalnum(*name) || *name == '_')
		name++;
	return !*name;
}

/* Some systems have a ``-`` in their names. */
static bool probe_is_system_name(const char *name)
{
	if (!isalpha(*name) && *name != '_')
		return false;
	while (isalnum(*name) || *name == '_' || *name == '-')
		name++;
	return !*name;
}

void probe_name_clean(char *name)
{
	name[strnlen(name, PROBE_NAME_MAX - 1)] = '\0';
	for (; *name; name++)
		if (!isalnum(*name))
			*name = '_';
}

/* Parse the first @len characters of @word, up to the slash or dot, as the name of a system. */
static int probe_parse_system(const struct cmd_text *text, char *word, size_t len,
			      struct probe_name *name)
{
	if (!len)
		return cmd_refuse(text, word, PROBE_ERR_NO_GROUP);
	if (len >= PROBE_NAME_MAX)
		return cmd_refuse(text, word, PROBE_ERR_GROUP_LONG);
	word[len] = '\0';
	name->system = word;
	if (event_system_name_is_taken(word))
		return cmd_refuse(text, word, PROBE_ERR_GROUP_TAKEN);
	return probe_is_system_name(word) ? 0 : cmd_refuse(text, word, PROBE_ERR_GROUP);
}

int probe_name_parse(const struct cmd_text *text, char *word, struct probe_name *name)
{
	char *slash = strchr(word, '/') ?: strchr(word, '.');
	int err = 0;

	*name = (struct probe_name){};
	if (slash) {
		err = probe_parse_system(text, word, slash - word, name);
		word = slash + 1;
		if (!err && !*word)
			return 0;
	}
	if (err)
		return err;
	if (!*word)
		return cmd_refuse(text, word, PROBE_ERR_NO_EVENT);
	if (strlen(word) >= PROBE_NAME_MAX)
		return cmd_refuse(text, word, PROBE_ERR_EVENT_LONG);
	name->event = word;
	if (event_name_is_taken(word))
		return cmd_refuse(text, word, PROBE_ERR_EVENT_TAKEN);
	return probe_is_name(word) ? 0 : cmd_refuse(text, word, PROBE_ERR_EVENT);
}
