/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Inside of triggers/: text.c divides what is written, actions.c is the kind of trigger that
 * does what the table of actions has, triggers.c has triggers come and go, show.c tells what
 * they are and have counted, and run.c is called by events.
 */
#ifndef _KERNEL_TRACE_TRIGGERS_INTERNAL_H
#define _KERNEL_TRACE_TRIGGERS_INTERNAL_H

#include <linux/list.h>
#include <linux/types.h>

#include "kind.h"

/**
 * struct event_triggers - the triggers of an event in an instance
 * @list: its &struct trigger; changed with events_lock held
 */
struct event_triggers {
	struct list_head	list;
};

/* What is wrong with a text. */
enum {
	TRIGGER_NONE, TRIGGER_NO_EVENT, TRIGGER_NO_COUNT, TRIGGER_NO_FILTER,
	NR_TRIGGER_ERRORS
};

/**
 * trigger_divide - divide ``[!]NAME[:PARAM] [if FILTER]``
 * @tr: the instance
 * @text: the words, which are changed
 * @out: filled in, but for @out->whole, which it has
 *
 * What makes no sense is logged.
 *
 * Context: may sleep.
 * Return: 0 or -EINVAL.
 */
int trigger_divide(struct trace_array *tr, char *text, struct trigger_text *out);

/**
 * trigger_refuse - log what is wrong
 * @tr: the instance
 * @text: all of it
 * @at: where, or NULL
 * @what: TRIGGER_*
 *
 * Context: may sleep.
 * Return: -EINVAL
 */
int trigger_refuse(struct trace_array *tr, const struct trigger_text *text, const char *at,
		   u8 what);

/* What is in the table of actions. */
extern struct trigger_kind action_triggers;

/* All &struct trigger_kind but that. */
extern struct list_head trigger_kinds;

/* As &struct event_trigger_ops has them. */
void triggers_show(struct seq_file *m, struct trace_event_file *file);
int triggers_show_counts(struct seq_file *m, struct trace_event_file *file);
void triggers_show_debug(struct seq_file *m, struct trace_event_file *file);
u64 triggers_hits(struct trace_event_file *file);
void triggers_polled(struct trace_event_file *file);

/* An event with triggers has come: &event_trigger_ops.hit. */
void trigger_hit(struct action_hit *hit, unsigned int when);

/* An event with triggers has come, and has no record: &event_trigger_ops.miss. */
void triggers_miss(struct trace_event_file *file);

/* Those that can be are paused, or go on: &event_trigger_ops.pause. */
void triggers_pause(struct trace_event_file *file, bool on);

#endif /* _KERNEL_TRACE_TRIGGERS_INTERNAL_H */
