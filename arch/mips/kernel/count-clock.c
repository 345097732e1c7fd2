// SPDX-License-Identifier: GPL-2.0
/*
 * sched_clock() from the Count registers of several CPUs.
 *
 * Each CPU has a counter of 32 bits, which goes around once in some seconds.  They
 * were set to the same value when the CPUs came up (sync-r4k.c), as well as that can be
 * done, and count at the same rate.  A counter that is a little behind another one stays
 * as far behind.  What a CPU records before, on its way up, has the time of an arbitrary
 * counter where counters do not begin alike.
 *
 * So a reading is extended to 64 bits by a reference that anybody may have taken: it is
 * the value closest to the reference that has the counter as its lower half.  That is
 * right as long as the two are less than half a round apart, in either direction; and it
 * is the same, whichever reference is used.  So time goes on steadily on each CPU, and
 * what differs between them is what their counters do.
 *
 * Whoever reads finds out that the reference gets old, and takes another one: the
 * scheduler does so all the time where there is something to be done, and does not depend
 * on one CPU's timer.  A timer is for when nobody reads, because all CPUs are idle.
 */
#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/hrtimer.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/sched_clock.h>
#include <linux/seqlock.h>
#include <linux/smp.h>
#include <asm/mipsregs.h>
#include <asm/time.h>

#include "count-clock.h"

/* Two copies, so that who interrupts a change finds one that is not being changed. */
static struct {
	seqcount_latch_t	seq;
	u64			count[2];
} reference = { .seq = SEQCNT_LATCH_ZERO(reference.seq) };

/* A quarter of the half round in which a reference is good. */
#define REFERENCE_AGE	0x20000000

/*
 * Two CPUs may find the reference old at once, and so may an interrupt that comes while
 * it is set: the second leaves it to the first.  If the first was late, it sets the
 * reference back a little; the time is the same with either.
 */
static void notrace reference_set(u64 count)
{
	static atomic_t busy;

	/* Pairs with the release below: one change of the latch follows the other. */
	if (atomic_cmpxchg_acquire(&busy, 0, 1))
		return;
	raw_write_seqcount_latch(&reference.seq);
	reference.count[0] = count;
	raw_write_seqcount_latch(&reference.seq);
	reference.count[1] = count;
	/* Pairs with the acquire above. */
	atomic_set_release(&busy, 0);
}

static u64 notrace count_read(void)
{
	unsigned int seq;
	u64 count;
	s32 age;

	do {
		seq = raw_read_seqcount_latch(&reference.seq);
		count = reference.count[seq & 1];
	} while (raw_read_seqcount_latch_retry(&reference.seq, seq));
	age = read_c0_count() - (u32)count;
	count += age;
	/* That of a CPU which is just coming up may not go with those of the others yet. */
	if (unlikely(age > REFERENCE_AGE) && cpu_online(raw_smp_processor_id()))
		reference_set(count);
	return count;
}

static struct hrtimer reference_timer;
static ktime_t reference_interval;

static enum hrtimer_restart reference_renew(struct hrtimer *timer)
{
	reference_set(count_read());
	hrtimer_forward_now(timer, reference_interval);
	return HRTIMER_RESTART;
}

void __init count_clock_init(unsigned int frequency)
{
	reference_set(read_c0_count());
	reference_interval = ns_to_ktime(div_u64(NSEC_PER_SEC * (u64)REFERENCE_AGE, frequency));
	sched_clock_register(count_read, 64, frequency);
}

/* Timers work by now; the boot so far took less than half a round of the counters. */
static int __init count_clock_start(void)
{
	if (!reference_interval)
		return 0;
	hrtimer_init(&reference_timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
	reference_timer.function = reference_renew;
	hrtimer_start(&reference_timer, reference_interval, HRTIMER_MODE_REL_HARD);
	return 0;
}
early_initcall(count_clock_start);
