/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Private to triggers/: text.c divides the written text, actions.c is the kind of triggers that
 * execute a row of the table of actions, triggers.c adds and removes triggers, as file.c and
 * boot.c ask for, and run.c is called by the probes of events.
 */
#ifndef _KERNEL_TRACE_TRIGGERS_INTERNAL_H
#define _KERNEL_TRACE_TRIGGERS_INTERNAL_H

#include <linux/list.h>
#include <linux/types.h>

#include "kind.h"

/**
 * struct event_triggers - the triggers of an event in an instance
 * @list: each &struct trigger of the event; changed with events_lock held
 */
struct event_triggers {
	struct list_head	list;
};

/* Errors in a text. */
#define TRIGGER_ERR_NONE	"There is no such trigger"
#define TRIGGER_ERR_NO_EVENT	"There is no such event"
#define TRIGGER_ERR_NO_COUNT	"This is not how often something is to happen"
#define TRIGGER_ERR_NO_FILTER	"No filter after 'if'"

/**
 * trigger_divide - divide ``[!]NAME[:PARAM] [if FILTER]`` into its parts
 * @tr: instance of the trigger
 * @whole: the text as it was written
 * @copy: copy of @whole, which is cut in place
 * @out: set to the parts
 *
 * Context: may sleep.
 * Return: 0; -EINVAL, logged.
 */
int trigger_divide(struct trace_array *tr, const char *whole, char *copy,
		   struct trigger_text *out);

/* The kind of the triggers that execute a row of the table of actions. */
extern struct trigger_kind action_triggers;

/* List of each &struct trigger_kind except action_triggers. */
extern struct list_head trigger_kinds;

/**
 * triggers_write - add or remove a trigger as a line says
 * @tr: the instance
 * @key: identifies the event: see event_file_by_key()
 * @words: the line, which is changed; an empty one changes nothing
 *
 * Context: may sleep; takes trace_lock and the locks inside it.
 * Return: 0; -EINVAL, whose reason has been logged; -EEXIST if the event has the trigger; -ENODEV
 * if it has been removed; -ENOMEM; or an errno of the kind of the trigger.
 */
int triggers_write(struct trace_array *tr, u32 key, char *words);

/**
 * triggers_truncate - remove the triggers of an event that truncating the file trigger removes
 * @tr: the instance
 * @key: identifies the event: see event_file_by_key()
 *
 * Context: may sleep; takes the lock of triggers, then events_lock.
 * Return: 0; -ENODEV if the event has been removed.
 */
int triggers_truncate(struct trace_array *tr, u32 key);

/**
 * trigger_hit - execute the triggers of an event: &event_trigger_ops.hit
 * @hit: the hit of the event
 * @when: TRIGGER_*: the triggers to execute; with EVENT_HOW_NO_FIELDS or EVENT_HOW_NO_HEADER the
 *	triggers that read the record or its header are skipped
 *
 * Context: the probe, in any context, NMI included; preemption off, inside the guard.
 */
void trigger_hit(struct action_hit *hit, unsigned int when);

/**
 * triggers_miss - count a hit without a record in all triggers of an event: &event_trigger_ops.miss
 * @file: the event in the instance
 *
 * Context: the probe, in any context, NMI included; preemption off.
 */
void triggers_miss(struct trace_event_file *file);

/**
 * triggers_pause - pause or continue the triggers of an event: &event_trigger_ops.pause
 * @file: the event in the instance
 * @on: true to pause
 *
 * Triggers of kinds without &trigger_kind.pause are left as they are.
 *
 * Context: any, NMI included; preemption off.
 */
void triggers_pause(struct trace_event_file *file, bool on);

#endif /* _KERNEL_TRACE_TRIGGERS_INTERNAL_H */
