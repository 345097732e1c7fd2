/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where an event is on that has no tracepoint, which would know that for it: who makes such an
 * event keeps a list of it, and &trace_event_class.reg adds to that, and takes away.
 */
#ifndef _KERNEL_TRACE_EVENTS_LINKS_H
#define _KERNEL_TRACE_EVENTS_LINKS_H

#include <linux/rculist.h>
#include <linux/trace_events.h>
#include <linux/types.h>

/**
 * struct event_link - a place where an event is on
 * @file: the event in an instance, or elsewhere
 * @node: in the list (RCU)
 * @rcu: frees it
 */
struct event_link {
	struct trace_event_file	*file;
	struct list_head	node;
	struct rcu_head		rcu;
};

/* Each of them. Context: any; preemption off, or in an RCU read-side critical section. */
#define for_each_event_link(_link, _links) \
	list_for_each_entry_rcu(_link, _links, node, true)

/**
 * event_link_add - an event is on somewhere
 * @links: the list
 * @file: where
 *
 * Context: may sleep; events_lock held.
 * Return: 0 or -ENOMEM.
 */
int event_link_add(struct list_head *links, struct trace_event_file *file);

/**
 * event_link_remove - and no more
 * @links: the list
 * @file: where
 *
 * Who is under way may still find it: who has the file freed waits for that.
 *
 * Context: any; events_lock held.
 * Return: was it in the list?
 */
bool event_link_remove(struct list_head *links, const struct trace_event_file *file);

#endif /* _KERNEL_TRACE_EVENTS_LINKS_H */
