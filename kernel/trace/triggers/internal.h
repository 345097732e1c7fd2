/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Inside of triggers/: text.c understands what is written, triggers.c has triggers come and
 * go, and run.c is called by events.
 */
#ifndef _KERNEL_TRACE_TRIGGERS_INTERNAL_H
#define _KERNEL_TRACE_TRIGGERS_INTERNAL_H

#include <linux/atomic.h>
#include <linux/list.h>

#include "actions/action.h"

struct event_filter;
struct seq_file;
struct trace_array;
struct trace_event_file;

/**
 * struct trigger - something that an event makes happen
 * @action: what
 * @on: what to: the instance, and for some actions an event, which stays
 * @left: how often from now on, or ACTION_UNLIMITED
 * @filter: for which records of the event, or NULL for all
 * @filter_text: as it was written, or NULL
 * @node: in &event_triggers.list (RCU)
 * @gone: among those that are to be freed
 */
struct trigger {
	const struct action	*action;
	struct action_target	on;
	atomic_long_t		left;
	struct event_filter	*filter;
	char			*filter_text;
	struct list_head	node;
	struct list_head	gone;
};

/**
 * struct event_triggers - the triggers of an event in an instance
 * @list: its &struct trigger, the latest first; changed with events_lock held
 */
struct event_triggers {
	struct list_head	list;
};

/**
 * struct trigger_text - what is written to a file trigger, understood
 * @remove: take it away
 * @action: what is to happen
 * @event: the event that is named, for event_file_put(); or NULL
 * @count: how often, or ACTION_UNLIMITED
 * @filter: for which records, or NULL
 */
struct trigger_text {
	bool			remove;
	const struct action	*action;
	struct trace_event_file	*event;
	long			count;
	char			*filter;
};

/**
 * trigger_parse - understand ``[!]ACTION[:SYSTEM:EVENT][:COUNT] [if FILTER]``
 * @tr: the instance
 * @text: the words, which are changed
 * @out: filled in
 *
 * What makes no sense is logged.
 *
 * Context: may sleep; takes events_lock.
 * Return: 0 or -EINVAL: then there is no event in @out.
 */
int trigger_parse(struct trace_array *tr, char *text, struct trigger_text *out);

/* Print a trigger as it would be written. Context: may sleep; it stays. */
void trigger_show(struct seq_file *m, const struct trigger *t);

/* An event with triggers has come: &event_trigger_ops.hit. */
void trigger_hit(struct trace_event_file *file, const void *rec, unsigned long probe,
		 unsigned int word, bool after);

#endif /* _KERNEL_TRACE_TRIGGERS_INTERNAL_H */
