/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory that is read without a lock from wherever a function may be traced.
 *
 * That includes code where RCU does not watch: in front of user space, in the
 * idle loop, on a CPU that comes or goes, as far as the architecture lets it be
 * traced. A grace period of RCU alone does not wait for such a reader. It runs
 * with preemption off, so it is done when its CPU has switched to another task:
 * that is what the rude flavour of Tasks RCU has every CPU do that is online, when none is
 * about to come or to go.
 */
#ifndef _KERNEL_TRACE_SITES_LOCKLESS_H
#define _KERNEL_TRACE_SITES_LOCKLESS_H

#include <linux/llist.h>

/**
 * struct lockless - part of what lockless_free() takes
 * @node: among those that wait to be freed
 * @free: frees it
 */
struct lockless {
	struct llist_node node;
	void (*free)(struct lockless *dead);
};

/**
 * lockless_synchronize_cpus() - wait until each CPU has switched to another task
 *
 * Also each that is being brought up, or taken down: what it was in with preemption off
 * when this was called, it has left.
 *
 * Context: sleeps for long; the CPU hotplug lock not held.
 */
void lockless_synchronize_cpus(void);

/**
 * lockless_synchronize() - wait for the readers that are under way
 *
 * Those in an RCU read-side section, and those with preemption off wherever
 * they are, NMIs included.
 *
 * Context: sleeps for long; a reader may hold no lock that the caller holds.
 */
void lockless_synchronize(void);

/**
 * lockless_free() - free memory when its last reader is done
 * @dead: in memory that no new reader can find
 * @free: called with @dead in process context, after lockless_synchronize()
 *
 * Context: any but NMI.
 */
void lockless_free(struct lockless *dead, void (*free)(struct lockless *dead));

#endif /* _KERNEL_TRACE_SITES_LOCKLESS_H */
