/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A counter and a latest time of 64 bits for machines that have atomic operations
 * on 32 bits only. The kernel's atomic64_t takes a lock there, and an NMI that
 * comes while it is held waits for ever.
 */
#ifndef _KERNEL_TRACE_NARROW_H
#define _KERNEL_TRACE_NARROW_H

#include <linux/atomic.h>
#include <linux/seqlock.h>
#include <linux/types.h>

/**
 * struct narrow_counter - counts in 64 bits
 * @low: the lower 32 bits
 * @half_laps: how many times @low came by 0 or by half its range
 *
 * All zero: nothing counted yet.
 */
struct narrow_counter {
	atomic_t	low;
	atomic_t	half_laps;
};

/**
 * narrow_counter_next - count
 * @c: the counter
 *
 * Right as long as no caller is held up while others count to 2^31.
 *
 * Context: any, NMI included; waits for nobody.
 * Return: one more than the call before, whoever made that.
 */
u64 narrow_counter_next(struct narrow_counter *c);

/**
 * narrow_counter_read - how far has it counted?
 * @c: the counter
 *
 * Right as long as the caller is not held up while others count to 2^31.
 *
 * Context: any, NMI included; waits for nobody.
 * Return: what the last narrow_counter_next() has returned; 0 before the first.
 */
u64 narrow_counter_read(const struct narrow_counter *c);

/**
 * struct narrow_latest - the latest time that was given out
 * @busy: somebody is changing it
 * @seq: which of the two may be read meanwhile
 * @time: it, twice
 *
 * All zero: none yet.
 */
struct narrow_latest {
	atomic_t		busy;
	seqcount_latch_t	seq;
	u64			time[2];
};

/**
 * narrow_latest_next - give out a time that is not before any given out so far
 * @l: the latest
 * @now: the time, as this CPU sees it
 * @may_wait: false in an NMI
 *
 * Waits for others with interrupts off, for some dozens of instructions each.
 * Who may not wait, and finds somebody in there, gets the latest time as it is: it
 * stands still for him, but does not go back for anybody.
 *
 * Context: any.
 * Return: @now, or a later one.
 */
u64 narrow_latest_next(struct narrow_latest *l, u64 now, bool may_wait);

#endif /* _KERNEL_TRACE_NARROW_H */
