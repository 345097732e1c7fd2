/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Expressions of histograms, such as ``A + B * C``: the value of a field whose source is HIST_EXPR.
 * expr.c parses the text into steps in postfix order, which value.c evaluates at each hit.
 */
#ifndef _KERNEL_TRACE_HIST_EXPR_H
#define _KERNEL_TRACE_HIST_EXPR_H

#include <linux/types.h>

#include "fields.h"

struct hist_text;

/* Maximum number of operators of an expression, as in the stock kernel. */
#define HIST_OPERATORS_MAX	3

/*
 * A step of an expression, which works on a stack of numbers. The order matters to
 * evaluate_expr(): those before HIST_PLUS push a number, those from HIST_PLUS on are operators.
 */
enum hist_step_what {
	HIST_NUMBER,	/* push a constant */
	HIST_FIELD,	/* push a field of the event */
	HIST_REF,	/* push another histogram's variable */
	HIST_PLUS,	/* replace the top two numbers by their sum */
	HIST_MINUS,	/* replace the top two numbers by their difference */
	HIST_MULTIPLY,	/* replace the top two numbers by their product */
	HIST_DIVIDE,	/* replace the top two numbers by their quotient */
	HIST_NEGATE,	/* negate the top number */
};

/**
 * struct hist_step - a step of an expression
 * @what: enum hist_step_what
 * @number: HIST_NUMBER: the constant
 * @index: HIST_FIELD: index in &hist_expr.fields; HIST_REF: index in &hist.refs
 */
struct hist_step {
	u8		what;
	union {
		u64	number;
		unsigned int index;
	};
};

/* Maximum number of steps of an expression: operands, operators, and a negation of the whole. */
#define HIST_OPERANDS_MAX	(HIST_OPERATORS_MAX + 1)
#define HIST_STEPS_MAX		(HIST_OPERANDS_MAX + HIST_OPERATORS_MAX + 1)

/**
 * struct hist_expr - an expression in postfix order
 * @nr_steps: number of @steps
 * @nr_fields: number of @fields
 * @usecs: the result is a time in microseconds
 * @steps: the steps, operands before their operator
 * @fields: fields of the event that HIST_FIELD steps push
 */
struct hist_expr {
	unsigned int		nr_steps;
	unsigned int		nr_fields;
	bool			usecs;
	struct hist_step	steps[HIST_STEPS_MAX];
	struct hist_field	fields[HIST_OPERANDS_MAX];
};

/**
 * hist_calculate - apply an operator
 * @what: HIST_PLUS, HIST_MINUS, HIST_MULTIPLY or HIST_DIVIDE
 * @a: left operand
 * @b: right operand
 *
 * Context: any, NMI included.
 * Return: the result; U64_MAX for a division by 0.
 */
u64 hist_calculate(u8 what, u64 a, u64 b);

/**
 * hist_value_parse - parse a field or an expression
 * @text: text of the trigger
 * @word: the field or expression; it is cut into words
 * @whom: HIST_FOR_*: how the value is used
 * @f: filled in, except for &hist_field.at
 *
 * Context: may sleep; events_lock is held.
 * Return: 0; -EINVAL, logged; -EDOM, logged, for a division by 0; -ENOMEM. In any case @f needs
 * hist_field_free().
 */
int hist_value_parse(const struct hist_text *text, char *word, unsigned int whom,
		     struct hist_field *f);

#endif /* _KERNEL_TRACE_HIST_EXPR_H */
