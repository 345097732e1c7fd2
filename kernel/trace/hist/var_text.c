// SPDX-License-Identifier: GPL-2.0
/*
 * Parsing of assignments to variables of histograms: ``NAME=VALUE,...``.
 */
#include <linux/errno.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "errors.h"
#include "expr.h"
#include "fields.h"
#include "internal.h"
#include "modifier.h"
#include "text.h"
#include "vars.h"

/* Copy the type of the value, as a variable that it refers to may be withdrawn. */
static int set_var_type(const struct hist *h, struct hist_var *var)
{
	struct hist_type type = hist_type_of(h, &var->value);

	if (type.name) {
		type.name = kstrdup(type.name, GFP_KERNEL);
		if (!type.name)
			return -ENOMEM;
	}
	var->type = type;
	return 0;
}

/* True if a reference $NAME can be parsed: no blank, no $ and no operator is in it. */
static bool is_var_name(const char *name)
{
	return *name && !name[strcspn(name, " \t\n$+-*/")];
}

static int parse_var(struct hist_text *text, char *name, char *value)
{
	struct hist *h = text->h;
	struct hist_var *var;
	int err;

	if (!is_var_name(name))
		return cmd_refuse(&text->cmd, name, HIST_ERR_VAR_NAME);
	if (h->nr_vars == HIST_VARS_MAX)
		return cmd_refuse(&text->cmd, name, HIST_ERR_VAR_MANY);
	if (hist_var_find(h, name) >= 0)
		return cmd_refuse(&text->cmd, name, HIST_ERR_VAR_TWICE);
	text->var_at[h->nr_vars] = name;
	var = &h->vars[h->nr_vars++];
	var->name = kstrdup(name, GFP_KERNEL);
	if (!var->name)
		return -ENOMEM;
	err = hist_value_parse(text, value, HIST_FOR_VARS, &var->value);
	if (err)
		return err;
	var->usecs = var->value.source == HIST_EXPR ? var->value.expr->usecs :
						      hist_in_usecs(&var->value);
	return set_var_type(h, var);
}

int hist_vars_parse(struct hist_text *text, char *words)
{
	char *name, *value;
	int err = 0;

	while (!err && (name = strsep(&words, ","))) {
		value = name;
		strsep(&value, "=");
		err = value ? parse_var(text, name, value) :
			      cmd_refuse(&text->cmd, name, HIST_ERR_ASSIGNMENT);
	}
	return err;
}
