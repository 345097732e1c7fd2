/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Kinds of triggers. What can be done at once, without a language of its own, is a row of
 * the table of actions; whoever needs more (hist/) is a kind. Its triggers begin with a
 * &struct trigger, and it understands, shows and obeys them.
 */
#ifndef _KERNEL_TRACE_TRIGGERS_KIND_H
#define _KERNEL_TRACE_TRIGGERS_KIND_H

#include <linux/init.h>
#include <linux/list.h>
#include <linux/types.h>

#include "actions/action.h"

struct event_filter;
struct seq_file;
struct trace_array;
struct trace_event_file;
struct trigger_kind;

/**
 * struct trigger - something that an event makes happen
 * @node: in &event_triggers.list (RCU); first, for who goes through the list at each hit
 * @kind: what
 * @when: TRIGGER_*: when it is hit
 * @emptied: it goes when the file is emptied, which it is by ">"
 * @looks: EVENT_HOW_BLIND if it needs the record, and EVENT_HOW_HEADLESS if the header as well;
 *	what its filter needs is added
 * @switches: it may switch the event that it is on
 * @rest: while this word of the CPU is not 0 there is nothing to do, whatever the record
 *	is: the probe of an event that is off and has nothing but this returns before it has
 *	done anything. NULL if it is never so
 * @tr: the instance
 * @filter: for which records of the event, or NULL for all
 * @filter_text: as it was written, or NULL
 * @filter_hash: of that text, which tells most of those apart that are alike but for it
 * @gone: among those that are to be freed
 */
struct trigger {
	struct list_head		node;
	const struct trigger_kind	*kind;
	u16				when;
	bool				emptied;
	u8				looks;
	bool				switches;
	unsigned long __percpu		*rest;
	struct trace_array		*tr;
	struct event_filter		*filter;
	char				*filter_text;
	u32				filter_hash;
	struct list_head		gone;
};

/**
 * struct trigger_text - what is written to a file trigger, divided
 * @whole: all of it, for the log
 * @text: where @whole begins in what the rest points into
 * @remove: take it away
 * @name: its first word
 * @param: what is behind that, up to the filter; or NULL
 * @filter: for which records, or NULL
 */
struct trigger_text {
	const char	*whole;
	const char	*text;
	bool		remove;
	char		*name;
	char		*param;
	char		*filter;
};

/**
 * struct trigger_kind - a kind of triggers
 * @name: the first word of its text
 * @last: those that come later are shown, and hit, later
 * @make: a trigger by its text; with &trigger_text.remove only for @is_like.
 *	Context: may sleep; trace_lock is held.
 *	Return: the trigger, or an errno, which has been logged
 * @hold: get what it needs, which @free lets go of. May be NULL.
 *	Context: may sleep; trace_lock is held. Return: 0 or an errno
 * @fit: understand what is about the event. May be NULL. Context: may sleep; events_lock is
 *	held. Return: 0, or an errno, which has been logged
 * @is_like: is one what the other one is? @a is on an event, @b has come to @fit; its filter is
 *	understood if the kind has @fit, or if it is to be added. Context: events_lock held
 * @come: it is about to be on the event, where @old is like it, or NULL. May be NULL, which
 *	is to refuse it if there is one. Context: as @fit.
 *	Return: 0 if it is to be there; 1 if it was only to change @old, and has; or an errno
 * @may_go: 0, or why it cannot be taken away. May be NULL. Context: as @fit
 * @leave: it goes; it may still be hit. May be NULL. Context: events_lock held
 * @hit: the event has come. Context: any, NMI included, inside the guard
 * @miss: the event has come, and there is no record, so that its filter cannot be asked, or that
 *	it cannot count: it says so to its user. Context: as @hit, but outside the guard as well
 * @pause: do nothing from now on, or go on. May be NULL. Context: any
 * @show: as it would be written. Context: may sleep; events_lock held
 * @counts: what it has counted, for file hist; @nr: how many were shown there before. May be
 *	NULL. Context: may sleep; events_lock held. Return: 0 or -ENOMEM
 * @debug: how it is made, for file hist_debug; @nr: likewise. With @counts, or NULL.
 *	Context: likewise
 * @hits: how often it has counted. With @counts. Context: likewise
 * @polled: somebody waits for that in poll(), or nobody does any more, as
 *	&trace_event_file.polled of its event says. With @counts. Context: may sleep;
 *	events_lock held
 * @free: no probe finds it any more. Context: may sleep
 * @node: among all kinds
 */
struct trigger_kind {
	const char	*name;
	bool		last;
	struct trigger	*(*make)(struct trace_array *tr, const struct trigger_text *text);
	int		(*hold)(struct trigger *t);
	int		(*fit)(struct trigger *t, struct trace_event_file *file,
			       const struct trigger_text *text);
	bool		(*is_like)(const struct trigger *a, const struct trigger *b);
	int		(*come)(struct trigger *t, struct trigger *old,
				struct trace_event_file *file, const struct trigger_text *text);
	int		(*may_go)(const struct trigger *t);
	void		(*leave)(struct trigger *t);
	void		(*hit)(struct trigger *t, struct action_hit *hit);
	void		(*miss)(struct trigger *t);
	void		(*pause)(struct trigger *t, bool on);
	void		(*show)(struct seq_file *m, const struct trigger *t);
	int		(*counts)(struct seq_file *m, struct trigger *t, unsigned int nr);
	void		(*debug)(struct seq_file *m, struct trigger *t, unsigned int nr);
	u64		(*hits)(const struct trigger *t);
	void		(*polled)(struct trigger *t);
	void		(*free)(struct trigger *t);
	struct list_head node;
};

/**
 * trigger_kind_add - from now on there are triggers of a kind
 * @kind: which stays
 *
 * Context: boot, before there are files.
 */
void trigger_kind_add(struct trigger_kind *kind);

/**
 * trigger_next - a trigger of an event
 * @file: the event in the instance
 * @t: the one before it, or NULL for the first one
 *
 * Context: any; events_lock held.
 * Return: the trigger, or NULL.
 */
struct trigger *trigger_next(struct trace_event_file *file, const struct trigger *t);

/**
 * trigger_add_beside - one trigger brings another
 * @file: the event that it is to be on, in the instance of the first one
 * @words: what would be written to its file
 *
 * Of a kind without &trigger_kind.hold.
 *
 * Context: &trigger_kind.come of the first one: trace_lock and events_lock are held.
 * Return: the trigger, or an errno, which has been logged.
 */
struct trigger *trigger_add_beside(struct trace_event_file *file, const char *words);

/**
 * trigger_remove_beside - and takes it along
 * @file: the event
 * @t: from trigger_add_beside(); it is freed soon
 *
 * Context: may sleep; events_lock held.
 */
void trigger_remove_beside(struct trace_event_file *file, struct trigger *t);

#endif /* _KERNEL_TRACE_TRIGGERS_KIND_H */
