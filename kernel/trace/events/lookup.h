/* SPDX-License-Identifier: GPL-2.0 */
/* Private to events/: the lists of events, and finding events by name. */
#ifndef _KERNEL_TRACE_EVENTS_LOOKUP_H
#define _KERNEL_TRACE_EVENTS_LOOKUP_H

#include <linux/hashtable.h>
#include <linux/list.h>
#include <linux/string.h>
#include <linux/stringhash.h>
#include <linux/trace_events.h>
#include <linux/types.h>
#include <linux/xarray.h>

#include "events.h"

struct trace_array;

/* The events of all instances, by &instance_events.node; protected by events_lock. */
extern struct list_head all_instance_events;

/**
 * event_name_hash - hash of the name of an event
 * @name: the name
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

/* All events, one or two thousand, by event_name_hash(); protected by events_lock. */
#define EVENT_NAME_BITS	9
extern struct hlist_head events_by_name[1 << EVENT_NAME_BITS];

/**
 * event_has_name - test whether an event has a name
 * @event: the event
 * @system: name of its system, or NULL for any
 * @name: name of the event
 *
 * Context: any.
 * Return: true if it has.
 */
static inline bool event_has_name(const struct event *event, const char *system, const char *name)
{
	return !strcmp(name, event->type.name) &&
	       (!system || !strcmp(system, event_system_name(event)));
}

/**
 * event_file_find - find an event in an instance
 * @in: the events of the instance
 * @event: the event
 *
 * Context: any; events_lock held.
 * Return: the event in the instance; NULL if the instance does not have it.
 */
static inline struct trace_event_file *event_file_find(struct instance_events *in,
						       const struct event *event)
{
	return xa_load(&in->by_type, event->type.id);
}

/**
 * event_find_system - find a system of events in an instance
 * @in: the events of the instance
 * @name: name of the system
 *
 * Context: any; events_lock held.
 * Return: the system; NULL if the instance does not have it.
 */
struct event_system *event_find_system(const struct instance_events *in, const char *name);

#endif /* _KERNEL_TRACE_EVENTS_LOOKUP_H */
