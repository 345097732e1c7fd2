/* SPDX-License-Identifier: GPL-2.0 */
/* Private to events/: the lists of events, and selecting events by name. */
#ifndef _KERNEL_TRACE_EVENTS_LOOKUP_H
#define _KERNEL_TRACE_EVENTS_LOOKUP_H

#include <linux/list.h>
#include <linux/string.h>
#include <linux/stringhash.h>
#include <linux/trace_events.h>
#include <linux/types.h>

struct trace_array;

/* The events of all instances, by &instance_events.node; protected by events_lock. */
extern struct list_head all_instance_events;

/**
 * event_name_hash - hash of the name of an event
 * @name: the name
 *
 * Lookups go through thousands of events, and some switch hundreds: the hash saves comparing
 * names.
 *
 * Context: any.
 * Return: the hash.
 */
static inline u32 event_name_hash(const char *name)
{
	return full_name_hash(NULL, name, strlen(name));
}

/**
 * event_system_is_wanted - test whether an instance has the events of a system
 * @tr: the instance
 * @system: name of the system
 *
 * Context: any.
 * Return: true if the instance was made for all systems, or for this one among others.
 */
bool event_system_is_wanted(const struct trace_array *tr, const char *system);

/**
 * struct event_selector - selects events by name
 * @system: name of their system, or NULL for any
 * @name: name of the event, or NULL for any
 * @hash: event_name_hash() of @name
 */
struct event_selector {
	const char	*system;
	const char	*name;
	u32		hash;
};

/**
 * event_make_selector - select events by name
 * @system: name of their system, or NULL for any
 * @name: name of the event, or NULL for any
 *
 * Context: any.
 * Return: the selector, which refers to @system and @name.
 */
struct event_selector event_make_selector(const char *system, const char *name);

/**
 * event_matches - test whether an event is selected
 * @file: the event in an instance
 * @m: the selector
 *
 * Context: any; events_lock held.
 * Return: true if it is.
 */
bool event_matches(const struct trace_event_file *file, const struct event_selector *m);

#endif /* _KERNEL_TRACE_EVENTS_LOOKUP_H */
