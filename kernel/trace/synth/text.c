// SPDX-License-Identifier: GPL-2.0
/*
 * Synthetic events as a kind of dynamic events, and their definitions: the file synthetic_events,
 * and lines ``s:...`` of dynamic_events.
 */
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "events/events.h"
#include "internal.h"
#include "tracefs/files.h"

/* First words of the errors in error_log. */
#define SYNTH_PARSER	"synthetic_events"

static struct dyn_event_kind synth_events;

/* ------------------------------------------------------------------ */
/* Lines								*/

/* Number of words in front of the first semicolon. */
static unsigned int count_words_before_semicolon(const char *text)
{
	unsigned int words = 0;

	for (;;) {
		text += strspn(text, " \t");
		if (!*text || *text == ';')
			return words;
		text += strcspn(text, " \t;");
		words++;
	}
}

/* Create the event that ``NAME TYPE FIELD ...``, at @name in @text, defines. */
static int create_synth(const struct cmd_text *text, char *name, struct module *mod)
{
	struct synth_event *event;
	char *fields = name;

	if (count_words_before_semicolon(name) < 3)
		return cmd_refuse(text, NULL, SYNTH_ERR_COMMAND);
	strsep(&fields, " \t");
	if (!synth_is_name(name))
		return cmd_refuse(text, name, SYNTH_ERR_NAME);
	if (event_name_is_taken(name))
		return cmd_refuse(text, name, SYNTH_ERR_TAKEN);
	event = synth_event_make(text, name, fields, mod);
	if (IS_ERR(event))
		return PTR_ERR(event);
	dyn_event_add(&event->dyn, &synth_events);
	return 0;
}

int synth_execute(char *line, struct module *mod)
{
	char *whole __free(kfree) = kstrdup(line, GFP_KERNEL);
	struct cmd_text text = { .parser = SYNTH_PARSER, .whole = whole, .text = line };

	if (!whole)
		return -ENOMEM;
	if (*line != '!')
		return create_synth(&text, line, mod);
	line[strcspn(line, " \t")] = '\0';
	return synth_event_remove(line + 1);
}

/* ------------------------------------------------------------------ */
/* The kind of dynamic events						*/

static int create_synth_from_line(const char *line)
{
	char *copy __free(kfree) = NULL, *name;
	struct cmd_text text = { .parser = SYNTH_PARSER, .whole = line };

	if (!strstarts(line, "s:"))
		return -ECANCELED;
	copy = kstrdup(line, GFP_KERNEL);
	if (!copy)
		return -ENOMEM;
	text.text = copy;
	name = copy + strlen("s:");
	if (strstarts(name, SYNTH_SYSTEM "/"))
		name += strlen(SYNTH_SYSTEM "/");
	else if (strchr(name, '/'))
		return cmd_refuse(&text, NULL, SYNTH_ERR_DYN_COMMAND);
	guard(mutex)(&dyn_events_lock);
	return create_synth(&text, name, NULL);
}

static void show_synth_event(struct seq_file *m, const struct dyn_event *ev)
{
	seq_puts(m, "s:" SYNTH_SYSTEM "/");
	synth_show(m, dyn_to_synth(ev));
}

static bool synth_matches_name(const struct dyn_event *ev, const struct dyn_event_name *name)
{
	return !strcmp(dyn_to_synth(ev)->call.name, name->event) &&
	       (!name->system || !strcmp(name->system, SYNTH_SYSTEM));
}

static bool is_synth_busy(const struct dyn_event *ev)
{
	return event_call_is_busy(&dyn_to_synth(ev)->call);
}

static struct trace_event_call *get_synth_call(const struct dyn_event *ev)
{
	return &dyn_to_synth(ev)->call;
}

static struct dyn_event_kind synth_events = {
	.create		= create_synth_from_line,
	.show		= show_synth_event,
	.matches	= synth_matches_name,
	.is_busy	= is_synth_busy,
	.call		= get_synth_call,
	.remove		= synth_dyn_remove,
};

DYN_EVENT_KIND(synth, synth_events);

/* ------------------------------------------------------------------ */
/* The file								*/

static int synthetic_events_show(struct seq_file *m, const struct trace_node *at)
{
	struct dyn_event *ev;

	guard(mutex)(&dyn_events_lock);
	list_for_each_entry(ev, &all_dyn_events, node)
		if (ev->kind == &synth_events)
			synth_show(m, dyn_to_synth(ev));
	return 0;
}

static int run_synth_line(char *line, const void *data)
{
	guard(mutex)(&dyn_events_lock);
	return synth_execute(line, NULL);
}

static ssize_t synthetic_events_write(const struct trace_node *at, const char __user *ubuf,
				      size_t count)
{
	return dyn_events_apply_text(ubuf, count, run_synth_line, NULL);
}

static int synthetic_events_truncate(const struct trace_node *at)
{
	return dyn_events_clear(&synth_events);
}

static const struct trace_file synthetic_events_files[] = {
	{
		.name		= "synthetic_events",
		.mode		= TRACE_FILE_RW,
		.place		= IN_TOP,
		.room		= SZ_64K,
		.show		= synthetic_events_show,
		.write		= synthetic_events_write,
		.truncate	= synthetic_events_truncate,
	},
	{ }
};

TRACE_FILES(synthetic_events_files);
