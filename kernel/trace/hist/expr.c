// SPDX-License-Identifier: GPL-2.0
/*
 * What is calculated of fields and variables: ``A + B * C``, from the left to the right, * and /
 * first, and ``-(A)`` of all of it.
 *
 * It becomes steps on a stack of numbers, operands before their operator; numbers that are
 * known become one at once.
 */
#include <linux/cleanup.h>
#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/kstrtox.h>
#include <linux/math64.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "internal.h"

/**
 * struct calculating - a calculation that is being understood
 * @text: what it is part of
 * @expr: what comes of it
 * @operators: how many there have been
 */
struct calculating {
	const struct hist_text	*text;
	struct hist_expr	*expr;
	unsigned int		operators;
};

static int parse(struct calculating *c, char *word, bool *usecs);

/* ------------------------------------------------------------------ */
/* Steps								*/

static void add_step(struct hist_expr *expr, u8 what, unsigned int index)
{
	expr->steps[expr->nr_steps++] = (struct hist_step){ .what = what, .index = index };
}

static void add_number(struct hist_expr *expr, u64 number)
{
	expr->steps[expr->nr_steps++] = (struct hist_step){ .what = HIST_NUMBER,
							    .number = number };
}

u64 hist_calculate(u8 what, u64 a, u64 b)
{
	switch (what) {
	case HIST_PLUS:
		return a + b;
	case HIST_MINUS:
		return a - b;
	case HIST_TIMES:
		return a * b;
	default:
		/* As the kernel's histograms have it. */
		return b ? div64_u64(a, b) : U64_MAX;
	}
}

static bool is_number(const struct hist_expr *expr, unsigned int from, unsigned int to)
{
	return to == from + 1 && expr->steps[from].what == HIST_NUMBER;
}

/* The steps of both operands are there, from @first and from @second on. */
static void add_operator(struct hist_expr *expr, u8 what, unsigned int first,
			 unsigned int second)
{
	u64 a = expr->steps[first].number, b = expr->steps[second].number;

	if (!is_number(expr, first, second) || !is_number(expr, second, expr->nr_steps)) {
		add_step(expr, what, 0);
		return;
	}
	expr->nr_steps = first;
	add_number(expr, hist_calculate(what, a, b));
}

/* ------------------------------------------------------------------ */
/* Operands								*/

static int parse_number(struct calculating *c, const char *word)
{
	u64 number;

	if (kstrtou64(word, 0, &number))
		return hist_refuse(c->text, word, HIST_ERR_NUMBER);
	add_number(c->expr, number);
	return 0;
}

/* ``$NAME``, or ``SYSTEM.EVENT.$NAME`` */
static bool is_ref(const char *word)
{
	const char *dollar = strchr(word, '$');

	return dollar && (dollar == word || dollar[-1] == '.');
}

static int parse_ref(struct calculating *c, char *word, bool *usecs)
{
	int ref = hist_ref_parse(c->text, word, usecs);

	if (ref < 0)
		return ref;
	add_step(c->expr, HIST_REF, ref);
	return 0;
}

static int parse_field(struct calculating *c, char *word, bool *usecs)
{
	struct hist_expr *expr = c->expr;
	struct hist_field *f = &expr->fields[expr->nr_fields++];
	int err = hist_field_parse(c->text, word, HIST_FOR_OPERANDS, f);

	if (err)
		return err;
	*usecs = f->as == HIST_USECS;
	add_step(expr, HIST_FIELD, expr->nr_fields - 1);
	return 0;
}

static int parse_operand(struct calculating *c, char *word, bool *usecs)
{
	char *own __free(kfree) = hist_own_value(c->text, word);

	if (IS_ERR(own))
		return PTR_ERR(own);
	*usecs = false;
	if (isdigit(*word))
		return parse_number(c, word);
	return is_ref(word) && !own ? parse_ref(c, word, usecs) :
				      parse_field(c, own ?: word, usecs);
}

/* ------------------------------------------------------------------ */
/* Operators								*/

/* Not the one in a modifier. */
static bool is_operator(const char *word, const char *at)
{
	return *at != '-' || at - word < 4 || strncmp(at - 4, ".sym-offset", 11);
}

static char *last_of(char *word, const char *operators)
{
	for (char *at = word + strlen(word); at-- > word; )
		if (strchr(operators, *at) && is_operator(word, at))
			return at;
	return NULL;
}

/* What is done last: to the left of it, and to the right, is what it is done to. */
static char *find_operator(char *word)
{
	return last_of(word, "+-") ?: last_of(word, "*/");
}

static u8 step_of(char operator)
{
	switch (operator) {
	case '+':
		return HIST_PLUS;
	case '-':
		return HIST_MINUS;
	case '*':
		return HIST_TIMES;
	default:
		return HIST_BY;
	}
}

static const struct hist_var *var_of(const struct calculating *c, const struct hist_step *step)
{
	return step->what == HIST_REF ? hist_ref_var(c->text->h, step->index) : NULL;
}

static bool is_text(const struct hist_var *var)
{
	return var && !hist_is_number(&var->value);
}

/* What is calculated with is a number, and it is so once. */
static int take_operand(struct calculating *c, const char *word, unsigned int from,
			unsigned int to)
{
	const struct hist_step *step = &c->expr->steps[from];

	if (to != from + 1 || step->what != HIST_REF)
		return 0;
	c->text->h->refs[step->index].once = true;
	return is_text(var_of(c, step)) ? hist_refuse(c->text, word, HIST_ERR_TEXT_OPERAND) : 0;
}

/* All of it: another minus is in the parentheses, or there is none. */
static bool is_negated(const char *word)
{
	return strrchr(word, '-') == word ||
	       (strstarts(word, "-(") && word[strlen(word) - 1] == ')');
}

/* ``-(...)`` */
static int parse_negated(struct calculating *c, char *word, bool *usecs)
{
	unsigned int first;
	char *end;
	int err;

	if (word[1] != '(')
		return hist_refuse(c->text, word, HIST_ERR_NEGATED);
	word += 2;
	end = strrchr(word, ')');
	if (!end || end[1])
		return hist_refuse(c->text, word, HIST_ERR_NEGATED);
	*end = '\0';
	c->operators++;
	first = c->expr->nr_steps;
	err = parse(c, word, usecs) ?: take_operand(c, word, first, c->expr->nr_steps);
	if (!err)
		add_step(c->expr, HIST_NEGATE, 0);
	return err;
}

static int parse_both(struct calculating *c, char *left, char *right, u8 what, bool *usecs)
{
	unsigned int first = c->expr->nr_steps, second;
	bool others;
	int err = parse(c, left, usecs);

	second = c->expr->nr_steps;
	err = err ?: parse(c, right, &others);
	err = err ?: take_operand(c, left, first, second) ?:
	      take_operand(c, right, second, c->expr->nr_steps);
	if (err)
		return err;
	if (*usecs != others && !c->text->remove)
		return hist_refuse(c->text, NULL, HIST_ERR_UNITS);
	if (what == HIST_BY && is_number(c->expr, second, c->expr->nr_steps) &&
	    !c->expr->steps[second].number) {
		hist_refuse(c->text, right, HIST_ERR_BY_ZERO);
		return -EDOM;
	}
	add_operator(c->expr, what, first, second);
	return 0;
}

static int parse(struct calculating *c, char *word, bool *usecs)
{
	char *at = find_operator(word);
	u8 what;

	if (c->operators > HIST_OPERATORS_MAX)
		return hist_refuse(c->text, word, HIST_ERR_OPERATORS);
	if (!at)
		return parse_operand(c, word, usecs);
	if (is_negated(word))
		return parse_negated(c, word, usecs);
	if (at == word || !at[1])
		return hist_refuse(c->text, at, HIST_ERR_OPERAND);
	c->operators++;
	what = step_of(*at);
	*at = '\0';
	return parse_both(c, word, at + 1, what, usecs);
}

/* ------------------------------------------------------------------ */
/* All of it								*/

static int calculate(const struct hist_text *text, char *word, struct hist_field *f)
{
	struct calculating c = { .text = text, .expr = f->expr };

	return parse(&c, word, &f->expr->usecs);
}

/* Negative ones come first if the first operand has some. */
static void sign_expr(struct hist_field *f)
{
	f->is_signed = f->expr->steps[0].what == HIST_FIELD && f->expr->fields[0].is_signed;
}

/* A number that is known is shown as what it is. */
static int name_expr(struct hist_field *f)
{
	sign_expr(f);
	if (!is_number(f->expr, 0, f->expr->nr_steps))
		return 0;
	kfree(f->name);
	f->name = kasprintf(GFP_KERNEL, "%llu", f->expr->steps[0].number);
	return f->name ? 0 : -ENOMEM;
}

/* A variable of another histogram alone may be no number. */
static int take_text(const struct hist_text *text, const char *word, unsigned int whom,
		     struct hist_field *f)
{
	const struct hist_step *step = &f->expr->steps[0];
	const struct hist_var *var = NULL;

	if (f->expr->nr_steps == 1 && step->what == HIST_REF)
		var = hist_ref_var(text->h, step->index);
	if (!is_text(var))
		return 0;
	if (!(whom & (HIST_FOR_VARS | HIST_FOR_PARAMS)))
		return hist_refuse(text, word, HIST_ERR_KIND);
	f->source = HIST_REF_TEXT;
	f->offset = step->index;
	f->len = var->value.len;
	return 0;
}

int hist_value_parse(const struct hist_text *text, char *word, unsigned int whom,
		     struct hist_field *f)
{
	char *own __free(kfree) = hist_own_value(text, word);

	if (IS_ERR(own))
		return PTR_ERR(own);
	if (own || (!find_operator(word) && !is_ref(word) && !isdigit(*word)))
		return hist_field_parse(text, own ?: word, whom, f);
	f->is_ref = *word == '$' && !find_operator(word);
	f->name = kstrdup(word + f->is_ref, GFP_KERNEL);
	f->expr = kzalloc(sizeof(*f->expr), GFP_KERNEL);
	if (!f->name || !f->expr)
		return -ENOMEM;
	f->source = HIST_EXPR;
	f->len = sizeof(u64);
	return calculate(text, word, f) ?: take_text(text, word, whom, f) ?: name_expr(f);
}
