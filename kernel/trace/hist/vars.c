// SPDX-License-Identifier: GPL-2.0
/*
 * Variables keep a value of the latest hit for each key. Other histograms read them by the same
 * key, so that an expression can combine values of different events:
 *
 *	hist:keys=pid:ts0=common_timestamp.usecs			on sched_wakeup
 *	hist:keys=next_pid:late=common_timestamp.usecs-$ts0		on sched_switch
 */
#include <linux/cleanup.h>
#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/lockdep.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "action.h"
#include "errors.h"
#include "events/events.h"
#include "expr.h"
#include "fields.h"
#include "internal.h"
#include "text.h"
#include "triggers/kind.h"
#include "vars.h"

/* All histograms with variables, by &hist.with_vars; protected by events_lock. */
static LIST_HEAD(with_vars);

/* ------------------------------------------------------------------ */
/* Search by name							*/

int hist_var_find(const struct hist *h, const char *name)
{
	for (unsigned int i = 0; i < h->nr_vars; i++)
		if (!strcmp(h->vars[i].name, name))
			return i;
	return -ENOENT;
}

/**
 * struct var_query - which variable to search for
 * @tr: instance of the histogram
 * @system: system of the event, or NULL for any event
 * @event: name of the event; unused without @system
 * @name: name of the variable, without the $
 */
struct var_query {
	const struct trace_array	*tr;
	const char			*system;
	const char			*event;
	const char			*name;
};

static bool is_on_queried_event(const struct hist *h, const struct var_query *a)
{
	const struct event *event = h->file->event;

	return !a->system || (!strcmp(event_system_name(event), a->system) &&
			      !strcmp(event->type.name, a->event));
}

/*
 * Find the histogram that has a variable, and set @var to the index of the variable.
 *
 * Return: the histogram; NULL if there is none; ERR_PTR(-EEXIST) if several events have one.
 */
static struct hist *find_var_owner(const struct var_query *a, int *var)
{
	struct hist *h, *found = NULL;
	int i;

	list_for_each_entry(h, &with_vars, with_vars) {
		i = h->t.tr == a->tr && is_on_queried_event(h, a) ?
		    hist_var_find(h, a->name) : -ENOENT;
		/* Histograms that share counts share the variable as well. */
		if (i < 0 || (found && (found->file == h->file || found->counts == h->counts)))
			continue;
		if (found)
			return ERR_PTR(-EEXIST);
		found = h;
		*var = i;
	}
	return found;
}

const struct hist *hist_var_owner(const struct trace_event_file *file, const char *name)
{
	const struct hist *h;

	list_for_each_entry(h, &with_vars, with_vars)
		if (h->file == file && hist_var_find(h, name) >= 0)
			return h;
	return NULL;
}

/* ------------------------------------------------------------------ */
/* References								*/

/* Return: index in &hist.refs of a reference to variable @var of @of; -ENOENT if there is none. */
static int find_ref(const struct hist *h, const struct hist *of, unsigned int var)
{
	if (!of)
		return -ENOENT;
	for (unsigned int i = 0; i < h->nr_refs; i++)
		if (rcu_access_pointer(h->refs[i].of) == of && h->refs[i].var == var)
			return i;
	return -ENOENT;
}

static int add_ref(struct hist *h, struct hist *of, unsigned int var)
{
	int i = find_ref(h, of, var);
	struct hist_ref *ref;

	if (i >= 0)
		return i;
	if (h->nr_refs == HIST_REFS_MAX)
		return -ENOSPC;
	ref = &h->refs[h->nr_refs];
	ref->var = var;
	ref->by = h;
	INIT_LIST_HEAD(&ref->node);
	rcu_assign_pointer(ref->of, of);
	if (of)
		list_add(&ref->node, &of->refs_to_vars);
	return h->nr_refs++;
}

/*
 * Find the histogram that defines variable @name, among the histograms of the events given in
 * onmatch(SYSTEM.EVENT).
 *
 * Return: the histogram, with the index of the variable in *@var; NULL if there is none;
 * ERR_PTR(-EEXIST) as find_var_owner().
 */
static struct hist *find_var_of_match(const struct hist *h, const char *name, int *var)
{
	const struct hist_action *action;
	struct var_query a = { .tr = h->t.tr, .name = name };
	struct hist *of = NULL;

	for (unsigned int i = 0; !of && i < h->nr_actions; i++) {
		action = h->actions[i];
		a.system = action->system;
		a.event = action->event;
		if (a.system)
			of = find_var_owner(&a, var);
	}
	return of;
}

static struct hist *find_unqualified_var(const struct hist *h, const char *name, int *var)
{
	struct var_query a = { .tr = h->t.tr, .name = name };

	return find_var_of_match(h, name, var) ?: find_var_owner(&a, var);
}

int hist_ref_find(const struct hist_text *text, const char *system, const char *event,
		  const char *name)
{
	struct var_query a = { text->h->t.tr, system, event, name };
	struct hist *of = NULL;
	int var = 0;

	if (!system)
		of = find_unqualified_var(text->h, name, &var);
	else if (event)
		of = find_var_owner(&a, &var);

	/*
	 * The text is only compared with the histogram that it removes, whose variable may have
	 * been withdrawn: so a reference to NULL is fine.
	 */
	if (text->remove)
		return add_ref(text->h, IS_ERR(of) ? NULL : of, var);
	if (IS_ERR(of))
		return PTR_ERR(of);
	return of ? add_ref(text->h, of, var) : -ENOENT;
}

const struct hist_var *hist_ref_var(const struct hist *h, unsigned int ref)
{
	const struct hist *of = rcu_dereference_protected(h->refs[ref].of,
							  lockdep_is_held(&events_lock));

	return of ? &of->vars[h->refs[ref].var] : NULL;
}

bool hist_has_lost_ref(const struct hist *h)
{
	for (unsigned int i = 0; i < h->nr_refs; i++)
		if (!hist_ref_var(h, i))
			return true;
	return false;
}

int hist_ref_refuse(const struct hist_text *text, const char *at, int why, const char *none)
{
	switch (why) {
	case -EEXIST:
		return cmd_refuse(&text->cmd, at, HIST_ERR_VAR_MANY_OF);
	case -ENOSPC:
		return cmd_refuse(&text->cmd, at, HIST_ERR_VAR_MANY);
	case -ENOENT:
		return cmd_refuse(&text->cmd, at, none);
	default:
		return why;
	}
}

int hist_ref_parse(const struct hist_text *text, char *word, bool *usecs)
{
	char *whole __free(kfree) = kstrdup(word, GFP_KERNEL), *rest = whole;
	const char *name = strchr(word, '$') + 1, *system = NULL, *event = NULL;
	const struct hist_var *var;
	int ref;

	if (!whole)
		return -ENOMEM;
	if (*word != '$') {
		system = strsep(&rest, ".");
		event = strsep(&rest, ".");
	}
	/* Behind ``SYSTEM.EVENT.`` only a variable is valid. */
	ref = *word == '$' || (rest && *rest == '$') ?
	      hist_ref_find(text, system, event, name) : -ENOENT;
	if (ref < 0)
		return hist_ref_refuse(text, name, ref, HIST_ERR_VAR_NONE);
	var = hist_ref_var(text->h, ref);
	*usecs = var && var->usecs;
	return ref;
}

/* ------------------------------------------------------------------ */
/* Variables that the text itself sets					*/

/* True if the text of a value is a field alone, neither an expression nor a variable. */
static bool is_plain_field(const char *value, size_t len)
{
	if (!len || isdigit(*value))
		return false;
	for (size_t i = 0; i < len; i++)
		if (strchr("$+*/-", value[i]) && strncmp(value + i, "-offset", 7))
			return false;
	return true;
}

/* Find the field that ``NAME=VALUE,...`` assigns to a variable: see hist_own_value(). */
static char *find_assigned_value(const char *words, const char *name)
{
	size_t len = strlen(name), end;

	for (;; words += end + 1) {
		end = strcspn(words, ",");
		if (!strncmp(words, name, len) && words[len] == '=' &&
		    is_plain_field(words + len + 1, end - len - 1))
			return kstrndup(words + len + 1, end - len - 1, GFP_KERNEL) ?:
			       ERR_PTR(-ENOMEM);
		if (!words[end])
			return NULL;
	}
}

/* Skip ``SYSTEM.EVENT.`` if it is the event that the text is written to. */
static const char *skip_own_event(const struct hist_text *text, const char *word)
{
	const struct event *event = text->file->event;
	size_t system = strlen(event_system_name(event)), name = strlen(event->type.name);

	if (strncmp(word, event_system_name(event), system) || word[system] != '.' ||
	    strncmp(word + system + 1, event->type.name, name) ||
	    word[system + 1 + name] != '.')
		return word;
	return word + system + name + 2;
}

char *hist_own_value(const struct hist_text *text, const char *word)
{
	char *value = NULL;

	word = skip_own_event(text, word);
	for (unsigned int i = 0; *word == '$' && !value && i < text->nr_own; i++)
		value = find_assigned_value(text->own[i], word + 1);
	return value;
}

/* ------------------------------------------------------------------ */
/* Publishing								*/

bool hist_vars_clash(const struct hist_text *text, const char **at)
{
	const struct hist *h = text->h, *other;

	list_for_each_entry(other, &with_vars, with_vars) {
		for (unsigned int i = 0; other->file == h->file && i < h->nr_vars; i++) {
			*at = text->var_at[i];
			if (hist_var_find(other, h->vars[i].name) >= 0)
				return true;
		}
	}
	return false;
}

void hist_vars_publish(struct hist *h)
{
	if (h->nr_vars)
		list_add_tail(&h->with_vars, &with_vars);
}

/* ------------------------------------------------------------------ */
/* Removal								*/

void hist_vars_withdraw(struct hist *h)
{
	struct hist_ref *ref, *next;

	lockdep_assert_held(&events_lock);
	if (h->nr_vars)
		list_del_init(&h->with_vars);
	list_for_each_entry_safe(ref, next, &h->refs_to_vars, node) {
		RCU_INIT_POINTER(ref->of, NULL);
		list_del_init(&ref->node);
	}
}

void hist_refs_unlink(struct hist *h)
{
	lockdep_assert_held(&events_lock);
	for (unsigned int i = 0; i < h->nr_refs; i++)
		list_del_init(&h->refs[i].node);
}

void hist_vars_free(struct hist *h)
{
	for (unsigned int i = 0; i < h->nr_vars; i++) {
		kfree(h->vars[i].name);
		kfree(h->vars[i].type.name);
		hist_field_free(&h->vars[i].value);
	}
}
