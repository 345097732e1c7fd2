// SPDX-License-Identifier: GPL-2.0
/*
 * Freeing memory that is read without a lock. The rude flavour of Tasks RCU has no
 * callbacks, so objects are collected in a list, and a work waits for the readers of all.
 */
#include <linux/init.h>
#include <linux/llist.h>
#include <linux/pid.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "lockless.h"

static LLIST_HEAD(lockless_dead);

/*
 * True while CPUs may be started in parallel at boot.  Such a CPU runs code before the CPU
 * hotplug lock is held for bringing it up, so holding that lock does not exclude it.
 */
static bool cpus_are_starting = IS_ENABLED(CONFIG_HOTPLUG_PARALLEL);
static DECLARE_WAIT_QUEUE_HEAD(cpus_waiters);

/* Initcalls run after smp_init(), which starts the CPUs. */
static int __init lockless_cpus_started(void)
{
	WRITE_ONCE(cpus_are_starting, false);
	wake_up_all(&cpus_waiters);
	return 0;
}
core_initcall(lockless_cpus_started);

void lockless_synchronize_cpus(void)
{
	/* The init task itself starts the CPUs: while it waits here, none is starting. */
	if (!is_global_init(current))
		wait_event(cpus_waiters, !READ_ONCE(cpus_are_starting));
	/*
	 * This holds the CPU hotplug lock for reading, so no CPU is going online or offline.
	 * A CPU that has reported itself dead no longer calls traced functions.
	 */
	synchronize_rcu_tasks_rude();
}

void lockless_synchronize(void)
{
	/* For readers in RCU read-side sections, which may be preempted. */
	synchronize_rcu();
	lockless_synchronize_cpus();
}

static void lockless_free_dead(struct work_struct *work)
{
	/* Taken before the wait: an object that is added later queues the work again. */
	struct llist_node *batch = llist_del_all(&lockless_dead);
	struct lockless *dead, *next;

	lockless_synchronize();
	llist_for_each_entry_safe(dead, next, batch, node)
		dead->free(dead);
}

static DECLARE_WORK(lockless_free_work, lockless_free_dead);

void lockless_free(struct lockless *dead, void (*free)(struct lockless *dead))
{
	dead->free = free;
	llist_add(&dead->node, &lockless_dead);
	/* Early in boot there is no workqueue; a later run of the work frees all. */
	if (system_unbound_wq)
		queue_work(system_unbound_wq, &lockless_free_work);
}
