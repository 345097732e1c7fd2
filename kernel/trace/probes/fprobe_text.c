// SPDX-License-Identifier: GPL-2.0
/*
 * The kind of probes of functions, and their lines:
 * ``f[<instances>][:[GROUP/]EVENT] FUNCTION[%return] ARGS`` of dynamic_events; also the parts that
 * lines of probes of tracepoints have in common with them.
 */
#include <linux/cleanup.h>
#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/ftrace.h>
#include <linux/kallsyms.h>
#include <linux/kstrtox.h>
#include <linux/seq_buf.h>
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

/* True if the line begins with ``LETTER[N][:NAME]``. */
static bool function_probe_is_line(const char *line, char letter)
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
static char *fprobe_name(const struct probe *p)
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

static int function_probe_parse(struct probe_line *line,
				int (*parse_place)(const struct cmd_text *text, char *word,
						   struct function_probe *f,
						   struct probe_place *place))
{
	struct function_probe *f = to_function_probe(line->probe);
	const struct cmd_text *text = &line->text;
	char *rest = text->text, *letter = probe_next_word(&rest);
	char *name = fprobe_parse_letter(text, letter, f);
	struct probe_place at = {};
	int err;

	INIT_LIST_HEAD(&f->starting);
	if (IS_ERR(name))
		return PTR_ERR(name);
	line->place = probe_next_word(&rest);
	err = probe_line_parse_name(line, name) ?: parse_place(text, line->place, f, &at);
	if (!err && f->instances && !f->returns)
		err = cmd_refuse(text, letter + 1, PROBE_ERR_MAXACTIVE_ENTRY);
	line->spec.returns = f->returns;
	line->spec.nr_head = probe_nr_head(f->returns);
	return err ?: fprobe_parse_args(text, rest, f, &at);
}

int function_probe_create(const char *whole, const struct probe_kind *kind,
			  int (*parse_place)(const struct cmd_text *text, char *word,
					     struct function_probe *f,
					     struct probe_place *place))
{
	struct probe_line line;
	int err;

	if (!function_probe_is_line(whole, kind->letter))
		return -ECANCELED;
	err = probe_begin(&line, whole, kind) ?: function_probe_parse(&line, parse_place) ?:
	      probe_add_locking(&line);
	return probe_end(&line, err);
}

static int fprobe_create(const char *whole)
{
	return function_probe_create(whole, &fprobe_kind, fprobe_parse_function);
}

void function_probe_place(struct seq_buf *s, const struct probe *p)
{
	const struct function_probe *f = to_function_probe(p);

	seq_buf_printf(s, f->returns ? "%s%%return" : "%s", f->symbol);
}

unsigned int function_probe_instances(const struct probe *p)
{
	return to_function_probe(p)->instances;
}

bool function_probe_same_place(const struct probe *a, const struct probe *b)
{
	return !strcmp(to_function_probe(a)->symbol, to_function_probe(b)->symbol);
}

struct probe_kind fprobe_kind = {
	.dyn = {
		.create		= fprobe_create,
		.show		= probe_show,
		.matches	= probe_matches,
		.is_busy	= probe_is_busy,
		.call		= probe_dyn_call,
		.remove		= probe_dyn_remove,
	},
	.parser		= "trace_fprobe",
	.letter		= 'f',
	.system		= "fprobes",
	.flags		= TRACE_EVENT_FL_FPROBE,
	.size		= sizeof(struct function_probe),
	.name		= fprobe_name,
	.start		= fprobe_start,
	.stop		= fprobe_stop,
	.place		= function_probe_place,
	.same_place	= function_probe_same_place,
	.instances	= function_probe_instances,
	.free		= function_probe_free,
};

DYN_EVENT_KIND(fprobe, fprobe_kind.dyn);
