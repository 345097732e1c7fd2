// SPDX-License-Identifier: GPL-2.0
/*
 * Trace clocks.
 *
 * A clock is read for every record, in any context, NMI included, and by some users outside the
 * tracer. It must never wait, and any traceable function that it calls must be marked as the
 * tracer's own work (SPEC D18).
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
#include "narrow_latest.h"

/* True if the kernel's 64-bit atomics take a lock: an NMI may find the lock taken. */
#define TRACE_CLOCK_NARROW	IS_ENABLED(CONFIG_GENERIC_ATOMIC64)

/**
 * trace_clock_local() - read the clock of this CPU, which is the fastest clock
 *
 * Times are not comparable between CPUs, nor across idle periods.
 *
 * Context: any, NMI included.
 * Return: nanoseconds.
 */
u64 notrace trace_clock_local(void)
{
	return sched_clock();
}
EXPORT_SYMBOL_GPL(trace_clock_local);

/**
 * trace_clock() - read a clock that is comparable between CPUs up to about a jiffy
 *
 * Context: any, NMI included.
 * Return: nanoseconds.
 */
u64 notrace trace_clock(void)
{
	u64 now;

	/* local_clock() can be traced: each reading would be recorded as a call. */
	preempt_disable_notrace();
	now = local_clock_noinstr();
	preempt_enable_notrace();
	return now;
}
EXPORT_SYMBOL_GPL(trace_clock);

/* Latest result of trace_clock_global(); TRACE_CLOCK_NARROW selects which of the two is used. */
static atomic64_t trace_clock_latest ____cacheline_aligned_in_smp;
static struct narrow_latest trace_clock_narrow_latest;

/**
 * trace_clock_global() - read a clock that never goes backwards on all CPUs together
 *
 * A reading that happens after another one, on any CPU, is not less than the other one. The price
 * is a cache line that all CPUs write to.
 *
 * Context: any, NMI included.
 * Return: nanoseconds.
 */
u64 notrace trace_clock_global(void)
{
	s64 latest, now;

	/* Stay on this CPU: reading the clock of another CPU would wait for that CPU. */
	preempt_disable_notrace();
	now = sched_clock_cpu(raw_smp_processor_id());
	preempt_enable_notrace();

	if (TRACE_CLOCK_NARROW)
		return narrow_latest_next(&trace_clock_narrow_latest, now, !in_nmi());

	/*
	 * A failed exchange means that another CPU has stored a later time. So the
	 * loop ends: each round either stores @now or finds a later time.
	 */
	latest = atomic64_read(&trace_clock_latest);
	do {
		if (now - latest <= 0)
			return latest;
	} while (!atomic64_try_cmpxchg_relaxed(&trace_clock_latest, &latest, now));

	return now;
}
EXPORT_SYMBOL_GPL(trace_clock_global);

/**
 * trace_clock_jiffies() - read the time since boot, with the resolution of the tick
 *
 * Context: any, NMI included.
 * Return: clock ticks of user space (USER_HZ).
 */
u64 notrace trace_clock_jiffies(void)
{
	/*
	 * Read the variable directly: on 32 bits, get_jiffies_64() takes a seqlock,
	 * for which an NMI would wait forever. A torn read yields one wrong time.
	 */
	return jiffies_64_to_clock_t(jiffies_64 - INITIAL_JIFFIES);
}
EXPORT_SYMBOL_GPL(trace_clock_jiffies);

/**
 * trace_clock_counter() - count readings, for a strict order of events instead of times
 *
 * Context: any, NMI included.
 * Return: a number that is larger by one at each reading.
 */
u64 notrace trace_clock_counter(void)
{
	static struct narrow_counter narrow_counter;
	static atomic64_t counter;

	if (TRACE_CLOCK_NARROW)
		return narrow_counter_next(&narrow_counter);
	return atomic64_inc_return(&counter);
}

/*
 * Read a clock of the timekeeping code as the tracer's own work, because the clock source may call
 * traced functions. Interrupts are off, so that functions called by an interrupt handler are not
 * taken for the tracer's own.
 */
static __always_inline u64 trace_clock_read_own(u64 (*clock)(void))
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
	return trace_clock_read_own(ktime_get_mono_fast_ns);
}

static u64 notrace trace_clock_mono_raw(void)
{
	return trace_clock_read_own(ktime_get_raw_fast_ns);
}

static u64 notrace trace_clock_boot(void)
{
	return trace_clock_read_own(ktime_get_boot_fast_ns);
}

static u64 notrace trace_clock_tai(void)
{
	return trace_clock_read_own(ktime_get_tai_fast_ns);
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
