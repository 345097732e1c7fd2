// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the ring buffer: records with full timestamps in front of them, and pages on
 * which there is nothing to read.
 */
#include "internal.h"
#include "test.h"

static u64 now;

static u64 clock_of_test(void)
{
	return now;
}

static int time_test_init(struct kunit *test)
{
	int ret = rb_test_init(test);
	struct rb_fixture *fix = test->priv;

	if (ret)
		return ret;
	now = 1000;
	ring_buffer_set_clock(fix->buffer, clock_of_test);
	ring_buffer_set_time_stamp_abs(fix->buffer, true);
	return 0;
}

/* -- Full timestamps. -- */

/* The stamp in front of a record that has one. */
static struct ring_buffer_event *stamp_of(struct ring_buffer_event *event)
{
	return (void *)event - RB_STAMP_SIZE;
}

/* Consume a record, and check its number @seq, its time @ts, and the full timestamp. */
static void expect_stamped(struct kunit *test, u32 seq, u64 ts)
{
	struct rb_fixture *fix = test->priv;
	struct ring_buffer_event *event;
	struct rb_rec *rec;
	u64 found;

	event = ring_buffer_consume(fix->buffer, fix->cpu, &found, NULL);
	KUNIT_ASSERT_NOT_NULL(test, event);
	rec = ring_buffer_event_data(event);
	KUNIT_EXPECT_TRUE(test, rb_rec_is_intact(event));
	KUNIT_EXPECT_EQ(test, rec->seq, seq);
	KUNIT_EXPECT_EQ(test, found, ts);
	KUNIT_EXPECT_EQ(test, (u32)event->time_delta, 0);
	KUNIT_EXPECT_EQ(test, (u32)stamp_of(event)->type_len, RINGBUF_TYPE_TIME_STAMP);
	KUNIT_EXPECT_EQ(test, rb_get_stamp(stamp_of(event)), ts);
}

static void write_at(struct kunit *test, u32 seq, u64 ts)
{
	struct rb_fixture *fix = test->priv;

	now = ts;
	KUNIT_ASSERT_TRUE(test, rb_rec_write(fix->buffer, seq, 0, 2));
}

static unsigned long bytes(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;

	return ring_buffer_bytes_cpu(fix->buffer, fix->cpu);
}

static void each_record_has_a_stamp(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;

	KUNIT_EXPECT_TRUE(test, ring_buffer_time_stamp_abs(fix->buffer));
	write_at(test, 0, 1000);
	write_at(test, 1, 1000);
	write_at(test, 2, 1001);
	write_at(test, 3, 1001 + 3 * RB_DELTA_MAX);
	expect_stamped(test, 0, 1000);
	expect_stamped(test, 1, 1000);
	expect_stamped(test, 2, 1001);
	expect_stamped(test, 3, 1001 + 3 * RB_DELTA_MAX);
}

/* The first records of pages have full timestamps, too. */
static void pages_of_stamped_records(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	unsigned int n = 2 * rb_records_per_page(fix, 2);

	for (u32 i = 0; i < n; i++)
		write_at(test, i, 1000 + i);
	KUNIT_EXPECT_EQ(test, ring_buffer_overruns(fix->buffer), 0);
	for (u32 i = 0; i < n; i++)
		expect_stamped(test, i, 1000 + i);
}

static void nested_records_have_stamps(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	struct ring_buffer_event *outer;

	outer = ring_buffer_lock_reserve(fix->buffer, RB_REC_MIN);
	KUNIT_ASSERT_NOT_NULL(test, outer);
	rb_rec_fill(ring_buffer_event_data(outer), 0, 0, 0);
	write_at(test, 1, 2000);
	ring_buffer_unlock_commit(fix->buffer);
	write_at(test, 2, 3000);
	expect_stamped(test, 0, 1000);
	expect_stamped(test, 1, 2000);
	expect_stamped(test, 2, 3000);
}

/* The time of a reserved record follows from that record alone. */
static void time_of_a_reserved_record(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	struct ring_buffer_event *event;

	write_at(test, 0, 1000);
	now = 7000;
	event = ring_buffer_lock_reserve(fix->buffer, RB_REC_MIN);
	KUNIT_ASSERT_NOT_NULL(test, event);
	now = 9000;
	KUNIT_EXPECT_EQ(test, rb_get_stamp(stamp_of(event)), 7000);
	KUNIT_EXPECT_EQ(test, ring_buffer_event_time_stamp(fix->buffer, event), 7000);
	rb_rec_fill(ring_buffer_event_data(event), 1, 0, 0);
	ring_buffer_unlock_commit(fix->buffer);
	expect_stamped(test, 0, 1000);
	expect_stamped(test, 1, 7000);
}

/* The timestamp in front of a discarded record stays: see rb_take_back_record(). */
static void discarded_record_leaves_a_stamp(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	struct ring_buffer_event *event;
	unsigned long before;

	write_at(test, 0, 1000);
	before = bytes(test);
	now = 2000;
	event = ring_buffer_lock_reserve(fix->buffer, RB_REC_MIN);
	KUNIT_ASSERT_NOT_NULL(test, event);
	ring_buffer_discard_commit(fix->buffer, event);
	KUNIT_EXPECT_EQ(test, bytes(test) - before, RB_STAMP_SIZE);
	write_at(test, 1, 3000);
	expect_stamped(test, 0, 1000);
	expect_stamped(test, 1, 3000);
	KUNIT_EXPECT_TRUE(test, ring_buffer_empty(fix->buffer));
}

/* A record that fills a page has no room for a timestamp; its time is that of the page. */
static void record_that_fills_a_page(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	u16 words = (fix->payload - RB_REC_MIN - sizeof(struct ring_buffer_event) -
		     sizeof(u32)) / sizeof(u32);
	struct ring_buffer_event *event;
	u64 ts;

	KUNIT_ASSERT_EQ(test, rb_event_size(RB_REC_MIN + words * sizeof(u32)), fix->payload);
	write_at(test, 0, 1000);
	now = 5000;
	KUNIT_ASSERT_TRUE(test, rb_rec_write(fix->buffer, 1, 0, words));
	write_at(test, 2, 6000);
	expect_stamped(test, 0, 1000);
	event = ring_buffer_consume(fix->buffer, fix->cpu, &ts, NULL);
	KUNIT_ASSERT_NOT_NULL(test, event);
	KUNIT_EXPECT_TRUE(test, rb_rec_is_intact(event));
	KUNIT_EXPECT_EQ(test, ts, 5000);
	expect_stamped(test, 2, 6000);
}

/* Records have full timestamps only as long as that is chosen. */
static void stamps_come_and_go(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	unsigned long before;

	write_at(test, 0, 1000);
	before = bytes(test);
	write_at(test, 1, 1000);
	KUNIT_EXPECT_EQ(test, bytes(test) - before,
			rb_event_size(RB_REC_MIN + 8) + RB_STAMP_SIZE);
	ring_buffer_set_time_stamp_abs(fix->buffer, false);
	KUNIT_EXPECT_FALSE(test, ring_buffer_time_stamp_abs(fix->buffer));
	before = bytes(test);
	write_at(test, 2, 1000);
	KUNIT_EXPECT_EQ(test, bytes(test) - before, rb_event_size(RB_REC_MIN + 8));
	KUNIT_EXPECT_EQ(test, rb_read_all(test, 0), 3);
}

/* -- Pages with nothing to read. -- */

#define MANY_PAGES	(3 * RB_SKIP_MAX)

/*
 * Make a page that has nothing but a discarded record: a nested record begins the next page
 * and is discarded first.
 */
static void discard_a_page(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	unsigned int len = RB_REC_MIN + rb_words_of_whole_page(fix) * sizeof(u32);
	struct ring_buffer_event *outer, *inner;

	outer = ring_buffer_lock_reserve(fix->buffer, len);
	KUNIT_ASSERT_NOT_NULL(test, outer);
	inner = ring_buffer_lock_reserve(fix->buffer, len);
	KUNIT_ASSERT_NOT_NULL(test, inner);
	ring_buffer_discard_commit(fix->buffer, inner);
	ring_buffer_discard_commit(fix->buffer, outer);
}

static void discard_many_pages(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	unsigned long size = (MANY_PAGES + 8UL) * rb_payload(0);

	KUNIT_ASSERT_EQ(test, 0, ring_buffer_resize(fix->buffer, size, fix->cpu));
	for (unsigned int i = 0; i < MANY_PAGES; i++)
		discard_a_page(test);
}

/* A reader drops the lock between empty pages, and finds the record behind them. */
static void empty_pages_are_passed(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	struct rb_cpu *cb = rb_cpu_of(fix->buffer, fix->cpu);
	unsigned long flags;
	int found;

	discard_many_pages(test);
	write_at(test, 0, 2000);
	raw_spin_lock_irqsave(&cb->lock, flags);
	found = rb_refill(cb);
	raw_spin_unlock_irqrestore(&cb->lock, flags);
	/* Not 0: the first page has a discarded record, which rb_refill() does not skip. */
	KUNIT_EXPECT_NE(test, found, 0);
	expect_stamped(test, 0, 2000);
	KUNIT_EXPECT_NULL(test, ring_buffer_consume(fix->buffer, fix->cpu, NULL, NULL));
}

/* How often rb_should_retry() lets a reader that finds nothing retry. */
static unsigned int looks(struct rb_cpu *cb)
{
	unsigned long passed = 0;
	unsigned int n = 0;

	while (rb_should_retry(cb, -EAGAIN, &passed))
		n++;
	return n;
}

static void passing_has_an_end(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	struct rb_cpu *cb = rb_cpu_of(fix->buffer, fix->cpu);
	unsigned long passed = 0;

	KUNIT_EXPECT_FALSE(test, rb_should_retry(cb, 1, &passed));
	KUNIT_EXPECT_FALSE(test, rb_should_retry(cb, 0, &passed));
	KUNIT_EXPECT_EQ(test, looks(cb), DIV_ROUND_UP(cb->nr, RB_SKIP_MAX));
	discard_many_pages(test);
	KUNIT_EXPECT_EQ(test, looks(cb), DIV_ROUND_UP(cb->nr, RB_SKIP_MAX));
	KUNIT_EXPECT_NULL(test, ring_buffer_consume(fix->buffer, fix->cpu, NULL, NULL));
	write_at(test, 0, 3000);
	expect_stamped(test, 0, 3000);
}

/* A reader of pages gets -EAGAIN for empty pages, and succeeds when it retries. */
static void pages_are_read_behind_empty_ones(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	struct buffer_data_read_page *page;
	int ret = -1;

	discard_many_pages(test);
	write_at(test, 0, 2000);
	KUNIT_ASSERT_EQ(test, 0, ring_buffer_alloc_read_page(fix->buffer, fix->cpu, &page));
	for (unsigned int i = 0; ret < 0 && i <= MANY_PAGES; i++)
		ret = ring_buffer_read_page(fix->buffer, page, PAGE_SIZE, fix->cpu, 0);
	KUNIT_EXPECT_GE(test, ret, 0);
	ring_buffer_free_read_page(fix->buffer, fix->cpu, page);
}

static struct kunit_case rb_time_cases[] = {
	KUNIT_CASE(each_record_has_a_stamp),
	KUNIT_CASE(pages_of_stamped_records),
	KUNIT_CASE(nested_records_have_stamps),
	KUNIT_CASE(time_of_a_reserved_record),
	KUNIT_CASE(discarded_record_leaves_a_stamp),
	KUNIT_CASE(record_that_fills_a_page),
	KUNIT_CASE(stamps_come_and_go),
	KUNIT_CASE(empty_pages_are_passed),
	KUNIT_CASE(passing_has_an_end),
	KUNIT_CASE(pages_are_read_behind_empty_ones),
	{}
};

static struct kunit_suite rb_time_suite = {
	.name		= "ring_buffer_time",
	.init		= time_test_init,
	.exit		= rb_test_exit,
	.test_cases	= rb_time_cases,
};

kunit_test_suite(rb_time_suite);
