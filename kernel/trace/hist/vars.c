// SPDX-License-Identifier: GPL-2.0
/*
 * Variables: what histograms note of their latest event, by key, and what others ask for, by
 * the same key. So what is known when one event comes can be calculated with when another one
 * does:
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

#include "events/events.h"
#include "internal.h"
#include "triggers/kind.h"

/* All histograms with variables; events_lock. */
static LIST_HEAD(with_vars);

/* ------------------------------------------------------------------ */
/* Found by name							*/

static int var_named(const struct hist *h, const char *name)
{
	for (unsigned int i = 0; i < h->nr_vars; i++)
		if (!strcmp(h->vars[i].name, name))
			return i;
	return -ENOENT;
}

/**
 * struct asked - which variable somebody asks for
 * @tr: the instance
 * @system: of the event, or NULL for any event
 * @event: its name
 * @name: of the variable
 */
struct asked {
	const struct trace_array	*tr;
	const char			*system;
	const char			*event;
	const char			*name;
};

static bool is_on(const struct hist *h, const struct asked *a)
{
	const struct event *event = h->file->event;

	return !a->system || (!strcmp(event_system_name(event), a->system) &&
			      !strcmp(event->type.name, a->event));
}

/* Return: NULL if there is none; an errno if there are some on several events. */
static struct hist *find(const struct asked *a, int *var)
{
	struct hist *h, *found = NULL;
	int i;

	list_for_each_entry(h, &with_vars, with_vars) {
		i = h->t.tr == a->tr && is_on(h, a) ? var_named(h, a->name) : -ENOENT;
		if (i < 0 || (found && found->file == h->file))
			continue;
		if (found)
			return ERR_PTR(-EEXIST);
		found = h;
		*var = i;
	}
	return found;
}

/* ------------------------------------------------------------------ */
/* Asked for								*/

/* One that is asked for already is the same. */
static int ref_of(const struct hist *h, const struct hist *of, unsigned int var)
{
	if (!of)
		return -ENOENT;
	for (unsigned int i = 0; i < h->nr_refs; i++)
		if (rcu_access_pointer(h->refs[i].of) == of && h->refs[i].var == var)
			return i;
	return -ENOENT;
}

static int add_ref(const struct hist_text *text, struct hist *of, unsigned int var,
		   const char *word)
{
	struct hist *h = text->h;
	int i = ref_of(h, of, var);
	struct hist_ref *ref;

	if (i >= 0)
		return i;
	if (h->nr_refs == HIST_REFS_MAX)
		return hist_refuse(text, word, HIST_ERR_VAR_MANY);
	ref = &h->refs[h->nr_refs];
	ref->var = var;
	rcu_assign_pointer(ref->of, of);
	if (of)
		list_add(&ref->node, &of->asked);
	return h->nr_refs++;
}

int hist_ref_parse(const struct hist_text *text, char *word, bool *usecs)
{
	char *whole __free(kfree) = kstrdup(word, GFP_KERNEL), *rest = whole;
	struct asked a = { .tr = text->h->t.tr, .name = strchr(word, '$') + 1 };
	struct hist *of;
	int var;

	if (!whole)
		return -ENOMEM;
	if (*word != '$') {
		a.system = strsep(&rest, ".");
		a.event = strsep(&rest, ".");
	}
	of = *word == '$' || (rest && *rest == '$') ? find(&a, &var) : NULL;
	if (IS_ERR(of) && !text->remove)
		return hist_refuse(text, a.name, HIST_ERR_VAR_MANY_OF);
	if (IS_ERR(of))
		of = NULL;
	if (!of && text->remove)
		return add_ref(text, NULL, 0, word);
	if (!of)
		return hist_refuse(text, a.name, HIST_ERR_VAR_NONE);
	*usecs = of->vars[var].usecs;
	return add_ref(text, of, var, word);
}

/* ------------------------------------------------------------------ */
/* Noted								*/

static int parse_var(const struct hist_text *text, char *name, char *value)
{
	struct hist *h = text->h;
	struct hist_var *var;
	int err;

	if (h->nr_vars == HIST_VARS_MAX)
		return hist_refuse(text, name, HIST_ERR_VAR_MANY);
	if (var_named(h, name) >= 0)
		return hist_refuse(text, name, HIST_ERR_VAR_TWICE);
	var = &h->vars[h->nr_vars++];
	var->at = name;
	var->name = kstrdup(name, GFP_KERNEL);
	if (!var->name)
		return -ENOMEM;
	err = hist_value_parse(text, value, HIST_FOR_VARS, &var->value);
	if (err)
		return err;
	var->usecs = var->value.expr ? var->value.expr->usecs : var->value.as == HIST_USECS;
	return 0;
}

/* A field alone can stand for it: neither calculated nor a variable itself. */
static bool is_field_alone(const char *value, size_t len)
{
	if (!len || isdigit(*value))
		return false;
	for (size_t i = 0; i < len; i++)
		if (strchr("$+*/-", value[i]) && strncmp(value + i, "-offset", 7))
			return false;
	return true;
}

/* In ``NAME=VALUE,...`` */
static char *value_in(const char *words, const char *name)
{
	size_t len = strlen(name), end;

	for (;; words += end + 1) {
		end = strcspn(words, ",");
		if (!strncmp(words, name, len) && words[len] == '=' &&
		    is_field_alone(words + len + 1, end - len - 1))
			return kstrndup(words + len + 1, end - len - 1, GFP_KERNEL);
		if (!words[end])
			return NULL;
	}
}

char *hist_own_value(const struct hist_text *text, const char *word)
{
	char *value = NULL;

	for (unsigned int i = 0; *word == '$' && !value && i < text->nr_own; i++)
		value = value_in(text->own[i], word + 1);
	return value;
}

int hist_vars_parse(const struct hist_text *text, char *words)
{
	char *name, *value;
	int err = 0;

	while (!err && (name = strsep(&words, ","))) {
		value = name;
		strsep(&value, "=");
		err = value ? parse_var(text, name, value) :
			      hist_refuse(text, name, HIST_ERR_ASSIGNMENT);
	}
	return err;
}

/* ------------------------------------------------------------------ */
/* Come and gone							*/

bool hist_vars_twice(const struct hist *h, const char **at)
{
	const struct hist *other;

	list_for_each_entry(other, &with_vars, with_vars) {
		for (unsigned int i = 0; other->file == h->file && i < h->nr_vars; i++) {
			*at = h->vars[i].at;
			if (var_named(other, h->vars[i].name) >= 0)
				return true;
		}
	}
	return false;
}

void hist_vars_come(struct hist *h)
{
	if (h->nr_vars)
		list_add_tail(&h->with_vars, &with_vars);
}

void hist_vars_leave(struct hist *h)
{
	struct hist_ref *ref, *next;

	lockdep_assert_held(&events_lock);
	if (h->nr_vars)
		list_del_init(&h->with_vars);
	list_for_each_entry_safe(ref, next, &h->asked, node) {
		RCU_INIT_POINTER(ref->of, NULL);
		list_del_init(&ref->node);
	}
}

void hist_refs_leave(struct hist *h)
{
	lockdep_assert_held(&events_lock);
	for (unsigned int i = 0; i < h->nr_refs; i++)
		if (rcu_access_pointer(h->refs[i].of))
			list_del(&h->refs[i].node);
}

void hist_vars_free(struct hist *h)
{
	for (unsigned int i = 0; i < h->nr_vars; i++) {
		kfree(h->vars[i].name);
		hist_field_free(&h->vars[i].value);
	}
}
