/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A 64-bit counter for machines that have 32-bit atomic operations only.
 * The kernel's atomic64_t takes a lock there, and an NMI that interrupts the owner of the lock
 * would wait forever.
 */
#ifndef _KERNEL_TRACE_NARROW_H
#define _KERNEL_TRACE_NARROW_H

#include <linux/atomic.h>
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

#endif /* _KERNEL_TRACE_NARROW_H */
