/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The snapshot action of a histogram: a snapshot of the buffer is taken when a variable exceeds
 * its maximum over all keys, or has changed. An instance can have one such histogram.
 */
#ifndef _KERNEL_TRACE_HIST_PEAK_H
#define _KERNEL_TRACE_HIST_PEAK_H

#include <linux/types.h>

#include "action.h"

struct hist;
struct hist_action;

/* True if an onmax() or onchange() action is due for @value after @before. Context: any. */
static inline bool hist_value_is_due(u8 handler, u64 value, u64 before)
{
	return handler == HIST_ON_MAX ? value > before : value != before;
}

/**
 * hist_peak_begin - make the snapshots of an instance depend on a histogram
 * @h: the histogram
 * @a: its snapshot action
 *
 * Context: may sleep; trace_lock is held.
 * Return: 0, for hist_peak_end(); -EBUSY if @h has a snapshot action already, or the snapshot is
 * in use; -ENOMEM; -ENODEV without snapshots.
 */
int hist_peak_begin(struct hist *h, const struct hist_action *a);

/**
 * hist_peak_end - undo hist_peak_begin()
 * @h: the histogram, which is hit no more
 *
 * Context: may sleep.
 */
void hist_peak_end(struct hist *h);

/**
 * hist_peak_request - take a snapshot if the value is a new maximum, or has changed
 * @h: the histogram
 * @value: value of the tracked variable
 * @key: key of the hit, followed by the name of the task if &hist.wants_comm
 *
 * Context: any; does nothing in an NMI.
 */
void hist_peak_request(const struct hist *h, u64 value, const void *key);

/**
 * hist_peak_read - read the value and key that caused the latest snapshot
 * @h: the histogram
 * @value: set to the value
 * @key: set to the key, followed by the name of the task if &hist.wants_comm; room for
 *	h->key_size + TASK_COMM_LEN bytes
 *
 * Context: may sleep.
 * Return: the action that took the snapshot; NULL if none was taken.
 */
const struct hist_action *hist_peak_read(const struct hist *h, u64 *value, void *key);

#endif /* _KERNEL_TRACE_HIST_PEAK_H */
