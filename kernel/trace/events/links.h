/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where an event is on that has no tracepoint, which would know that for it: who makes such an
 * event keeps a list of it, and &trace_event_class.reg adds to that, and takes away.
 */
#ifndef _KERNEL_TRACE_EVENTS_LINKS_H
#define _KERNEL_TRACE_EVENTS_LINKS_H

#include <linux/rculist.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <linux/types.h>

struct mm_struct;

/**
 * struct event_link - a place where an event is on
 * @node: in the list (RCU); first, for who goes through the list at each hit
 * @file: the event in an instance, or elsewhere
 * @rcu: frees it
 */
struct event_link {
	struct list_head	node;
	struct trace_event_file	*file;
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

/**
 * event_links_want - is an event of a task of any use, wherever it is on
 * @links: where
 * @mm: the memory of the task
 *
 * Context: process.
 */
bool event_links_want(const struct list_head *links, const struct mm_struct *mm);

/**
 * event_links_lose - count a record that is not made, wherever an event is on
 * @links: where
 *
 * Whoever reads a buffer finds it among the dropped events of the CPU; a histogram drops it; what
 * else the event makes happen shows it as missed.
 *
 * Context: any, NMI included; preemption off.
 */
void event_links_lose(const struct list_head *links);

/**
 * event_links_record - record the same wherever an event is on
 * @links: where
 * @rec: the record, whose header is filled in for each
 * @len: how long it is
 * @regs: the registers of who has the event, or NULL
 *
 * Part of its caller, who is the probe: stacks begin with whoever has called that.
 *
 * Context: any, NMI included; preemption off.
 */
static __always_inline void event_links_record(struct list_head *links, const void *rec,
					       unsigned int len, struct pt_regs *regs)
{
	const unsigned int head = sizeof(struct trace_entry);
	struct trace_event_buffer b __uninitialized;
	struct event_link *link;
	void *to;

	for_each_event_link(link, links) {
		if (trace_event_is_stopped(link->file))
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
