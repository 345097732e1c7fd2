// SPDX-License-Identifier: GPL-2.0
/*
 * Print formats as programs can read them: names that only the compiler knows
 * (TRACE_DEFINE_ENUM(), TRACE_DEFINE_SIZEOF()) are replaced by their values when the file format
 * is read.
 */
#include <linux/cleanup.h>
#include <linux/ctype.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "boot.h"
#include "events.h"
#include "internal.h"
#include "tracefs/files.h"

/**
 * struct evals - eval maps (TRACE_DEFINE_ENUM(), TRACE_DEFINE_SIZEOF()) of the kernel or a module
 * @mod: the module, NULL for the kernel
 * @nr: number of eval maps
 * @maps: the eval maps; a copy for the kernel, whose own table is freed after boot
 * @node: node in all_evals; protected by events_lock
 */
struct evals {
	struct module			*mod;
	unsigned int			nr;
	struct trace_eval_map		**maps;
	struct list_head		node;
};

static LIST_HEAD(all_evals);

static void evals_add(struct module *mod, struct trace_eval_map **maps, unsigned int nr)
{
	struct evals *evals;

	if (!nr || !maps)
		return;
	evals = kmalloc(sizeof(*evals), GFP_KERNEL);
	if (!evals) {
		pr_warn("trace events: no memory for names in print formats\n");
		return;
	}
	*evals = (struct evals) { .mod = mod, .maps = maps, .nr = nr };
	guard(mutex)(&events_lock);
	list_add_tail(&evals->node, &all_evals);
}

#ifdef CONFIG_MODULES

void event_evals_add(struct module *mod)
{
	evals_add(mod, mod->trace_evals, mod->num_trace_evals);
}

void event_evals_remove(struct module *mod)
{
	struct evals *evals, *next;

	guard(mutex)(&events_lock);
	list_for_each_entry_safe(evals, next, &all_evals, node) {
		if (evals->mod != mod)
			continue;
		list_del(&evals->node);
		kfree(evals);
	}
}

#endif

void __init event_evals_add_kernel(void)
{
	unsigned int nr = __stop_ftrace_eval_maps - __start_ftrace_eval_maps;

	evals_add(NULL, kmemdup_array(__start_ftrace_eval_maps, nr,
				      sizeof(__start_ftrace_eval_maps[0]), GFP_KERNEL), nr);
}

/* ------------------------------------------------------------------ */
/* Lookup								*/

/* Return: the name that @text begins with, unless a longer word begins there; or NULL. */
static const struct trace_eval_map *evals_find_in(const struct evals *evals, const char *system,
						  const char *text)
{
	for (unsigned int i = 0; i < evals->nr; i++) {
		const struct trace_eval_map *map = evals->maps[i];
		size_t len = strlen(map->eval_string);

		if (!strncmp(text, map->eval_string, len) && !isalnum(text[len]) &&
		    text[len] != '_' && !strcmp(map->system, system))
			return map;
	}
	return NULL;
}

static const struct trace_eval_map *evals_find(const char *system, const char *text)
{
	const struct trace_eval_map *map = NULL;
	struct evals *evals;

	list_for_each_entry(evals, &all_evals, node) {
		map = evals_find_in(evals, system, text);
		if (map)
			break;
	}
	return map;
}

/* Return: the text behind the string that @text begins with. */
static const char *print_fmt_skip_string(const char *text)
{
	while (*++text && *text != '"')
		if (*text == '\\' && text[1])
			text++;
	return *text ? text + 1 : text;
}

/* Return: the text behind the word, or the single character, that @text begins with. */
static const char *print_fmt_skip_word(const char *text)
{
	if (!isalnum(*text) && *text != '_')
		return text + 1;
	while (isalnum(*text) || *text == '_')
		text++;
	return text;
}

void event_print_fmt(struct seq_file *m, const struct event *event)
{
	const char *text = event->type.print_fmt, *end;
	const struct trace_event_class *class = event->call->class;
	const struct trace_eval_map *map;

	if (class->ops)
		return class->ops->show_fmt(m, event->call);
	for (; *text; text = end) {
		map = NULL;
		if (*text == '"') {
			end = print_fmt_skip_string(text);
		} else if (strstarts(text, "->") || *text == '.') {
			/* The name of a member is not replaced. */
			end = print_fmt_skip_word(text + (*text == '.' ? 1 : 2));
		} else {
			end = print_fmt_skip_word(text);
			map = isalpha(*text) || *text == '_' ?
			      evals_find(event_system_name(event), text) : NULL;
		}
		if (map) {
			seq_printf(m, "%ld", map->eval_value);
			end = text + strlen(map->eval_string);
		} else {
			seq_write(m, text, end - text);
		}
	}
}

/* ------------------------------------------------------------------ */
/* The file eval_map							*/

#ifdef CONFIG_TRACE_EVAL_MAP_FILE

static int eval_map_show(struct seq_file *m, const struct trace_node *at)
{
	struct evals *evals;

	guard(mutex)(&events_lock);
	list_for_each_entry(evals, &all_evals, node)
		for (unsigned int i = 0; i < evals->nr; i++)
			seq_printf(m, "%s %ld (%s)\n", evals->maps[i]->eval_string,
				   evals->maps[i]->eval_value, evals->maps[i]->system);
	return 0;
}

static const struct trace_file eval_files[] = {
	{
		.name	= "eval_map",
		.mode	= TRACE_FILE_RO,
		.place	= IN_TOP,
		.show	= eval_map_show,
	},
	{ }
};

TRACE_FILES(eval_files);

#endif
