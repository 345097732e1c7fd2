// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of patching: how many sites a stop writes with various clocks, and that
 * nothing except the sites changes (SPEC D3).
 */
#include <kunit/test.h>
#include <linux/cpumask.h>
#include <linux/ftrace.h>
#include <linux/ftrace_kunit.h>
#include <linux/fs.h>
#include <linux/mutex.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/time64.h>
#include <linux/workqueue.h>

#include "patch.h"
#include "patch_test.h"
#include "sites/sites.h"

/* Equals PATCH_UNTIMED_SITES in patch.c. */
#define BLIND_SITES	128

static struct ftrace_ops patch_ops = {
	.func = ftrace_stub,
};

static void patch_test_exit(struct kunit *test)
{
	patch_test_clock(NULL);
	if (patch_ops.flags & FTRACE_OPS_FL_ENABLED)
		unregister_ftrace_function(&patch_ops);
	ftrace_free_filter(&patch_ops);
}

static struct patch_stats stats_now(void)
{
	guard(mutex)(&ftrace_lock);
	return *patch_stats();
}

static void filter_on(struct kunit *test, const char *glob)
{
	char buf[16];

	strscpy(buf, glob);
	KUNIT_EXPECT_EQ(test, ftrace_set_filter(&patch_ops, buf, strlen(buf), 1), 0);
}

/* Attach to the functions that match @glob; return the statistics of that, by @clock. */
static struct patch_stats stats_of_attaching(struct kunit *test, u64 (*clock)(void),
					     const char *glob)
{
	filter_on(test, glob);
	patch_test_clock(clock);
	KUNIT_EXPECT_EQ(test, register_ftrace_function(&patch_ops), 0);
	return *patch_test_stats();
}

static u64 hasty_time;

/* A clock that exceeds the slice with each reading, but shows no long time to stop the CPUs. */
static u64 hasty_clock(void)
{
	hasty_time += 2 * PATCH_BUDGET_NS;
	return hasty_time;
}

static void stop_ends_when_its_time_is_up(struct kunit *test)
{
	struct patch_stats added;

	added = stats_of_attaching(test, hasty_clock, "proc_*");
	KUNIT_EXPECT_GT(test, added.patched, 3UL * PATCH_GROUP);
	KUNIT_EXPECT_EQ(test, added.stops, DIV_ROUND_UP(added.patched, PATCH_GROUP));
	KUNIT_EXPECT_GE(test, added.worst_ns, 2 * (u64)PATCH_BUDGET_NS);
	KUNIT_EXPECT_TRUE(test, patch_stops_measured(&added));
}

/* A clock that shows a long time to stop the CPUs each time, as in an overcommitted guest. */
static u64 late_clock(void)
{
	hasty_time += 2 * NSEC_PER_MSEC;
	return hasty_time;
}

static void stop_of_late_cpus_writes_more(struct kunit *test)
{
	bool longer = arch_patch_in_guest() && num_online_cpus() > 1;
	unsigned int group = longer ? PATCH_GROUP_MAX : PATCH_GROUP;
	struct patch_stats added;

	added = stats_of_attaching(test, late_clock, "proc_*");
	KUNIT_EXPECT_GT(test, added.patched, 3UL * PATCH_GROUP);
	KUNIT_EXPECT_EQ(test, added.stops, DIV_ROUND_UP(added.patched, group));
}

static u64 still_clock(void)
{
	return 1;
}

static void stop_ends_without_a_clock(struct kunit *test)
{
	struct patch_stats added;

	added = stats_of_attaching(test, still_clock, "*lock*");
	KUNIT_EXPECT_GT(test, added.patched, 2UL * BLIND_SITES);
	KUNIT_EXPECT_GE(test, added.stops * BLIND_SITES, added.patched);
	KUNIT_EXPECT_LT(test, added.stops * PATCH_GROUP, added.patched);
	KUNIT_EXPECT_EQ(test, added.worst_ns, 0ULL);
	KUNIT_EXPECT_FALSE(test, patch_stops_measured(&added));
}

#define LONG_TIME	(3600ULL * NSEC_PER_SEC)

static u64 leaping_clock(void)
{
	hasty_time += LONG_TIME;
	return hasty_time;
}

/* The stops of a test do not count for the longest stop of the machine. */
static void test_clock_leaves_no_trace(struct kunit *test)
{
	struct patch_stats before = stats_now(), added;

	added = stats_of_attaching(test, leaping_clock, "vfs_*");
	KUNIT_EXPECT_GE(test, added.worst_ns, LONG_TIME);
	KUNIT_EXPECT_LT(test, stats_now().worst_ns, LONG_TIME);
	KUNIT_EXPECT_GE(test, stats_now().stops, before.stops + added.stops);
	KUNIT_EXPECT_GE(test, stats_now().patched, before.patched + added.patched);
}

static int attached;

static void attach(struct work_struct *unused)
{
	attached = register_ftrace_function(&patch_ops);
}

/* Attach in a worker: with one CPU, work_on_cpu() would run in the task of the test. */
static int attach_elsewhere(void)
{
	struct work_struct work;

	INIT_WORK_ONSTACK(&work, attach);
	schedule_work(&work);
	flush_work(&work);
	destroy_work_on_stack(&work);
	return attached;
}

static unsigned int nr_read;

static u64 counted_clock(void)
{
	nr_read++;
	return hasty_clock();
}

/* Sites written by other tasks, such as ftraced, are not counted for the test. */
static void test_sees_its_own_stops(struct kunit *test)
{
	nr_read = 0;
	filter_on(test, "vfs_*");
	patch_test_clock(counted_clock);
	KUNIT_EXPECT_EQ(test, attach_elsewhere(), 0);
	KUNIT_EXPECT_EQ(test, nr_read, 0U);
	KUNIT_EXPECT_EQ(test, patch_test_stats()->stops, 0UL);
	KUNIT_EXPECT_EQ(test, patch_test_stats()->patched, 0UL);

	KUNIT_EXPECT_EQ(test, unregister_ftrace_function(&patch_ops), 0);
	KUNIT_EXPECT_GT(test, nr_read, 0U);
	KUNIT_EXPECT_GT(test, patch_test_stats()->patched, 0UL);
}

#define AROUND	32

/* Bytes outside of sites never change. */
static void only_the_site_changes(struct kunit *test)
{
	unsigned long ip = ftrace_location((unsigned long)vfs_read);
	u8 before[2 * AROUND], after[2 * AROUND];
	u8 found[MCOUNT_INSN_SIZE], expected[MCOUNT_INSN_SIZE];

	ftrace_skip_if_traced(test, vfs_read);
	KUNIT_ASSERT_NE(test, ip, 0UL);
	KUNIT_ASSERT_TRUE(test, arch_site_insn(ip, 0, found, expected));
	memcpy(before, (void *)(ip - AROUND), sizeof(before));
	KUNIT_ASSERT_EQ(test, ftrace_set_filter_ip(&patch_ops, ip, 0, 1), 0);
	KUNIT_ASSERT_EQ(test, register_ftrace_function(&patch_ops), 0);
	memcpy(after, (void *)(ip - AROUND), sizeof(after));
	KUNIT_EXPECT_MEMEQ(test, &before[AROUND], expected, MCOUNT_INSN_SIZE);
	KUNIT_EXPECT_MEMNEQ(test, &after[AROUND], expected, MCOUNT_INSN_SIZE);
	KUNIT_EXPECT_MEMEQ(test, after, before, AROUND);
	KUNIT_EXPECT_MEMEQ(test, &after[AROUND + MCOUNT_INSN_SIZE],
			   &before[AROUND + MCOUNT_INSN_SIZE], AROUND - MCOUNT_INSN_SIZE);
}

static struct kunit_case patch_cases[] = {
	KUNIT_CASE(stop_ends_when_its_time_is_up),
	KUNIT_CASE(stop_of_late_cpus_writes_more),
	KUNIT_CASE(stop_ends_without_a_clock),
	KUNIT_CASE(test_clock_leaves_no_trace),
	KUNIT_CASE(test_sees_its_own_stops),
	KUNIT_CASE(only_the_site_changes),
	{}
};

static int patch_suite_init(struct kunit_suite *suite)
{
	return ftrace_find_functions("proc_*") ?:
	       ftrace_find_functions("*lock*") ?:
	       ftrace_find_functions("vfs_*");
}

static struct kunit_suite patch_suite = {
	.name		= "ftrace_patch",
	.suite_init	= patch_suite_init,
	.exit		= patch_test_exit,
	.test_cases	= patch_cases,
};

kunit_test_suite(patch_suite);
