/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A 64-bit counter and a 64-bit latest time for machines that have 32-bit atomic operations only.
 * The kernel's atomic64_t takes a lock there, and an NMI that interrupts the owner of the lock
 * would wait forever.
 */
#ifndef _KERNEL_TRACE_NARROW_H
#define _KERNEL_TRACE_NARROW_H

#include <linux/atomic.h>
#include <linux/seqlock.h>
#include <linux/types.h>

/**
 * struct narrow_counter - counter of 63 bits, without a lock
 * @low: lower 32 bits of the count
 * @half_laps: number of times that @low has passed 0 or 2^31, that is bits 31 and up of the count
 *
 * A counter that is all zero has not counted yet.
 */
struct narrow_counter {
	atomic_t	low;
	atomic_t	half_laps;
};

/**
 * narrow_counter_next() - increment a counter
 * @c: the counter
 *
 * Correct as long as no caller is delayed while others count up to 2^31.
 *
 * Context: any, NMI included; never waits.
 * Return: the new count.
 */
u64 narrow_counter_next(struct narrow_counter *c);

/**
 * narrow_counter_read() - read a counter
 * @c: the counter
 *
 * Correct as long as the caller is not delayed while others count up to 2^31.
 *
 * Context: any, NMI included; never waits.
 * Return: the last result of narrow_counter_next(); 0 if there was none.
 */
u64 narrow_counter_read(const struct narrow_counter *c);

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

#endif /* _KERNEL_TRACE_NARROW_H */
