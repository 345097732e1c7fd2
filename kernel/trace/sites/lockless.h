/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Freeing memory that traced functions read without a lock.
 *
 * Traced functions include code where RCU is not watching: at the boundary to user space, in
 * the idle loop, on a CPU that goes online or offline, as far as the architecture allows them
 * to be traced. A grace period of RCU does not wait for such a reader. The reader runs
 * with preemption off, so it has finished when its CPU has switched to another task.
 * The rude flavour of Tasks RCU makes every online CPU switch, while no CPU goes online or
 * offline.
 */
#ifndef _KERNEL_TRACE_SITES_LOCKLESS_H
#define _KERNEL_TRACE_SITES_LOCKLESS_H

#include <linux/llist.h>

/**
 * struct lockless - member of an object that is freed by lockless_free()
 * @node: in the list of objects that wait to be freed
 * @free: frees the object
 */
struct lockless {
	struct llist_node node;
	void (*free)(struct lockless *dead);
};

/**
 * lockless_synchronize_cpus() - wait until each CPU has switched to another task
 *
 * Includes CPUs that are being brought up or taken down. Every section with preemption off
 * that had begun before the call has ended when it returns.
 *
 * Context: sleeps for long; the CPU hotplug lock not held.
 */
void lockless_synchronize_cpus(void);

/**
 * lockless_synchronize() - wait for all readers that have begun before
 *
 * Waits for readers in an RCU read-side section, and for those with preemption off, NMIs
 * included, also where RCU is not watching.
 *
 * Context: sleeps for long; the caller holds no lock that a reader may take.
 */
void lockless_synchronize(void);

/**
 * lockless_free() - free an object after its last reader has finished
 * @dead: member of the object, which new readers can no longer find
 * @free: called with @dead in process context, after lockless_synchronize()
 *
 * Context: any but NMI.
 */
void lockless_free(struct lockless *dead, void (*free)(struct lockless *dead));

#endif /* _KERNEL_TRACE_SITES_LOCKLESS_H */
