// SPDX-License-Identifier: GPL-2.0
/* Lists of the instances and other consumers in which events without a tracepoint are on. */
#include <linux/cleanup.h>
#include <linux/errno.h>
#include <linux/lockdep.h>
#include <linux/rculist.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

#include "events.h"
#include "instance/instance.h"
#include "links.h"
#include "ring_buffer/write.h"
#include "switch.h"

int event_link_add(struct list_head *links, struct trace_event_file *file)
{
	struct event_link *link = kmalloc(sizeof(*link), GFP_KERNEL);

	lockdep_assert_held(&events_lock);
	if (!link)
		return -ENOMEM;
	link->file = file;
	list_add_tail_rcu(&link->node, links);
	return 0;
}

bool event_link_remove(struct list_head *links, const struct trace_event_file *file)
{
	struct event_link *link;

	lockdep_assert_held(&events_lock);
	list_for_each_entry(link, links, node) {
		if (link->file != file)
			continue;
		list_del_rcu(&link->node);
		kfree_rcu(link, rcu);
		return true;
	}
	return false;
}

static bool event_link_wants(const struct trace_event_file *file, const struct mm_struct *mm)
{
	const struct event_other_consumers *consumers;

	if (!(READ_ONCE(file->how) & EVENT_HOW_OTHER_CONSUMERS))
		return true;
	consumers = READ_ONCE(file->other_consumers);
	return !consumers->wants || consumers->wants(file, mm);
}

bool event_links_want(const struct list_head *links, const struct mm_struct *mm)
{
	struct event_link *link;

	guard(rcu)();
	for_each_event_link(link, links)
		if (event_link_wants(link->file, mm))
			return true;
	return false;
}

static void event_link_lose_consumer(struct trace_event_file *file)
{
	const struct event_other_consumers *consumers = READ_ONCE(file->other_consumers);

	if (consumers->lose)
		consumers->lose(file);
}

static void event_link_lose_record(struct trace_event_file *file)
{
	if (READ_ONCE(file->how) & EVENT_HOW_OTHER_CONSUMERS)
		return event_link_lose_consumer(file);
	if (event_is_recorded(file))
		rb_count_dropped(READ_ONCE(file->tr->buffer));
	if (READ_ONCE(file->how) & EVENT_HOW_TRIGGERS && !event_is_ignored(file))
		event_trigger_ops->miss(file);
}

void event_links_lose(const struct list_head *links)
{
	struct event_link *link;

	for_each_event_link(link, links)
		if (!trace_event_is_stopped(link->file))
			event_link_lose_record(link->file);
}
