/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Snapshots that a histogram takes: when a variable is higher than it ever was for any key, or
 * has changed. The instance can have one such histogram.
 */
#ifndef _KERNEL_TRACE_HIST_PEAK_H
#define _KERNEL_TRACE_HIST_PEAK_H

#include "action.h"

/* Does a value matter, after another one? Context: any. */
static inline bool hist_matters(u8 handler, u64 value, u64 before)
{
	return handler == HIST_ON_MAX ? value > before : value != before;
}

/**
 * hist_peak_begin - snapshots depend on a histogram
 * @h: the histogram
 * @a: its action
 *
 * Context: may sleep; trace_lock is held.
 * Return: 0, for hist_peak_end(); -EBUSY if somebody else has the snapshot; -ENOMEM; -ENODEV
 * without snapshots.
 */
int hist_peak_begin(struct hist *h, const struct hist_action *a);

/* They do no more. Context: may sleep. */
void hist_peak_end(struct hist *h);

/**
 * hist_peak_ask - take a snapshot, if the value matters
 * @h: the histogram
 * @value: the value
 * @key: of which key, with its note
 *
 * Context: any; in an NMI nothing happens.
 */
void hist_peak_ask(const struct hist *h, u64 value, const void *key);

/**
 * hist_peak_of - what the latest snapshot was taken for
 * @h: the histogram
 * @value: set
 * @key: set, with the note: h->key_size + TASK_COMM_LEN bytes
 *
 * Context: may sleep.
 * Return: the action; NULL if there was none.
 */
const struct hist_action *hist_peak_of(const struct hist *h, u64 *value, void *key);

#endif /* _KERNEL_TRACE_HIST_PEAK_H */
