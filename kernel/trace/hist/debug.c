// SPDX-License-Identifier: GPL-2.0
/*
 * The file hist_debug of an event: how its histograms are made, not what they have counted.
 * Documentation/trace/histogram-design.rst shows such files, and what can be seen by them. A
 * var.idx counts the words that a row has behind its values.
 */
#include <linux/lockdep.h>
#include <linux/rcupdate.h>
#include <linux/seq_file.h>

#include "action.h"
#include "events/events.h"
#include "internal.h"

/* ------------------------------------------------------------------ */
/* A field								*/

static void show_flags(struct seq_file *m, const char *flag, const struct hist_field *f)
{
	seq_printf(m, "      flags:\n        %s\n", flag);
	if (f && f->is_ref)
		seq_puts(m, "        HIST_FIELD_FL_ALIAS\n");
}

static void show_kind(struct seq_file *m, const char *type, unsigned int size, bool is_signed)
{
	seq_printf(m, "      type: %s\n      size: %u\n      is_signed: %d\n", type, size,
		   is_signed);
}

/* What is in the record has a name there. */
static void show_source(struct seq_file *m, const struct hist *h, const struct hist_field *f,
			unsigned int size)
{
	struct hist_type type = hist_type_of(h, f);

	if (f->type)
		seq_printf(m, "      ftrace_event_field name: %s\n", f->name);
	show_kind(m, type.name ?: "u64", size, f->is_signed);
}

/* In a key it has another size than in the record. */
static void show_key(struct seq_file *m, const struct hist *h, const struct hist_field *f)
{
	show_source(m, h, f, f->len);
}

static void show_value(struct seq_file *m, const struct hist *h, const struct hist_field *f)
{
	show_source(m, h, f, f->type ? f->size : f->len);
}

static void show_index(struct seq_file *m, const struct hist *h, unsigned int slot)
{
	seq_printf(m, "      var.idx (into tracing_map_elt.vars[]): %u\n", slot - h->nr_vals);
}

static void show_var_name(struct seq_file *m, const char *name)
{
	seq_printf(m, "      var.name: %s\n", name);
}

/* ------------------------------------------------------------------ */
/* Values, variables and keys						*/

static void begin_field(struct seq_file *m, unsigned int nr)
{
	seq_printf(m, "\n    hist_data->fields[%u]:\n", nr);
}

static void show_vals(struct seq_file *m, const struct hist *h)
{
	seq_puts(m, "  val fields:\n");
	begin_field(m, 0);
	show_flags(m, "VAL: HIST_FIELD_FL_HITCOUNT", NULL);
	show_kind(m, "u64", sizeof(u64), false);
	for (unsigned int i = 0; i < h->nr_vals; i++) {
		begin_field(m, 1 + i);
		show_flags(m, "VAL: normal u64 value", &h->vals[i]);
		show_value(m, h, &h->vals[i]);
	}
}

/* Which of those that it asks for another name stands for. */
static unsigned int ref_of(const struct hist_field *f)
{
	return f->source == HIST_EXPR ? f->expr->steps[0].index : f->offset;
}

static void show_vars(struct seq_file *m, const struct hist *h)
{
	const struct hist_var *var;

	for (unsigned int i = 0; i < h->nr_vars; i++) {
		var = &h->vars[i];
		begin_field(m, 1 + h->nr_vals + i);
		show_flags(m, "HIST_FIELD_FL_VAR", &var->value);
		show_var_name(m, var->name);
		show_index(m, h, var->slot);
		if (var->value.is_ref)
			seq_printf(m, "      var_ref_idx (into hist_data->var_refs[]): %u\n",
				   ref_of(&var->value));
		show_kind(m, var->type.name ?: "u64", var->value.len, var->type.is_signed);
	}
}

static void show_keys(struct seq_file *m, const struct hist *h)
{
	seq_puts(m, "\n  key fields:\n");
	for (unsigned int i = 0; i < h->nr_keys; i++) {
		begin_field(m, 1 + h->nr_vals + h->nr_vars + i);
		show_flags(m, "HIST_FIELD_FL_KEY", &h->keys[i]);
		show_key(m, h, &h->keys[i]);
	}
}

/* ------------------------------------------------------------------ */
/* What others have noted						*/

static void show_ref(struct seq_file *m, const struct hist *h, unsigned int nr)
{
	const struct hist *of = rcu_dereference_protected(h->refs[nr].of,
							  lockdep_is_held(&events_lock));
	const struct hist_var *var = hist_ref_var(h, nr);

	seq_printf(m, "\n    hist_data->var_refs[%u]:\n", nr);
	show_flags(m, "HIST_FIELD_FL_VAR_REF", NULL);
	if (!var) {
		seq_puts(m, "      gone\n");
		return;
	}
	seq_printf(m, "      name: %s\n", var->name);
	show_index(m, of, var->slot);
	seq_printf(m, "      var.hist_data: %p\n", of);
	seq_printf(m, "      var_ref_idx (into hist_data->var_refs[]): %u\n", nr);
	show_kind(m, var->type.name ?: "u64", var->value.len, var->type.is_signed);
}

static void show_refs(struct seq_file *m, const struct hist *h)
{
	if (h->nr_refs)
		seq_puts(m, "\n  variable reference fields:\n");
	for (unsigned int i = 0; i < h->nr_refs; i++)
		show_ref(m, h, i);
}

/* ------------------------------------------------------------------ */
/* Actions								*/

static const char *head_of(const struct hist_action *a)
{
	return a->what == HIST_SAVE ? "save" : "field";
}

/* What is saved has words of the row; another parameter is looked at when it is told. */
static void show_param(struct seq_file *m, const struct hist *h, const struct hist_action *a,
		       unsigned int param, unsigned int nr)
{
	const struct hist_param *p = &a->params[param];

	seq_printf(m, "\n    hist_data->%s_vars[%u]:\n", head_of(a), nr);
	seq_printf(m, "\n      %s_vars[%u].var:\n", head_of(a), nr);
	show_flags(m, "HIST_FIELD_FL_VAR", NULL);
	show_var_name(m, p->text);
	if (a->what == HIST_SAVE)
		show_index(m, h, p->slot);
	seq_printf(m, "\n      %s_vars[%u].val:\n", head_of(a), nr);
	show_value(m, h, &p->value);
}

static bool is_shown(const struct hist_action *a, unsigned int param, u8 what)
{
	return a->what == what && a->params[param].text[0] != '$';
}

static void show_params(struct seq_file *m, const struct hist *h, u8 what, const char *title)
{
	const struct hist_action *a;
	unsigned int nr = 0;

	for (unsigned int i = 0; i < h->nr_actions; i++) {
		a = h->actions[i];
		for (unsigned int param = 0; param < a->nr_params; param++) {
			if (!is_shown(a, param, what))
				continue;
			if (!nr)
				seq_printf(m, "\n  %s:\n", title);
			show_param(m, h, a, param, nr++);
		}
	}
}

static void show_match(struct seq_file *m, const struct hist_action *a, unsigned int nr)
{
	seq_printf(m, "\n    hist_data->actions[%u].match_data.event_system: %s\n", nr, a->system);
	seq_printf(m, "    hist_data->actions[%u].match_data.event: %s\n", nr, a->event);
}

static void show_track(struct seq_file *m, const struct hist *h, const struct hist_action *a,
		       unsigned int nr)
{
	seq_printf(m, "\n    hist_data->actions[%u].track_data.var_ref:\n", nr);
	show_flags(m, "HIST_FIELD_FL_VAR_REF", NULL);
	seq_printf(m, "      name: %s\n", a->var + 1);
	show_index(m, h, h->vars[a->var_index].slot);
	seq_printf(m, "      var.hist_data: %p\n", h);

	seq_printf(m, "\n    hist_data->actions[%u].track_data.track_var:\n", nr);
	show_flags(m, "HIST_FIELD_FL_VAR", NULL);
	show_var_name(m, a->handler == HIST_ON_MAX ? "__max" : "__change");
	show_index(m, h, a->slot);
	show_kind(m, "u64", sizeof(u64), false);
}

static void show_actions(struct seq_file *m, const struct hist *h)
{
	const struct hist_action *a;

	if (h->nr_actions)
		seq_puts(m, "\n  action tracking variables (for onmax()/onchange()/onmatch()):\n");
	for (unsigned int i = 0; i < h->nr_actions; i++) {
		a = h->actions[i];
		if (a->handler == HIST_ON_MATCH)
			show_match(m, a, i);
		else
			show_track(m, h, a, i);
	}
}

/* ------------------------------------------------------------------ */

void hist_show_debug(struct seq_file *m, struct trigger *t, unsigned int nr)
{
	const struct hist *h = hist_of(t);
	unsigned int vals = 1 + h->nr_vals + h->nr_vars;

	hist_show_head(m, t, nr);
	seq_printf(m, "hist_data: %p\n\n  n_vals: %u\n  n_keys: %u\n  n_fields: %u\n\n", h, vals,
		   h->nr_keys, vals + h->nr_keys);
	show_vals(m, h);
	show_vars(m, h);
	show_keys(m, h);
	show_refs(m, h);
	show_params(m, h, HIST_TRACE, "field variables");
	show_actions(m, h);
	show_params(m, h, HIST_SAVE, "save action variables (save() params)");
}
