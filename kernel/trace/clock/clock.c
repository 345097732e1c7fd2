// SPDX-License-Identifier: GPL-2.0
/*
 * Trace clocks.
 *
 * Read for every entry, in any context, NMI included, and by some users outside
 * the tracer.  A clock here must never wait for anybody, and whatever it calls that
 * may be traced is the tracer's own (SPEC D18).
 */
#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/export.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/preempt.h>
#include <linux/sched/clock.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/timekeeping.h>

#include "clock.h"
#include "guard/guard.h"
#include "narrow.h"

/* The kernel's 64-bit atomics take a lock, which an NMI may find taken. */
#define NARROW	IS_ENABLED(CONFIG_GENERIC_ATOMIC64)

/**
 * trace_clock_local - the clock of this CPU: the fastest there is
 *
 * Not comparable between CPUs, nor across idle.
 * Return: nanoseconds.
 */
u64 notrace trace_clock_local(void)
{
	return sched_clock();
}
EXPORT_SYMBOL_GPL(trace_clock_local);

/**
 * trace_clock - comparable between CPUs up to about a jiffy
 *
 * Return: nanoseconds.
 */
u64 notrace trace_clock(void)
{
	u64 now;

	/* local_clock() is traced: each reading would be a call to record. */
	preempt_disable_notrace();
	now = local_clock_noinstr();
	preempt_enable_notrace();
	return now;
}
EXPORT_SYMBOL_GPL(trace_clock);

/* The latest time that trace_clock_global() has given out; one of them is used. */
static atomic64_t global_latest ____cacheline_aligned_in_smp;
static struct narrow_latest narrow_global_latest;

/**
 * trace_clock_global - never goes back, on whatever CPU it is read
 *
 * Two readings of which one happened after the other are in that order.  CPUs
 * share a cache line for it.
 *
 * Return: nanoseconds.
 */
u64 notrace trace_clock_global(void)
{
	s64 latest, now;

	/* Reading another CPU's clock would have to wait for that CPU. */
	preempt_disable_notrace();
	now = sched_clock_cpu(raw_smp_processor_id());
	preempt_enable_notrace();

	if (NARROW)
		return narrow_latest_next(&narrow_global_latest, now, !in_nmi());

	/*
	 * A failed exchange means that somebody went ahead, so this ends: each
	 * round either gives out a time or finds a later one.
	 */
	latest = atomic64_read(&global_latest);
	do {
		if (now - latest <= 0)
			return latest;
	} while (!atomic64_try_cmpxchg_relaxed(&global_latest, &latest, now));

	return now;
}
EXPORT_SYMBOL_GPL(trace_clock_global);

/**
 * trace_clock_jiffies - time since boot, no finer than the tick
 *
 * Return: clock ticks of user space (USER_HZ).
 */
u64 notrace trace_clock_jiffies(void)
{
	/*
	 * The bare variable: get_jiffies_64() takes a seqlock on 32 bit, which
	 * an NMI cannot.  The worst that comes of it is one absurd time stamp.
	 */
	return jiffies_64_to_clock_t(jiffies_64 - INITIAL_JIFFIES);
}
EXPORT_SYMBOL_GPL(trace_clock_jiffies);

/**
 * trace_clock_counter - a strict order of events instead of times
 *
 * Return: one more at each reading.
 */
u64 notrace trace_clock_counter(void)
{
	static struct narrow_counter narrow_counter;
	static atomic64_t counter;

	if (NARROW)
		return narrow_counter_next(&narrow_counter);
	return atomic64_inc_return(&counter);
}

/*
 * The kernel's clocks are read from the clock source, of which nobody knows what it calls.
 * With interrupts off, for nothing of an interrupt is to be taken for a part of that.
 */
static __always_inline u64 read_unrecorded(u64 (*clock)(void))
{
	struct trace_own own;
	unsigned long flags;
	u64 now;

	flags = trace_own_irqsave(&own);
	now = clock();
	trace_own_irqrestore(&own, flags);
	return now;
}

static u64 notrace trace_clock_mono(void)
{
	return read_unrecorded(ktime_get_mono_fast_ns);
}

static u64 notrace trace_clock_mono_raw(void)
{
	return read_unrecorded(ktime_get_raw_fast_ns);
}

static u64 notrace trace_clock_boot(void)
{
	return read_unrecorded(ktime_get_boot_fast_ns);
}

static u64 notrace trace_clock_tai(void)
{
	return read_unrecorded(ktime_get_tai_fast_ns);
}

const struct trace_named_clock trace_clocks[] = {
	{ trace_clock_local,		"local",	true },
	{ trace_clock_global,		"global",	true },
	{ trace_clock_counter,		"counter",	false },
	{ trace_clock_jiffies,		"uptime",	false },
	{ trace_clock,			"perf",		true },
	{ trace_clock_mono,		"mono",		true },
	{ trace_clock_mono_raw,		"mono_raw",	true },
	{ trace_clock_boot,		"boot",		true },
	{ trace_clock_tai,		"tai",		true },
	ARCH_TRACE_CLOCKS
};

const unsigned int nr_trace_clocks = ARRAY_SIZE(trace_clocks);

int trace_clock_find(const char *name)
{
	for (unsigned int i = 0; i < nr_trace_clocks; i++) {
		if (!strcmp(trace_clocks[i].name, name))
			return i;
	}
	return -EINVAL;
}
