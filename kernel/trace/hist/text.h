/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The text of a histogram trigger, from its parsing until the histogram is attached. text.c divides
 * the text into the parts that fields.c, expr.c, var_text.c and action_text.c parse.
 */
#ifndef _KERNEL_TRACE_HIST_TEXT_H
#define _KERNEL_TRACE_HIST_TEXT_H

#include <linux/types.h>

#include "command/text.h"
#include "internal.h"
#include "synth/synth.h"
#include "vars.h"

struct hist;
struct trace_event_file;

/**
 * struct hist_action_at - places in the text of an action
 * @what: place of the event of onmatch(), or of the variable of onmax() and onchange()
 * @synth: place of the name of the synthetic event
 * @params: place of each parameter
 */
struct hist_action_at {
	const char	*what;
	const char	*synth;
	const char	*params[SYNTH_FIELDS_MAX];
};

/**
 * struct hist_text - the text of a trigger while it is being written
 * @cmd: the text from "hist" on
 * @parser: "hist:SYSTEM:EVENT", the parser of @cmd
 * @h: histogram that the text describes
 * @file: event in the instance that it is written to
 * @remove: the text removes the histogram
 * @own: copies of the assignments to variables in the text, until hist_parse() returns; then NULL
 * @nr_own: number of @own
 * @name_at: place of &hist.name in the text
 * @var_at: place in the text of the name of each &hist.vars
 * @action_at: places in the text of each &hist.actions
 * @pause: the text asks to pause, or to start paused
 * @cont: the text asks to continue
 * @clear: the text asks to clear the counts
 */
struct hist_text {
	struct cmd_text			cmd;
	char				parser[96];
	struct hist			*h;
	const struct trace_event_file	*file;
	bool				remove;
	char				**own;
	unsigned int			nr_own;
	const char			*name_at;
	const char			*var_at[HIST_VARS_MAX];
	struct hist_action_at		action_at[HIST_ACTIONS_MAX];
	bool				pause;
	bool				cont;
	bool				clear;
};

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
