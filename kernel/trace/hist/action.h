/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Actions of histograms, written as ``HANDLER.ACTION(...)``. A counted hit runs the action: always
 * (onmatch), or if a variable exceeds its maximum for the key (onmax), or if it differs from its
 * latest value for the key (onchange).
 */
#ifndef _KERNEL_TRACE_HIST_ACTION_H
#define _KERNEL_TRACE_HIST_ACTION_H

#include <linux/types.h>

#include "fields.h"
#include "synth/synth.h"
#include "vars.h"

struct action_hit;
struct hist;
struct hist_text;
struct seq_file;
struct synth_event;
struct table_row;

/* Condition under which a counted hit runs an action. */
enum hist_handler {
	HIST_ON_MATCH,	/* always */
	HIST_ON_MAX,	/* the variable exceeds its maximum for the key */
	HIST_ON_CHANGE,	/* the variable differs from its latest value for the key */
};

/* Effect of an action. */
enum hist_action_what {
	HIST_TRACE,	/* generate a synthetic event */
	HIST_SAVE,	/* save values in the row */
	HIST_SNAPSHOT,	/* take a snapshot of the buffer */
};

/**
 * struct hist_param - a parameter of an action
 * @text: the parameter as it was written
 * @value: field or variable that the parameter stands for
 * @kind: enum synth_kind: kind of its value
 * @slot: index of the first word of a row that keeps it: saved values, and stacks
 */
struct hist_param {
	char			*text;
	struct hist_field	value;
	u8			kind;
	unsigned int		slot;
};

/**
 * struct hist_action - an action
 * @nr: index in &hist.actions
 * @handler: enum hist_handler
 * @what: enum hist_action_what
 * @by_name: the action was written as trace(EVENT,...), not as EVENT(...)
 * @system: onmatch(): system of the event; otherwise NULL
 * @event: onmatch(): name of the event; otherwise NULL
 * @var: onmax() and onchange(): the variable, with the $; otherwise NULL
 * @name: name of the action as it was written
 * @synth_name: HIST_TRACE: name of the synthetic event
 * @synth: HIST_TRACE: the synthetic event; a reference is held
 * @has_scratch: the action holds scratch records for @synth and for what it generates in turn
 * @var_index: index of @var in &hist.vars
 * @slot: onmax() and onchange(): index of the word of a row with the highest or latest value
 * @nr_params: number of @params
 * @params: parameters of the action
 */
struct hist_action {
	u8			nr;
	u8			handler;
	u8			what;
	bool			by_name;
	char			*system;
	char			*event;
	char			*var;
	char			*name;
	char			*synth_name;
	struct synth_event	*synth;
	bool			has_scratch;
	unsigned int		var_index;
	unsigned int		slot;
	unsigned int		nr_params;
	struct hist_param	*params;
};

/**
 * struct hist_synth_vals - values for a synthetic event
 * @vals: for each field a number, or the address of text or a stack
 * @lens: bytes that are readable at each address; unused for numbers
 */
struct hist_synth_vals {
	u64	vals[SYNTH_FIELDS_MAX];
	u16	lens[SYNTH_FIELDS_MAX];
};

/**
 * struct hist_now - state of a hit of a histogram with variables or actions
 * @rec: record of the event
 * @hit: hit of the trigger
 * @key: key of the hit, followed by the name of the task if &hist.wants_comm
 * @row: row of the key
 * @synth_vals: memory for the values of a synthetic event with many fields; NULL to use the stack
 * @refs: value of each &hist.refs: a number, or the address of text or a stack
 * @vars: value of each &hist.vars: a number, or the address of text or a stack
 */
struct hist_now {
	const void			*rec;
	struct action_hit		*hit;
	const void			*key;
	struct table_row		*row;
	struct hist_synth_vals		*synth_vals;
	u64				refs[HIST_REFS_MAX];
	u64				vars[HIST_VARS_MAX];
};

/**
 * hist_is_action - does a word of a trigger's text begin an action?
 * @word: the word
 *
 * Context: any.
 * Return: true if it begins with a handler, such as ``onmax(``.
 */
bool hist_is_action(const char *word);

/**
 * hist_action_parse - parse ``HANDLER(...).ACTION(...)``
 * @text: text of the trigger
 * @word: the action; it is cut into words
 *
 * hist_actions_resolve() looks up what the action refers to.
 *
 * Context: may sleep; events_lock is held.
 * Return: 0; -EINVAL, logged; -ENOMEM.
 */
int hist_action_parse(struct hist_text *text, char *word);

/**
 * hist_actions_resolve - look up the events, variables and fields that actions refer to
 * @text: text of the trigger, which has been parsed
 *
 * May create histograms for fields of other events; hist_actions_detach() removes them.
 *
 * Context: may sleep; trace_lock and events_lock are held.
 * Return: 0; -EINVAL or another errno, logged; -ENOMEM; -EBUSY if the snapshot is in use.
 */
int hist_actions_resolve(struct hist_text *text);

/**
 * hist_actions_equal - were the actions of two histograms written the same way?
 * @a: a histogram
 * @b: another histogram
 *
 * Context: any.
 * Return: true if they were.
 */
bool hist_actions_equal(const struct hist *a, const struct hist *b);

/**
 * hist_actions_detach - remove the histograms that were created for the actions of a histogram
 * @h: the histogram
 *
 * A created histogram that another one refers to is handed over to that one instead.
 *
 * Context: may sleep; events_lock held.
 */
void hist_actions_detach(struct hist *h);

/**
 * hist_actions_free - free the actions of a histogram
 * @h: the histogram, which is hit no more
 *
 * Context: may sleep.
 */
void hist_actions_free(struct hist *h);

/**
 * hist_actions_show - print the actions of a histogram as they would be written
 * @m: where to print
 * @h: the histogram
 *
 * Context: may sleep; events_lock held.
 */
void hist_actions_show(struct seq_file *m, const struct hist *h);

/**
 * hist_run_actions - run the actions of a histogram that are due at a hit
 * @h: the histogram
 * @now: state of the hit, which has been counted
 *
 * Context: any, NMI included; preemption off, inside the recursion guard.
 */
void hist_run_actions(const struct hist *h, const struct hist_now *now);

#endif /* _KERNEL_TRACE_HIST_ACTION_H */
