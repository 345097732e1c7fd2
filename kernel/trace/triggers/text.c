// SPDX-License-Identifier: GPL-2.0
/*
 * Triggers as text.
 */
#include <linux/errno.h>
#include <linux/kstrtox.h>
#include <linux/limits.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "command/error_log.h"
#include "events/events.h"
#include "internal.h"

enum { NO_TRIGGER, NO_EVENT, NO_COUNT, NO_IF, NO_FILTER, NR_ERRORS };

static const char *trigger_errors[NR_ERRORS] = {
	[NO_TRIGGER]	= "There is no such trigger",
	[NO_EVENT]	= "There is no such event",
	[NO_COUNT]	= "This is not how often something is to happen",
	[NO_IF]		= "Only 'if' and a filter can come here",
	[NO_FILTER]	= "No filter after 'if'",
};

/**
 * struct reading - a text that is being understood
 * @tr: where what is wrong is logged
 * @whole: as it was written
 * @text: the same, of which pieces have been cut off
 */
struct reading {
	struct trace_array	*tr;
	const char		*whole;
	const char		*text;
};

static int refuse(const struct reading *r, const char *at, u8 what)
{
	tracing_log_err(r->tr, "event trigger parse error", r->whole, trigger_errors, what,
			at ? at - r->text : 0);
	return -EINVAL;
}

/* ``if FILTER``, or nothing */
static int parse_filter(const struct reading *r, char *text, struct trigger_text *out)
{
	char *word;

	out->filter = NULL;
	if (!text)
		return 0;
	text = skip_spaces(text);
	if (!*text)
		return 0;
	word = strsep(&text, " \t");
	if (strcmp(word, "if"))
		return refuse(r, word, NO_IF);
	if (!text || !*skip_spaces(text))
		return refuse(r, word, NO_FILTER);
	out->filter = skip_spaces(text);
	return 0;
}

/* ``COUNT``, or nothing; what is taken away may have any. */
static int parse_count(const struct reading *r, const char *param, struct trigger_text *out)
{
	unsigned long val;

	out->count = ACTION_UNLIMITED;
	if (!param || out->remove)
		return 0;
	if (kstrtoul(param, 0, &val) || val > LONG_MAX)
		return refuse(r, param, NO_COUNT);
	out->count = val;
	return 0;
}

static int parse_event(const struct reading *r, char **param, struct trigger_text *out)
{
	const char *at = *param;

	out->event = NULL;
	if (!out->action->names_event)
		return 0;
	out->event = *param ? action_event(r->tr, param) : NULL;
	return out->event ? 0 : refuse(r, at, NO_EVENT);
}

static int parse(const struct reading *r, char *text, struct trigger_text *out)
{
	char *param, *name;
	int err;

	out->remove = *text == '!';
	text += out->remove;
	param = strsep(&text, " \t");
	name = strsep(&param, ":");
	out->action = action_named(name);
	if (!out->action || !out->action->of_events)
		return refuse(r, name, NO_TRIGGER);
	err = parse_event(r, &param, out) ?: parse_count(r, param, out) ?:
	      parse_filter(r, text, out);
	if (err && out->event)
		event_file_put(out->event);
	return err;
}

int trigger_parse(struct trace_array *tr, char *text, struct trigger_text *out)
{
	char *whole = kstrdup(text, GFP_KERNEL);
	struct reading r = { .tr = tr, .whole = whole, .text = text };
	int err;

	if (!whole)
		return -ENOMEM;
	out->event = NULL;
	err = parse(&r, text, out);
	kfree(whole);
	return err;
}

void trigger_show(struct seq_file *m, const struct trigger *t)
{
	long left = atomic_long_read(&t->left);

	seq_printf(m, "%s:", t->action->name);
	action_show_event(m, &t->on);
	if (left == ACTION_UNLIMITED)
		seq_puts(m, "unlimited");
	else
		seq_printf(m, "count=%ld", left);
	if (t->filter_text)
		seq_printf(m, " if %s", t->filter_text);
	seq_putc(m, '\n');
}
