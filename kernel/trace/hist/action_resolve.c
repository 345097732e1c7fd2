// SPDX-License-Identifier: GPL-2.0
/*
 * Resolving and freeing the actions of histograms. A parameter that is a field of another event
 * is read from a variable of a histogram on that event, which is created here if there is none.
 */
#include <linux/cleanup.h>
#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/seq_buf.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "action.h"
#include "errors.h"
#include "events/events.h"
#include "expr.h"
#include "fields.h"
#include "internal.h"
#include "modifier.h"
#include "peak.h"
#include "record/scratch.h"
#include "synth/synth.h"
#include "text.h"
#include "triggers/kind.h"
#include "vars.h"

/* ------------------------------------------------------------------ */
/* Histograms that keep a field of another event in a variable		*/

static bool same_key_types(const struct hist *a, const struct hist *b)
{
	struct hist_type x, y;

	if (a->nr_keys != b->nr_keys)
		return false;
	for (unsigned int i = 0; i < a->nr_keys; i++) {
		x = hist_type_of(a, &a->keys[i]);
		y = hist_type_of(b, &b->keys[i]);
		if (x.kind != y.kind || x.size != y.size || x.is_signed != y.is_signed)
			return false;
	}
	return true;
}

/* Find a histogram on @file to which @h refers, and whose keys have the types of those of @h. */
static const struct hist *find_referenced_hist(const struct hist *h,
					       const struct trace_event_file *file)
{
	const struct hist *of;

	for (unsigned int i = 0; i < h->nr_refs; i++) {
		of = rcu_dereference_protected(h->refs[i].of, lockdep_is_held(&events_lock));
		if (of && of->file == file && same_key_types(h, of))
			return of;
	}
	return NULL;
}

/*
 * Find a histogram on @file whose keys have the types of those of @h. Its keys are those of the
 * histogram that keeps a field of @file for @h. If there are several, one that @h refers to is
 * preferred.
 */
static const struct hist *find_matching_hist(const struct hist *h, struct trace_event_file *file)
{
	const struct hist *referenced = find_referenced_hist(h, file);
	struct trigger *t;

	if (referenced)
		return referenced;
	for (t = trigger_next(file, NULL); t; t = trigger_next(file, t))
		if (t->kind == h->t.kind && same_key_types(h, hist_of(t)))
			return hist_of(t);
	return NULL;
}

static void append_keys(struct seq_buf *s, const struct hist *h)
{
	const struct hist_field *f;

	for (unsigned int i = 0; i < h->nr_keys; i++) {
		f = &h->keys[i];
		seq_buf_printf(s, "%s%s", i ? "," : "", f->name);
		if (f->as)
			seq_buf_printf(s, ".%s", f->as->name);
		if (f->as && f->as->takes_width)
			seq_buf_printf(s, "=%llu", f->width);
	}
}

/* True if two histograms of an event set their variables for the same records and keys. */
static bool same_keys_and_filter(const struct hist *a, const struct hist *b)
{
	if (a->nr_keys != b->nr_keys || !hist_same_text(a->t.filter_text, b->t.filter_text))
		return false;
	for (unsigned int i = 0; i < a->nr_keys; i++)
		if (strcmp(a->keys[i].name, b->keys[i].name) || a->keys[i].as != b->keys[i].as ||
		    a->keys[i].width != b->keys[i].width)
			return false;
	return true;
}

/*
 * Prefix of the names of variables that keep a field. If an event has several such variables for a
 * field, which differ in their keys, a number follows the prefix from the second one on.
 */
#define FIELD_VAR_PREFIX	"synthetic"

static char *make_field_var_name(const char *field, unsigned int nr)
{
	return nr > 1 ? kasprintf(GFP_KERNEL, FIELD_VAR_PREFIX "%u_%s", nr, field) :
			kasprintf(GFP_KERNEL, FIELD_VAR_PREFIX "_%s", field);
}

/**
 * find_field_var - find the variable that keeps a field, or an unused name for it
 * @file: event in the instance that has the field
 * @like: histogram on that event with the keys by which the field is kept
 * @field: name of the field
 * @is_there: set to true if there is such a variable already
 *
 * Return: name of the variable, for kfree(); NULL without memory.
 */
static char *find_field_var(struct trace_event_file *file, const struct hist *like,
			    const char *field, bool *is_there)
{
	const struct hist *of;
	char *name;

	for (unsigned int nr = 1; (name = make_field_var_name(field, nr)); nr++) {
		of = hist_var_owner(file, name);
		*is_there = of;
		if (!of || same_keys_and_filter(of, like))
			break;
		kfree(name);
	}
	return name;
}

/* Create a histogram on @file with the keys and filter of @like, and variable @name for @field. */
static struct trigger *create_field_hist(struct trace_event_file *file, const struct hist *like,
					 const char *name, const char *field)
{
	char *buf = kmalloc(MAX_FILTER_STR_VAL, GFP_KERNEL);
	struct trigger *t = ERR_PTR(-E2BIG);
	struct seq_buf s;

	if (!buf)
		return ERR_PTR(-ENOMEM);
	seq_buf_init(&s, buf, MAX_FILTER_STR_VAL);
	seq_buf_puts(&s, "hist:keys=");
	append_keys(&s, like);
	seq_buf_printf(&s, ":%s=%s", name, field);
	if (like->t.filter_text)
		seq_buf_printf(&s, " if %s", like->t.filter_text);
	if (!seq_buf_has_overflowed(&s))
		t = trigger_add_dependent(file, buf);
	kfree(buf);
	return t;
}

/* Log an error in the parameter that is being resolved. */
static int refuse_param(const struct hist_text *text, const char *error)
{
	return cmd_refuse(&text->cmd, text->cmd.instead, error);
}

static int create_field_var(const struct hist_text *text, struct trace_event_file *file,
			    const struct hist *like, const char *name, const char *field)
{
	struct trigger *t = create_field_hist(file, like, name, field);

	if (IS_ERR(t))
		return refuse_param(text, HIST_ERR_MAKE_HIST);
	list_add(&hist_of(t)->made_node, &text->h->made);
	return 0;
}

/* ------------------------------------------------------------------ */
/* Parameters								*/

/**
 * struct param_words - words of a parameter: ``[SYSTEM.EVENT.][$]NAME``
 * @copy: allocated copy of the parameter, into which the others point
 * @system: system of the event, or NULL
 * @event: name of the event, or NULL
 * @name: name of a field with its modifier, or of a variable with the $
 */
struct param_words {
	char	*copy;
	char	*system;
	char	*event;
	char	*name;
};

static bool is_field_modifier(const char *word)
{
	/* A field has one modifier at most, whereas the name of an event is followed by a dot. */
	return !strchr(word, '.');
}

static int split_param(const struct hist_param *param, struct param_words *w)
{
	char *behind;

	*w = (struct param_words){ .copy = kstrdup(param->text, GFP_KERNEL) };
	if (!w->copy)
		return -ENOMEM;
	w->name = w->copy;
	behind = strchr(w->copy, '.');
	if (!behind || is_field_modifier(behind + 1))
		return 0;
	w->system = strsep(&w->name, ".");
	w->event = strsep(&w->name, ".");
	return 0;
}

/* True if a parameter names no event, or that of the histogram. */
static bool is_own_event(const struct hist *h, const struct param_words *w)
{
	return !w->system || (!strcmp(w->system, event_system_name(h->file->event)) &&
			      !strcmp(w->event, h->file->event->type.name));
}

static int refer_to_var(const struct hist_var *var, u8 number, u8 text, struct hist_field *f)
{
	f->source = hist_is_number(&var->value) ? number : text;
	f->len = var->value.len;
	return hist_replace_text(&f->name, var->name);
}

/* Look the variable up among those of the histogram itself. */
static int resolve_own_var(const struct hist_text *text, const struct param_words *w,
			   struct hist_field *f)
{
	struct hist *h = text->h;
	int var = is_own_event(h, w) ? hist_var_find(h, w->name + 1) : -ENOENT;

	if (var < 0)
		return var;
	f->var = var;
	return refer_to_var(&h->vars[var], HIST_OWN_NUMBER, HIST_OWN_TEXT, f);
}

/* Look the variable up among those of other histograms. */
static int resolve_other_var(const struct hist_text *text, const char *system, const char *event,
			     const char *name, struct hist_field *f)
{
	int ref = hist_ref_find(text, system, event, name);

	if (ref < 0)
		return ref;
	f->ref = ref;
	return refer_to_var(hist_ref_var(text->h, ref), HIST_REF_NUMBER, HIST_REF_TEXT, f);
}

/* A parameter without an event means the one of onmatch(). */
static void fill_match_event(struct param_words *w, const struct hist_action *a)
{
	if (w->system)
		return;
	w->system = a->system;
	w->event = a->event;
}

static int resolve_var(const struct hist_text *text, const struct hist_action *a,
		       struct hist_param *param, struct param_words *w)
{
	int err = resolve_own_var(text, w, &param->value);

	if (err != -ENOENT)
		return err;
	fill_match_event(w, a);
	err = resolve_other_var(text, w->system, w->event, w->name + 1, &param->value);
	return hist_ref_refuse(text, text->cmd.instead, err, HIST_ERR_PARAM);
}

/* Resolve a field of another event to the variable that keeps it, which is created if need be. */
static int resolve_field_var(const struct hist_text *text, struct hist_param *param,
			     const struct param_words *w, struct trace_event_file *file)
{
	char *name __free(kfree) = NULL;
	const struct hist *like = find_matching_hist(text->h, file);
	bool is_there;
	int err;

	if (!like)
		return refuse_param(text, HIST_ERR_NO_HIST);
	name = find_field_var(file, like, w->name, &is_there);
	if (!name)
		return -ENOMEM;
	if (!is_there) {
		err = create_field_var(text, file, like, name, w->name);
		if (err)
			return err;
	}
	err = resolve_other_var(text, w->system, w->event, name, &param->value);
	if (err == -ENOENT || err == -EEXIST || err == -ENOSPC)
		return refuse_param(text, HIST_ERR_PARAM);
	return err;
}

static int resolve_other_event_field(const struct hist_text *text, struct hist_param *param,
				     const struct param_words *w)
{
	struct trace_event_file *file = event_file_named(text->h->t.tr, w->system, w->event);

	return file ? resolve_field_var(text, param, w, file) :
		      refuse_param(text, HIST_ERR_EVENT);
}

static bool is_number_param(const struct param_words *w)
{
	return !w->system && isdigit(*w->name);
}

/*
 * True if a parameter means a field of the histogram's own event. Without an event in front of
 * it, a field is looked up in the own event first, and then in the event of onmatch(). Names that
 * every event accepts, such as "comm", mean the own event if neither event has such a field.
 */
static bool is_own_event_field(const struct hist_text *text, const struct hist_action *a,
			       const struct param_words *w)
{
	struct trace_event_file *other;

	if (!is_own_event(text->h, w))
		return false;
	if (w->system || !a->system || hist_has_field(text->file, w->name, false))
		return true;
	other = event_file_named(text->h->t.tr, a->system, a->event);
	return (!other || !hist_has_field(other, w->name, false)) &&
	       hist_has_field(text->file, w->name, true);
}

static int resolve_field(const struct hist_text *text, const struct hist_action *a,
			 struct hist_param *param, struct param_words *w)
{
	if (is_number_param(w) || is_own_event_field(text, a, w))
		return hist_value_parse(text, w->name, HIST_FOR_PARAMS, &param->value);
	fill_match_event(w, a);
	return resolve_other_event_field(text, param, w);
}

static int resolve_param(const struct hist_text *text, const struct hist_action *a,
			 struct hist_param *param)
{
	struct param_words w;
	int err = split_param(param, &w);

	if (!err && !w.name)
		err = refuse_param(text, HIST_ERR_PARAM);
	if (!err)
		err = *w.name == '$' ? resolve_var(text, a, param, &w) :
				       resolve_field(text, a, param, &w);
	kfree(w.copy);
	if (err)
		return err;
	hist_prepare_field(text->h, &param->value);
	param->kind = hist_type_of(text->h, &param->value).kind;
	return 0;
}

/* Resolve the parameters that are references to variables, or all others. */
static int resolve_params_of_kind(struct hist_text *text, struct hist_action *a, bool vars)
{
	int err = 0;

	for (unsigned int i = 0; !err && i < a->nr_params; i++) {
		if (!strchr(a->params[i].text, '$') == vars)
			continue;
		/* The words of the parameter are a copy. */
		text->cmd.instead = text->action_at[a->nr].params[i];
		err = resolve_param(text, a, &a->params[i]);
	}
	text->cmd.instead = NULL;
	return err;
}

/*
 * Variables are resolved first: find_matching_hist() prefers a histogram that is referred to for
 * the keys by which a field of another event is kept.
 */
static int resolve_params(struct hist_text *text, struct hist_action *a)
{
	int err = resolve_params_of_kind(text, a, true);

	if (err)
		return err;
	return resolve_params_of_kind(text, a, false);
}

/* ------------------------------------------------------------------ */
/* Each kind of action							*/

static int check_synth_params(const struct hist_text *text, struct hist_action *a)
{
	struct hist_type type;

	for (unsigned int i = 0; i < a->nr_params; i++) {
		type = hist_type_of(text->h, &a->params[i].value);
		if (i >= a->synth->nr_fields || !hist_type_fits(&a->synth->fields[i], &type))
			return cmd_refuse(&text->cmd, text->action_at[a->nr].params[i],
					  HIST_ERR_SYNTH_TYPE);
	}
	return a->nr_params == a->synth->nr_fields ? 0 :
	       cmd_refuse(&text->cmd, text->action_at[a->nr].synth, HIST_ERR_SYNTH_COUNT);
}

/* A synthetic event is generated while the record of this event is in use: get scratch records. */
static int resolve_trace_action(struct hist_text *text, struct hist_action *a)
{
	int err;

	a->synth = synth_event_get(a->synth_name);
	if (!a->synth)
		return cmd_refuse(&text->cmd, text->action_at[a->nr].synth, HIST_ERR_NO_SYNTH);
	err = trace_scratch_get(TRACE_SCRATCH_SYNTH);
	if (err)
		return err;
	a->has_scratch = true;
	err = resolve_params(text, a);
	if (err)
		return err;
	return check_synth_params(text, a);
}

static bool has_earlier_save(const struct hist *h, const struct hist_action *a)
{
	for (unsigned int i = 0; i < h->nr_actions && h->actions[i] != a; i++)
		if (h->actions[i]->what == HIST_SAVE)
			return true;
	return false;
}

static int resolve_save_action(struct hist_text *text, struct hist_action *a)
{
	if (!has_earlier_save(text->h, a))
		return resolve_params(text, a);
	cmd_refuse(&text->cmd, NULL, HIST_ERR_MANY_SAVES);
	return -EEXIST;
}

/* Look up the variable of onmax() or onchange(). */
static int resolve_tracked_var(const struct hist_text *text, struct hist_action *a)
{
	int var;

	if (!a->var)
		return 0;
	if (*a->var != '$')
		return cmd_refuse(&text->cmd, text->action_at[a->nr].what, HIST_ERR_ON_WHAT);
	var = hist_var_find(text->h, a->var + 1);
	if (var < 0)
		return cmd_refuse(&text->cmd, text->action_at[a->nr].what + 1, HIST_ERR_ON_NONE);
	if (!hist_is_number(&text->h->vars[var].value))
		return cmd_refuse(&text->cmd, text->action_at[a->nr].what, HIST_ERR_KIND);
	a->var_index = var;
	return 0;
}

static int resolve_action(struct hist_text *text, struct hist_action *a)
{
	int err = resolve_tracked_var(text, a);

	if (err)
		return err;
	switch (a->what) {
	case HIST_TRACE:
		return resolve_trace_action(text, a);
	case HIST_SAVE:
		return resolve_save_action(text, a);
	default:
		return hist_peak_begin(text->h, a);
	}
}

int hist_actions_resolve(struct hist_text *text)
{
	struct hist *h = text->h;
	int err = 0;

	lockdep_assert_held(&events_lock);
	for (unsigned int i = 0; !err && i < h->nr_actions; i++)
		err = resolve_action(text, h->actions[i]);
	return err;
}

/* ------------------------------------------------------------------ */
/* Removal								*/

/* Hand a created histogram over to another one that refers to its variables, if there is one. */
static bool hand_over_hist(struct hist *made)
{
	struct hist_ref *ref;

	ref = list_first_entry_or_null(&made->refs_to_vars, struct hist_ref, node);
	if (ref)
		list_add(&made->made_node, &ref->by->made);
	return ref;
}

void hist_actions_detach(struct hist *h)
{
	struct hist *made, *next;

	lockdep_assert_held(&events_lock);
	/* If the histogram was created for another one, take it off &hist.made of that one. */
	list_del_init(&h->made_node);
	list_for_each_entry_safe(made, next, &h->made, made_node) {
		list_del_init(&made->made_node);
		if (!hand_over_hist(made))
			trigger_remove_dependent(made->file, &made->t);
	}
}

static void free_action(struct hist_action *a)
{
	if (a->has_scratch)
		trace_scratch_put(TRACE_SCRATCH_SYNTH);
	if (a->synth)
		synth_event_put(a->synth);
	for (unsigned int i = 0; i < a->nr_params; i++) {
		kfree(a->params[i].text);
		hist_field_free(&a->params[i].value);
	}
	kfree(a->params);
	kfree(a->system);
	kfree(a->event);
	kfree(a->var);
	kfree(a->name);
	kfree(a->synth_name);
	kfree(a);
}

void hist_actions_free(struct hist *h)
{
	if (h->peak)
		hist_peak_end(h);
	for (unsigned int i = 0; i < h->nr_actions; i++)
		free_action(h->actions[i]);
}
