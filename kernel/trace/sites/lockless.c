// SPDX-License-Identifier: GPL-2.0
/*
 * Freeing what is read without a lock. The rude flavour of Tasks RCU has no
 * callbacks, so what dies gathers in a list, and a work waits for all of it.
 */
#include <linux/init.h>
#include <linux/llist.h>
#include <linux/pid.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "lockless.h"

static LLIST_HEAD(all_dead);

/*
 * At boot CPUs may be started several at a time.  Until each of them has its turn to be
 * brought up, it runs without anybody having locked CPU hotplug for it.
 */
static bool cpus_come = IS_ENABLED(CONFIG_HOTPLUG_PARALLEL);
static DECLARE_WAIT_QUEUE_HEAD(cpus_waiters);

/* Behind smp_init(). */
static int __init cpus_have_come(void)
{
	WRITE_ONCE(cpus_come, false);
	wake_up_all(&cpus_waiters);
	return 0;
}
core_initcall(cpus_have_come);

void lockless_synchronize_cpus(void)
{
	/* Who starts them is not doing so, if it is he who waits. */
	if (!is_global_init(current))
		wait_event(cpus_waiters, !READ_ONCE(cpus_come));
	/*
	 * With the lock held for reading: no other one is on its way up or down.  One that
	 * has told that it is dead calls nothing any more that is traced.
	 */
	synchronize_rcu_tasks_rude();
}

void lockless_synchronize(void)
{
	/* For readers that RCU knows of, who may be preempted. */
	synchronize_rcu();
	lockless_synchronize_cpus();
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
