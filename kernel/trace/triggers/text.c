// SPDX-License-Identifier: GPL-2.0
/*
 * Dividing the text of a trigger into its parts, and logging why a text is refused.
 */
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/string.h>

#include "command/error_log.h"
#include "internal.h"

static const char *trigger_errors[NR_TRIGGER_ERRORS] = {
	[TRIGGER_NONE]		= "There is no such trigger",
	[TRIGGER_NO_EVENT]	= "There is no such event",
	[TRIGGER_NO_COUNT]	= "This is not how often something is to happen",
	[TRIGGER_NO_FILTER]	= "No filter after 'if'",
};

int trigger_refuse(struct trace_array *tr, const struct trigger_text *text, const char *at,
		   u8 what)
{
	tracing_log_err(tr, "event trigger parse error", text->whole, trigger_errors[what],
			at ? at - text->text : 0);
	return -EINVAL;
}

static bool trigger_is_word_if(const char *word)
{
	return word[0] == 'i' && word[1] == 'f' && (!word[2] || isspace(word[2]));
}

/* Return: the first word ``if`` of @text that is not its first word, or NULL. */
static char *trigger_find_if(char *text)
{
	char *word;

	for (text = strpbrk(text, " \t"); text; text = strpbrk(word, " \t")) {
		word = skip_spaces(text);
		if (trigger_is_word_if(word))
			return word;
	}
	return NULL;
}

/* Cut ``if FILTER`` off @text and store the filter in @out. */
static int trigger_divide_filter(struct trace_array *tr, char *text, struct trigger_text *out)
{
	char *word = trigger_find_if(text);

	out->filter = NULL;
	if (!word)
		return 0;
	out->filter = skip_spaces(word + strlen("if"));
	if (!*out->filter)
		return trigger_refuse(tr, out, word, TRIGGER_NO_FILTER);
	*word = '\0';
	return 0;
}

int trigger_divide(struct trace_array *tr, char *text, struct trigger_text *out)
{
	char *end;
	int err;

	out->text = text;
	out->remove = *text == '!';
	out->name = text + out->remove;
	err = trigger_divide_filter(tr, out->name, out);
	if (err)
		return err;
	strim(out->name);
	out->param = NULL;
	end = strpbrk(out->name, ": \t");
	if (!end)
		return 0;
	/* Blanks may replace the colon, and may follow it. */
	*end = '\0';
	out->param = skip_spaces(end + 1);
	return 0;
}
