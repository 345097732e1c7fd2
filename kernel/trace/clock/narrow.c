// SPDX-License-Identifier: GPL-2.0
/*
 * 64-bit counter and latest time for machines with 32-bit atomic operations only, see narrow.h.
 */
#include <linux/bits.h>
#include <linux/irqflags.h>
#include <linux/processor.h>

#include "narrow.h"
#include "narrow_latest.h"

#define NARROW_LOW_BITS	GENMASK(30, 0)

/*
 * Combine @laps, which was read first, and @low. Bit 31 of @low equals bit 0 of the number of laps
 * that have begun. If it differs from bit 0 of @laps, a lap has begun since @laps was read, or the
 * CPU that began the lap has not incremented half_laps yet.
 */
static u64 notrace narrow_widen(u32 laps, u32 low)
{
	if ((laps ^ (low >> 31)) & 1)
		laps++;
	return ((u64)laps << 31) | (low & NARROW_LOW_BITS);
}

u64 notrace narrow_counter_next(struct narrow_counter *c)
{
	/* Read before the increment, which is a full barrier: @laps is never ahead of @low. */
	u32 laps = atomic_read(&c->half_laps);
	u32 low = atomic_inc_return(&c->low);

	if (!(low & NARROW_LOW_BITS))
		atomic_inc(&c->half_laps);
	return narrow_widen(laps, low);
}

u64 notrace narrow_counter_read(const struct narrow_counter *c)
{
	u32 laps = atomic_read(&c->half_laps);

	/*
	 * Read @laps before @low, so that @laps is never ahead. Pairs with the full barrier
	 * of atomic_inc_return() in narrow_counter_next().
	 */
	smp_rmb();
	return narrow_widen(laps, atomic_read(&c->low));
}

/* The latch makes this work during an update too, even in an NMI that has interrupted it. */
static u64 notrace narrow_latest_read(const struct narrow_latest *l)
{
	unsigned int seq;
	u64 time;

	do {
		seq = raw_read_seqcount_latch(&l->seq);
		time = l->time[seq & 1];
	} while (raw_read_seqcount_latch_retry(&l->seq, seq));
	return time;
}

static void notrace narrow_latest_set(struct narrow_latest *l, u64 time)
{
	raw_write_seqcount_latch(&l->seq);
	l->time[0] = time;
	raw_write_seqcount_latch(&l->seq);
	l->time[1] = time;
}

/* Take @busy. Pairs with the release in narrow_latest_next(). */
static bool notrace narrow_latest_lock(struct narrow_latest *l, bool may_wait)
{
	while (atomic_cmpxchg_acquire(&l->busy, 0, 1)) {
		if (!may_wait)
			return false;
		cpu_relax();
	}
	return true;
}

u64 notrace narrow_latest_next(struct narrow_latest *l, u64 now, bool may_wait)
{
	unsigned long flags;
	u64 latest;

	/* An interrupt that came while this CPU owns @busy would wait for it forever. */
	raw_local_irq_save(flags);
	if (narrow_latest_lock(l, may_wait)) {
		latest = l->time[0];
		if ((s64)(now - latest) > 0) {
			narrow_latest_set(l, now);
			latest = now;
		}
		/* Pairs with the acquire in narrow_latest_lock(). */
		atomic_set_release(&l->busy, 0);
	} else {
		latest = narrow_latest_read(l);
	}
	raw_local_irq_restore(flags);
	return latest;
}
