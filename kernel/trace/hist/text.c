// SPDX-License-Identifier: GPL-2.0
/*
 * Parsing of a histogram's text: ``hist:keys=FIELD[,...][:vals=...][:sort=...][:size=N]...``.
 */
#include <linux/array_size.h>
#include <linux/errno.h>
#include <linux/kstrtox.h>
#include <linux/log2.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "action.h"
#include "errors.h"
#include "expr.h"
#include "fields.h"
#include "internal.h"
#include "modifier.h"
#include "text.h"
#include "vars.h"

/* ------------------------------------------------------------------ */
/* Parameters								*/

/**
 * struct hist_params - parameters of a text, collected before they are parsed
 * @keys: text behind keys=, or NULL
 * @vals: text behind vals=, or NULL
 * @sort: text behind sort=, or NULL
 * @vars: texts that assign variables: ``NAME=VALUE[,...]``
 * @nr_vars: number of @vars
 * @actions: texts of actions: ``HANDLER(...).ACTION(...)``
 * @nr_actions: number of @actions
 */
struct hist_params {
	char		*keys;
	char		*vals;
	char		*sort;
	char		*vars[HIST_VARS_MAX];
	unsigned int	nr_vars;
	char		*actions[HIST_ACTIONS_MAX];
	unsigned int	nr_actions;
};

static int take_size(const struct hist_text *text, const char *value)
{
	unsigned long size;

	if (kstrtoul(value, 0, &size) || !size || size > TABLE_ROWS_MAX ||
	    roundup_pow_of_two(size) < HIST_ROWS_MIN)
		return cmd_refuse(&text->cmd, value, HIST_ERR_SIZE);
	text->h->max_rows = roundup_pow_of_two(size);
	return 0;
}

static int take_name(struct hist_text *text, const char *at, const char *value)
{
	text->name_at = at;
	return hist_replace_text(&text->h->name, value);
}

/* @c may be NULL. */
static bool matches_word(const char *word, const char *a, const char *b, const char *c)
{
	return !strcmp(word, a) || !strcmp(word, b) || (c && !strcmp(word, c));
}

/* An unknown ``NAME=VALUE`` assigns a variable: put the = back that has been cut off. */
static int take_var(const struct hist_text *text, char *name, char *value, struct hist_params *p)
{
	if (p->nr_vars == HIST_VARS_MAX)
		return cmd_refuse(&text->cmd, name, HIST_ERR_VAR_MANY);
	value[-1] = '=';
	p->vars[p->nr_vars++] = name;
	return 0;
}

/* Take a parameter ``NAME=VALUE``. */
static int take_assignment(struct hist_text *text, char *name, char *value,
			   struct hist_params *p)
{
	if (!*value)
		return cmd_refuse(&text->cmd, name, HIST_ERR_EMPTY);
	if (matches_word(name, "keys", "key", NULL))
		p->keys = value;
	else if (matches_word(name, "values", "vals", "val"))
		p->vals = value;
	else if (!strcmp(name, "sort"))
		p->sort = value;
	else if (!strcmp(name, "size"))
		return take_size(text, value);
	else if (!strcmp(name, "name"))
		return take_name(text, name, value);
	else if (!strcmp(name, "clock"))
		return hist_replace_text(&text->h->clock, strim(value));
	else
		return take_var(text, name, value, p);
	return 0;
}

/* Take a parameter without a value. */
static int take_flag(struct hist_text *text, const char *word)
{
	if (matches_word(word, "nohitcount", "NOHC", NULL))
		text->h->no_hits = true;
	else if (!strcmp(word, "pause"))
		text->pause = true;
	else if (matches_word(word, "cont", "continue", NULL))
		text->cont = true;
	else if (!strcmp(word, "clear"))
		text->clear = true;
	else
		return cmd_refuse(&text->cmd, word, HIST_ERR_WORD);
	return 0;
}

static int take_action(const struct hist_text *text, char *word, struct hist_params *p)
{
	if (p->nr_actions == HIST_ACTIONS_MAX)
		return cmd_refuse(&text->cmd, word, HIST_ERR_MANY_ACTIONS);
	p->actions[p->nr_actions++] = word;
	return 0;
}

static int take_param(struct hist_text *text, char *word, struct hist_params *p)
{
	char *name, *value = word;

	if (hist_is_action(word))
		return take_action(text, word, p);
	name = strsep(&value, "=");
	return value ? take_assignment(text, name, value, p) : take_flag(text, name);
}

static int take_params(struct hist_text *text, char *words, struct hist_params *p)
{
	char *word;
	int err = 0;

	while (!err && (word = strsep(&words, ":")))
		err = take_param(text, word, p);
	if (!err && !p->keys)
		err = cmd_refuse(&text->cmd, NULL, HIST_ERR_NO_KEYS);
	return err;
}

/* ------------------------------------------------------------------ */
/* Keys and values							*/

static int parse_keys(const struct hist_text *text, char *words)
{
	struct hist *h = text->h;
	struct hist_field *f;
	char *word;
	int err;

	while ((word = strsep(&words, ","))) {
		if (h->nr_keys == HIST_KEYS_MAX)
			return cmd_refuse(&text->cmd, word, HIST_ERR_MANY_KEYS);
		f = &h->keys[h->nr_keys++];
		err = hist_value_parse(text, word, HIST_FOR_KEYS, f);
		if (err)
			return err;
		if (h->nr_refs)
			return cmd_refuse(&text->cmd, word, HIST_ERR_REF_KEY);
		f->at = h->key_size;
		h->key_size += f->len;
		if (h->key_size > HIST_KEY_MAX)
			return cmd_refuse(&text->cmd, word, HIST_ERR_KEY_SIZE);
	}
	return 0;
}

/* Hits are always counted: the first plain ``hitcount`` is no value of its own. */
static int parse_vals(const struct hist_text *text, char *words)
{
	struct hist *h = text->h;
	bool hits = false;
	char *word;
	int err;

	while ((word = strsep(&words, ","))) {
		if (!strcmp(word, "hitcount") && !hits) {
			hits = true;
			continue;
		}
		if (h->nr_vals == HIST_VALS_MAX)
			return cmd_refuse(&text->cmd, word, HIST_ERR_MANY_VALS);
		err = hist_value_parse(text, word, HIST_FOR_VALS, &h->vals[h->nr_vals++]);
		if (err)
			return err;
	}
	if (!h->no_hits || h->nr_vals)
		return 0;
	cmd_refuse(&text->cmd, NULL, HIST_ERR_NO_VALUE);
	return -ENOENT;
}

/* ------------------------------------------------------------------ */
/* Sort criteria							*/

/* True if @word, from behind the name of a field, is the field's modifier as it is shown. */
static bool is_shown_modifier(const struct hist_field *f, const char *word)
{
	size_t len = f->as ? strlen(f->as->name) : 0;

	if (!len || *word++ != '.' || strncmp(word, f->as->name, len))
		return false;
	word += len;
	if (f->as->takes_width && *word == '=')
		word += 1 + strspn(word + 1, "0123456789");
	if (f->percentile && !strcmp(word, ".percentile"))
		word += strlen(word);
	return !*word;
}

/* True if @word names a field, with its modifier or without. */
static bool is_field_named(const struct hist_text *text, const struct hist_field *f,
			   const char *word)
{
	size_t len = strlen(f->name);

	if (strncmp(f->name, word, len))
		len = hist_other_name(text->file, f, word);
	return len && (!word[len] || is_shown_modifier(f, word + len));
}

static const struct hist_field *find_sort_field(const struct hist_text *text, const char *word)
{
	const struct hist *h = text->h;

	for (unsigned int i = 0; i < h->nr_vals; i++)
		if (is_field_named(text, &h->vals[i], word))
			return &h->vals[i];
	for (unsigned int i = 0; i < h->nr_keys; i++)
		if (is_field_named(text, &h->keys[i], word))
			return &h->keys[i];
	return NULL;
}

/* Cut ``.descending`` or ``.ascending`` off. Return: true for ``.descending``. */
static bool take_sort_order(char *word)
{
	char *order = strrchr(word, '.');
	bool descending = order && !strcmp(order, ".descending");

	if (descending || (order && !strcmp(order, ".ascending")))
		*order = '\0';
	return descending;
}

/* Log whether the modifier or the field itself of a sort criterion is wrong. */
static int refuse_sort_field(const struct hist_text *text, char *word)
{
	char *modifier = word, *name = strsep(&modifier, ".");

	if (modifier && (!strcmp(name, "hitcount") || find_sort_field(text, name)))
		return cmd_refuse(&text->cmd, modifier, HIST_ERR_SORT_MODIFIER);
	return cmd_refuse(&text->cmd, name, HIST_ERR_SORT_FIELD);
}

/* Log an error that is shown at the start of the parameter sort=. */
static int refuse_sort(const struct hist_text *text, const struct hist_params *p, const char *error)
{
	return cmd_refuse(&text->cmd, p->sort - strlen("sort="), error);
}

static int parse_sort(const struct hist_text *text, char *word, const struct hist_params *p)
{
	struct hist *h = text->h;
	struct hist_sort *sort = &h->sorts[h->nr_sorts++];

	if (!*word || *word == '.')
		return refuse_sort(text, p, HIST_ERR_SORT_EMPTY);
	sort->descending = take_sort_order(word);
	if (!strcmp(word, "hitcount"))
		return 0;
	sort->by = find_sort_field(text, word);
	return sort->by ? 0 : refuse_sort_field(text, word);
}

static int parse_sorts(const struct hist_text *text, const struct hist_params *p)
{
	char *words = p->sort, *word;
	int err = 0;

	while (!err && (word = strsep(&words, ","))) {
		if (text->h->nr_sorts + 1 == HIST_SORTS_MAX && words)
			return refuse_sort(text, p, HIST_ERR_SORT_MANY);
		err = parse_sort(text, word, p);
	}
	if (!p->sort)
		text->h->nr_sorts = 1;
	return err;
}

/* Parsing cuts the assignments into pieces: keep copies for hist_own_value(). */
static int copy_assignments(struct hist_text *text, const struct hist_params *p)
{
	text->own = kcalloc(p->nr_vars, sizeof(*text->own), GFP_KERNEL);
	if (!text->own)
		return -ENOMEM;
	for (unsigned int i = 0; i < p->nr_vars; i++) {
		text->own[i] = kstrdup(p->vars[i], GFP_KERNEL);
		if (!text->own[i])
			return -ENOMEM;
		text->nr_own++;
	}
	return 0;
}

static void free_assignments(struct hist_text *text)
{
	for (unsigned int i = 0; i < text->nr_own; i++)
		kfree(text->own[i]);
	kfree(text->own);
	text->own = NULL;
	text->nr_own = 0;
}

static int parse_var_params(struct hist_text *text, const struct hist_params *p)
{
	int err = 0;

	for (unsigned int i = 0; !err && i < p->nr_vars; i++)
		err = hist_vars_parse(text, p->vars[i]);
	return err;
}

static int parse_action_words(struct hist_text *text, const struct hist_params *p)
{
	int err = 0;

	for (unsigned int i = 0; !err && i < p->nr_actions; i++)
		err = hist_action_parse(text, p->actions[i]);
	return err;
}

static void prepare_fields(struct hist *h)
{
	for (unsigned int i = 0; i < h->nr_keys; i++)
		hist_prepare_field(h, &h->keys[i]);
	for (unsigned int i = 0; i < h->nr_vals; i++)
		hist_prepare_field(h, &h->vals[i]);
	for (unsigned int i = 0; i < h->nr_vars; i++)
		hist_prepare_field(h, &h->vars[i].value);
}

/* Actions come first, as variables are looked up in the events of onmatch() first. */
static int parse_params(struct hist_text *text, const struct hist_params *p)
{
	int err = parse_action_words(text, p);

	if (err)
		return err;
	err = parse_keys(text, p->keys);
	if (err)
		return err;
	err = parse_vals(text, p->vals);
	if (err)
		return err;
	err = parse_var_params(text, p);
	if (err)
		return err;
	return parse_sorts(text, p);
}

int hist_parse(struct hist_text *text, char *param)
{
	struct hist_params p = {};
	int err;

	text->h->max_rows = HIST_ROWS;
	err = take_params(text, param, &p);
	if (err)
		return err;
	err = copy_assignments(text, &p);
	if (err)
		goto free;
	err = parse_params(text, &p);
	if (err)
		goto free;
	prepare_fields(text->h);
free:
	free_assignments(text);
	return err;
}
