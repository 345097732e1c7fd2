// SPDX-License-Identifier: GPL-2.0
/*
 * Actions of histograms as text: ``HANDLER(WHAT).ACTION(PARAM,...)``. The names in it are looked
 * up later, when the histogram is attached: see action_resolve.c.
 */
#include <linux/array_size.h>
#include <linux/errno.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "action.h"
#include "errors.h"
#include "events/events.h"
#include "internal.h"
#include "synth/synth.h"
#include "text.h"

/* ------------------------------------------------------------------ */
/* The handler								*/

static const char * const handler_names[] = {
	[HIST_ON_MATCH]		= "onmatch(",
	[HIST_ON_MAX]		= "onmax(",
	[HIST_ON_CHANGE]	= "onchange(",
};

static int find_handler(const char *word)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(handler_names); i++)
		if (strstarts(word, handler_names[i]))
			return i;
	return -EINVAL;
}

bool hist_is_action(const char *word)
{
	return find_handler(word) >= 0;
}

/* Parse ``SYSTEM.EVENT`` of onmatch(). */
static int parse_match_event(struct hist_text *text, struct hist_action *a, char *word)
{
	char *event = word, *system = strsep(&event, ".");

	if (!event)
		return cmd_refuse(&text->cmd, system, HIST_ERR_NO_SYSTEM);
	if (!text->remove && !event_file_named(text->h->t.tr, system, event))
		return cmd_refuse(&text->cmd, event, HIST_ERR_EVENT);
	return hist_replace_text(&a->system, system) ?: hist_replace_text(&a->event, event);
}

/* Parse ``HANDLER(WHAT).``, and set *@word behind it. */
static int parse_handler(struct hist_text *text, struct hist_action *a, char **word)
{
	char *what;

	a->handler = find_handler(*word);
	*word += strlen(handler_names[a->handler]);
	what = strsep(word, ")");
	text->action_at[a->nr].what = what;
	if (!*word)
		return cmd_refuse(&text->cmd, what, HIST_ERR_NO_PAREN);
	if (**word != '.')
		return cmd_refuse(&text->cmd, NULL, HIST_ERR_NO_ACTION);
	++*word;
	return a->handler == HIST_ON_MATCH ? parse_match_event(text, a, what) :
					     hist_replace_text(&a->var, what);
}

/* ------------------------------------------------------------------ */
/* The action								*/

static int parse_action_params(struct hist_text *text, struct hist_action *a, char *words)
{
	char *word;
	int err = 0;

	while (!err && (word = strsep(&words, ","))) {
		word = strim(word);
		if (a->nr_params == SYNTH_FIELDS_MAX)
			return cmd_refuse(&text->cmd, word, HIST_ERR_MANY_PARAMS);
		if (!*word)
			return cmd_refuse(&text->cmd, word, HIST_ERR_EMPTY_PARAM);
		text->action_at[a->nr].params[a->nr_params] = word;
		err = hist_replace_text(&a->params[a->nr_params++].text, word);
	}
	return err;
}

static int parse_save_action(struct hist_text *text, struct hist_action *a, char *words)
{
	a->what = HIST_SAVE;
	if (a->handler == HIST_ON_MATCH)
		return cmd_refuse(&text->cmd, NULL, HIST_ERR_HANDLER);
	return *words ? parse_action_params(text, a, words) :
			cmd_refuse(&text->cmd, words, HIST_ERR_NO_PARAMS);
}

static int parse_snapshot_action(struct hist_text *text, struct hist_action *a,
				 const char *words)
{
	a->what = HIST_SNAPSHOT;
	if (a->handler == HIST_ON_MATCH)
		return cmd_refuse(&text->cmd, NULL, HIST_ERR_HANDLER);
	return *words ? cmd_refuse(&text->cmd, words, HIST_ERR_PARAM) : 0;
}

/* Parse ``trace(EVENT,...)`` or ``EVENT(...)``. */
static int parse_trace_action(struct hist_text *text, struct hist_action *a, char *words)
{
	char *name = a->name;

	a->what = HIST_TRACE;
	a->by_name = !strcmp(name, "trace");
	if (a->by_name) {
		text->action_at[a->nr].synth = words;
		name = strim(strsep(&words, ","));
	}
	return hist_replace_text(&a->synth_name, name) ?:
	       (words ? parse_action_params(text, a, words) : 0);
}

/* Parse ``ACTION(PARAM,...)``. */
static int parse_action(struct hist_text *text, struct hist_action *a, char *word)
{
	char *words = word, *name = strsep(&words, "("), *behind = words;

	if (!words || !*name)
		return cmd_refuse(&text->cmd, name, HIST_ERR_NO_ACTION);
	strsep(&behind, ")");
	name = strim(name);
	/* As in the stock kernel, only snapshot() needs its closing parenthesis. */
	if (!behind && !strcmp(name, "snapshot"))
		return cmd_refuse(&text->cmd, words, HIST_ERR_NO_PAREN);
	text->action_at[a->nr].synth = name;
	if (hist_replace_text(&a->name, name))
		return -ENOMEM;
	if (!strcmp(name, "save"))
		return parse_save_action(text, a, words);
	if (!strcmp(name, "snapshot"))
		return parse_snapshot_action(text, a, words);
	return parse_trace_action(text, a, words);
}

static struct hist_action *alloc_action(void)
{
	struct hist_action *a = kzalloc(sizeof(*a), GFP_KERNEL);

	if (!a)
		return NULL;
	a->params = kcalloc(SYNTH_FIELDS_MAX, sizeof(*a->params), GFP_KERNEL);
	if (a->params)
		return a;
	kfree(a);
	return NULL;
}

int hist_action_parse(struct hist_text *text, char *word)
{
	struct hist *h = text->h;
	struct hist_action *a;

	if (h->nr_actions == HIST_ACTIONS_MAX)
		return cmd_refuse(&text->cmd, word, HIST_ERR_MANY_ACTIONS);
	a = alloc_action();
	if (!a)
		return -ENOMEM;
	a->nr = h->nr_actions++;
	h->actions[a->nr] = a;
	return parse_handler(text, a, &word) ?: parse_action(text, a, word);
}

/* ------------------------------------------------------------------ */
/* Comparison								*/

static bool same_action_params(const struct hist_action *a, const struct hist_action *b)
{
	if (a->nr_params != b->nr_params)
		return false;
	for (unsigned int i = 0; i < a->nr_params; i++)
		if (strcmp(a->params[i].text, b->params[i].text))
			return false;
	return true;
}

static bool same_action(const struct hist_action *a, const struct hist_action *b)
{
	return a->handler == b->handler && a->what == b->what &&
	       hist_same_text(a->system, b->system) && hist_same_text(a->event, b->event) &&
	       hist_same_text(a->var, b->var) &&
	       hist_same_text(a->synth_name, b->synth_name) && same_action_params(a, b);
}

bool hist_actions_equal(const struct hist *a, const struct hist *b)
{
	if (a->nr_actions != b->nr_actions)
		return false;
	for (unsigned int i = 0; i < a->nr_actions; i++)
		if (!same_action(a->actions[i], b->actions[i]))
			return false;
	return true;
}

/* ------------------------------------------------------------------ */
/* Output								*/

static void show_action_params(struct seq_file *m, const struct hist_action *a)
{
	const char *before = "";

	if (a->by_name) {
		seq_puts(m, a->synth_name);
		before = ",";
	}
	for (unsigned int i = 0; i < a->nr_params; i++) {
		seq_printf(m, "%s%s", before, a->params[i].text);
		before = ",";
	}
}

static void show_action_text(struct seq_file *m, const struct hist_action *a)
{
	seq_printf(m, ":%s", handler_names[a->handler]);
	if (a->handler == HIST_ON_MATCH)
		seq_printf(m, "%s.%s", a->system, a->event);
	else
		seq_puts(m, a->var);
	seq_printf(m, ").%s(", a->name);
	show_action_params(m, a);
	seq_putc(m, ')');
}

void hist_actions_show(struct seq_file *m, const struct hist *h)
{
	for (unsigned int i = 0; i < h->nr_actions; i++)
		show_action_text(m, h->actions[i]);
}
