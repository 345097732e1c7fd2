/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The text of a histogram trigger, from its parsing until the histogram is attached, and the errors
 * in it. text.c logs them, and divides the text into the parts that fields.c, expr.c, vars.c and
 * action_text.c parse.
 */
#ifndef _KERNEL_TRACE_HIST_TEXT_H
#define _KERNEL_TRACE_HIST_TEXT_H

#include <linux/types.h>

#include "vars.h"

struct hist;
struct trace_event_file;

/* Errors in the text of a trigger. Their messages are in text.c. */
enum {
	HIST_ERR_MODIFIER, HIST_ERR_EXISTS, HIST_ERR_NOT_THERE, HIST_ERR_NAMED,
	HIST_ERR_CLOCK, HIST_ERR_FIELD, HIST_ERR_EMPTY, HIST_ERR_SORT_MODIFIER,
	HIST_ERR_SORT_EMPTY, HIST_ERR_SORT_MANY, HIST_ERR_SORT_FIELD, HIST_ERR_NO_VALUE,
	HIST_ERR_WORD, HIST_ERR_NO_KEYS, HIST_ERR_MANY_KEYS, HIST_ERR_MANY_VALS,
	HIST_ERR_KEY_SIZE, HIST_ERR_SIZE, HIST_ERR_KIND, HIST_ERR_VAR_TWICE,
	HIST_ERR_VAR_MANY, HIST_ERR_VAR_MANY_OF, HIST_ERR_VAR_NONE, HIST_ERR_VAR_NAME,
	HIST_ERR_ASSIGNMENT,
	HIST_ERR_REF_KEY, HIST_ERR_OPERATORS, HIST_ERR_OPERAND, HIST_ERR_UNITS,
	HIST_ERR_NUMBER, HIST_ERR_NEGATED, HIST_ERR_BY_ZERO, HIST_ERR_TEXT_OPERAND,
	HIST_ERR_NO_ACTION, HIST_ERR_NO_PAREN, HIST_ERR_NO_SYSTEM, HIST_ERR_EVENT,
	HIST_ERR_HANDLER, HIST_ERR_MANY_ACTIONS, HIST_ERR_MANY_SAVES, HIST_ERR_NO_PARAMS,
	HIST_ERR_MANY_PARAMS, HIST_ERR_EMPTY_PARAM, HIST_ERR_PARAM, HIST_ERR_NO_SYNTH,
	HIST_ERR_SYNTH_TYPE, HIST_ERR_SYNTH_COUNT, HIST_ERR_ON_WHAT, HIST_ERR_ON_NONE,
	HIST_ERR_NO_HIST, HIST_ERR_MAKE_HIST,
	NR_HIST_ERRORS
};

/**
 * struct hist_text - the text of a trigger while it is being written
 * @h: histogram that the text describes
 * @file: event in the instance that it is written to
 * @remove: the text removes the histogram
 * @own: copies of the assignments to variables in the text, until hist_parse() returns; then NULL
 * @nr_own: number of @own
 * @whole: unchanged copy of the text, from "hist" on
 * @text: the text itself, which parsing cuts into words; positions of errors are relative to it
 * @instead: position in @text that errors report if the words being parsed are a copy; or NULL
 * @name_at: position of &hist.name in @text
 * @var_at: position in @text of the name of each &hist.vars
 * @pause: the text asks to pause, or to start paused
 * @cont: the text asks to continue
 * @clear: the text asks to clear the counts
 */
struct hist_text {
	struct hist			*h;
	const struct trace_event_file	*file;
	bool				remove;
	char				**own;
	unsigned int			nr_own;
	const char			*whole;
	const char			*text;
	const char			*instead;
	const char			*name_at;
	const char			*var_at[HIST_VARS_MAX];
	bool				pause;
	bool				cont;
	bool				clear;
};

/**
 * hist_refuse - log an error in the text of a trigger
 * @text: the text
 * @at: position of the error in @text->text, or NULL for its start
 * @what: HIST_ERR_*
 *
 * Context: may sleep.
 * Return: -EINVAL.
 */
int hist_refuse(const struct hist_text *text, const char *at, u8 what);

/**
 * hist_parse - parse the text of a trigger behind "hist:"
 * @text: the text; @text->h is filled in
 * @param: part of @text->text behind "hist:"; it is cut into words
 *
 * Context: may sleep; events_lock is held.
 * Return: 0; -EINVAL, -EDOM or -ENOENT, logged; -ENOMEM.
 */
int hist_parse(struct hist_text *text, char *param);

#endif /* _KERNEL_TRACE_HIST_TEXT_H */
