// SPDX-License-Identifier: GPL-2.0
/*
 * The file hist_debug of an event shows the inner structure of its histograms, but no counts.
 * Documentation/trace/histogram-design.rst explains such files. A var.idx is an index of a word
 * of a row, counted from the first word behind the values.
 */
#include <linux/lockdep.h>
#include <linux/rcupdate.h>
#include <linux/seq_file.h>

#include "action.h"
#include "events/dir_files.h"
#include "events/events.h"
#include "expr.h"
#include "fields.h"
#include "internal.h"
#include "vars.h"

/* ------------------------------------------------------------------ */
/* Parts of a field							*/

static void debug_show_flags(struct seq_file *m, const char *flag, const struct hist_field *f)
{
	seq_printf(m, "      flags:\n        %s\n", flag);
	if (f && f->is_ref)
		seq_puts(m, "        HIST_FIELD_FL_ALIAS\n");
}

static void debug_show_type(struct seq_file *m, const char *type, unsigned int size, bool is_signed)
{
	seq_printf(m, "      type: %s\n      size: %u\n      is_signed: %d\n", type, size,
		   is_signed);
}

/* Print the field of the record that the value comes from, if any, and its type. */
static void debug_show_source(struct seq_file *m, const struct hist *h, const struct hist_field *f,
			      unsigned int size)
{
	struct hist_type type = hist_type_of(h, f);

	if (f->type)
		seq_printf(m, "      ftrace_event_field name: %s\n", f->name);
	debug_show_type(m, type.name ?: "u64", size, f->is_signed);
}

/* A key has the size that the field has in the key, not that in the record. */
static void debug_show_key(struct seq_file *m, const struct hist *h, const struct hist_field *f)
{
	debug_show_source(m, h, f, f->len);
}

static void debug_show_value(struct seq_file *m, const struct hist *h, const struct hist_field *f)
{
	debug_show_source(m, h, f, f->type ? f->rec.size : f->len);
}

static void debug_show_index(struct seq_file *m, const struct hist *h, unsigned int slot)
{
	seq_printf(m, "      var.idx (into tracing_map_elt.vars[]): %u\n", slot - h->nr_vals);
}

static void debug_show_var_name(struct seq_file *m, const char *name)
{
	seq_printf(m, "      var.name: %s\n", name);
}

/* ------------------------------------------------------------------ */
/* Values, variables and keys						*/

static void debug_begin_field(struct seq_file *m, unsigned int nr)
{
	seq_printf(m, "\n    hist_data->fields[%u]:\n", nr);
}

static void debug_show_vals(struct seq_file *m, const struct hist *h)
{
	seq_puts(m, "  val fields:\n");
	debug_begin_field(m, 0);
	debug_show_flags(m, "VAL: HIST_FIELD_FL_HITCOUNT", NULL);
	debug_show_type(m, "u64", sizeof(u64), false);
	for (unsigned int i = 0; i < h->nr_vals; i++) {
		debug_begin_field(m, 1 + i);
		debug_show_flags(m, "VAL: normal u64 value", &h->vals[i]);
		debug_show_value(m, h, &h->vals[i]);
	}
}

/* Index of the reference that a key, value or variable stands for. */
static unsigned int debug_get_ref_index(const struct hist_field *f)
{
	return f->source == HIST_EXPR ? f->expr->steps[0].index : f->ref;
}

static void debug_show_vars(struct seq_file *m, const struct hist *h)
{
	const struct hist_var *var;

	for (unsigned int i = 0; i < h->nr_vars; i++) {
		var = &h->vars[i];
		debug_begin_field(m, 1 + h->nr_vals + i);
		debug_show_flags(m, "HIST_FIELD_FL_VAR", &var->value);
		debug_show_var_name(m, var->name);
		debug_show_index(m, h, var->slot);
		if (var->value.is_ref)
			seq_printf(m, "      var_ref_idx (into hist_data->var_refs[]): %u\n",
				   debug_get_ref_index(&var->value));
		debug_show_type(m, var->type.name ?: "u64", var->value.len, var->type.is_signed);
	}
}

static void debug_show_keys(struct seq_file *m, const struct hist *h)
{
	seq_puts(m, "\n  key fields:\n");
	for (unsigned int i = 0; i < h->nr_keys; i++) {
		debug_begin_field(m, 1 + h->nr_vals + h->nr_vars + i);
		debug_show_flags(m, "HIST_FIELD_FL_KEY", &h->keys[i]);
		debug_show_key(m, h, &h->keys[i]);
	}
}

/* ------------------------------------------------------------------ */
/* References to variables of other histograms				*/

static void debug_show_ref(struct seq_file *m, const struct hist *h, unsigned int nr)
{
	const struct hist *of = rcu_dereference_protected(h->refs[nr].of,
							  lockdep_is_held(&events_lock));
	const struct hist_var *var = hist_ref_var(h, nr);

	seq_printf(m, "\n    hist_data->var_refs[%u]:\n", nr);
	debug_show_flags(m, "HIST_FIELD_FL_VAR_REF", NULL);
	if (!var) {
		seq_puts(m, "      gone\n");
		return;
	}
	seq_printf(m, "      name: %s\n", var->name);
	debug_show_index(m, of, var->slot);
	seq_printf(m, "      var.hist_data: %p\n", of);
	seq_printf(m, "      var_ref_idx (into hist_data->var_refs[]): %u\n", nr);
	debug_show_type(m, var->type.name ?: "u64", var->value.len, var->type.is_signed);
}

static void debug_show_refs(struct seq_file *m, const struct hist *h)
{
	if (h->nr_refs)
		seq_puts(m, "\n  variable reference fields:\n");
	for (unsigned int i = 0; i < h->nr_refs; i++)
		debug_show_ref(m, h, i);
}

/* ------------------------------------------------------------------ */
/* Actions								*/

static const char *debug_get_param_prefix(const struct hist_action *a)
{
	return a->what == HIST_SAVE ? "save" : "field";
}

/* Only parameters of save() are kept in the row, and have an index. */
static void debug_show_param(struct seq_file *m, const struct hist *h, const struct hist_action *a,
			     unsigned int param, unsigned int nr)
{
	const struct hist_param *p = &a->params[param];

	seq_printf(m, "\n    hist_data->%s_vars[%u]:\n", debug_get_param_prefix(a), nr);
	seq_printf(m, "\n      %s_vars[%u].var:\n", debug_get_param_prefix(a), nr);
	debug_show_flags(m, "HIST_FIELD_FL_VAR", NULL);
	debug_show_var_name(m, p->text);
	if (a->what == HIST_SAVE)
		debug_show_index(m, h, p->slot);
	seq_printf(m, "\n      %s_vars[%u].val:\n", debug_get_param_prefix(a), nr);
	debug_show_value(m, h, &p->value);
}

static bool debug_is_param_shown(const struct hist_action *a, unsigned int param, u8 what)
{
	return a->what == what && a->params[param].text[0] != '$';
}

static void debug_show_params(struct seq_file *m, const struct hist *h, u8 what, const char *title)
{
	const struct hist_action *a;
	unsigned int nr = 0;

	for (unsigned int i = 0; i < h->nr_actions; i++) {
		a = h->actions[i];
		for (unsigned int param = 0; param < a->nr_params; param++) {
			if (!debug_is_param_shown(a, param, what))
				continue;
			if (!nr)
				seq_printf(m, "\n  %s:\n", title);
			debug_show_param(m, h, a, param, nr++);
		}
	}
}

static void debug_show_match(struct seq_file *m, const struct hist_action *a, unsigned int nr)
{
	seq_printf(m, "\n    hist_data->actions[%u].match_data.event_system: %s\n", nr, a->system);
	seq_printf(m, "    hist_data->actions[%u].match_data.event: %s\n", nr, a->event);
}

static void debug_show_track(struct seq_file *m, const struct hist *h, const struct hist_action *a,
			     unsigned int nr)
{
	seq_printf(m, "\n    hist_data->actions[%u].track_data.var_ref:\n", nr);
	debug_show_flags(m, "HIST_FIELD_FL_VAR_REF", NULL);
	seq_printf(m, "      name: %s\n", a->var + 1);
	debug_show_index(m, h, h->vars[a->var_index].slot);
	seq_printf(m, "      var.hist_data: %p\n", h);

	seq_printf(m, "\n    hist_data->actions[%u].track_data.track_var:\n", nr);
	debug_show_flags(m, "HIST_FIELD_FL_VAR", NULL);
	debug_show_var_name(m, a->handler == HIST_ON_MAX ? "__max" : "__change");
	debug_show_index(m, h, a->slot);
	debug_show_type(m, "u64", sizeof(u64), false);
}

static void debug_show_actions(struct seq_file *m, const struct hist *h)
{
	const struct hist_action *a;

	if (h->nr_actions)
		seq_puts(m, "\n  action tracking variables (for onmax()/onchange()/onmatch()):\n");
	for (unsigned int i = 0; i < h->nr_actions; i++) {
		a = h->actions[i];
		if (a->handler == HIST_ON_MATCH)
			debug_show_match(m, a, i);
		else
			debug_show_track(m, h, a, i);
	}
}

/* ------------------------------------------------------------------ */
/* The file								*/

static void debug_show_hist(struct seq_file *m, const struct hist *h, unsigned int nr)
{
	unsigned int vals = 1 + h->nr_vals + h->nr_vars;

	hist_show_head(m, h, nr);
	seq_printf(m, "hist_data: %p\n\n  n_vals: %u\n  n_keys: %u\n  n_fields: %u\n\n", h, vals,
		   h->nr_keys, vals + h->nr_keys);
	debug_show_vals(m, h);
	debug_show_vars(m, h);
	debug_show_keys(m, h);
	debug_show_refs(m, h);
	debug_show_params(m, h, HIST_TRACE, "field variables");
	debug_show_actions(m, h);
	debug_show_params(m, h, HIST_SAVE, "save action variables (save() params)");
}

static void debug_show_event(struct seq_file *m, struct trace_event_file *file)
{
	const struct hist *h;
	unsigned int nr = 0;

	for (h = hist_next(file, NULL); h; h = hist_next(file, h))
		debug_show_hist(m, h, nr++);
}

static int debug_show_file(struct seq_file *m, const struct trace_node *at)
{
	return event_show_with(m, at, debug_show_event);
}

static const struct trace_file hist_debug_files[] = {
	{
		.name	= "hist_debug",
		.mode	= TRACE_FILE_RO,
		.place	= IN_EVENT | IN_PRINT_EVENT,
		.show	= debug_show_file,
	},
	{ }
};

EVENT_DIR_FILES(hist_debug_files);
