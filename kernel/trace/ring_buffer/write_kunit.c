// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the ring buffer that need one task only: the clock is set by the tests, and
 * writers nest by being called between the reserve and the commit of another writer. Tests
 * that need interrupts and other CPUs are in stress_kunit.c.
 */
#include <linux/trace_clock.h>

#include "test.h"
#include "write.h"

static u64 test_now;

static u64 test_clock(void)
{
	return test_now;
}

int rb_test_init(struct kunit *test)
{
	struct rb_fixture *fix = kunit_kzalloc(test, sizeof(*fix), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, fix);
	test->priv = fix;
	fix->cpu = rb_test_bind_to_cpu();
	fix->buffer = ring_buffer_alloc(RB_TEST_PAGES * rb_payload(0), RB_FL_OVERWRITE);
	KUNIT_ASSERT_NOT_NULL(test, fix->buffer);
	fix->payload = ring_buffer_subbuf_size_get(fix->buffer);
	test_now = 1000;
	ring_buffer_set_clock(fix->buffer, test_clock);
	return 0;
}

void rb_test_exit(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;

	if (fix && fix->buffer)
		ring_buffer_free(fix->buffer);
}

/* Write records of one size, numbered from @seq, until one finds no room. */
unsigned int rb_write_many(struct rb_fixture *fix, u32 seq, unsigned int n, u16 words)
{
	unsigned int i;

	for (i = 0; i < n; i++) {
		if (!rb_rec_write(fix->buffer, seq + i, 0, words))
			break;
	}
	return i;
}

/* Consume all records, which must be good and have numbers from @seq on. */
unsigned int rb_read_all(struct kunit *test, u32 seq)
{
	struct rb_fixture *fix = test->priv;
	struct ring_buffer_event *event;
	unsigned int n = 0;

	while ((event = ring_buffer_consume(fix->buffer, fix->cpu, NULL, NULL))) {
		struct rb_rec *rec = ring_buffer_event_data(event);

		KUNIT_ASSERT_TRUE(test, rb_rec_is_intact(event));
		KUNIT_ASSERT_EQ(test, rec->seq, seq + n);
		n++;
	}
	return n;
}

unsigned int rb_records_per_page(struct rb_fixture *fix, u16 words)
{
	return fix->payload / rb_event_size(RB_REC_MIN + words * sizeof(u32));
}

static void test_head_bits(struct kunit *test)
{
	u32 raw[2];
	struct ring_buffer_event *event = (void *)raw;

	*raw = rb_head(RINGBUF_TYPE_TIME_STAMP, 0x5a5a5a5);
	KUNIT_EXPECT_EQ(test, (u32)event->type_len, RINGBUF_TYPE_TIME_STAMP);
	KUNIT_EXPECT_EQ(test, (u32)event->time_delta, 0x5a5a5a5);
	*raw = rb_head(3, RB_DELTA_MAX);
	KUNIT_EXPECT_EQ(test, (u32)event->type_len, 3);
	KUNIT_EXPECT_EQ(test, (u32)event->time_delta, RB_DELTA_MAX);
	rb_put_stamp(event, RINGBUF_TYPE_TIME_EXTEND, 0x7edcba987654321ULL);
	KUNIT_EXPECT_EQ(test, rb_get_stamp(event), 0x7edcba987654321ULL);
	KUNIT_EXPECT_EQ(test, (u32)event->type_len, RINGBUF_TYPE_TIME_EXTEND);
}

static void test_full_stamp(struct kunit *test)
{
	const u64 mask = BIT_ULL(59) - 1;
	u64 near = 0xf123456789abcdefULL;

	KUNIT_EXPECT_EQ(test, rb_full_stamp(5, 7), 5);
	KUNIT_EXPECT_EQ(test, rb_full_stamp(near & mask, near), near);
	KUNIT_EXPECT_EQ(test, rb_full_stamp((near + 1000) & mask, near), near + 1000);
	KUNIT_EXPECT_EQ(test, rb_full_stamp((near - 1000) & mask, near), near - 1000);
	/* Both directions across a multiple of 2^59. */
	KUNIT_EXPECT_EQ(test, rb_full_stamp(3, mask), mask + 4);
	KUNIT_EXPECT_EQ(test, rb_full_stamp(mask, mask + 4), mask);
}

static void test_order(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;

	KUNIT_EXPECT_TRUE(test, ring_buffer_empty(fix->buffer));
	KUNIT_EXPECT_NULL(test, ring_buffer_consume(fix->buffer, fix->cpu, NULL, NULL));
	KUNIT_EXPECT_EQ(test, rb_write_many(fix, 0, 100, 2), 100);
	KUNIT_EXPECT_FALSE(test, ring_buffer_empty_cpu(fix->buffer, fix->cpu));
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(fix->buffer), 100);
	KUNIT_EXPECT_EQ(test, ring_buffer_bytes_cpu(fix->buffer, fix->cpu),
			100 * rb_event_size(RB_REC_MIN + 8));
	KUNIT_EXPECT_EQ(test, rb_read_all(test, 0), 100);
	KUNIT_EXPECT_TRUE(test, ring_buffer_empty(fix->buffer));
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(fix->buffer), 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_bytes_cpu(fix->buffer, fix->cpu), 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_read_events_cpu(fix->buffer, fix->cpu), 100);
}

/* Records are read one by one as they are written, so that copies are extended. */
static void test_read_behind_writer(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	struct ring_buffer_event *event;
	struct rb_rec *rec;
	unsigned int i;

	for (i = 0; i < 3000; i++) {
		KUNIT_ASSERT_TRUE(test, rb_rec_write(fix->buffer, i, 0, i % 30));
		event = ring_buffer_peek(fix->buffer, fix->cpu, NULL, NULL);
		KUNIT_ASSERT_NOT_NULL(test, event);
		event = ring_buffer_consume(fix->buffer, fix->cpu, NULL, NULL);
		KUNIT_ASSERT_NOT_NULL(test, event);
		rec = ring_buffer_event_data(event);
		KUNIT_ASSERT_EQ(test, rec->seq, i);
		KUNIT_ASSERT_TRUE(test, rb_rec_is_intact(event));
		KUNIT_ASSERT_TRUE(test, ring_buffer_empty_cpu(fix->buffer, fix->cpu));
	}
	KUNIT_EXPECT_EQ(test, ring_buffer_overruns(fix->buffer), 0);
}

static void test_overwrite(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	unsigned int per_page = rb_records_per_page(fix, 4), n = per_page * 20 + 3;
	unsigned long lost = ~0UL;

	KUNIT_EXPECT_EQ(test, rb_write_many(fix, 0, n, 4), n);
	/* The ring holds three full pages and three records. */
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(fix->buffer), 3 * per_page + 3);
	KUNIT_EXPECT_EQ(test, ring_buffer_overruns(fix->buffer), 17 * per_page);
	KUNIT_ASSERT_NOT_NULL(test, ring_buffer_peek(fix->buffer, fix->cpu, NULL, &lost));
	KUNIT_EXPECT_EQ(test, lost, 17 * per_page);
	KUNIT_EXPECT_EQ(test, rb_read_all(test, 17 * per_page), 3 * per_page + 3);
	KUNIT_EXPECT_EQ(test, ring_buffer_overruns(fix->buffer), 17 * per_page);
	KUNIT_EXPECT_EQ(test, ring_buffer_dropped_events_cpu(fix->buffer, fix->cpu), 0);
}

/* The oldest time is right, also when the front of the page was read already. */
static void test_oldest_time(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;

	rb_write_many(fix, 0, 1, 4);
	KUNIT_EXPECT_EQ(test, rb_read_all(test, 0), 1);
	rb_write_many(fix, 1, 1, 4);
	KUNIT_EXPECT_EQ(test, ring_buffer_oldest_event_ts(fix->buffer, fix->cpu), test_now);
	KUNIT_EXPECT_EQ(test, rb_read_all(test, 1), 1);
	KUNIT_EXPECT_EQ(test, ring_buffer_oldest_event_ts(fix->buffer, fix->cpu), 0);
}

/* The writer overtakes a reader that is in the middle of a page. */
static void test_overtaken_reader(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	unsigned int per_page = rb_records_per_page(fix, 4), kept, n = per_page * 10;
	struct ring_buffer_event *event;
	unsigned long lost = ~0UL;
	struct rb_rec *rec;

	rb_write_many(fix, 0, 5, 4);
	event = ring_buffer_consume(fix->buffer, fix->cpu, NULL, &lost);
	KUNIT_ASSERT_NOT_NULL(test, event);
	KUNIT_EXPECT_EQ(test, lost, 0);
	KUNIT_EXPECT_EQ(test, rb_write_many(fix, 5, n - 5, 4), n - 5);

	/* The reader had a copy of four records; the records in the ring follow. */
	for (n = 1; n < 5; n++) {
		event = ring_buffer_consume(fix->buffer, fix->cpu, NULL, &lost);
		rec = ring_buffer_event_data(event);
		KUNIT_ASSERT_EQ(test, rec->seq, n);
		KUNIT_EXPECT_EQ(test, lost, 0);
	}
	KUNIT_ASSERT_NOT_NULL(test, ring_buffer_peek(fix->buffer, fix->cpu, NULL, &lost));
	KUNIT_EXPECT_EQ(test, lost, 6 * per_page - 5);
	kept = rb_read_all(test, 6 * per_page);
	KUNIT_EXPECT_EQ(test, kept, 4 * per_page);
	KUNIT_EXPECT_EQ(test, ring_buffer_overruns(fix->buffer), 6 * per_page - 5);
	KUNIT_EXPECT_EQ(test, ring_buffer_read_events_cpu(fix->buffer, fix->cpu),
			5 + 4 * per_page);
}

static void test_no_overwrite(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	unsigned int per_page = rb_records_per_page(fix, 4), i;
	unsigned long lost = 0;

	ring_buffer_change_overwrite(fix->buffer, 0);
	KUNIT_EXPECT_EQ(test, rb_write_many(fix, 0, 20 * per_page, 4), RB_TEST_PAGES * per_page);
	for (i = 1; i < 10; i++)
		KUNIT_EXPECT_FALSE(test, rb_rec_write(fix->buffer, 0, 0, 4));
	KUNIT_EXPECT_EQ(test, ring_buffer_dropped_events_cpu(fix->buffer, fix->cpu), 10);
	KUNIT_EXPECT_EQ(test, ring_buffer_overruns(fix->buffer), 0);
	KUNIT_EXPECT_EQ(test, rb_read_all(test, 0), RB_TEST_PAGES * per_page);

	/* There is room again, and the gap is reported. */
	KUNIT_EXPECT_TRUE(test, rb_rec_write(fix->buffer, 77, 0, 4));
	KUNIT_ASSERT_NOT_NULL(test, ring_buffer_peek(fix->buffer, fix->cpu, NULL, &lost));
	KUNIT_EXPECT_EQ(test, lost, 10);
	KUNIT_EXPECT_EQ(test, rb_read_all(test, 77), 1);
}

/* A read buffer is used again in full, including the last page, which was read while open. */
static void test_no_overwrite_again(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	unsigned int all = RB_TEST_PAGES * rb_records_per_page(fix, 4);

	ring_buffer_change_overwrite(fix->buffer, 0);
	for (int i = 0; i < 3; i++) {
		KUNIT_EXPECT_EQ(test, rb_write_many(fix, 0, 20 * all, 4), all);
		KUNIT_EXPECT_EQ(test, rb_read_all(test, 0), all);
	}
}

/* After a record found no room, smaller records that would fit are dropped, too. */
static void test_no_room_for_smaller_ones(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	unsigned int all = RB_TEST_PAGES * rb_records_per_page(fix, 500);
	unsigned long lost = 0;

	/* Behind the last record of 500 words a page still has room for a small one. */
	ring_buffer_change_overwrite(fix->buffer, 0);
	KUNIT_EXPECT_EQ(test, rb_write_many(fix, 0, 20 * all, 500), all);
	for (int i = 0; i < 3; i++)
		KUNIT_EXPECT_FALSE(test, rb_rec_write(fix->buffer, 0, 0, 1));
	KUNIT_EXPECT_EQ(test, rb_read_all(test, 0), all);
	KUNIT_EXPECT_TRUE(test, rb_rec_write(fix->buffer, 77, 0, 1));
	KUNIT_ASSERT_NOT_NULL(test, ring_buffer_peek(fix->buffer, fix->cpu, NULL, &lost));
	KUNIT_EXPECT_EQ(test, lost, 4);
	KUNIT_EXPECT_EQ(test, rb_read_all(test, 77), 1);
}

static void test_sizes(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	unsigned long max = ring_buffer_max_event_size(fix->buffer), len;
	struct ring_buffer_event *event;

	for (len = 0; len <= max; len += len < 130 ? 1 : 97) {
		event = ring_buffer_lock_reserve(fix->buffer, len);
		KUNIT_ASSERT_NOT_NULL(test, event);
		memset(ring_buffer_event_data(event), len, len);
		ring_buffer_unlock_commit(fix->buffer);
		event = ring_buffer_consume(fix->buffer, fix->cpu, NULL, NULL);
		KUNIT_ASSERT_NOT_NULL(test, event);
		KUNIT_ASSERT_GE(test, ring_buffer_event_length(event), len);
		KUNIT_ASSERT_LE(test, ring_buffer_event_length(event), len + RB_ALIGN);
		KUNIT_ASSERT_NULL(test, memchr_inv(ring_buffer_event_data(event), len, len));
	}
	event = ring_buffer_lock_reserve(fix->buffer, max);
	KUNIT_ASSERT_NOT_NULL(test, event);
	ring_buffer_unlock_commit(fix->buffer);
	KUNIT_EXPECT_NULL(test, ring_buffer_lock_reserve(fix->buffer, max + 1));
	KUNIT_EXPECT_NULL(test, ring_buffer_lock_reserve(fix->buffer, ~0UL));
	KUNIT_EXPECT_EQ(test, ring_buffer_dropped_events_cpu(fix->buffer, fix->cpu), 0);
}

static void test_discard(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	struct ring_buffer_event *event;
	u64 ts;

	rb_write_many(fix, 0, 1, 2);
	test_now += 100;
	event = ring_buffer_lock_reserve(fix->buffer, 64);
	KUNIT_ASSERT_NOT_NULL(test, event);
	ring_buffer_discard_commit(fix->buffer, event);
	/* The room of the discarded record is free, and the time of the next record is right. */
	KUNIT_EXPECT_EQ(test, ring_buffer_bytes_cpu(fix->buffer, fix->cpu),
			rb_event_size(RB_REC_MIN + 8));
	test_now += 10;
	rb_write_many(fix, 1, 1, 2);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(fix->buffer), 2);
	ring_buffer_consume(fix->buffer, fix->cpu, NULL, NULL);
	KUNIT_ASSERT_NOT_NULL(test, ring_buffer_peek(fix->buffer, fix->cpu, &ts, NULL));
	KUNIT_EXPECT_EQ(test, ts, test_now);
	KUNIT_EXPECT_EQ(test, rb_read_all(test, 1), 1);
}

/* A discarded record with another record behind it is skipped by readers. */
static void test_discard_in_the_middle(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	struct ring_buffer_event *event;
	unsigned int len;

	for (len = 1; len < 200; len += 37) {
		ring_buffer_reset(fix->buffer);
		event = ring_buffer_lock_reserve(fix->buffer, len);
		KUNIT_ASSERT_NOT_NULL(test, event);
		KUNIT_EXPECT_TRUE(test, rb_rec_write(fix->buffer, 5, 1, 3));
		ring_buffer_discard_commit(fix->buffer, event);
		KUNIT_EXPECT_TRUE(test, rb_rec_write(fix->buffer, 6, 0, 3));
		KUNIT_EXPECT_EQ(test, ring_buffer_entries(fix->buffer), 2);
		KUNIT_EXPECT_EQ(test, rb_read_all(test, 5), 2);
		KUNIT_EXPECT_TRUE(test, ring_buffer_empty(fix->buffer));
	}
}

static void test_times(struct kunit *test)
{
	static const u64 steps[] = {
		0, 1, BIT_ULL(27) - 1, BIT_ULL(27), BIT_ULL(27) + 1, 5, BIT_ULL(40),
		BIT_ULL(58) - 1, 0, -1ULL, -BIT_ULL(30), 3, BIT_ULL(57),
	};
	static const u64 starts[] = { 0, 1000, 0x7ffffff000000ffULL, ~0ULL << 60 };
	struct rb_fixture *fix = test->priv;
	unsigned int i, j;
	u64 ts, expect;

	for (j = 0; j < ARRAY_SIZE(starts); j++) {
		ring_buffer_reset(fix->buffer);
		test_now = starts[j];
		for (i = 0; i < ARRAY_SIZE(steps); i++) {
			test_now += steps[i];
			KUNIT_ASSERT_TRUE(test, rb_rec_write(fix->buffer, i, 0, 1));
		}
		expect = starts[j];
		for (i = 0; i < ARRAY_SIZE(steps); i++) {
			expect += steps[i];
			ring_buffer_consume(fix->buffer, fix->cpu, &ts, NULL);
			KUNIT_EXPECT_EQ_MSG(test, ts, expect, "start %u step %u", j, i);
		}
	}
}

/* Nested records come in the order of reserving, and only after the outermost commit. */
static void test_nested(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	struct ring_buffer_event *outer, *inner;
	unsigned int i;
	u64 ts;

	outer = ring_buffer_lock_reserve(fix->buffer, RB_REC_MIN);
	KUNIT_ASSERT_NOT_NULL(test, outer);
	test_now += 50;
	inner = ring_buffer_lock_reserve(fix->buffer, RB_REC_MIN);
	KUNIT_ASSERT_NOT_NULL(test, inner);
	test_now += 50;
	KUNIT_EXPECT_TRUE(test, rb_rec_write(fix->buffer, 2, 0, 7));
	rb_rec_fill(ring_buffer_event_data(inner), 1, 0, 0);
	ring_buffer_unlock_commit(fix->buffer);
	KUNIT_EXPECT_TRUE(test, ring_buffer_empty(fix->buffer));
	rb_rec_fill(ring_buffer_event_data(outer), 0, 0, 0);
	ring_buffer_unlock_commit(fix->buffer);
	test_now += 50;
	KUNIT_EXPECT_TRUE(test, rb_rec_write(fix->buffer, 3, 0, 2));

	KUNIT_EXPECT_EQ(test, ring_buffer_entries(fix->buffer), 4);
	for (i = 0; i < 4; i++) {
		struct ring_buffer_event *event;
		struct rb_rec *rec;

		event = ring_buffer_consume(fix->buffer, fix->cpu, &ts, NULL);
		KUNIT_ASSERT_NOT_NULL(test, event);
		rec = ring_buffer_event_data(event);
		KUNIT_EXPECT_EQ(test, rec->seq, i);
		KUNIT_EXPECT_EQ(test, ts, 1000 + 50 * i);
	}
}

/* Nested writers fill the ring up to the page of the outermost writer, and no further. */
static void test_nested_overtaking(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	unsigned int most = RB_TEST_PAGES * rb_records_per_page(fix, 20), n = 0, i;
	struct ring_buffer_event *outer;

	rb_write_many(fix, 0, 3 * rb_records_per_page(fix, 4), 4);
	/* This record is too long for the rest of the third page. */
	outer = ring_buffer_lock_reserve(fix->buffer, RB_REC_MIN + 400);
	KUNIT_ASSERT_NOT_NULL(test, outer);
	/* Preemption is off: the loop must end even if the ring accepts more than it can hold. */
	while (n < 2 * most && rb_rec_write(fix->buffer, 101 + n, 0, 20))
		n++;
	KUNIT_EXPECT_GT(test, n, 2 * rb_records_per_page(fix, 30));
	KUNIT_EXPECT_LT(test, n, most);
	for (i = 0; i < 7; i++)
		KUNIT_EXPECT_FALSE(test, rb_rec_write(fix->buffer, 0, 0, 20));
	KUNIT_EXPECT_EQ(test, ring_buffer_commit_overrun_cpu(fix->buffer, fix->cpu), 8);
	rb_rec_fill(ring_buffer_event_data(outer), 100, 0, 100);
	ring_buffer_unlock_commit(fix->buffer);

	KUNIT_EXPECT_EQ(test, ring_buffer_overruns(fix->buffer), 3 * rb_records_per_page(fix, 4));
	KUNIT_EXPECT_EQ(test, rb_read_all(test, 100), n + 1);
	KUNIT_EXPECT_TRUE(test, rb_rec_write(fix->buffer, 1, 0, 20));
}

static void test_switches(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	struct trace_buffer *buffer = fix->buffer;

	ring_buffer_record_off(buffer);
	ring_buffer_record_off(buffer);
	KUNIT_EXPECT_FALSE(test, ring_buffer_record_is_on(buffer));
	KUNIT_EXPECT_FALSE(test, rb_rec_write(buffer, 0, 0, 1));
	ring_buffer_record_on(buffer);
	KUNIT_EXPECT_TRUE(test, rb_rec_write(buffer, 0, 0, 1));

	ring_buffer_record_disable(buffer);
	ring_buffer_record_disable(buffer);
	KUNIT_EXPECT_TRUE(test, ring_buffer_record_is_set_on(buffer));
	KUNIT_EXPECT_FALSE(test, ring_buffer_record_is_on(buffer));
	ring_buffer_record_enable(buffer);
	KUNIT_EXPECT_FALSE(test, rb_rec_write(buffer, 0, 0, 1));
	ring_buffer_record_enable(buffer);
	KUNIT_EXPECT_TRUE(test, rb_rec_write(buffer, 1, 0, 1));

	ring_buffer_record_disable_cpu(buffer, fix->cpu);
	KUNIT_EXPECT_TRUE(test, ring_buffer_record_is_on(buffer));
	KUNIT_EXPECT_FALSE(test, rb_rec_write(buffer, 0, 0, 1));
	ring_buffer_record_enable_cpu(buffer, fix->cpu);
	KUNIT_EXPECT_TRUE(test, rb_rec_write(buffer, 2, 0, 1));
	KUNIT_EXPECT_EQ(test, ring_buffer_dropped_events_cpu(buffer, fix->cpu), 0);
	KUNIT_EXPECT_EQ(test, rb_read_all(test, 0), 3);
}

static void test_reset(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	unsigned int per_page = rb_records_per_page(fix, 4);

	rb_write_many(fix, 0, 9 * per_page, 4);
	ring_buffer_consume(fix->buffer, fix->cpu, NULL, NULL);
	ring_buffer_reset_cpu(fix->buffer, fix->cpu);
	KUNIT_EXPECT_TRUE(test, ring_buffer_empty(fix->buffer));
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(fix->buffer), 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_overruns(fix->buffer), 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_read_events_cpu(fix->buffer, fix->cpu), 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_bytes_cpu(fix->buffer, fix->cpu), 0);

	ring_buffer_change_overwrite(fix->buffer, 0);
	KUNIT_EXPECT_EQ(test, rb_write_many(fix, 0, 9 * per_page, 4), RB_TEST_PAGES * per_page);
	ring_buffer_reset_online_cpus(fix->buffer);
	KUNIT_EXPECT_EQ(test, rb_write_many(fix, 40, 3, 4), 3);
	KUNIT_EXPECT_EQ(test, rb_read_all(test, 40), 3);
}

/* Write a record on the fast path, with a length that is not known at compile time. */
static noinline bool write_straight(struct trace_buffer *buffer, u32 seq, unsigned int len)
{
	struct rb_write_ctx ctx;
	struct rb_rec *rec = rb_reserve_fast(buffer, len, &ctx);

	if (!rec)
		return false;
	rb_rec_fill(rec, seq, 0, 0);
	rb_commit_fast(&ctx);
	return true;
}

/*
 * Write a good record first, so that the fast path has a limit, then one with @len, then a
 * good one.
 */
static unsigned int write_around(struct trace_buffer *buffer, u32 seq, unsigned int len)
{
	guard(preempt_notrace)();
	return write_straight(buffer, seq, RB_REC_MIN) +
	       2 * write_straight(buffer, 0, len) +
	       4 * write_straight(buffer, seq + 1, RB_REC_MIN);
}

static void test_impossible_lengths(struct kunit *test)
{
	static const int lens[] = {
		INT_MAX, INT_MIN, -100000, -100, -16, -12, -9, -8, -7, -5, -4, -3, -1,
	};
	struct rb_fixture *fix = test->priv;

	ring_buffer_set_clock(fix->buffer, trace_clock_local);
	ring_buffer_reset(fix->buffer);
	for (unsigned int i = 0; i < ARRAY_SIZE(lens); i++)
		KUNIT_EXPECT_EQ_MSG(test, write_around(fix->buffer, 2 * i, lens[i]), 5,
				    "length %d", lens[i]);
	KUNIT_EXPECT_EQ(test, write_around(fix->buffer, 2 * ARRAY_SIZE(lens), fix->payload), 5);
	KUNIT_EXPECT_EQ(test, rb_read_all(test, 0), 2 * ARRAY_SIZE(lens) + 2);
}

static struct kunit_case rb_cases[] = {
	KUNIT_CASE(test_head_bits),
	KUNIT_CASE(test_full_stamp),
	KUNIT_CASE(test_order),
	KUNIT_CASE(test_read_behind_writer),
	KUNIT_CASE(test_overwrite),
	KUNIT_CASE(test_oldest_time),
	KUNIT_CASE(test_overtaken_reader),
	KUNIT_CASE(test_no_overwrite),
	KUNIT_CASE(test_no_overwrite_again),
	KUNIT_CASE(test_no_room_for_smaller_ones),
	KUNIT_CASE(test_sizes),
	KUNIT_CASE(test_impossible_lengths),
	KUNIT_CASE(test_discard),
	KUNIT_CASE(test_discard_in_the_middle),
	KUNIT_CASE(test_times),
	KUNIT_CASE(test_nested),
	KUNIT_CASE(test_nested_overtaking),
	KUNIT_CASE(test_switches),
	KUNIT_CASE(test_reset),
	{}
};

static struct kunit_suite rb_suite = {
	.name		= "ring_buffer",
	.init		= rb_test_init,
	.exit		= rb_test_exit,
	.test_cases	= rb_cases,
};

kunit_test_suite(rb_suite);
