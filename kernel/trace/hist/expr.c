// SPDX-License-Identifier: GPL-2.0
/*
 * Expressions of fields, variables and numbers, such as ``A + B * C``. Operators of the same
 * precedence group from the left; * and / bind closer than + and -. Parentheses occur only in
 * ``-(A)`` around the whole expression.
 *
 * The parser emits steps in postfix order for a stack of numbers, and folds constants.
 */
#include <linux/cleanup.h>
#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/kstrtox.h>
#include <linux/math64.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "errors.h"
#include "expr.h"
#include "fields.h"
#include "internal.h"
#include "modifier.h"
#include "text.h"
#include "vars.h"

/**
 * struct expr_parser - state of the parser
 * @text: text of the trigger
 * @expr: steps that have been emitted
 * @operators: number of operators so far
 */
struct expr_parser {
	const struct hist_text	*text;
	struct hist_expr	*expr;
	unsigned int		operators;
};

static int parse_expr(struct expr_parser *c, char *word, bool *usecs);

/* ------------------------------------------------------------------ */
/* Steps								*/

static void add_expr_step(struct hist_expr *expr, u8 what, unsigned int index)
{
	expr->steps[expr->nr_steps++] = (struct hist_step){ .what = what, .index = index };
}

static void add_number_step(struct hist_expr *expr, u64 number)
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
	case HIST_MULTIPLY:
		return a * b;
	default:
		/* The result of a division by 0 is that of the stock kernel. */
		return b ? div64_u64(a, b) : U64_MAX;
	}
}

/* True if the steps from @from to before @to are a constant alone. */
static bool is_number_step(const struct hist_expr *expr, unsigned int from, unsigned int to)
{
	return to == from + 1 && expr->steps[from].what == HIST_NUMBER;
}

/*
 * Emit an operator behind the steps of its operands, which begin at @first and @second. An
 * operator with two constants is calculated here.
 */
static void add_operator_step(struct hist_expr *expr, u8 what, unsigned int first,
			      unsigned int second)
{
	u64 a = expr->steps[first].number, b = expr->steps[second].number;

	if (!is_number_step(expr, first, second) || !is_number_step(expr, second, expr->nr_steps)) {
		add_expr_step(expr, what, 0);
		return;
	}
	expr->nr_steps = first;
	add_number_step(expr, hist_calculate(what, a, b));
}

/* ------------------------------------------------------------------ */
/* Operands								*/

static int parse_number_operand(struct expr_parser *c, const char *word)
{
	u64 number;

	if (kstrtou64(word, 0, &number))
		return cmd_refuse(&c->text->cmd, word, HIST_ERR_NUMBER);
	add_number_step(c->expr, number);
	return 0;
}

/* True for ``$NAME`` and ``SYSTEM.EVENT.$NAME``. */
static bool is_var_ref(const char *word)
{
	const char *dollar = strchr(word, '$');

	return dollar && (dollar == word || dollar[-1] == '.');
}

static int parse_ref_operand(struct expr_parser *c, char *word, bool *usecs)
{
	int ref = hist_ref_parse(c->text, word, usecs);

	if (ref < 0)
		return ref;
	add_expr_step(c->expr, HIST_REF, ref);
	return 0;
}

static int parse_field_operand(struct expr_parser *c, char *word, bool *usecs)
{
	struct hist_expr *expr = c->expr;
	struct hist_field *f = &expr->fields[expr->nr_fields++];
	int err = hist_field_parse(c->text, word, HIST_FOR_OPERANDS, f);

	if (err)
		return err;
	*usecs = hist_in_usecs(f);
	add_expr_step(expr, HIST_FIELD, expr->nr_fields - 1);
	return 0;
}

static int parse_expr_operand(struct expr_parser *c, char *word, bool *usecs)
{
	char *own __free(kfree) = hist_own_value(c->text, word);

	if (IS_ERR(own))
		return PTR_ERR(own);
	*usecs = false;
	if (isdigit(*word))
		return parse_number_operand(c, word);
	return is_var_ref(word) && !own ? parse_ref_operand(c, word, usecs) :
					  parse_field_operand(c, own ?: word, usecs);
}

/* ------------------------------------------------------------------ */
/* Operators								*/

/* The - in the modifier .sym-offset is not an operator. */
static bool is_operator(const char *word, const char *at)
{
	return *at != '-' || at - word < 4 || strncmp(at - 4, ".sym-offset", 11);
}

static char *find_last_operator(char *word, const char *operators)
{
	for (char *at = word + strlen(word); at-- > word; )
		if (strchr(operators, *at) && is_operator(word, at))
			return at;
	return NULL;
}

/* Find the operator that is applied last: its operands are on its left and on its right. */
static char *find_top_operator(char *word)
{
	return find_last_operator(word, "+-") ?: find_last_operator(word, "*/");
}

static u8 operator_to_step(char operator)
{
	switch (operator) {
	case '+':
		return HIST_PLUS;
	case '-':
		return HIST_MINUS;
	case '*':
		return HIST_MULTIPLY;
	default:
		return HIST_DIVIDE;
	}
}

static const struct hist_var *get_ref_step_var(const struct expr_parser *c,
					       const struct hist_step *step)
{
	return step->what == HIST_REF ? hist_ref_var(c->text->h, step->index) : NULL;
}

static bool is_text_var(const struct hist_var *var)
{
	return var && !hist_is_number(&var->value);
}

/*
 * Check the operand whose steps go from @from to before @to. A variable that is an operand must
 * be a number, and each value of it is used only once.
 */
static int check_operand(struct expr_parser *c, const char *word, unsigned int from,
			 unsigned int to)
{
	const struct hist_step *step = &c->expr->steps[from];

	if (to != from + 1 || step->what != HIST_REF)
		return 0;
	c->text->h->refs[step->index].once = true;
	return is_text_var(get_ref_step_var(c, step)) ?
	       cmd_refuse(&c->text->cmd, word, HIST_ERR_TEXT_OPERAND) : 0;
}

/* True if a minus at the start negates the whole: it is the only one, or ``(...)`` follows. */
static bool is_negated_expr(const char *word)
{
	return strrchr(word, '-') == word ||
	       (strstarts(word, "-(") && word[strlen(word) - 1] == ')');
}

/* Parse ``-(...)``. */
static int parse_negated_expr(struct expr_parser *c, char *word, bool *usecs)
{
	unsigned int first;
	char *end;
	int err;

	if (word[1] != '(')
		return cmd_refuse(&c->text->cmd, word, HIST_ERR_NEGATED);
	word += 2;
	end = strrchr(word, ')');
	if (!end || end[1])
		return cmd_refuse(&c->text->cmd, word, HIST_ERR_NEGATED);
	*end = '\0';
	c->operators++;
	first = c->expr->nr_steps;
	err = parse_expr(c, word, usecs);
	if (err)
		return err;
	err = check_operand(c, word, first, c->expr->nr_steps);
	if (err)
		return err;
	add_expr_step(c->expr, HIST_NEGATE, 0);
	return 0;
}

static int parse_binary_expr(struct expr_parser *c, char *left, char *right, u8 what, bool *usecs)
{
	unsigned int first = c->expr->nr_steps, second;
	bool others;
	int err = parse_expr(c, left, usecs);

	if (err)
		return err;
	second = c->expr->nr_steps;
	err = parse_expr(c, right, &others);
	if (err)
		return err;
	err = check_operand(c, left, first, second);
	if (err)
		return err;
	err = check_operand(c, right, second, c->expr->nr_steps);
	if (err)
		return err;
	if (*usecs != others && !c->text->remove)
		return cmd_refuse(&c->text->cmd, NULL, HIST_ERR_UNITS);
	if (what == HIST_DIVIDE && is_number_step(c->expr, second, c->expr->nr_steps) &&
	    !c->expr->steps[second].number) {
		cmd_refuse(&c->text->cmd, right, HIST_ERR_BY_ZERO);
		return -EDOM;
	}
	add_operator_step(c->expr, what, first, second);
	return 0;
}

static int parse_expr(struct expr_parser *c, char *word, bool *usecs)
{
	char *at = find_top_operator(word);
	u8 what;

	if (c->operators > HIST_OPERATORS_MAX)
		return cmd_refuse(&c->text->cmd, word, HIST_ERR_OPERATORS);
	if (!at)
		return parse_expr_operand(c, word, usecs);
	if (is_negated_expr(word))
		return parse_negated_expr(c, word, usecs);
	if (at == word || !at[1])
		return cmd_refuse(&c->text->cmd, at, HIST_ERR_OPERAND);
	c->operators++;
	what = operator_to_step(*at);
	*at = '\0';
	return parse_binary_expr(c, word, at + 1, what, usecs);
}

/* ------------------------------------------------------------------ */
/* The value								*/

/* The result is signed if the first step pushes a signed field, which matters for sorting. */
static bool is_expr_signed(const struct hist_expr *expr)
{
	return expr->steps[0].what == HIST_FIELD && expr->fields[0].is_signed;
}

/* A constant expression is shown as its result. */
static int replace_constant_name(struct hist_field *f)
{
	if (!is_number_step(f->expr, 0, f->expr->nr_steps))
		return 0;
	kfree(f->name);
	f->name = kasprintf(GFP_KERNEL, "%llu", f->expr->steps[0].number);
	return f->name ? 0 : -ENOMEM;
}

/* The variable of another histogram that is all of an expression, or NULL. */
static const struct hist_var *get_only_ref(const struct hist_text *text,
					   const struct hist_expr *expr)
{
	return expr->nr_steps == 1 && expr->steps[0].what == HIST_REF ?
	       hist_ref_var(text->h, expr->steps[0].index) : NULL;
}

/*
 * Make a field whose expression is a single variable @var with text or a stack a HIST_REF_TEXT, as
 * expressions calculate numbers only.
 */
static int refer_to_text(const struct hist_text *text, const char *word, unsigned int whom,
			 struct hist_field *f, const struct hist_var *var)
{
	unsigned int ref = f->expr->steps[0].index;

	if (!(whom & (HIST_FOR_VARS | HIST_FOR_PARAMS)))
		return cmd_refuse(&text->cmd, word, HIST_ERR_KIND);
	kfree(f->expr);
	f->source = HIST_REF_TEXT;
	f->ref = ref;
	f->len = var->value.len;
	return 0;
}

static int parse_expr_value(const struct hist_text *text, char *word, unsigned int whom,
			    struct hist_field *f)
{
	struct expr_parser c = { .text = text, .expr = f->expr };
	const struct hist_var *var;
	int err = parse_expr(&c, word, &f->expr->usecs);

	if (err)
		return err;
	var = get_only_ref(text, f->expr);
	if (is_text_var(var))
		return refer_to_text(text, word, whom, f, var);
	f->is_signed = is_expr_signed(f->expr);
	return replace_constant_name(f);
}

int hist_value_parse(const struct hist_text *text, char *word, unsigned int whom,
		     struct hist_field *f)
{
	char *own __free(kfree) = hist_own_value(text, word);

	if (IS_ERR(own))
		return PTR_ERR(own);
	if (own || (!find_top_operator(word) && !is_var_ref(word) && !isdigit(*word)))
		return hist_field_parse(text, own ?: word, whom, f);
	f->is_ref = *word == '$' && !find_top_operator(word);
	f->source = HIST_EXPR;
	f->len = sizeof(u64);
	f->name = kstrdup(word + f->is_ref, GFP_KERNEL);
	f->expr = kzalloc(sizeof(*f->expr), GFP_KERNEL);
	if (!f->name || !f->expr)
		return -ENOMEM;
	return parse_expr_value(text, word, whom, f);
}
