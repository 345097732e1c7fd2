// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of readers, which merge the records of CPUs: the order of times, also for
 * records that are written while a reader is in use; where the records of a CPU are announced
 * to begin; and which records are skipped.
 *
 * Two CPUs record into an instance that only the test uses, with a clock that the tests set.
 */
#include <kunit/test.h>
#include <linux/cpumask.h>
#include <linux/ring_buffer.h>
#include <linux/smp.h>

#include "instance/instance.h"
#include "reader.h"

static u64 test_now;

static u64 test_clock(void)
{
	return test_now;
}

/**
 * struct reader_fixture - instance and reader of a test, in kunit.priv
 * @tr: the instance
 * @r: the reader under test
 * @reads: @r is initialized
 * @cpus: the two CPUs that record
 * @recorded: the last record found room
 */
struct reader_fixture {
	struct trace_array	tr;
	struct trace_reader	r;
	bool			reads;
	int			cpus[2];
	bool			recorded;
};

/* Write a record on this CPU. The time also serves as the pid, which identifies the record. */
static void record_here(void *arg)
{
	struct reader_fixture *fix = arg;
	struct ring_buffer_event *event;
	struct trace_entry *ent;

	event = ring_buffer_lock_reserve(fix->tr.buffer, sizeof(*ent));
	fix->recorded = event;
	if (!event)
		return;
	ent = ring_buffer_event_data(event);
	*ent = (struct trace_entry){ .pid = test_now };
	ring_buffer_unlock_commit(fix->tr.buffer);
}

static void record(struct kunit *test, unsigned int which, int ts)
{
	struct reader_fixture *fix = test->priv;

	test_now = ts;
	KUNIT_ASSERT_EQ(test, 0, smp_call_function_single(fix->cpus[which],
							  record_here, fix, 1));
	KUNIT_ASSERT_TRUE(test, fix->recorded);
}

static void expect_next(struct kunit *test, unsigned int which, int ts)
{
	struct reader_fixture *fix = test->priv;
	struct trace_reader *r = &fix->r;

	KUNIT_ASSERT_TRUE(test, reader_next(r));
	KUNIT_EXPECT_EQ(test, r->ent->pid, ts);
	KUNIT_EXPECT_EQ(test, r->ts, ts);
	KUNIT_EXPECT_EQ(test, r->ent_cpu, fix->cpus[which]);
	KUNIT_EXPECT_EQ(test, r->lost, 0);
}

static void expect_taken(struct kunit *test, unsigned int which, int ts)
{
	struct reader_fixture *fix = test->priv;

	expect_next(test, which, ts);
	reader_consume(&fix->r);
}

static void end_use(struct reader_fixture *fix)
{
	if (fix->reads)
		reader_exit(&fix->r);
	fix->r = (struct trace_reader){};
	fix->reads = false;
}

static void use_consuming(struct kunit *test)
{
	struct reader_fixture *fix = test->priv;

	end_use(fix);
	KUNIT_ASSERT_EQ(test, reader_init(&fix->r, &fix->tr, RING_BUFFER_ALL_CPUS), 0);
	fix->reads = true;
}

static void use_iterating(struct kunit *test)
{
	struct reader_fixture *fix = test->priv;

	end_use(fix);
	KUNIT_ASSERT_EQ(test, reader_init_iterating(&fix->r, &fix->tr, fix->tr.buffer,
						    RING_BUFFER_ALL_CPUS), 0);
	fix->reads = true;
	reader_rewind(&fix->r);
}

static void test_in_order(struct kunit *test)
{
	struct reader_fixture *fix = test->priv;

	record(test, 1, 10);
	record(test, 0, 20);
	record(test, 0, 30);
	record(test, 1, 40);

	use_iterating(test);
	expect_next(test, 1, 10);
	expect_next(test, 0, 20);
	expect_next(test, 0, 30);
	expect_next(test, 1, 40);
	KUNIT_EXPECT_FALSE(test, reader_next(&fix->r));

	use_consuming(test);
	reader_lock(&fix->r);
	expect_taken(test, 1, 10);
	expect_taken(test, 0, 20);
	expect_taken(test, 0, 30);
	expect_taken(test, 1, 40);
	KUNIT_EXPECT_FALSE(test, reader_next(&fix->r));
	reader_unlock(&fix->r);
	KUNIT_EXPECT_TRUE(test, reader_empty(&fix->r));
}

/* Record on a CPU that was empty, for either CPU as the one whose head is looked at first. */
static void late_cpu(struct kunit *test, unsigned int late)
{
	struct reader_fixture *fix = test->priv;
	unsigned int other = !late;

	record(test, other, 10);
	reader_lock(&fix->r);
	record(test, late, 20);
	record(test, other, 30);
	expect_taken(test, other, 10);
	expect_taken(test, late, 20);
	expect_taken(test, other, 30);
	KUNIT_EXPECT_FALSE(test, reader_next(&fix->r));
	reader_unlock(&fix->r);
}

/* Records of a CPU that was empty when the reader began come before later records. */
static void test_late_cpu(struct kunit *test)
{
	use_consuming(test);
	late_cpu(test, 1);
	ring_buffer_reset(((struct reader_fixture *)test->priv)->tr.buffer);
	late_cpu(test, 0);
}

/* A record stays the next one until it is consumed. */
static void test_stays(struct kunit *test)
{
	struct reader_fixture *fix = test->priv;

	record(test, 0, 10);
	record(test, 1, 20);
	use_consuming(test);
	reader_lock(&fix->r);
	expect_next(test, 0, 10);
	expect_next(test, 0, 10);
	reader_unlock(&fix->r);
	reader_lock(&fix->r);
	expect_taken(test, 0, 10);
	expect_taken(test, 1, 20);
	reader_unlock(&fix->r);
}

/* Getting the time of the next record does not change the current record. */
static void test_next_ts(struct kunit *test)
{
	struct reader_fixture *fix = test->priv;

	record(test, 0, 10);
	record(test, 1, 25);
	use_iterating(test);
	expect_next(test, 0, 10);
	KUNIT_EXPECT_EQ(test, reader_next_ts(&fix->r), 25);
	KUNIT_EXPECT_EQ(test, reader_next_ts(&fix->r), 25);
	KUNIT_EXPECT_EQ(test, fix->r.ent->pid, 10);
	KUNIT_EXPECT_EQ(test, fix->r.ts, 10);
	expect_next(test, 1, 25);
	KUNIT_EXPECT_EQ(test, reader_next_ts(&fix->r), 25);
	KUNIT_EXPECT_FALSE(test, reader_next(&fix->r));
}

/* Go to the next record. Returns whether it is announced as the first one of its CPU. */
static bool next_begins(struct kunit *test, unsigned int which, int ts)
{
	struct reader_fixture *fix = test->priv;

	expect_next(test, which, ts);
	return fix->r.cpu_begins;
}

static void test_cpu_begins(struct kunit *test)
{
	struct reader_fixture *fix = test->priv;

	record(test, 0, 10);
	record(test, 0, 20);
	record(test, 1, 30);
	record(test, 1, 40);
	record(test, 0, 50);
	use_iterating(test);
	for (int round = 0; round < 2; round++) {
		reader_rewind(&fix->r);
		/* Pretend that records were overwritten. */
		fix->r.annotate = true;
		KUNIT_EXPECT_FALSE(test, next_begins(test, 0, 10));
		KUNIT_EXPECT_FALSE(test, next_begins(test, 0, 20));
		KUNIT_EXPECT_TRUE(test, next_begins(test, 1, 30));
		KUNIT_EXPECT_FALSE(test, next_begins(test, 1, 40));
		KUNIT_EXPECT_FALSE(test, next_begins(test, 0, 50));
	}
}

/* A CPU whose first record is the second record of the output is never announced. */
static void test_cpu_begins_early(struct kunit *test)
{
	struct reader_fixture *fix = test->priv;

	record(test, 0, 10);
	record(test, 1, 20);
	record(test, 1, 30);
	use_iterating(test);
	fix->r.annotate = true;
	KUNIT_EXPECT_FALSE(test, next_begins(test, 0, 10));
	KUNIT_EXPECT_FALSE(test, next_begins(test, 1, 20));
	KUNIT_EXPECT_FALSE(test, next_begins(test, 1, 30));
}

/* Records from before the kept latency, or of another CPU, are counted as skipped. */
static void test_passed_over(struct kunit *test)
{
	struct reader_fixture *fix = test->priv;
	struct trace_reader *r = &fix->r;

	record(test, 0, 10);
	record(test, 0, 20);
	record(test, 1, 30);
	use_iterating(test);
	r->kept = (struct trace_latency){ .since = 20, .cpu = fix->cpus[0] };
	for (int round = 0; round < 4; round++) {
		r->kept.single_cpu = round & 1;
		reader_rewind(r);
		KUNIT_EXPECT_EQ(test, r->skipped, r->kept.single_cpu ? 2 : 1);
		expect_next(test, 0, 20);
		if (!r->kept.single_cpu)
			expect_next(test, 1, 30);
		KUNIT_EXPECT_FALSE(test, reader_next(r));
	}
}

static struct kunit_case reader_cases[] = {
	KUNIT_CASE(test_in_order),
	KUNIT_CASE(test_late_cpu),
	KUNIT_CASE(test_stays),
	KUNIT_CASE(test_next_ts),
	KUNIT_CASE(test_cpu_begins),
	KUNIT_CASE(test_cpu_begins_early),
	KUNIT_CASE(test_passed_over),
	{}
};

static int reader_test_init(struct kunit *test)
{
	struct reader_fixture *fix = kunit_kzalloc(test, sizeof(*fix), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, fix);
	fix->cpus[0] = cpumask_first(cpu_online_mask);
	fix->cpus[1] = cpumask_next(fix->cpus[0], cpu_online_mask);
	if (fix->cpus[1] >= nr_cpu_ids)
		kunit_skip(test, "two CPUs are needed");
	KUNIT_ASSERT_EQ(test, trace_array_init(&fix->tr), 0);
	ring_buffer_set_clock(fix->tr.buffer, test_clock);
	test->priv = fix;
	return 0;
}

static void reader_test_exit(struct kunit *test)
{
	struct reader_fixture *fix = test->priv;

	if (!fix)
		return;
	end_use(fix);
	trace_array_exit(&fix->tr);
}

static struct kunit_suite reader_suite = {
	.name		= "ftrace_reader",
	.init		= reader_test_init,
	.exit		= reader_test_exit,
	.test_cases	= reader_cases,
};

kunit_test_suite(reader_suite);
