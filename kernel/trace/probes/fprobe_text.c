// SPDX-License-Identifier: GPL-2.0
/*
 * Probes of functions as text: lines ``f[<instances>][:[GROUP/]EVENT] FUNCTION[%return] ARGS`` of
 * dynamic_events.
 */
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/ftrace.h>
#include <linux/kallsyms.h>
#include <linux/kstrtox.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "fprobe.h"

/* As many calls of one function as can be under way. */
#define INSTANCES_MAX	4096U

/* ------------------------------------------------------------------ */
/* How it begins							*/

/* Return: the name behind the colon, or NULL; or ERR_PTR(). */
static char *parse_letter(const struct probe_text *text, char *word, struct function_probe *f)
{
	char *name = strchr(word, ':');

	if (name)
		*name++ = '\0';
	if (!word[1])
		return name;
	if (kstrtouint(word + 1, 0, &f->instances))
		return ERR_PTR(probe_refuse(text, word + 1, PROBE_ERR_MAXACTIVE));
	if (f->instances > INSTANCES_MAX)
		return ERR_PTR(probe_refuse(text, word + 1, PROBE_ERR_MAXACTIVE_BIG));
	return name;
}

static bool is_ours(const char *line, char letter)
{
	return *line == letter && strchr(" \t:0123456789", line[1]) && strpbrk(line, " \t");
}

/* ------------------------------------------------------------------ */
/* Where								*/

/* ``%return`` behind it */
static int parse_suffix(const struct probe_text *text, char *word, struct function_probe *f)
{
	char *suffix = strchr(word, '%');

	if (!suffix)
		return 0;
	if (strcmp(suffix, "%return"))
		return probe_refuse(text, suffix, PROBE_ERR_SUFFIX);
	*suffix = '\0';
	f->returns = true;
	return 0;
}

static int parse_function(const struct probe_text *text, char *word, struct function_probe *f,
			  struct probe_place *place)
{
	int err = parse_suffix(text, word, f);
	unsigned long at;

	if (err)
		return err;
	at = kallsyms_lookup_name(word);
	if (!at || !ftrace_location(at))
		return probe_refuse(text, word, PROBE_ERR_PLACE);
	f->symbol = kstrdup(word, GFP_KERNEL);
	place->function = f->symbol;
	place->at = f->returns ? PROBE_AT_RETURN : PROBE_AT_ENTRY;
	return f->symbol ? 0 : -ENOMEM;
}

/* ------------------------------------------------------------------ */
/* All of it								*/

/* ``FUNCTION__entry`` or ``FUNCTION__exit``; that of a tracepoint is called as that. */
static char *name_of(const struct probe_kind *kind, const struct function_probe *f)
{
	const char *suffix = f->returns ? "__exit" : "__entry";
	char *name = kasprintf(GFP_KERNEL, "%s%s", f->symbol, kind == &fprobe_kind ? suffix : "");

	if (name)
		probe_name_clean(name);
	return name;
}

static int name_and_make(const struct probe_text *text, struct function_probe *f,
			 struct probe_made *made)
{
	char *name __free(kfree) = NULL;

	made->returns = f->returns;
	made->nr_head = f->returns ? 2 : 1;
	if (!made->name.system)
		made->name.system = (char *)made->kind->system;
	if (!made->name.event) {
		name = name_of(made->kind, f);
		made->name.event = name;
	}
	return made->name.event ? probe_add(text, &f->probe, made) : -ENOMEM;
}

static int parse_fetches(const struct probe_text *text, char *rest, struct function_probe *f,
			 struct probe_place *place)
{
	int err;

	place->at |= PROBE_NO_REGISTERS;
	err = probe_args_parse(text, rest, place, sizeof(struct trace_entry) +
			       (f->returns ? 2 : 1) * sizeof(long), &f->probe.args) ?:
	      fetch_resolve_all(text, &f->probe.args);
	f->nr_kept = place->nr_kept;
	memcpy(f->kept, place->kept, sizeof(f->kept));
	return err;
}

int function_probe_parse(const struct probe_text *text, const struct probe_kind *kind,
			 struct function_probe *f,
			 int (*parse_place)(const struct probe_text *text, char *word,
					    struct function_probe *f,
					    struct probe_place *place))
{
	char *rest = text->text, *letter = probe_next_word(&rest), *place;
	char *name = parse_letter(text, letter, f);
	struct probe_made made = { .kind = kind };
	struct probe_place at = {};
	int err = 0;

	if (IS_ERR(name))
		return PTR_ERR(name);
	made.name_at = name;
	if (name)
		err = probe_name_parse(text, name, &made.name);
	place = probe_next_word(&rest);
	err = err ?: parse_place(text, place, f, &at);
	if (!err && f->instances && !f->returns)
		err = probe_refuse(text, letter + 1, PROBE_ERR_MAXACTIVE_ENTRY);
	return err ?: parse_fetches(text, rest, f, &at) ?: name_and_make(text, f, &made);
}

int function_probe_create(const char *line, const struct probe_kind *kind,
			  int (*parse_place)(const struct probe_text *text, char *word,
					     struct function_probe *f,
					     struct probe_place *place))
{
	char *copy __free(kfree) = NULL;
	struct probe_text text = { .who = kind->who, .whole = line };
	struct function_probe *f;
	int err;

	if (!is_ours(line, kind->letter))
		return -ECANCELED;
	copy = kstrdup(line, GFP_KERNEL);
	f = kzalloc(sizeof(*f), GFP_KERNEL);
	text.text = copy;
	err = copy && f ? probe_init(&f->probe) : -ENOMEM;
	err = err ?: function_probe_parse(&text, kind, f, parse_place);
	if (err && f)
		function_probe_free(&f->probe);
	return err;
}

int fprobe_create(const char *line)
{
	return function_probe_create(line, &fprobe_kind, parse_function);
}
