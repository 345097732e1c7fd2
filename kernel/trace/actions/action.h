/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Actions: what can be made to happen, whenever a function is called (func_command.h) or an
 * event comes (triggers/). One table of both, in action.c: to add an action, add a row.
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

/* A count that never ends. */
#define ACTION_UNLIMITED	(-1L)

/* Which counts a command on functions may have. */
enum action_count {
	COUNT_ANY,	/* the one that was written, if any */
	COUNT_ONE,	/* 1, whatever was written */
	COUNT_NONE,	/* none, whatever was written */
};

/**
 * struct action_target - what is acted on
 * @tr: an instance
 * @event: an event in it, for actions that name one, or NULL
 */
struct action_target {
	struct trace_array	*tr;
	struct trace_event_file	*event;
};

/**
 * struct action - a row of the table
 * @name: as it is written
 * @names_event: an event is named behind it
 * @of_events: whether an event can make it happen, or functions alone
 * @of_events_alone: functions cannot
 * @after: it comes after the record of the event, not before
 * @group: no two of a group are on one event, but those that name different events
 * @prepare: get what @act needs, under trace_lock; 0 or an errno. May be NULL.
 * @hold: as @prepare, once for each user that there is; with what the user locks, too
 * @release: undo it; trace_lock may be held. May be NULL.
 * @act: do it
 * @pending: is there anything to do?
 * @rest: a word per CPU that is not 0 while there is nothing, or NULL. May be NULL.
 * @sets_state: doing it twice is the same as doing it once
 * @count: which counts a command may have
 *
 * @act and @pending are called in any context, NMI included, inside the guard with
 * preemption off; the others may sleep.
 */
struct action {
	const char	*name;
	bool		names_event;
	bool		of_events;
	bool		of_events_alone;
	bool		after;
	unsigned int	group;
	int		(*prepare)(struct trace_array *tr);
	int		(*hold)(const struct action_target *on);
	void		(*release)(const struct action_target *on);
	void		(*act)(const struct action_target *on, const struct action_hit *hit);
	bool		(*pending)(const struct action_target *on);
	unsigned long __percpu *(*rest)(const struct action_target *on);
	bool		sets_state;
	enum action_count count;
};

/* How many callers of &action_hit.from are the tracer's: those of a probe. Context: any. */
static inline unsigned int action_hit_above(const struct action_hit *hit)
{
	return hit->file ? 1 : 0;
}

/* The registers of who was probed, or NULL. Context: any. */
static inline struct pt_regs *action_hit_regs(const struct action_hit *hit)
{
	return hit->file && hit->file->probed ? hit->regs : NULL;
}

/**
 * action_named - the action of a name
 * @name: the name
 *
 * Context: any.
 * Return: the action, or NULL.
 */
const struct action *action_named(const char *name);

/**
 * action_event - the event that is named behind an action
 * @tr: the instance
 * @param: ``SYSTEM:EVENT:...``, set to what is behind the event
 *
 * Context: may sleep; takes events_lock.
 * Return: the event, for event_file_put(); or NULL.
 */
struct trace_event_file *action_event(struct trace_array *tr, char **param);

/**
 * action_do - do it, unless it has been done as often as it should be
 * @action: what
 * @on: what to
 * @left: how often from now on, or ACTION_UNLIMITED
 * @hit: what has happened
 *
 * Context: as that of &action.act.
 */
void action_do(const struct action *action, const struct action_target *on,
	       atomic_long_t *left, const struct action_hit *hit);

/**
 * action_show_event - print the event that is named behind an action, with colons
 * @m: where to
 * @on: what is acted on
 *
 * Context: may sleep; the event stays.
 */
void action_show_event(struct seq_file *m, const struct action_target *on);

/**
 * action_names_of_events - print what an event can make happen
 * @m: where to
 *
 * Context: any.
 */
void action_names_of_events(struct seq_file *m);

#endif /* _KERNEL_TRACE_ACTION_H */
