// SPDX-License-Identifier: GPL-2.0
/*
 * Dividing the text of a trigger into its parts.
 */
#include <linux/ctype.h>
#include <linux/string.h>

#include "internal.h"

/* First words of the errors in error_log. */
#define TRIGGER_PARSER	"event trigger parse error"

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

/* Cut ``if FILTER`` off the text behind @text->name, and store the filter in @text. */
static int trigger_divide_filter(struct trigger_text *text)
{
	char *word = trigger_find_if(text->name);

	if (!word)
		return 0;
	text->filter = skip_spaces(word + strlen("if"));
	if (!*text->filter)
		return cmd_refuse(&text->cmd, word, TRIGGER_ERR_NO_FILTER);
	*word = '\0';
	return 0;
}

/* Cut the name off, and store what is behind it in @text->param. */
static void trigger_divide_name(struct trigger_text *text)
{
	char *end;

	strim(text->name);
	end = strpbrk(text->name, ": \t");
	if (!end)
		return;
	/* Blanks may replace the colon, and may follow it. */
	*end = '\0';
	text->param = skip_spaces(end + 1);
}

int trigger_divide(struct trace_array *tr, const char *whole, char *copy,
		   struct trigger_text *out)
{
	bool remove = *copy == '!';
	int err;

	*out = (struct trigger_text){
		.cmd	= { .tr = tr, .parser = TRIGGER_PARSER, .whole = whole, .text = copy },
		.remove	= remove,
		.name	= copy + remove,
	};
	err = trigger_divide_filter(out);
	if (!err)
		trigger_divide_name(out);
	return err;
}
