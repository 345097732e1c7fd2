/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Kinds of triggers. A trigger without a syntax of its own is a row of the table in
 * actions/action.c; a trigger that needs more (hist/) is a kind. The objects of a kind begin
 * with a &struct trigger, and the callbacks of the kind parse, show and execute them.
 */
#ifndef _KERNEL_TRACE_TRIGGERS_KIND_H
#define _KERNEL_TRACE_TRIGGERS_KIND_H

#include <linux/init.h>
#include <linux/list.h>
#include <linux/types.h>

#include "actions/action.h"
#include "command/text.h"

struct event_filter;
struct seq_file;
struct trace_array;
struct trace_event_file;
struct trigger_kind;

/**
 * struct trigger - something that an event makes happen
 * @node: entry in &event_triggers.list (RCU); the first member, because the probe walks the list
 *	at each hit
 * @kind: callbacks of the trigger
 * @when: TRIGGER_*: when the trigger is hit
 * @emptied: true if truncating the file (">") removes the trigger
 * @reads: EVENT_HOW_NO_FIELDS if the trigger reads the record, and EVENT_HOW_NO_HEADER if it reads
 *	the common header as well; the needs of @filter are added
 * @toggles: true if the trigger may switch the event that it is on
 * @idle_word: a per-CPU word, or NULL. While the word is not 0 the trigger does nothing on that
 *	CPU, whatever the record holds; if the event is off and all its triggers share the word,
 *	its probe returns at once
 * @tr: instance of the trigger
 * @filter: records of the event that hit the trigger, or NULL for all
 * @filter_text: text of @filter as it was written, or NULL
 * @filter_hash: hash of @filter_text, so that comparing two triggers rarely compares the texts
 * @retired: entry in a list of removed triggers that are freed after a grace period
 */
struct trigger {
	struct list_head		node;
	const struct trigger_kind	*kind;
	u16				when;
	bool				emptied;
	u8				reads;
	bool				toggles;
	unsigned long __percpu		*idle_word;
	struct trace_array		*tr;
	struct event_filter		*filter;
	char				*filter_text;
	u32				filter_hash;
	struct list_head		retired;
};

/**
 * struct trigger_text - a line written to a file trigger, divided into its parts
 * @cmd: the line; @name, @param and @filter point into its copy
 * @remove: true if the line begins with "!": the trigger is to be removed
 * @name: first word of the line
 * @param: text between @name and the filter, or NULL
 * @filter: text of the filter, without "if", or NULL
 */
struct trigger_text {
	struct cmd_text	cmd;
	bool		remove;
	char		*name;
	char		*param;
	char		*filter;
};

/**
 * struct trigger_kind - a kind of triggers
 * @name: first word of the text of a trigger of the kind
 * @last: true if a newer trigger of the kind is shown and hit after the older ones
 * @make: allocate a trigger and parse its text; a trigger made with &trigger_text.remove is
 *	only compared by @is_like, then freed. Called with trace_lock held. Returns the trigger,
 *	or an errno, which has been logged
 * @hold: acquire the resources that the trigger needs; @free releases them. May be NULL. Called
 *	with trace_lock held. Returns 0 or an errno
 * @fit: parse the part of the text that depends on the event. May be NULL. Called with
 *	events_lock held. Returns 0, or an errno, which has been logged
 * @is_like: true if @a and @b are the same trigger. @a is on an event, @b has passed @fit. The
 *	filter of @b is parsed if the kind has @fit, or if @b is to be added. Called with
 *	events_lock held
 * @attach: prepare a trigger for its event, or apply it to @old, the trigger of the event that
 *	@is_like it, or NULL. May be NULL: the trigger is refused if there is an @old. Called with
 *	events_lock held. Returns 0 if the trigger is to be attached, 1 if it only changed @old,
 *	or an errno
 * @check_remove: check whether the trigger can be removed. May be NULL. Called with events_lock
 *	held. Returns 0 or an errno
 * @detach: detach a trigger that is being removed; probes may still hit it. May be NULL. Called
 *	with events_lock held
 * @hit: execute the trigger for a hit of the event
 * @miss: count a hit that the trigger could not handle, because there is no record for its filter,
 *	or for its own use
 * @pause: stop executing the trigger, or continue. May be NULL
 * @show: print the trigger as it would be written. Called with events_lock held
 * @free: free the trigger; no probe can find it any more
 * @node: entry in trigger_kinds
 *
 * @hit runs in any context, NMI included, inside the guard; @miss and @pause in any context, inside
 * the guard or not. The other callbacks may sleep.
 */
struct trigger_kind {
	const char	*name;
	bool		last;
	struct trigger	*(*make)(struct trace_array *tr, const struct trigger_text *text);
	int		(*hold)(struct trigger *t);
	int		(*fit)(struct trigger *t, struct trace_event_file *file,
			       const struct trigger_text *text);
	bool		(*is_like)(const struct trigger *a, const struct trigger *b);
	int		(*attach)(struct trigger *t, struct trigger *old,
				  struct trace_event_file *file,
				  const struct trigger_text *text);
	int		(*check_remove)(const struct trigger *t);
	void		(*detach)(struct trigger *t);
	void		(*hit)(struct trigger *t, struct action_hit *hit);
	void		(*miss)(struct trigger *t);
	void		(*pause)(struct trigger *t, bool on);
	void		(*show)(struct seq_file *m, const struct trigger *t);
	void		(*free)(struct trigger *t);
	struct list_head node;
};

/**
 * trigger_kind_add - register a kind of triggers
 * @kind: the kind, which stays registered
 *
 * Context: boot, before there are files.
 */
void trigger_kind_add(struct trigger_kind *kind);

/**
 * trigger_next - iterate over the triggers of an event
 * @file: the event in the instance
 * @t: the previous trigger, or NULL to begin
 *
 * Context: any; events_lock is held.
 * Return: the next trigger, or NULL.
 */
struct trigger *trigger_next(struct trace_event_file *file, const struct trigger *t);

/**
 * trigger_add_dependent - add a trigger on behalf of another trigger
 * @file: the event of the new trigger, in the instance of the other trigger
 * @words: text of the new trigger, as it would be written to file trigger of @file
 *
 * The kind of the new trigger must not have &trigger_kind.hold.
 *
 * Context: &trigger_kind.attach of the other trigger: trace_lock and events_lock are held.
 * Return: the trigger, or an errno, which has been logged.
 */
struct trigger *trigger_add_dependent(struct trace_event_file *file, const char *words);

/**
 * trigger_remove_dependent - remove a trigger that was added on behalf of another one
 * @file: the event of the trigger
 * @t: the trigger, from trigger_add_dependent(); a work frees it after a grace period
 *
 * Context: may sleep; events_lock is held.
 */
void trigger_remove_dependent(struct trace_event_file *file, struct trigger *t);

#endif /* _KERNEL_TRACE_TRIGGERS_KIND_H */
