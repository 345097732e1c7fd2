// SPDX-License-Identifier: GPL-2.0
/*
 * Parser of probes of events: lines ``e:[GROUP/]EVENT SYSTEM.EVENT ARGS [if FILTER]`` of
 * dynamic_events.
 */
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/errno.h>
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
char *eprobe_name(const struct probe *p)
{
	return kstrdup(to_event_probe(p)->of->type.name, GFP_KERNEL);
}

static int eprobe_parse_args(const struct cmd_text *text, char *rest, struct event_probe *e)
{
	struct probe_place place = { .at = PROBE_IN_EVENT, .fields = e->of->type.fields };

	return probe_args_parse(text, rest, &place, sizeof(struct trace_entry), &e->probe.args) ?:
	       fetch_resolve_all(text, &e->probe.args);
}

int eprobe_parse(const struct cmd_text *text, struct probe *p)
{
	struct event_probe *e = to_event_probe(p);
	char *rest = text->text, *word = probe_next_word(&rest), *name = strchr(word, ':'), *place;
	struct probe_spec spec = { .kind = &eprobe_kind, .name_at = name ? name + 1 : NULL };
	int err = 0;

	if (name)
		err = probe_name_parse(text, name + 1, &spec.name);
	place = probe_next_word(&rest);
	err = err ?: eprobe_parse_attached(text, place, e);
	if (!err && rest)
		err = eprobe_parse_filter(text, rest, e);
	return err ?: eprobe_parse_args(text, rest, e) ?: probe_add_locking(text, p, &spec);
}

static bool eprobe_is_line(const char *line)
{
	return *line == 'e' && strchr(" \t:", line[1]) && strpbrk(line, " \t");
}

int eprobe_create(const char *line)
{
	return eprobe_is_line(line) ? probe_create(line, &eprobe_kind) : -ECANCELED;
}
