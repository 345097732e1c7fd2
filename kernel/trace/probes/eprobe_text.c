// SPDX-License-Identifier: GPL-2.0
/*
 * The kind of probes of events, and their lines: ``e:[GROUP/]EVENT SYSTEM.EVENT ARGS [if FILTER]``
 * of dynamic_events.
 */
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/seq_buf.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "eprobe.h"

/* ------------------------------------------------------------------ */
/* The other event							*/

static struct event *eprobe_find_event(const char *system, const char *name)
{
	struct event *event;

	list_for_each_entry(event, &all_events, node)
		if (!strcmp(event->type.name, name) && !strcmp(event_system_name(event), system))
			return event;
	return NULL;
}

static bool event_is_eprobe(const struct event *event)
{
	return event->call->class->ops == &probe_ops &&
	       probe_event_of(event->call)->kind == &eprobe_kind;
}

/*
 * Find the event that the probe attaches to, and take a reference. Refuse events of eprobes: a
 * chain of eprobes could otherwise lead back to this one.
 */
static bool eprobe_attach(struct event_probe *e, const char *system, const char *name)
{
	struct event *event;

	guard(mutex)(&events_lock);
	event = eprobe_find_event(system, name);
	if (!event || event_is_eprobe(event) || !event_get(event))
		return false;
	e->of = event;
	return true;
}

/* ``SYSTEM.EVENT`` or ``SYSTEM/EVENT`` */
static int eprobe_parse_attached(const struct cmd_text *text, char *word, struct event_probe *e)
{
	char *dot = strpbrk(word, "./");

	if (!dot || dot == word || !dot[1])
		return cmd_refuse(text, word, PROBE_ERR_NO_ATTACH);
	*dot = '\0';
	return eprobe_attach(e, word, dot + 1) ?
	       0 : cmd_refuse_with(text, word, PROBE_ERR_ATTACH, -ENODEV);
}

/* ------------------------------------------------------------------ */
/* The filter								*/

static int eprobe_make_filter(const struct cmd_text *text, const char *at, struct event_probe *e)
{
	struct predicate_error why;
	struct event_filter *filter;

	e->filter_text = kstrdup(at, GFP_KERNEL);
	if (!e->filter_text)
		return -ENOMEM;
	filter = event_filter_make(e->of, at, &why);
	if (IS_ERR(filter)) {
		if (PTR_ERR(filter) == -EINVAL)
			cmd_refuse(text, at + why.pos, why.message);
		return PTR_ERR(filter);
	}
	e->filter = filter;
	return 0;
}

/* Find ``if`` as a word by itself. Return: its place, or NULL. */
static char *eprobe_find_if(char *rest)
{
	char *at = rest;

	while (at && (at = strstr(at, "if"))) {
		if ((at == rest || strchr(" \t", at[-1])) && (!at[2] || strchr(" \t", at[2])))
			return at;
		at += 2;
	}
	return NULL;
}

/* Cut ``if FILTER`` off the arguments in @rest, and make the filter. */
static int eprobe_parse_filter(const struct cmd_text *text, char *rest, struct event_probe *e)
{
	char *at = eprobe_find_if(rest), *filter;

	if (!at)
		return 0;
	*at = '\0';
	filter = skip_spaces(at + strlen("if"));
	return *filter ? eprobe_make_filter(text, filter, e) :
			 cmd_refuse_end(text, PROBE_ERR_NO_FILTER);
}

/* ------------------------------------------------------------------ */
/* Lines								*/

/* The default name is that of the other event. */
static char *eprobe_name(const struct probe *p)
{
	return kstrdup(to_event_probe(p)->of->type.name, GFP_KERNEL);
}

static int eprobe_parse_args(const struct cmd_text *text, char *rest, struct event_probe *e)
{
	struct probe_place place = { .at = PROBE_IN_EVENT, .fields = e->of->type.fields };

	return probe_args_parse(text, rest, &place, sizeof(struct trace_entry), &e->probe.args) ?:
	       fetch_resolve_all(text, &e->probe.args);
}

static int eprobe_parse(struct probe_line *line)
{
	struct event_probe *e = to_event_probe(line->probe);
	const struct cmd_text *text = &line->text;
	char *rest = text->text, *word = probe_next_word(&rest), *colon = strchr(word, ':');
	int err;

	line->place = probe_next_word(&rest);
	err = probe_line_parse_name(line, colon ? colon + 1 : NULL) ?:
	      eprobe_parse_attached(text, line->place, e);
	if (!err && rest)
		err = eprobe_parse_filter(text, rest, e);
	return err ?: eprobe_parse_args(text, rest, e);
}

static bool eprobe_is_line(const char *line)
{
	return *line == 'e' && strchr(" \t:", line[1]) && strpbrk(line, " \t");
}

static int eprobe_create(const char *whole)
{
	struct probe_line line;
	int err;

	if (!eprobe_is_line(whole))
		return -ECANCELED;
	err = probe_begin(&line, whole, &eprobe_kind) ?: eprobe_parse(&line) ?:
	      probe_add_locking(&line);
	return probe_end(&line, err);
}

static void eprobe_place(struct seq_buf *s, const struct probe *p)
{
	const struct event *of = to_event_probe(p)->of;

	seq_buf_printf(s, "%s.%s", of->call->class->system, of->type.name);
}

static void eprobe_show_filter(struct seq_file *m, const struct probe *p)
{
	const struct event_probe *e = to_event_probe(p);

	if (e->filter_text)
		seq_printf(m, " if %s", e->filter_text);
}

/* Cut the filter, if any, off @rest. Return: false if it differs from that of the probe. */
static bool eprobe_cut_filter(const struct event_probe *e, char *rest)
{
	char *filter = strstr(rest, " if ");

	if (!filter)
		return true;
	*filter = '\0';
	return e->filter_text && !strcmp(e->filter_text, filter + strlen(" if "));
}

/* A line that removes a probe may have SYSTEM/EVENT instead of SYSTEM.EVENT, and no filter. */
static bool eprobe_matches(const struct dyn_event *ev, const struct dyn_event_name *name)
{
	char *rest __free(kfree) = NULL;
	struct dyn_event_name dotted = *name;
	char *slash;

	if (!name->rest)
		return probe_matches(ev, name);
	rest = kstrdup(name->rest, GFP_KERNEL);
	if (!rest || !eprobe_cut_filter(to_event_probe(to_probe(ev)), rest))
		return false;
	slash = strpbrk(rest, " \t/");
	if (slash && *slash == '/')
		*slash = '.';
	dotted.rest = rest;
	return probe_matches(ev, &dotted);
}

struct probe_kind eprobe_kind = {
	.dyn = {
		.create		= eprobe_create,
		.show		= probe_show,
		.matches	= eprobe_matches,
		.is_busy	= probe_is_busy,
		.call		= probe_dyn_call,
		.remove		= probe_dyn_remove,
	},
	.parser		= "event_probe",
	.letter		= 'e',
	.system		= "eprobes",
	.size		= sizeof(struct event_probe),
	.name		= eprobe_name,
	.start		= eprobe_start,
	.stop		= eprobe_stop,
	.place		= eprobe_place,
	.show_suffix	= eprobe_show_filter,
	.single_probe	= true,
	.free		= eprobe_free,
};

DYN_EVENT_KIND(eprobe, eprobe_kind.dyn);
