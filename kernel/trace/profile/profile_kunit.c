// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of profile/: tables, including full and interrupted ones, the average and variance
 * computed from their numbers, and the profiler as a whole (SPEC T6).
 */
#include <kunit/test.h>
#include <linux/err.h>
#include <linux/ftrace.h>
#include <linux/ftrace_kunit.h>
#include <linux/kallsyms.h>
#include <linux/limits.h>
#include <linux/mm.h>
#include <linux/numa.h>
#include <linux/preempt.h>
#include <linux/string.h>
#include <linux/trace_clock.h>
#include <vdso/processor.h>

#include "graph/graph_targets.h"
#include "internal.h"
#include "numbers.h"
#include "ops/edit.h"
#include "profile.h"
#include "table.h"

#define SOME_IP		0x1000UL

/* ------------------------------------------------------------------ */
/* Tables								*/

static struct profile_table *table_begin(struct kunit *test, unsigned int room)
{
	struct profile_table *t = profile_table_alloc(room, NUMA_NO_NODE);

	KUNIT_ASSERT_NOT_NULL(test, t);
	return t;
}

static struct profile_list *list_of(struct kunit *test, const struct profile_table *t)
{
	struct profile_list *list = profile_table_list(t);

	KUNIT_ASSERT_FALSE(test, IS_ERR(list));
	return list;
}

/* Count like profile.c: by the fast path if possible, else by profile_count(). */
static bool count_here(struct profile_table *t, unsigned long ip, bool returns, u64 time)
{
	bool straight = returns ? profile_return_fast(t, ip, time) :
				  profile_hit_fast(t, ip);

	if (!straight)
		return profile_count(t, ip, returns, time);
	if (returns && profile_has_notes(t))
		profile_notes_drain(t);
	return true;
}

static bool count(struct profile_table *t, unsigned long ip, bool returns, u64 time)
{
	guard(preempt)();
	return count_here(t, ip, returns, time);
}

static void call(struct profile_table *t, unsigned long ip, u64 time)
{
	count(t, ip, false, 0);
	count(t, ip, true, time);
}

static void calls_add_up(struct kunit *test)
{
	struct profile_table *t = table_begin(test, 1);
	struct profile_list *list;

	call(t, SOME_IP, 10);
	call(t, SOME_IP, 20);
	count(t, SOME_IP, false, 0);
	list = list_of(test, t);
	KUNIT_ASSERT_EQ(test, 1, list->nr);
	KUNIT_EXPECT_EQ(test, SOME_IP, list->at[0].ip);
	KUNIT_EXPECT_EQ(test, 3, list->at[0].hits);
	KUNIT_EXPECT_EQ(test, 2, list->at[0].returns);
	KUNIT_EXPECT_EQ(test, 30, list->at[0].time);
	KUNIT_EXPECT_EQ(test, 500, list->at[0].squares.low);
	KUNIT_EXPECT_EQ(test, 0, list->at[0].squares.high);
	kvfree(list);
	profile_table_free(t);
}

/* Number of functions, large enough that some of them have the same hash. */
#define MANY	(4 * (unsigned long)PROFILE_HEADS_PER_PAGE)

static void many_functions(struct kunit *test)
{
	struct profile_table *t = table_begin(test, MANY);
	struct profile_list *list;

	for (unsigned long i = 0; i < MANY; i++)
		call(t, SOME_IP + 16 * i, i);
	for (unsigned long i = 0; i < MANY; i++)
		call(t, SOME_IP + 16 * i, i);
	profile_table_trim(t);
	list = list_of(test, t);
	KUNIT_ASSERT_EQ(test, MANY, list->nr);
	for (unsigned long i = 0; i < MANY; i++) {
		KUNIT_EXPECT_EQ(test, SOME_IP + 16 * (MANY - 1 - i), list->at[i].ip);
		KUNIT_EXPECT_EQ(test, 2, list->at[i].hits);
		KUNIT_EXPECT_EQ(test, 2 * (MANY - 1 - i), list->at[i].time);
	}
	kvfree(list);
	profile_table_free(t);
}

static void no_room_is_counted(struct kunit *test)
{
	struct profile_table *t = table_begin(test, 1);
	struct profile_list *list;

	for (unsigned int i = 0; i < t->room; i++)
		KUNIT_EXPECT_TRUE(test, count(t, SOME_IP + i, false, 0));
	KUNIT_EXPECT_EQ(test, 0, profile_table_lost(t));
	KUNIT_EXPECT_FALSE(test, count(t, SOME_IP - 1, false, 0));
	KUNIT_EXPECT_EQ(test, 1, profile_table_lost(t));
	/* Functions that have a row are still counted. */
	KUNIT_EXPECT_TRUE(test, count(t, SOME_IP, false, 0));
	list = list_of(test, t);
	KUNIT_EXPECT_EQ(test, t->room, list->nr);
	KUNIT_EXPECT_EQ(test, 2, list->at[0].hits);
	kvfree(list);
	profile_table_free(t);
}

/* Simulate a writer of the table that is interrupted by @nr calls. */
static void interrupted_by(struct profile_table *t, unsigned int nr)
{
	guard(preempt)();
	raw_write_seqcount_begin(&t->seq);
	for (unsigned int i = 0; i < nr; i++) {
		count_here(t, SOME_IP, false, 0);
		count_here(t, SOME_IP, true, 3);
	}
	raw_write_seqcount_end(&t->seq);
}

static void interrupting_is_not_lost(struct kunit *test)
{
	struct profile_table *t = table_begin(test, 1);
	unsigned int nr = PROFILE_NOTES / 2;
	struct profile_list *list;

	interrupted_by(t, nr);
	/* The next call counts the notes, even those of another function. */
	call(t, SOME_IP + 1, 1);
	KUNIT_EXPECT_EQ(test, 0, profile_table_lost(t));
	list = list_of(test, t);
	KUNIT_ASSERT_EQ(test, 2, list->nr);
	KUNIT_EXPECT_EQ(test, SOME_IP, list->at[0].ip);
	KUNIT_EXPECT_EQ(test, nr, list->at[0].hits);
	KUNIT_EXPECT_EQ(test, nr, list->at[0].returns);
	KUNIT_EXPECT_EQ(test, 3 * nr, list->at[0].time);
	KUNIT_EXPECT_EQ(test, 1, list->at[1].hits);
	kvfree(list);
	profile_table_free(t);
}

/* On 64 bits, hits of a function with a row are counted at once; returns become notes. */
static void interrupting_a_row_is_not_lost(struct kunit *test)
{
	struct profile_table *t = table_begin(test, 1);
	struct profile_list *list;

	call(t, SOME_IP, 1);
	interrupted_by(t, 5);
	KUNIT_EXPECT_EQ(test, IS_ENABLED(CONFIG_64BIT) ? 5 : 10, local_read(&t->nr_notes));
	call(t, SOME_IP, 1);
	KUNIT_EXPECT_EQ(test, 0, local_read(&t->nr_notes));
	list = list_of(test, t);
	KUNIT_EXPECT_EQ(test, 7, list->at[0].hits);
	KUNIT_EXPECT_EQ(test, 7, list->at[0].returns);
	KUNIT_EXPECT_EQ(test, 17, list->at[0].time);
	kvfree(list);
	profile_table_free(t);
}

static void too_many_notes_are_counted(struct kunit *test)
{
	struct profile_table *t = table_begin(test, 1);
	unsigned int nr = PROFILE_NOTES / 2 + 5;
	struct profile_list *list;

	interrupted_by(t, nr);
	count(t, SOME_IP, false, 0);
	list = list_of(test, t);
	KUNIT_EXPECT_EQ(test, 2 * nr - PROFILE_NOTES, profile_table_lost(t));
	KUNIT_EXPECT_EQ(test, PROFILE_NOTES + 1, list->at[0].hits + list->at[0].returns);
	kvfree(list);
	profile_table_free(t);
}

static void gone_text_is_forgotten(struct kunit *test)
{
	struct profile_table *t = table_begin(test, 1);
	struct profile_list *list;

	call(t, SOME_IP - 1, 1);
	call(t, SOME_IP, 2);
	call(t, SOME_IP + 15, 3);
	call(t, SOME_IP + 16, 4);
	profile_table_clear_text(t, SOME_IP, 16);
	/* Another function is now at this address. */
	call(t, SOME_IP + 15, 5);
	list = list_of(test, t);
	KUNIT_ASSERT_EQ(test, 3, list->nr);
	KUNIT_EXPECT_EQ(test, SOME_IP + 15, list->at[0].ip);
	KUNIT_EXPECT_EQ(test, 5, list->at[0].time);
	KUNIT_EXPECT_EQ(test, 1, list->at[0].hits);
	KUNIT_EXPECT_EQ(test, SOME_IP + 16, list->at[1].ip);
	KUNIT_EXPECT_EQ(test, SOME_IP - 1, list->at[2].ip);
	kvfree(list);
	profile_table_free(t);
}

/* ------------------------------------------------------------------ */
/* Average and variance							*/

static u64 variance_of(struct kunit *test, const u64 *times, unsigned int nr)
{
	struct profile_table *t = table_begin(test, 1);
	struct profile_list *list;
	u64 variance;

	for (unsigned int i = 0; i < nr; i++)
		call(t, SOME_IP, times[i]);
	list = list_of(test, t);
	variance = profile_variance(&list->at[0]);
	kvfree(list);
	profile_table_free(t);
	return variance;
}

#define VARIANCE(...)							\
	variance_of(test, (const u64 []) { __VA_ARGS__ },		\
		    ARRAY_SIZE(((const u64 []) { __VA_ARGS__ })))

static void variances(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, 0, VARIANCE(5000));
	KUNIT_EXPECT_EQ(test, 0, VARIANCE(5000, 5000, 5000));
	KUNIT_EXPECT_EQ(test, 1000, VARIANCE(1000, 2000, 3000));
	/* The average of these times is no integer. */
	KUNIT_EXPECT_EQ(test, 1333, VARIANCE(1000, 1000, 3000));
	/* The variances are 972 and 1008.3 square ns. */
	KUNIT_EXPECT_EQ(test, 0, VARIANCE(0, 0, 54));
	KUNIT_EXPECT_EQ(test, 1, VARIANCE(0, 0, 55));
}

static void variances_of_long_calls(struct kunit *test)
{
	const u64 second = 1000000000, day = 86400 * second;

	/* First the sum of the squares exceeds 64 bits, then each square does. */
	KUNIT_EXPECT_EQ(test, 2 * second * (second / 1000), VARIANCE(4 * second, 2 * second));
	KUNIT_EXPECT_EQ(test, 2 * second * (second / 1000), VARIANCE(5 * second, 7 * second));
	KUNIT_EXPECT_EQ(test, 0, VARIANCE(30 * day, 30 * day));
	KUNIT_EXPECT_EQ(test, second / 1000 * (second / 2),
			VARIANCE(30 * day, 30 * day + second));
	KUNIT_EXPECT_EQ(test, U64_MAX, VARIANCE(0, 365 * day));
}

static void square_of_a_long_call(struct kunit *test)
{
	struct profile_wide squares = { .low = U64_MAX };

	profile_square_add(&squares, U64_MAX);
	/* (2^64 - 1)^2 = (2^64 - 2) * 2^64 + 1, and adding the 1 carries. */
	KUNIT_EXPECT_EQ(test, U64_MAX, squares.high);
	KUNIT_EXPECT_EQ(test, 0, squares.low);
}

static void averages(struct kunit *test)
{
	struct profile_numbers n = { .hits = 3, .returns = 2, .time = 7 };

	KUNIT_EXPECT_EQ(test, 3, profile_average(&n));
	n.returns = 0;
	KUNIT_EXPECT_EQ(test, 0, profile_average(&n));
	KUNIT_EXPECT_EQ(test, 0, profile_variance(&n));
}

/* ------------------------------------------------------------------ */
/* The whole profiler							*/

static unsigned long func_at(unsigned long ip)
{
	unsigned long size, offset;

	return kallsyms_lookup_size_offset(ip, &size, &offset) ? ip - offset : 0;
}

/* Sum of the numbers of @func over all CPUs. */
static struct profile_numbers numbers_of(struct kunit *test, void *func)
{
	struct profile_numbers sum = { };
	struct profile_list *list;
	int cpu;

	for_each_possible_cpu(cpu) {
		list = profile_read(cpu);
		KUNIT_ASSERT_FALSE(test, IS_ERR(list));
		for (unsigned int i = 0; i < list->nr; i++) {
			if (func_at(list->at[i].ip) != (unsigned long)func)
				continue;
			sum.hits += list->at[i].hits;
			sum.returns += list->at[i].returns;
			sum.time += list->at[i].time;
		}
		kvfree(list);
	}
	return sum;
}

static void profiler_begin(struct kunit *test)
{
	char *targets = "ftrace_graph_target*";

	if (global_filter.only.set || global_filter.except.set)
		kunit_skip(test, "somebody has chosen functions");
	ftrace_set_global_filter((u8 *)targets, strlen(targets), 1);
	KUNIT_ASSERT_EQ(test, 0, profile_switch(true));
	KUNIT_ASSERT_TRUE(test, profile_is_on());
}

static void profiler_end(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, 0, profile_switch(false));
	KUNIT_EXPECT_FALSE(test, profile_is_on());
	ftrace_set_global_filter(NULL, 0, 1);
}

static void counts_while_it_is_on(struct kunit *test)
{
	struct profile_numbers n;

	profiler_begin(test);
	for (int i = 0; i < 5; i++)
		ftrace_graph_target_outer(NULL, i);
	ftrace_graph_target(NULL, 0);
	n = numbers_of(test, ftrace_graph_target);
	KUNIT_EXPECT_EQ(test, 6, n.hits);
	KUNIT_EXPECT_EQ(test, 6, n.returns);
	n = numbers_of(test, ftrace_graph_target_outer);
	KUNIT_EXPECT_EQ(test, 5, n.hits);
	KUNIT_EXPECT_EQ(test, 5, n.returns);
	KUNIT_EXPECT_EQ(test, 0, profile_lost());
	profiler_end(test);

	/* The numbers stay unchanged after a stop. */
	ftrace_graph_target(NULL, 0);
	KUNIT_EXPECT_EQ(test, 6, numbers_of(test, ftrace_graph_target).hits);

	/* A new start resets the numbers; a second start changes nothing. */
	profiler_begin(test);
	KUNIT_EXPECT_EQ(test, 0, numbers_of(test, ftrace_graph_target).hits);
	ftrace_graph_target(NULL, 0);
	KUNIT_EXPECT_EQ(test, 0, profile_switch(true));
	KUNIT_EXPECT_EQ(test, 1, numbers_of(test, ftrace_graph_target).hits);
	profiler_end(test);
}

static void counts_each_level(struct kunit *test)
{
	profiler_begin(test);
	ftrace_graph_target_deep(9);
	KUNIT_EXPECT_EQ(test, 10, numbers_of(test, ftrace_graph_target_deep).hits);
	KUNIT_EXPECT_EQ(test, 10, numbers_of(test, ftrace_graph_target_deep).returns);
	profiler_end(test);
}

/* Recurses deeper than the task's return stack has room for. */
static void counts_levels_without_room(struct kunit *test)
{
	struct profile_numbers n;

	profiler_begin(test);
	ftrace_graph_target_deep(199);
	n = numbers_of(test, ftrace_graph_target_deep);
	KUNIT_EXPECT_EQ(test, 200, n.hits);
	KUNIT_EXPECT_GT(test, n.returns, 0);
	KUNIT_EXPECT_LT(test, n.returns, n.hits);
	KUNIT_EXPECT_EQ(test, 0, profile_lost());
	/* Once there is room again, each return is counted. */
	ftrace_graph_target_deep(9);
	KUNIT_EXPECT_EQ(test, n.returns + 10,
			numbers_of(test, ftrace_graph_target_deep).returns);
	profiler_end(test);
}

/* Waiting time in ns, long enough that hardly anything else takes as long. */
#define WAITED	(300 * (u64)NSEC_PER_MSEC)

/* Wait by the clock that times the calls, because delay loops may be far off. */
static void wait_inside(void)
{
	u64 begin = trace_clock_local();

	while (trace_clock_local() - begin < WAITED)
		cpu_relax();
}

static void callees_belong_to_a_call(struct kunit *test)
{
	u64 inner, outer;

	profiler_begin(test);
	ftrace_graph_target_outer(wait_inside, 0);
	inner = numbers_of(test, ftrace_graph_target).time;
	outer = numbers_of(test, ftrace_graph_target_outer).time;
	profiler_end(test);
	KUNIT_EXPECT_GT(test, inner, WAITED / 2);
	KUNIT_EXPECT_GE(test, outer, inner);
}

/* Return: the time of a call without the time of its callee, which waits. */
static u64 time_without_callee(struct kunit *test)
{
	u64 inner, outer;

	profiler_begin(test);
	profile_exclude_callees(true);
	ftrace_graph_target_outer(wait_inside, 0);
	inner = numbers_of(test, ftrace_graph_target).time;
	outer = numbers_of(test, ftrace_graph_target_outer).time;
	profile_exclude_callees(false);
	profiler_end(test);
	KUNIT_EXPECT_GT(test, inner, WAITED / 2);
	return outer;
}

static void callees_can_be_left_out(struct kunit *test)
{
	u64 outer = time_without_callee(test);

	/* In a guest, the host may take the CPU away, but hardly each time. */
	for (int i = 0; i < 5 && outer >= WAITED; i++)
		outer = time_without_callee(test);
	KUNIT_EXPECT_LT(test, outer, WAITED);
}

static void want_no_callees(void)
{
	profile_exclude_callees(true);
	ftrace_graph_target(wait_inside, 0);
}

static void want_callees(void)
{
	ftrace_graph_target(wait_inside, 0);
	profile_exclude_callees(false);
}

/* A call that is pending when the option changes has no data, and so keeps all of its time. */
static void option_changes_in_a_call(struct kunit *test)
{
	profiler_begin(test);
	ftrace_graph_target_outer(want_no_callees, 0);
	KUNIT_EXPECT_GT(test, numbers_of(test, ftrace_graph_target_outer).time, WAITED / 2);
	profiler_end(test);

	profiler_begin(test);
	ftrace_graph_target_outer(want_callees, 0);
	KUNIT_EXPECT_GT(test, numbers_of(test, ftrace_graph_target_outer).time, WAITED / 2);
	KUNIT_EXPECT_EQ(test, 2, numbers_of(test, ftrace_graph_target).returns);
	profiler_end(test);
}

static int profile_suite_init(struct kunit_suite *suite)
{
	return ftrace_find_functions("ftrace_graph_target*");
}

static struct kunit_case profile_cases[] = {
	KUNIT_CASE(calls_add_up),
	KUNIT_CASE(many_functions),
	KUNIT_CASE(no_room_is_counted),
	KUNIT_CASE(interrupting_is_not_lost),
	KUNIT_CASE(interrupting_a_row_is_not_lost),
	KUNIT_CASE(too_many_notes_are_counted),
	KUNIT_CASE(gone_text_is_forgotten),
	KUNIT_CASE(variances),
	KUNIT_CASE(variances_of_long_calls),
	KUNIT_CASE(square_of_a_long_call),
	KUNIT_CASE(averages),
	KUNIT_CASE(counts_while_it_is_on),
	KUNIT_CASE(counts_each_level),
	KUNIT_CASE(counts_levels_without_room),
	KUNIT_CASE(callees_belong_to_a_call),
	KUNIT_CASE(callees_can_be_left_out),
	KUNIT_CASE(option_changes_in_a_call),
	{ }
};

static struct kunit_suite profile_suite = {
	.name		= "ftrace_profile",
	.suite_init	= profile_suite_init,
	.test_cases	= profile_cases,
};

kunit_test_suite(profile_suite);
