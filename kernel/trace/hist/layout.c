// SPDX-License-Identifier: GPL-2.0
/* Assigning the words of a row to variables and actions: see layout.h. */
#include "action.h"
#include "fields.h"
#include "internal.h"
#include "layout.h"
#include "vars.h"

/* Number of words of a row that a field takes. */
static unsigned int count_field_words(const struct hist_field *f)
{
	return f->len / sizeof(u64);
}

/* True if a parameter is kept in the row. */
static bool param_has_slot(const struct hist_action *a, unsigned int param)
{
	return a->what == HIST_SAVE || a->params[param].value.source == HIST_STACK;
}

/* Variables from word @at on, and the mark of those that are set. Return: the end. */
static unsigned int lay_out_vars(struct hist *h, unsigned int at)
{
	for (unsigned int i = 0; i < h->nr_vars; i++) {
		h->vars[i].slot = at;
		at += count_field_words(&h->vars[i].value);
	}
	h->mark_slot = at;
	return at + !!h->nr_vars;
}

/* The tracked value of an action from word @at on, and its parameters. Return: the end. */
static unsigned int lay_out_action(struct hist_action *a, unsigned int at)
{
	a->slot = at;
	at += a->handler != HIST_ON_MATCH;
	for (unsigned int i = 0; i < a->nr_params; i++) {
		if (!param_has_slot(a, i))
			continue;
		a->params[i].slot = at;
		at += count_field_words(&a->params[i].value);
	}
	return at;
}

void hist_lay_out(struct hist *h)
{
	h->nr_words = lay_out_vars(h, h->nr_vals);
	for (unsigned int i = 0; i < h->nr_actions; i++)
		h->nr_words = lay_out_action(h->actions[i], h->nr_words);
}

static bool same_vars_layout(const struct hist *a, const struct hist *b)
{
	for (unsigned int i = 0; i < a->nr_vars; i++)
		if (a->vars[i].slot != b->vars[i].slot)
			return false;
	return a->mark_slot == b->mark_slot;
}

static bool same_action_layout(const struct hist_action *a, const struct hist_action *b)
{
	for (unsigned int i = 0; i < a->nr_params; i++)
		if (param_has_slot(a, i) != param_has_slot(b, i) ||
		    a->params[i].slot != b->params[i].slot ||
		    a->params[i].kind != b->params[i].kind ||
		    a->params[i].value.len != b->params[i].value.len)
			return false;
	return true;
}

bool hist_layouts_equal(const struct hist *a, const struct hist *b)
{
	if (a->nr_words != b->nr_words || !same_vars_layout(a, b))
		return false;
	for (unsigned int i = 0; i < a->nr_actions; i++)
		if (!same_action_layout(a->actions[i], b->actions[i]))
			return false;
	return true;
}
