// SPDX-License-Identifier: GPL-2.0
/*
 * Where events are on that have no tracepoint.
 */
#include <linux/errno.h>
#include <linux/lockdep.h>
#include <linux/rculist.h>
#include <linux/slab.h>

#include "events.h"
#include "links.h"

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
