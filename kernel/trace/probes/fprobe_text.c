// SPDX-License-Identifier: GPL-2.0
/*
 * Parser of probes of functions: lines ``f[<instances>][:[GROUP/]EVENT] FUNCTION[%return] ARGS`` of
 * dynamic_events; also of the parts that lines of probes of tracepoints have in common with them.
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
/* The first word							*/

/* ``f`` or ``f<instances>``. Return: the name after the colon, or NULL; or ERR_PTR(). */
static char *fprobe_parse_letter(const struct cmd_text *text, char *word, struct function_probe *f)
{
	char *name = strchr(word, ':');

	if (name)
		*name++ = '\0';
	return word[1] && probe_instances_parse(text, word + 1, &f->instances) ?
	       ERR_PTR(-EINVAL) : name;
}

bool function_probe_line_matches(const char *line, char letter)
{
	return *line == letter && strchr(" \t:0123456789", line[1]) && strpbrk(line, " \t");
}

/* ------------------------------------------------------------------ */
/* The place								*/

static bool fprobe_function_is_traced(const char *symbol)
{
	unsigned long at = kallsyms_lookup_name(symbol);

	return at && ftrace_location(at);
}

/* True if the line uses $retval, which implies %return. */
static bool fprobe_line_wants_retval(const char *line)
{
	const char *at = line, *word = "$retval";

	while ((at = strstr(at, word))) {
		at += strlen(word);
		if (!isalnum(*at) && *at != '_')
			return true;
	}
	return false;
}

/* True if the function is in a module that is not loaded: only the syntax can be checked. */
static bool fprobe_is_unloaded(const char *word)
{
	const char *name = probe_symbol_name(word);

	return *word != ':' && *name && !strpbrk(name, ":+") && probe_symbol_is_unloaded(word);
}

static int fprobe_parse_function(const struct cmd_text *text, char *word,
				 struct function_probe *f, struct probe_place *place)
{
	int err = probe_return_parse(text, word, &f->returns);

	if (err)
		return err;
	f->returns |= fprobe_line_wants_retval(text->whole);
	f->to_come = fprobe_is_unloaded(word);
	if (!f->to_come && !fprobe_function_is_traced(word))
		return cmd_refuse(text, word, PROBE_ERR_PLACE);
	f->symbol = kstrdup(word, GFP_KERNEL);
	if (!f->symbol)
		return -ENOMEM;
	place->function = probe_symbol_name(f->symbol);
	place->at = f->returns ? PROBE_AT_RETURN : PROBE_AT_ENTRY;
	return 0;
}

/* ------------------------------------------------------------------ */
/* Lines								*/

/* The default name is ``FUNCTION__entry`` or ``FUNCTION__exit``. */
char *fprobe_name(const struct probe *p)
{
	const struct function_probe *f = to_function_probe(p);
	char *name = kasprintf(GFP_KERNEL, f->returns ? "%s__exit" : "%s__entry", f->symbol);

	if (name)
		probe_name_clean(name);
	return name;
}

static int fprobe_parse_args(const struct cmd_text *text, char *rest, struct function_probe *f,
			     struct probe_place *place)
{
	int err;

	place->at |= PROBE_NO_REGISTERS;
	err = probe_args_parse(text, rest, place, probe_len_before(f->returns), &f->probe.args);
	/* If the module is not loaded, symbols are looked up when it is: function_probe_start(). */
	if (!err && !f->to_come)
		err = fetch_resolve_all(text, &f->probe.args);
	f->nr_kept = place->nr_kept;
	memcpy(f->kept, place->kept, sizeof(f->kept));
	return err;
}

int function_probe_parse(const struct cmd_text *text, const struct probe_kind *kind,
			 struct function_probe *f,
			 int (*parse_place)(const struct cmd_text *text, char *word,
					    struct function_probe *f,
					    struct probe_place *place))
{
	char *rest = text->text, *letter = probe_next_word(&rest), *place;
	char *name = fprobe_parse_letter(text, letter, f);
	struct probe_spec spec = { .kind = kind };
	struct probe_place at = {};
	int err = 0;

	INIT_LIST_HEAD(&f->starting);
	if (IS_ERR(name))
		return PTR_ERR(name);
	spec.name_at = name;
	if (name)
		err = probe_name_parse(text, name, &spec.name);
	place = probe_next_word(&rest);
	err = err ?: parse_place(text, place, f, &at);
	if (!err && f->instances && !f->returns)
		err = cmd_refuse(text, letter + 1, PROBE_ERR_MAXACTIVE_ENTRY);
	spec.returns = f->returns;
	spec.nr_head = probe_nr_head(f->returns);
	err = err ?: fprobe_parse_args(text, rest, f, &at);
	return err ?: probe_add_locking(text, &f->probe, &spec);
}

int fprobe_parse(const struct cmd_text *text, struct probe *p)
{
	return function_probe_parse(text, &fprobe_kind, to_function_probe(p),
				    fprobe_parse_function);
}

int fprobe_create(const char *line)
{
	return function_probe_line_matches(line, fprobe_kind.letter) ?
	       probe_create(line, &fprobe_kind) : -ECANCELED;
}
