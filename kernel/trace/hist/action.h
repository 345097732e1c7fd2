/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Actions of histograms: ``HANDLER.ACTION(...)``: what else happens when a key has come, always
 * (onmatch), or when a variable is higher than it ever was for that key (onmax), or another
 * than it was (onchange).
 */
#ifndef _KERNEL_TRACE_HIST_ACTION_H
#define _KERNEL_TRACE_HIST_ACTION_H

#include "internal.h"
#include "synth/synth.h"

struct synth_event;

/* When. */
enum hist_handler { HIST_ON_MATCH, HIST_ON_MAX, HIST_ON_CHANGE };

/* And what. */
enum hist_action_what { HIST_TRACE, HIST_SAVE, HIST_SNAPSHOT };

/**
 * struct hist_param - what an action is told, or saves
 * @text: as it was written
 * @at: where that was written, while it comes
 * @value: what it is
 * @kind: enum synth_kind, of the value
 * @slot: which word of a row it is saved in, and the next ones
 */
struct hist_param {
	char			*text;
	const char		*at;
	struct hist_field	value;
	u8			kind;
	unsigned int		slot;
};

/**
 * struct hist_action - an action
 * @handler: enum hist_handler
 * @what: enum hist_action_what
 * @by_name: it was written as trace(EVENT,...), not as EVENT(...)
 * @system: of onmatch(), or NULL
 * @event: likewise
 * @var: the variable of onmax() and onchange(), with its $, or NULL
 * @at: where that, or the event, was written, while it comes
 * @name: as it was written
 * @synth_name: the synthetic event of HIST_TRACE
 * @synth_at: where that was written, while it comes
 * @synth: which one that is; got
 * @has_places: there are places beside the buffer for that, and for what comes of it
 * @var_index: which variable @var is
 * @slot: which word of a row has the highest, or the latest, value
 * @nr_params: how many @params
 * @params: what it is told
 */
struct hist_action {
	u8			handler;
	u8			what;
	bool			by_name;
	char			*system;
	char			*event;
	char			*var;
	const char		*at;
	char			*name;
	char			*synth_name;
	const char		*synth_at;
	struct synth_event	*synth;
	bool			has_places;
	unsigned int		var_index;
	unsigned int		slot;
	unsigned int		nr_params;
	struct hist_param	*params;
};

/**
 * struct hist_told - what a synthetic event is told
 * @vals: a number for each field
 * @lens: how long it can be, if it is no number
 */
struct hist_told {
	u64	vals[SYNTH_FIELDS_MAX];
	u16	lens[SYNTH_FIELDS_MAX];
};

/**
 * struct hist_now - what is known while a key is counted
 * @rec: the record
 * @hit: what has happened
 * @key: the key, with its note
 * @row: its row
 * @told: where to put what is told a synthetic event with many fields; NULL: the stack has room
 * @refs: what others have noted: numbers, and addresses of what is no number
 * @vars: what has been noted of this event: likewise
 */
struct hist_now {
	const void			*rec;
	struct action_hit		*hit;
	const void			*key;
	struct table_row		*row;
	struct hist_told		*told;
	u64				refs[HIST_REFS_MAX];
	u64				vars[HIST_VARS_MAX];
};

/* Is it a word that begins an action? */
bool hist_is_action(const char *word);

/**
 * hist_action_parse - understand ``HANDLER(...).ACTION(...)``, but for what it is about
 * @text: what it is part of
 * @word: the words, which are changed
 *
 * Context and return: as hist_parse().
 */
int hist_action_parse(const struct hist_text *text, char *word);

/**
 * hist_actions_resolve - find out what actions are about
 * @text: what they are part of; understood
 *
 * Other histograms may come for it: hist_actions_leave().
 *
 * Context: may sleep; trace_lock and events_lock are held.
 * Return: 0; -EINVAL or another errno, logged; -ENOMEM; -EBUSY if somebody else has the
 * snapshot.
 */
int hist_actions_resolve(const struct hist_text *text);

/* Are they written alike? */
bool hist_actions_alike(const struct hist *a, const struct hist *b);

/* Do they keep the same in the same words of a row? Both are laid out. */
bool hist_laid_out_alike(const struct hist *a, const struct hist *b);

/* What has come for them goes. Context: events_lock held. */
void hist_actions_leave(struct hist *h);

/* The end of them; no probe finds the histogram. Context: may sleep. */
void hist_actions_free(struct hist *h);

/* As they would be written. Context: may sleep; events_lock held. */
void hist_actions_show(struct seq_file *m, const struct hist *h);

/* Do them, or those that are to be done. Context: as hist_hit(). */
void hist_act(const struct hist *h, const struct hist_now *now);

/* A number. Context: likewise. */
u64 hist_number(const struct hist *h, const struct hist_field *f, struct action_hit *hit,
		const u64 *refs);

/**
 * hist_located - an array of the record, whose place says where it is
 * @f: the field
 * @rec: the record
 * @len: set to how many bytes it has
 *
 * Context: likewise.
 */
const void *hist_located(const struct hist_field *f, const void *rec, unsigned int *len);

/* What is no number, in f->len bytes. Context: likewise. */
void hist_put(void *to, const struct hist_field *f, const struct hist_now *now);

#endif /* _KERNEL_TRACE_HIST_ACTION_H */
