// SPDX-License-Identifier: GPL-2.0
/*
 * Actions of histograms come and go: what they are told is found, if need be by another
 * histogram, which notes a field of another event.
 */
#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/seq_buf.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "action.h"
#include "events/events.h"
#include "peak.h"
#include "record/beside.h"
#include "synth/synth.h"
#include "triggers/kind.h"

/* ------------------------------------------------------------------ */
/* Another histogram, for a field of another event			*/

static bool keys_fit(const struct hist *a, const struct hist *b)
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

/* One whose variables are asked for by these keys. */
static const struct hist *find_asked(const struct hist *h, const struct trace_event_file *file)
{
	const struct hist *of;

	for (unsigned int i = 0; i < h->nr_refs; i++) {
		of = rcu_dereference_protected(h->refs[i].of, lockdep_is_held(&events_lock));
		if (of && of->file == file && keys_fit(h, of))
			return of;
	}
	return NULL;
}

/*
 * One with keys of the same types, which tells what to note the field by: there may be several,
 * of which that is meant which is asked for something else.
 */
static const struct hist *find_like(const struct hist *h, struct trace_event_file *file)
{
	const struct hist *asked = find_asked(h, file);
	struct trigger *t;

	if (asked)
		return asked;
	for (t = trigger_next(file, NULL); t; t = trigger_next(file, t))
		if (t->kind == h->t.kind && keys_fit(h, hist_of(t)))
			return hist_of(t);
	return NULL;
}

static void put_keys(struct seq_buf *s, const struct hist *h)
{
	const struct hist_field *f;

	for (unsigned int i = 0; i < h->nr_keys; i++) {
		f = &h->keys[i];
		seq_buf_printf(s, "%s%s", i ? "," : "", f->name);
		if (f->as)
			seq_buf_printf(s, ".%s", hist_modifier(f));
		if (f->as == HIST_BUCKETS)
			seq_buf_printf(s, "=%llu", f->width);
	}
}

/* Do two histograms of an event note a field for the same keys, of the same records? */
static bool notes_alike(const struct hist *a, const struct hist *b)
{
	if (a->nr_keys != b->nr_keys || !hist_same_text(a->t.filter_text, b->t.filter_text))
		return false;
	for (unsigned int i = 0; i < a->nr_keys; i++)
		if (strcmp(a->keys[i].name, b->keys[i].name) || a->keys[i].as != b->keys[i].as ||
		    a->keys[i].width != b->keys[i].width)
			return false;
	return true;
}

/* Prefix of variables that note a field; those by other keys have a number from 2 on, too. */
#define NOTED	"synthetic"

static char *make_noted_name(const char *field, unsigned int nr)
{
	return nr > 1 ? kasprintf(GFP_KERNEL, NOTED "%u_%s", nr, field) :
			kasprintf(GFP_KERNEL, NOTED "_%s", field);
}

/**
 * find_noted - find the variable that notes a field by the keys of a histogram, or a name for it
 * @file: the event that has the field
 * @like: the histogram
 * @field: the field
 * @is_there: set to whether there is such a variable
 *
 * Return: the name, for kfree(); or NULL without memory.
 */
static char *find_noted(struct trace_event_file *file, const struct hist *like,
			const char *field, bool *is_there)
{
	const struct hist *of;
	char *name;

	for (unsigned int nr = 1; (name = make_noted_name(field, nr)); nr++) {
		of = hist_var_owner(file, name);
		*is_there = of;
		if (!of || notes_alike(of, like))
			break;
		kfree(name);
	}
	return name;
}

static struct trigger *make_hist(struct trace_event_file *file, const struct hist *like,
				 const char *name, const char *field)
{
	char *buf = kmalloc(MAX_FILTER_STR_VAL, GFP_KERNEL);
	struct trigger *t = ERR_PTR(-E2BIG);
	struct seq_buf s;

	if (!buf)
		return ERR_PTR(-ENOMEM);
	seq_buf_init(&s, buf, MAX_FILTER_STR_VAL);
	seq_buf_puts(&s, "hist:keys=");
	put_keys(&s, like);
	seq_buf_printf(&s, ":%s=%s", name, field);
	if (like->t.filter_text)
		seq_buf_printf(&s, " if %s", like->t.filter_text);
	if (!seq_buf_has_overflowed(&s))
		t = trigger_add_beside(file, buf);
	kfree(buf);
	return t;
}

static int note_field(const struct hist_text *text, const struct hist_param *param,
		      struct trace_event_file *file, const struct hist *like, const char *name,
		      const char *field)
{
	struct trigger *t = make_hist(file, like, name, field);

	if (IS_ERR(t))
		return hist_refuse(text, param->at, HIST_ERR_MAKE_HIST);
	list_add(&hist_of(t)->made_node, &text->h->made);
	return 0;
}

/* ------------------------------------------------------------------ */
/* What an action is told						*/

/**
 * struct words - what a parameter is written as: ``[SYSTEM.EVENT.][$]NAME``
 * @copy: where the words are
 * @system: or NULL
 * @event: or NULL
 * @name: of a field, with its modifier; or $ and that of a variable
 */
struct words {
	char	*copy;
	char	*system;
	char	*event;
	char	*name;
};

static bool is_modifier(const char *word)
{
	/* A field has one at most, and the name of an event is followed by a dot. */
	return !strchr(word, '.');
}

static int divide(const struct hist_param *param, struct words *w)
{
	char *behind;

	*w = (struct words){ .copy = kstrdup(param->text, GFP_KERNEL) };
	if (!w->copy)
		return -ENOMEM;
	w->name = w->copy;
	behind = strchr(w->copy, '.');
	if (!behind || is_modifier(behind + 1))
		return 0;
	w->system = strsep(&w->name, ".");
	w->event = strsep(&w->name, ".");
	return 0;
}

/* Nothing else is meant, or the event that the histogram is on. */
static bool is_here(const struct hist *h, const struct words *w)
{
	return !w->system || (!strcmp(w->system, event_system_name(h->file->event)) &&
			      !strcmp(w->event, h->file->event->type.name));
}

static int refer_to(const struct hist_var *var, unsigned int index, u8 number, u8 text,
		    struct hist_field *f)
{
	f->source = hist_is_number(&var->value) ? number : text;
	f->offset = index;
	f->len = var->value.len;
	return hist_take_text(&f->name, var->name);
}

/* Of those that it has itself. */
static int own_var(const struct hist_text *text, const struct words *w, struct hist_field *f)
{
	struct hist *h = text->h;
	int var = is_here(h, w) ? hist_var_find(h, w->name + 1) : -ENOENT;

	if (var < 0)
		return var;
	return refer_to(&h->vars[var], var, HIST_OWN, HIST_OWN_TEXT, f);
}

/* Of those of another one. */
static int other_var(const struct hist_text *text, const char *system, const char *event,
		     const char *name, struct hist_field *f)
{
	int ref = hist_ref_find(text, system, event, name);

	return ref < 0 ? ref : refer_to(hist_ref_var(text->h, ref), ref, HIST_REF_NUMBER,
					HIST_REF_TEXT, f);
}

/* Where onmatch() says, unless it is said. */
static void fill_in(struct words *w, const struct hist_action *a)
{
	if (w->system)
		return;
	w->system = a->system;
	w->event = a->event;
}

static int resolve_var(const struct hist_text *text, const struct hist_action *a,
		       struct hist_param *param, struct words *w)
{
	int err = own_var(text, w, &param->value);

	if (err != -ENOENT)
		return err;
	fill_in(w, a);
	err = other_var(text, w->system, w->event, w->name + 1, &param->value);
	return hist_ref_refuse(text, param->at, err, HIST_ERR_PARAM);
}

/* A field of another event: by the variable that notes it. */
static int resolve_noted(const struct hist_text *text, struct hist_param *param,
			 const struct words *w, struct trace_event_file *file)
{
	const struct hist *like = find_like(text->h, file);
	bool is_there;
	char *name;
	int err;

	if (!like)
		return hist_refuse(text, param->at, HIST_ERR_NO_HIST);
	name = find_noted(file, like, w->name, &is_there);
	if (!name)
		return -ENOMEM;
	err = is_there ? 0 : note_field(text, param, file, like, name, w->name);
	err = err ?: other_var(text, w->system, w->event, name, &param->value);
	kfree(name);
	return err == -ENOENT || err == -EEXIST || err == -ENOSPC ?
	       hist_refuse(text, param->at, HIST_ERR_PARAM) : err;
}

static int resolve_elsewhere(const struct hist_text *text, struct hist_param *param,
			     const struct words *w)
{
	struct trace_event_file *file = event_file_named(text->h->t.tr, w->system, w->event);

	return file ? resolve_noted(text, param, w, file) :
		      hist_refuse(text, param->at, HIST_ERR_EVENT);
}

static bool is_number(const struct words *w)
{
	return !w->system && isdigit(*w->name);
}

/*
 * Who does not say where means this event first, and then that of onmatch(); and what each
 * event has somehow, the name of the task for instance, at last.
 */
static bool means_here(const struct hist_text *text, const struct hist_action *a,
		       const struct words *w)
{
	struct trace_event_file *other;

	if (!is_here(text->h, w))
		return false;
	if (w->system || !a->system || hist_has_field(text->file, w->name, false))
		return true;
	other = event_file_named(text->h->t.tr, a->system, a->event);
	return (!other || !hist_has_field(other, w->name, false)) &&
	       hist_has_field(text->file, w->name, true);
}

static int resolve_field(const struct hist_text *text, const struct hist_action *a,
			 struct hist_param *param, struct words *w)
{
	struct hist_text here = *text;

	if (is_number(w) || means_here(text, a, w)) {
		here.instead = param->at;
		return hist_value_parse(&here, w->name, HIST_FOR_PARAMS, &param->value);
	}
	fill_in(w, a);
	return resolve_elsewhere(text, param, w);
}

static int resolve_param(const struct hist_text *text, const struct hist_action *a,
			 struct hist_param *param)
{
	struct words w;
	int err = divide(param, &w);

	if (!err && !w.name)
		err = hist_refuse(text, param->at, HIST_ERR_PARAM);
	if (!err)
		err = *w.name == '$' ? resolve_var(text, a, param, &w) :
				       resolve_field(text, a, param, &w);
	kfree(w.copy);
	return err;
}

/* Variables first: they tell by which keys a field of another event is noted. */
static int resolve_some(const struct hist_text *text, struct hist_action *a, bool vars)
{
	struct hist_param *param;
	int err;

	for (unsigned int i = 0; i < a->nr_params; i++) {
		param = &a->params[i];
		if (!strchr(param->text, '$') == vars)
			continue;
		err = resolve_param(text, a, param);
		if (err)
			return err;
		hist_note_need(text->h, &param->value);
		param->kind = hist_type_of(text->h, &param->value).kind;
	}
	return 0;
}

static int resolve_params(const struct hist_text *text, struct hist_action *a)
{
	return resolve_some(text, a, true) ?: resolve_some(text, a, false);
}

/* ------------------------------------------------------------------ */
/* Each kind of action							*/

static int fit_params(const struct hist_text *text, struct hist_action *a)
{
	struct hist_type type;

	for (unsigned int i = 0; i < a->nr_params; i++) {
		type = hist_type_of(text->h, &a->params[i].value);
		if (i >= a->synth->nr_fields || !hist_type_fits(&a->synth->fields[i], &type))
			return hist_refuse(text, a->params[i].at, HIST_ERR_SYNTH_TYPE);
	}
	return a->nr_params == a->synth->nr_fields ? 0 :
	       hist_refuse(text, a->synth_at, HIST_ERR_SYNTH_COUNT);
}

/* From here on a synthetic event may come while another event is looked at. */
static int resolve_trace(const struct hist_text *text, struct hist_action *a)
{
	int err;

	a->synth = synth_event_get(a->synth_name);
	if (!a->synth)
		return hist_refuse(text, a->synth_at, HIST_ERR_NO_SYNTH);
	err = trace_beside_get(TRACE_BESIDE_SYNTH);
	a->has_places = !err;
	return err ?: resolve_params(text, a) ?: fit_params(text, a);
}

static bool saves_already(const struct hist *h, const struct hist_action *a)
{
	for (unsigned int i = 0; i < h->nr_actions && h->actions[i] != a; i++)
		if (h->actions[i]->what == HIST_SAVE)
			return true;
	return false;
}

static int resolve_save(const struct hist_text *text, struct hist_action *a)
{
	if (!saves_already(text->h, a))
		return resolve_params(text, a);
	hist_refuse(text, NULL, HIST_ERR_MANY_SAVES);
	return -EEXIST;
}

/* The variable of onmax() or onchange() */
static int resolve_tracked(const struct hist_text *text, struct hist_action *a)
{
	int var;

	if (!a->var)
		return 0;
	if (*a->var != '$')
		return hist_refuse(text, a->at, HIST_ERR_ON_WHAT);
	var = hist_var_find(text->h, a->var + 1);
	if (var < 0)
		return hist_refuse(text, a->at + 1, HIST_ERR_ON_NONE);
	if (!hist_is_number(&text->h->vars[var].value))
		return hist_refuse(text, a->at, HIST_ERR_KIND);
	a->var_index = var;
	return 0;
}

static int resolve(const struct hist_text *text, struct hist_action *a)
{
	int err = resolve_tracked(text, a);

	if (err)
		return err;
	switch (a->what) {
	case HIST_TRACE:
		return resolve_trace(text, a);
	case HIST_SAVE:
		return resolve_save(text, a);
	default:
		return hist_peak_begin(text->h, a);
	}
}

int hist_actions_resolve(const struct hist_text *text)
{
	struct hist *h = text->h;
	int err = 0;

	lockdep_assert_held(&events_lock);
	for (unsigned int i = 0; !err && i < h->nr_actions; i++)
		err = resolve(text, h->actions[i]);
	return err;
}

/* ------------------------------------------------------------------ */
/* The end								*/

/* Another one asks for what it notes: then it is that one's. */
static bool hand_on(struct hist *made)
{
	struct hist_ref *ref;

	ref = list_first_entry_or_null(&made->asked, struct hist_ref, node);
	if (ref)
		list_add(&made->made_node, &ref->by->made);
	return ref;
}

void hist_actions_leave(struct hist *h)
{
	struct hist *made, *next;

	lockdep_assert_held(&events_lock);
	/* If it is itself one of those. */
	list_del_init(&h->made_node);
	list_for_each_entry_safe(made, next, &h->made, made_node) {
		list_del_init(&made->made_node);
		if (!hand_on(made))
			trigger_remove_beside(made->file, &made->t);
	}
}

static void action_free(struct hist_action *a)
{
	if (a->has_places)
		trace_beside_put(TRACE_BESIDE_SYNTH);
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
		action_free(h->actions[i]);
}
