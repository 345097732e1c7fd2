/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perf as a user of events: inside of perf/.
 *
 * An event that perf has open is one user more of its tracepoint, beside the instances that
 * have it on: the same probe makes the record, but in memory from which perf samples it.
 *
 * What rooms above this one, or the kernel, may call is in <linux/trace_events.h>.
 */
#ifndef _KERNEL_TRACE_PERF_INTERNAL_H
#define _KERNEL_TRACE_PERF_INTERNAL_H

#include <linux/percpu.h>
#include <linux/types.h>

#include "events/events.h"

/**
 * struct perf_tp_cpu - an event on a CPU
 * @stopped: not 0 if a record would be of no use; &trace_event_head.stopped
 * @events: the &struct perf_event that count on this CPU now, changed there with interrupts
 *	disabled
 *
 * Whether a record may also be for another task only its probe knows. So a CPU begins with
 * records made, and it is the first one which is of no use that sets @stopped.
 */
struct perf_tp_cpu {
	unsigned long		stopped;
	struct hlist_head	events;
};

/**
 * struct perf_tp - an event that perf has open
 * @file: what its probe is called with
 * @cpus: of each CPU
 * @users: how many &struct perf_event there are of it
 * @node: among all of these
 *
 * Protected by events_lock, but for what the probe reads.
 */
struct perf_tp {
	struct trace_event_file		file;
	struct perf_tp_cpu __percpu	*cpus;
	unsigned int			users;
	struct list_head		node;
};

/* Who makes the records. */
extern const struct event_elsewhere perf_records;

/**
 * perf_records_get - have memory for records
 *
 * Counted: each call that succeeded needs its perf_records_put().
 *
 * Context: may sleep; events_lock held.
 * Return: 0 or -ENOMEM.
 */
int perf_records_get(void);

/**
 * perf_records_put - end of a perf_records_get()
 *
 * No probe is under way with an event of perf.
 *
 * Context: may sleep; events_lock held.
 */
void perf_records_put(void);

#endif /* _KERNEL_TRACE_PERF_INTERNAL_H */
