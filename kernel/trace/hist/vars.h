/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Variables of histograms, which keep the latest value for each key, and the references by which
 * other histograms read them. var_text.c parses variables; vars.c finds, publishes and withdraws
 * them; hit.c sets variables and reads references at each hit.
 *
 * A user cannot remove a histogram while another one refers to its variables. But when its event
 * or its instance is removed, its variables are withdrawn: from then on, references to them are
 * NULL.
 */
#ifndef _KERNEL_TRACE_HIST_VARS_H
#define _KERNEL_TRACE_HIST_VARS_H

#include <linux/list.h>
#include <linux/types.h>

#include "fields.h"

struct hist;
struct hist_text;
struct trace_event_file;

/* Maximum number of variables of a histogram, and of references to variables of others. */
#define HIST_VARS_MAX	16
#define HIST_REFS_MAX	16

/**
 * struct hist_var - a variable, which keeps the latest value for each key
 * @name: name of the variable
 * @value: field or expression that the variable is set to at each hit
 * @usecs: the value is a time in microseconds
 * @type: type of the value; its name is allocated for the variable
 * @slot: index of the word of a row that holds it; text and stacks go on in the next words
 */
struct hist_var {
	char			*name;
	struct hist_field	value;
	bool			usecs;
	struct hist_type	type;
	unsigned int		slot;
};

/**
 * struct hist_ref - reference of a histogram to a variable of another one
 * @of: histogram that owns the variable; NULL after its removal (RCU)
 * @by: histogram that reads the variable
 * @var: index of the variable in @of
 * @once: reading unsets the variable, as it is an operand of + - * / or of a negation
 * @node: entry in &hist.refs_to_vars of @of; events_lock
 */
struct hist_ref {
	struct hist __rcu	*of;
	struct hist		*by;
	unsigned int		var;
	bool			once;
	struct list_head	node;
};

/**
 * hist_ref_parse - parse a reference to a variable: ``$NAME`` or ``SYSTEM.EVENT.$NAME``
 * @text: text of the trigger
 * @word: the reference
 * @usecs: set to true if the variable is a time in microseconds
 *
 * Context: may sleep; events_lock is held.
 * Return: index in &hist.refs; -EINVAL, logged; -ENOMEM.
 */
int hist_ref_parse(const struct hist_text *text, char *word, bool *usecs);

/**
 * hist_own_value - find the field that a text itself assigns to a variable
 * @text: text of the trigger
 * @word: ``$NAME`` or ``SYSTEM.EVENT.$NAME``
 *
 * Context: may sleep.
 * Return: the field as text, for kfree(); NULL if the text assigns nothing to the variable, or
 * not a field alone; ERR_PTR(-ENOMEM).
 */
char *hist_own_value(const struct hist_text *text, const char *word);

/**
 * hist_vars_parse - parse assignments to variables: ``NAME=VALUE,...``
 * @text: text of the trigger
 * @words: the assignments; they are cut into words
 *
 * Context: may sleep; events_lock is held.
 * Return: 0; -EINVAL, logged; -EDOM, logged, for a division by 0; -ENOMEM.
 */
int hist_vars_parse(struct hist_text *text, char *words);

/**
 * hist_vars_clash - does another histogram of the event have a variable of the same name?
 * @text: text of the histogram, which has been parsed
 * @at: set to the position of the variable in the text
 *
 * Context: any; events_lock held.
 * Return: true if there is one.
 */
bool hist_vars_clash(const struct hist_text *text, const char **at);

/**
 * hist_vars_publish - let other histograms refer to the variables of a histogram
 * @h: the histogram
 *
 * Context: any; events_lock held.
 */
void hist_vars_publish(struct hist *h);

/**
 * hist_vars_withdraw - withdraw the variables of a histogram: references to them find NULL
 * @h: the histogram
 *
 * Does nothing if they have been withdrawn, or were never published.
 *
 * Context: any; events_lock held.
 */
void hist_vars_withdraw(struct hist *h);

/**
 * hist_refs_unlink - unlink the references of a histogram to variables of other ones
 * @h: the histogram
 *
 * Context: any; events_lock held.
 */
void hist_refs_unlink(struct hist *h);

/**
 * hist_vars_free - free the variables of a histogram
 * @h: the histogram; no hit uses its variables any more
 *
 * Context: may sleep.
 */
void hist_vars_free(struct hist *h);

/**
 * hist_var_find - find a variable of a histogram by name
 * @h: the histogram
 * @name: name of the variable, without the $
 *
 * Context: any.
 * Return: index in &hist.vars, or -ENOENT.
 */
int hist_var_find(const struct hist *h, const char *name);

/**
 * hist_var_owner - find the histogram on an event that has a variable
 * @file: event in the instance
 * @name: name of the variable, without the $
 *
 * Context: any; events_lock held.
 * Return: the histogram, or NULL.
 */
const struct hist *hist_var_owner(const struct trace_event_file *file, const char *name);

/**
 * hist_ref_find - add a reference to a variable of another histogram
 * @text: text of the trigger that refers to the variable
 * @system: system of the variable's event; NULL for any event, those of onmatch() first
 * @event: name of the variable's event; unused without @system
 * @name: name of the variable, without the $
 *
 * Context: may sleep; events_lock held.
 * Return: index in &hist.refs; -ENOENT if there is no such variable; -EEXIST if several events
 * have one; -ENOSPC if there are too many references.
 */
int hist_ref_find(const struct hist_text *text, const char *system, const char *event,
		  const char *name);

/**
 * hist_ref_refuse - log an error of hist_ref_find()
 * @text: text of the trigger that refers to the variable
 * @at: position of the reference in the text
 * @why: error from hist_ref_find(); other values are returned unchanged
 * @none: HIST_ERR_* to log if there is no such variable
 *
 * Context: may sleep.
 * Return: -EINVAL for an error of hist_ref_find(); otherwise @why.
 */
int hist_ref_refuse(const struct hist_text *text, const char *at, int why,
		    const char *none);

/**
 * hist_ref_var - get the variable that a reference refers to
 * @h: histogram that has the reference
 * @ref: index in &hist.refs
 *
 * Context: any; events_lock held.
 * Return: the variable; NULL if it was withdrawn.
 */
const struct hist_var *hist_ref_var(const struct hist *h, unsigned int ref);

/**
 * hist_has_lost_ref - was a variable withdrawn that a histogram refers to?
 * @h: the histogram
 *
 * Context: any; events_lock held.
 * Return: true if at least one was.
 */
bool hist_has_lost_ref(const struct hist *h);

#endif /* _KERNEL_TRACE_HIST_VARS_H */
