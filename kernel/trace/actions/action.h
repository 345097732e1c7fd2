/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Actions: things that can be made to happen at each call of a function (func_command.h), or at
 * each hit of an event (triggers/). Both use the table in action.c: a new action is a new row.
 */
#ifndef _KERNEL_TRACE_ACTION_H
#define _KERNEL_TRACE_ACTION_H

#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/trace_events.h>
#include <linux/types.h>

struct seq_file;
struct trace_array;
struct trace_event_file;

/* Count of an action without a limit. */
#define ACTION_UNLIMITED	(-1L)

/* Counts that a trigger or a command on functions may have. */
enum action_count {
	COUNT_ANY,	/* the written count, or none */
	COUNT_ONE,	/* always 1, whatever was written */
	COUNT_NONE,	/* never a count, whatever was written */
};

/**
 * struct action_target - the target of an action
 * @tr: the instance
 * @event: an event in the instance for actions that name one, else NULL
 */
struct action_target {
	struct trace_array	*tr;
	struct trace_event_file	*event;
};

/**
 * struct action - a row of the table
 * @name: name of the action, as users write it
 * @names_event: true if the text names an event behind the action
 * @for_events: true if triggers can use the action
 * @events_only: true if commands on functions cannot use the action; truncating the file (">")
 *	removes its triggers, too
 * @after: true if a trigger acts after the record is made, not before
 * @group: actions of a group exclude each other on an event, unless they name different events; 0
 *	for an action that excludes no other
 * @prepare: acquire resources that @act needs. May be NULL. Called with trace_lock held. Returns 0
 *	or an errno
 * @hold: acquire resources for one user of the action, counted. May be NULL. Called with
 *	trace_lock and the locks of the user held. Returns 0 or an errno
 * @release: undo @hold. May be NULL. Called with or without trace_lock
 * @act: execute the action
 * @pending: true if @act would have an effect; NULL if it always has
 * @idle_word: per-CPU word that is not 0 while @act would have no effect; @idle_word and its
 *	result may be NULL
 * @sets_state: true if @act sets a state, so that executing it again has no effect
 * @count: counts that a trigger or a command on functions may have
 *
 * @act and @pending are called in any context, NMI included, inside the guard, with preemption
 * off, and perhaps with the lock of the run queue held: they must not sleep, take locks, allocate
 * memory, or print other than by printk_deferred(). The other callbacks may sleep.
 */
struct action {
	const char	*name;
	bool		names_event;
	bool		for_events;
	bool		events_only;
	bool		after;
	unsigned int	group;
	int		(*prepare)(struct trace_array *tr);
	int		(*hold)(const struct action_target *on);
	void		(*release)(const struct action_target *on);
	void		(*act)(const struct action_target *on, const struct action_hit *hit);
	bool		(*pending)(const struct action_target *on);
	unsigned long __percpu *(*idle_word)(const struct action_target *on);
	bool		sets_state;
	enum action_count count;
};

/* Return: number of callers of &action_hit.from that belong to the tracer: 1 for a probe. */
static inline unsigned int action_hit_above(const struct action_hit *hit)
{
	return hit->file ? 1 : 0;
}

/* Return: registers of the probed code, or NULL if the event is not a probe in the code. */
static inline struct pt_regs *action_hit_regs(const struct action_hit *hit)
{
	return hit->file && hit->file->probed ? hit->regs : NULL;
}

/**
 * action_named - find an action by its name
 * @name: the name
 *
 * Context: any.
 * Return: the action, or NULL.
 */
const struct action *action_named(const char *name);

/**
 * action_event - get the event that is named behind an action
 * @tr: the instance
 * @param: ``SYSTEM:EVENT:...``, cut in place; set to the text behind the event, or NULL
 *
 * Context: may sleep; takes events_lock.
 * Return: the event, for event_file_put(); or NULL.
 */
struct trace_event_file *action_event(struct trace_array *tr, char **param);

/**
 * action_do - execute an action and count it, unless its count has run out
 * @action: the action
 * @on: its target
 * @left: remaining executions, or ACTION_UNLIMITED
 * @hit: the call or hit that executes the action
 *
 * Context: any, NMI included, inside the guard; preemption off.
 */
void action_do(const struct action *action, const struct action_target *on,
	       atomic_long_t *left, const struct action_hit *hit);

/**
 * action_show_event - print ``SYSTEM:EVENT:`` for the event of an action, if it names one
 * @m: file to print to
 * @on: target of the action
 *
 * Context: may sleep; the caller holds the event.
 */
void action_show_event(struct seq_file *m, const struct action_target *on);

/**
 * action_names_of_events - print the names of the actions that triggers can use
 * @m: file to print to
 *
 * Context: any.
 */
void action_names_of_events(struct seq_file *m);

#endif /* _KERNEL_TRACE_ACTION_H */
