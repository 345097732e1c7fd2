// SPDX-License-Identifier: GPL-2.0
/*
 * 64 bits where there are atomic operations on 32 only, see narrow.h.
 */
#include <linux/bits.h>
#include <linux/irqflags.h>
#include <linux/processor.h>

#include "narrow.h"

#define LOW_BITS	GENMASK(30, 0)

/*
 * The highest bit of @low is that of a lap begun. If it does not fit, the lap began since
 * @laps was read, which was before, or who began it has not said so yet.
 */
static u64 notrace widen(u32 laps, u32 low)
{
	if ((laps ^ (low >> 31)) & 1)
		laps++;
	return ((u64)laps << 31) | (low & LOW_BITS);
}

u64 notrace narrow_counter_next(struct narrow_counter *c)
{
	/* Before @low moves, which is a full barrier: never ahead of it then. */
	u32 laps = atomic_read(&c->half_laps);
	u32 low = atomic_inc_return(&c->low);

	if (!(low & LOW_BITS))
		atomic_inc(&c->half_laps);
	return widen(laps, low);
}

u64 notrace narrow_counter_read(const struct narrow_counter *c)
{
	u32 laps = atomic_read(&c->half_laps);

	/* As above. Pairs with the full barrier of who counts. */
	smp_rmb();
	return widen(laps, atomic_read(&c->low));
}

/* Good while somebody else is writing, also if it was him who was interrupted. */
static u64 notrace latest_time(const struct narrow_latest *l)
{
	unsigned int seq;
	u64 time;

	do {
		seq = raw_read_seqcount_latch(&l->seq);
		time = l->time[seq & 1];
	} while (raw_read_seqcount_latch_retry(&l->seq, seq));
	return time;
}

static void notrace set_latest(struct narrow_latest *l, u64 time)
{
	raw_write_seqcount_latch(&l->seq);
	l->time[0] = time;
	raw_write_seqcount_latch(&l->seq);
	l->time[1] = time;
}

/* Pairs with the release in narrow_latest_next(). */
static bool notrace begin(struct narrow_latest *l, bool may_wait)
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

	/* An interrupt that came in between would wait for what it interrupted. */
	raw_local_irq_save(flags);
	if (begin(l, may_wait)) {
		latest = l->time[0];
		if ((s64)(now - latest) > 0) {
			set_latest(l, now);
			latest = now;
		}
		/* Pairs with the acquire in begin(). */
		atomic_set_release(&l->busy, 0);
	} else {
		latest = latest_time(l);
	}
	raw_local_irq_restore(flags);
	return latest;
}
