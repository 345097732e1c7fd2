// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the clocks, including those that only machines without 64-bit atomics use.
 */
#include <kunit/test.h>
#include <linux/cleanup.h>
#include <linux/cpu.h>
#include <linux/minmax.h>
#include <linux/preempt.h>
#include <linux/sched/clock.h>
#include <linux/smp.h>
#include <linux/time64.h>
#include <asm/trace_clock_inline.h>

#include "clock.h"
#include "narrow.h"
#include "narrow_latest.h"

static void expect_counts_on(struct kunit *test, u32 low, u32 laps, u64 first)
{
	struct narrow_counter c = {
		.low		= ATOMIC_INIT(low),
		.half_laps	= ATOMIC_INIT(laps),
	};

	KUNIT_EXPECT_EQ_MSG(test, narrow_counter_read(&c), first - 1, "%x, %x", low, laps);
	for (unsigned int i = 0; i < 6; i++) {
		KUNIT_EXPECT_EQ_MSG(test, narrow_counter_next(&c), first + i,
				    "%u after %x, %x", i, low, laps);
		KUNIT_EXPECT_EQ_MSG(test, narrow_counter_read(&c), first + i,
				    "%u after %x, %x", i, low, laps);
	}
}

static void counter_test(struct kunit *test)
{
	expect_counts_on(test, 0, 0, 1);
	expect_counts_on(test, 0x7ffffffdU, 0, 0x7ffffffeULL);
	expect_counts_on(test, 0xfffffffdU, 1, 0xfffffffeULL);
	expect_counts_on(test, 0x7ffffffdU, 2, 0x17ffffffeULL);
	/* A lap has begun, but its CPU was interrupted before it incremented half_laps. */
	expect_counts_on(test, 0x80000000U, 0, 0x80000001ULL);
	expect_counts_on(test, 0, 1, 0x100000001ULL);
}

static void latest_test(struct kunit *test)
{
	struct narrow_latest l = { };

	KUNIT_EXPECT_EQ(test, narrow_latest_next(&l, 5, true), 5);
	KUNIT_EXPECT_EQ(test, narrow_latest_next(&l, 4, true), 5);
	KUNIT_EXPECT_EQ(test, narrow_latest_next(&l, 4, false), 5);
	KUNIT_EXPECT_EQ(test, narrow_latest_next(&l, 1ULL << 33, false), 1ULL << 33);
	KUNIT_EXPECT_EQ(test, narrow_latest_next(&l, 6, true), 1ULL << 33);
	KUNIT_EXPECT_EQ(test, atomic_read(&l.busy), 0);
}

/* Simulates an NMI in each step of an update. */
static void latest_busy_test(struct kunit *test)
{
	struct narrow_latest l = { };

	narrow_latest_next(&l, 7, true);
	atomic_set(&l.busy, 1);
	KUNIT_EXPECT_EQ(test, narrow_latest_next(&l, 9, false), 7);
	raw_write_seqcount_latch(&l.seq);
	l.time[0] = 0xdead;
	KUNIT_EXPECT_EQ(test, narrow_latest_next(&l, 9, false), 7);
	l.time[0] = 8;
	raw_write_seqcount_latch(&l.seq);
	l.time[1] = 0xdead;
	KUNIT_EXPECT_EQ(test, narrow_latest_next(&l, 9, false), 8);
	KUNIT_EXPECT_EQ(test, atomic_read(&l.busy), 1);
}

/* Checks that clocks do not go backwards, on the machine that runs the test. */
static void order_test(struct kunit *test)
{
	u64 global = trace_clock_global(), counter = trace_clock_counter();

	for (unsigned int i = 1; i <= 1000; i++) {
		u64 now = trace_clock_global();

		KUNIT_ASSERT_GE(test, now, global);
		global = now;
		KUNIT_ASSERT_GE(test, trace_clock_counter(), counter + i);
	}
}

static void count_steps_back(void *steps)
{
	u64 last = trace_clock_local();

	for (unsigned int i = 0; i < 1000; i++) {
		u64 now = trace_clock_local();

		*(unsigned int *)steps += now < last;
		last = now;
	}
}

static void steady_test(struct kunit *test)
{
	unsigned int cpu, steps = 0;

	guard(cpus_read_lock)();
	for_each_online_cpu(cpu)
		smp_call_function_single(cpu, count_steps_back, &steps, true);
	KUNIT_EXPECT_EQ(test, steps, 0);
}

/* Counts how often the inlined clock is not between two readings of sched_clock(). */
static void count_strays(void *strays)
{
	for (unsigned int i = 0; i < 2000; i++) {
		u64 before = sched_clock();
		u64 now = arch_trace_clock();

		*(unsigned int *)strays += now < before || now > sched_clock();
	}
}

static unsigned int strays_of_all(void)
{
	unsigned int cpu, strays = 0;

	guard(cpus_read_lock)();
	for_each_online_cpu(cpu)
		smp_call_function_single(cpu, count_strays, &strays, true);
	return strays;
}

/*
 * Records may be stamped by the inlined clock or by sched_clock(), so the two must agree. Once per
 * boot, when the frequency of a counter is refined, one of them changes before the other; hence
 * the second try.
 */
static void in_place_test(struct kunit *test)
{
	unsigned int strays;

	if (!arch_trace_clock_usable())
		kunit_skip(test, "sched_clock() cannot be read in place here");
	strays = strays_of_all();
	KUNIT_EXPECT_TRUE_MSG(test, !strays || !strays_of_all(), "%u strays", strays);
}

/**
 * struct clock_lead - by how much one CPU's clock is ahead of another's
 * @least: lower bound in nanoseconds
 * @most: upper bound in nanoseconds
 */
struct clock_lead {
	s64 least;
	s64 most;
};

static void read_local(void *time)
{
	*(u64 *)time = trace_clock_local();
}

/* Reads the clock of @cpu between two readings of the local clock, and keeps the closest bounds. */
static struct clock_lead clock_lead_of(unsigned int cpu)
{
	struct clock_lead lead = { .least = S64_MIN, .most = S64_MAX };

	for (unsigned int i = 0; i < 200; i++) {
		u64 before = trace_clock_local(), there = 0, after;

		smp_call_function_single(cpu, read_local, &there, true);
		after = trace_clock_local();
		lead.least = max(lead.least, (s64)(there - after));
		lead.most = min(lead.most, (s64)(there - before));
	}
	return lead;
}

/* Clocks of CPUs may differ, but not by one wraparound of a 32-bit counter. */
static void between_cpus_test(struct kunit *test)
{
	unsigned int cpu;

	guard(cpus_read_lock)();
	guard(migrate)();
	for_each_online_cpu(cpu) {
		struct clock_lead lead = clock_lead_of(cpu);

		kunit_info(test, "CPU %u is ahead of CPU %u by %lld to %lld ns\n", cpu,
			   smp_processor_id(), lead.least, lead.most);
		KUNIT_EXPECT_LT(test, lead.least, (s64)NSEC_PER_SEC);
		KUNIT_EXPECT_GT(test, lead.most, -(s64)NSEC_PER_SEC);
	}
}

static struct kunit_case clock_cases[] = {
	KUNIT_CASE(counter_test),
	KUNIT_CASE(latest_test),
	KUNIT_CASE(latest_busy_test),
	KUNIT_CASE(order_test),
	KUNIT_CASE(steady_test),
	KUNIT_CASE(in_place_test),
	KUNIT_CASE(between_cpus_test),
	{}
};

static struct kunit_suite clock_suite = {
	.name = "ftrace_clock",
	.test_cases = clock_cases,
};

kunit_test_suite(clock_suite);

MODULE_DESCRIPTION("Tests of the trace clocks");
MODULE_LICENSE("GPL");
