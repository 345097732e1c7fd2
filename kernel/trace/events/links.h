/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lists of the instances and other consumers in which an event is on, for events without a
 * tracepoint. (For other events the tracepoint has the list, as the data of its probes.) The maker
 * of an event without a tracepoint keeps a list of &struct event_link for it, which the
 * &trace_event_class.reg of the event adds to and removes from.
 */
#ifndef _KERNEL_TRACE_EVENTS_LINKS_H
#define _KERNEL_TRACE_EVENTS_LINKS_H

#include <linux/rculist.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <linux/types.h>

#include "events.h"

struct mm_struct;

/**
 * struct event_link - an instance or another consumer in which an event is on
 * @node: node in the list (RCU); the first member, because each hit walks the list
 * @file: the event in an instance; or the file that another consumer, such as perf, has for the
 *	event
 * @rcu: frees the link
 */
struct event_link {
	struct list_head	node;
	struct trace_event_file	*file;
	struct rcu_head		rcu;
};

/* Walk a list of &struct event_link. Context: any; preemption off, or RCU read lock held. */
#define for_each_event_link(_link, _links) \
	list_for_each_entry_rcu(_link, _links, node, true)

/**
 * event_link_add - add an instance or another consumer in which an event is on
 * @links: the list
 * @file: the event in an instance; or the file that another consumer, such as perf, has for the
 *	event
 *
 * Context: may sleep; events_lock held.
 * Return: 0 or -ENOMEM.
 */
int event_link_add(struct list_head *links, struct trace_event_file *file);

/**
 * event_link_remove - remove an instance or another consumer in which an event was on
 * @links: the list
 * @file: as given to event_link_add()
 *
 * A hit in flight may still find @file: its owner waits for that before it frees @file.
 *
 * Context: any; events_lock held.
 * Return: true if it was in the list.
 */
bool event_link_remove(struct list_head *links, const struct trace_event_file *file);

/**
 * event_links_want - test whether any instance or other consumer wants records of a task
 * @links: the instances and other consumers in which the event is on
 * @mm: memory of the task
 *
 * Context: process.
 * Return: true if one of them does.
 */
bool event_links_want(const struct list_head *links, const struct mm_struct *mm);

/**
 * event_links_lose - count a record that cannot be made, in each instance and other consumer
 * @links: the instances and other consumers in which the event is on
 *
 * A buffer counts it as a dropped event of the CPU, a histogram as a drop, and other triggers as
 * a miss.
 *
 * Context: any, NMI included; preemption off.
 */
void event_links_lose(const struct list_head *links);

/**
 * event_file_is_perf - test whether an event is on in perf
 * @file: the event, as an instance or another consumer has it
 *
 * Context: any.
 * Return: true if the consumer is perf.
 */
static inline bool event_file_is_perf(const struct trace_event_file *file)
{
	return READ_ONCE(file->how) & EVENT_HOW_OTHER_CONSUMERS &&
	       READ_ONCE(file->other_consumers)->is_perf;
}

/**
 * event_links_record - record an event in each instance and other consumer
 * @links: the instances and other consumers in which the event is on
 * @rec: the record; its header is filled in for each of them separately
 * @len: bytes of the record
 * @regs: registers of the function that has the event, or NULL
 * @perf: false if perf is not to have a record
 *
 * Inlined into the caller, which is the probe: stacks begin at the caller of the probe.
 *
 * Context: any, NMI included; preemption off.
 */
static __always_inline void event_links_record(struct list_head *links, const void *rec,
					       unsigned int len, struct pt_regs *regs, bool perf)
{
	const unsigned int head = sizeof(struct trace_entry);
	struct trace_event_buffer b __uninitialized;
	struct event_link *link;
	void *to;

	for_each_event_link(link, links) {
		if (trace_event_is_stopped(link->file))
			continue;
		if (!perf && event_file_is_perf(link->file))
			continue;
		to = trace_event_buffer_reserve(&b, link->file, len);
		if (!to)
			continue;
		memcpy(to + head, rec + head, len - head);
		b.hit.regs = regs;
		trace_event_buffer_commit(&b);
	}
}

#endif /* _KERNEL_TRACE_EVENTS_LINKS_H */
