/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A 64-bit latest time for machines that have 32-bit atomic operations only, see narrow.h.
 */
#ifndef _KERNEL_TRACE_NARROW_LATEST_H
#define _KERNEL_TRACE_NARROW_LATEST_H

#include <linux/atomic.h>
#include <linux/seqlock.h>
#include <linux/types.h>

/**
 * struct narrow_latest - the latest time that a clock has returned
 * @busy: 1 while a CPU updates @time
 * @seq: latch that selects the copy of the time to read during an update
 * @time: two copies of the time
 *
 * A struct that is all zero holds no time yet.
 */
struct narrow_latest {
	atomic_t		busy;
	seqcount_latch_t	seq;
	u64			time[2];
};

/**
 * narrow_latest_next() - make a time not earlier than all times returned so far
 * @l: the latest time
 * @now: time of this CPU
 * @may_wait: false in an NMI
 *
 * Waits for updates by other CPUs with interrupts off, for some dozens of instructions each. If
 * @may_wait is false and an update is in progress, returns the latest time unchanged, which may be
 * earlier than @now. Results never go backwards on any CPU.
 *
 * Context: any.
 * Return: the later one of @now and the latest time; or the latest time if it was not waited for.
 */
u64 narrow_latest_next(struct narrow_latest *l, u64 now, bool may_wait);

#endif /* _KERNEL_TRACE_NARROW_LATEST_H */
