// SPDX-License-Identifier: GPL-2.0
/*
 * Freeing what is read without a lock. The rude flavour of Tasks RCU has no
 * callbacks, so what dies gathers in a list, and a work waits for all of it.
 */
#include <linux/llist.h>
#include <linux/rcupdate.h>
#include <linux/workqueue.h>

#include "lockless.h"

static LLIST_HEAD(all_dead);

void lockless_synchronize(void)
{
	/* For readers that RCU knows of, who may be preempted. */
	synchronize_rcu();
	synchronize_rcu_tasks_rude();
}

static void free_dead(struct work_struct *work)
{
	/* Taken first: what comes later has the work run again. */
	struct llist_node *batch = llist_del_all(&all_dead);
	struct lockless *dead, *next;

	lockless_synchronize();
	llist_for_each_entry_safe(dead, next, batch, node)
		dead->free(dead);
}

static DECLARE_WORK(free_work, free_dead);

void lockless_free(struct lockless *dead, void (*free)(struct lockless *dead))
{
	dead->free = free;
	llist_add(&dead->node, &all_dead);
	/* Early in the boot there is no work yet: then the next one frees all. */
	if (system_unbound_wq)
		queue_work(system_unbound_wq, &free_work);
}
