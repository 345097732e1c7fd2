// SPDX-License-Identifier: GPL-2.0
/*
 * Probes of functions as text: lines ``f[<instances>][:[GROUP/]EVENT] FUNCTION[%return] ARGS`` of
 * dynamic_events.
 */
#include <linux/cleanup.h>
#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/ftrace.h>
#include <linux/kallsyms.h>
#include <linux/kstrtox.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "fprobe.h"

/* ------------------------------------------------------------------ */
/* How it begins							*/

/* Return: the name behind the colon, or NULL; or ERR_PTR(). */
static char *parse_letter(const struct probe_text *text, char *word, struct function_probe *f)
{
	char *name = strchr(word, ':');

	if (name)
		*name++ = '\0';
	return word[1] && probe_instances_parse(text, word + 1, &f->instances) ?
	       ERR_PTR(-EINVAL) : name;
}

bool function_probe_is(const char *line, char letter)
{
	return *line == letter && strchr(" \t:0123456789", line[1]) && strpbrk(line, " \t");
}

/* ------------------------------------------------------------------ */
/* Where								*/

static bool can_be_probed(const char *symbol)
{
	unsigned long at = kallsyms_lookup_name(symbol);

	return at && ftrace_location(at);
}

/* A returned value is there at the return alone: that implies %return. */
static bool asks_for_retval(const char *line)
{
	const char *at = line, *word = "$retval";

	while ((at = strstr(at, word))) {
		at += strlen(word);
		if (!isalnum(*at) && *at != '_')
			return true;
	}
	return false;
}

/* The function of a module that is not there cannot be looked up, only its name be read. */
static bool is_function_to_come(const char *word)
{
	const char *name = probe_symbol_name(word);

	return *word != ':' && *name && !strpbrk(name, ":+") && probe_symbol_is_to_come(word);
}

static int parse_function(const struct probe_text *text, char *word, struct function_probe *f,
			  struct probe_place *place)
{
	int err = probe_return_parse(text, word, &f->returns);

	if (err)
		return err;
	f->returns |= asks_for_retval(text->whole);
	f->to_come = is_function_to_come(word);
	if (!f->to_come && !can_be_probed(word))
		return probe_refuse(text, word, PROBE_ERR_PLACE);
	f->symbol = kstrdup(word, GFP_KERNEL);
	if (!f->symbol)
		return -ENOMEM;
	place->function = probe_symbol_name(f->symbol);
	place->at = f->returns ? PROBE_AT_RETURN : PROBE_AT_ENTRY;
	return 0;
}

/* ------------------------------------------------------------------ */
/* All of it								*/

/* ``FUNCTION__entry`` or ``FUNCTION__exit`` */
char *fprobe_name(const struct probe *p)
{
	const struct function_probe *f = to_function_probe(p);
	char *name = kasprintf(GFP_KERNEL, f->returns ? "%s__exit" : "%s__entry", f->symbol);

	if (name)
		probe_name_clean(name);
	return name;
}

static int parse_fetches(const struct probe_text *text, char *rest, struct function_probe *f,
			 struct probe_place *place)
{
	int err;

	place->at |= PROBE_NO_REGISTERS;
	err = probe_args_parse(text, rest, place, probe_len_before(f->returns), &f->probe.args);
	/* Symbols of a module that is to come are looked up when it has. */
	if (!err && !f->to_come)
		err = fetch_resolve_all(text, &f->probe.args);
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

	INIT_LIST_HEAD(&f->starting);
	if (IS_ERR(name))
		return PTR_ERR(name);
	made.name_at = name;
	if (name)
		err = probe_name_parse(text, name, &made.name);
	place = probe_next_word(&rest);
	err = err ?: parse_place(text, place, f, &at);
	if (!err && f->instances && !f->returns)
		err = probe_refuse(text, letter + 1, PROBE_ERR_MAXACTIVE_ENTRY);
	made.returns = f->returns;
	made.nr_head = probe_nr_head(f->returns);
	err = err ?: parse_fetches(text, rest, f, &at);
	return err ?: probe_add_locking(text, &f->probe, &made);
}

int fprobe_parse(const struct probe_text *text, struct probe *p)
{
	return function_probe_parse(text, &fprobe_kind, to_function_probe(p), parse_function);
}

int fprobe_create(const char *line)
{
	return function_probe_is(line, fprobe_kind.letter) ? probe_create(line, &fprobe_kind) :
							     -ECANCELED;
}
