// SPDX-License-Identifier: GPL-2.0
/*
 * sched_clock() from the Count registers of several CPUs.
 *
 * Each CPU has a counter of 32 bits, which wraps around every few seconds.  The counters count at
 * the same rate, and are set to nearly equal values when the CPUs come up (sync-r4k.c): the
 * difference between two counters stays constant.  Records that a CPU makes before that have the
 * time of its unsynchronized counter.
 *
 * A reading is extended to 64 bits by a reference, a full count that any CPU has stored: the
 * result is the value closest to the reference that has the counter as its lower half.  That is
 * correct as long as the two are less than half a round apart, in either direction, and does not
 * depend on the choice of the reference.  So time is steady on each CPU, and differs between CPUs
 * only as far as their counters differ.
 *
 * A reader that finds the reference old stores a new one.  On busy CPUs the scheduler reads the
 * clock all the time, so this does not depend on the timer of one CPU.  A timer renews the
 * reference while all CPUs are idle and none reads the clock.
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

/* Two copies: code that interrupts a change reads the copy that is not being changed. */
static struct {
	seqcount_latch_t	seq;
	u64			count[2];
} count_reference = { .seq = SEQCNT_LATCH_ZERO(count_reference.seq) };

/* Age at which a reference is renewed: a quarter of the half round for which it is valid. */
#define REFERENCE_AGE	0x20000000

/*
 * Two CPUs, or a CPU and an interrupt on it, may find the reference old at the same time: only the
 * first one sets it.  A late writer may set the reference back a little, which does not change the
 * time that readers compute.
 */
static void notrace count_reference_set(u64 count)
{
	static atomic_t busy;

	/* Pairs with the release below: orders the changes of the latch. */
	if (atomic_cmpxchg_acquire(&busy, 0, 1))
		return;
	raw_write_seqcount_latch(&count_reference.seq);
	count_reference.count[0] = count;
	raw_write_seqcount_latch(&count_reference.seq);
	count_reference.count[1] = count;
	/* Pairs with the acquire above. */
	atomic_set_release(&busy, 0);
}

static u64 notrace count_read(void)
{
	unsigned int seq;
	u64 count;
	s32 age;

	do {
		seq = raw_read_seqcount_latch(&count_reference.seq);
		count = count_reference.count[seq & 1];
	} while (raw_read_seqcount_latch_retry(&count_reference.seq, seq));
	age = read_c0_count() - (u32)count;
	count += age;
	/* The counter of a CPU that is coming up may not be synchronized with the others yet. */
	if (unlikely(age > REFERENCE_AGE) && cpu_online(raw_smp_processor_id()))
		count_reference_set(count);
	return count;
}

static struct hrtimer reference_timer;
static ktime_t reference_interval;

static enum hrtimer_restart count_reference_renew(struct hrtimer *timer)
{
	count_reference_set(count_read());
	hrtimer_forward_now(timer, reference_interval);
	return HRTIMER_RESTART;
}

void __init count_clock_init(unsigned int frequency)
{
	count_reference_set(read_c0_count());
	reference_interval = ns_to_ktime(div_u64(NSEC_PER_SEC * (u64)REFERENCE_AGE, frequency));
	sched_clock_register(count_read, 64, frequency);
}

/* Timers work now, and the boot has taken less than half a round of the counters so far. */
static int __init count_clock_start(void)
{
	if (!reference_interval)
		return 0;
	hrtimer_init(&reference_timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
	reference_timer.function = count_reference_renew;
	hrtimer_start(&reference_timer, reference_interval, HRTIMER_MODE_REL_HARD);
	return 0;
}
early_initcall(count_clock_start);
