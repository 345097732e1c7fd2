// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the ring buffer: iterators, pages as user space gets them, resizing, and
 * waiting.
 */
#include <linux/delay.h>
#include <linux/sizes.h>

#include "internal.h"
#include "test.h"

#define MISSED	((unsigned long)(RB_MISSED_EVENTS | RB_MISSED_STORED))

/* -- Iterators. -- */

static struct ring_buffer_iter *iter_start(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	struct ring_buffer_iter *iter;

	iter = ring_buffer_read_start(fix->buffer, fix->cpu, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, iter);
	return iter;
}

/* Read all records of @iter, which must have numbers from @seq on. Returns their number. */
static unsigned int iter_all(struct kunit *test, struct ring_buffer_iter *iter, u32 seq)
{
	struct ring_buffer_event *event;
	unsigned int n = 0;

	while ((event = ring_buffer_iter_peek(iter, NULL))) {
		struct rb_rec *rec = ring_buffer_event_data(event);

		KUNIT_EXPECT_TRUE(test, rb_rec_is_intact(event));
		KUNIT_EXPECT_EQ(test, rec->seq, seq + n);
		n++;
		ring_buffer_iter_advance(iter);
	}
	KUNIT_EXPECT_TRUE(test, ring_buffer_iter_empty(iter));
	return n;
}

static void test_iter_sees_all(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	unsigned int pp = rb_records_per_page(fix, 3), n = 2 * pp + 7;
	struct ring_buffer_iter *iter;

	rb_write_many(fix, 0, n, 3);
	iter = iter_start(test);
	KUNIT_EXPECT_EQ(test, iter_all(test, iter, 0), n);
	KUNIT_EXPECT_FALSE(test, ring_buffer_iter_dropped(iter));
	ring_buffer_iter_reset(iter);
	KUNIT_EXPECT_EQ(test, iter_all(test, iter, 0), n);
	ring_buffer_read_finish(iter);
	/* The iterator has consumed nothing. */
	KUNIT_EXPECT_EQ(test, rb_read_all(test, 0), n);
}

static void test_iter_empty(struct kunit *test)
{
	struct ring_buffer_iter *iter = iter_start(test);

	KUNIT_EXPECT_TRUE(test, ring_buffer_iter_empty(iter));
	KUNIT_EXPECT_NULL(test, ring_buffer_iter_peek(iter, NULL));
	ring_buffer_iter_advance(iter);
	ring_buffer_read_finish(iter);
}

/* An iterator ends where the writer was when the iterator was created. */
static void test_iter_ends(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	unsigned int pp = rb_records_per_page(fix, 3);
	struct ring_buffer_iter *iter;

	rb_write_many(fix, 0, pp + 5, 3);
	iter = iter_start(test);
	rb_write_many(fix, pp + 5, pp, 3);
	KUNIT_EXPECT_EQ(test, iter_all(test, iter, 0), pp + 5);
	KUNIT_EXPECT_FALSE(test, ring_buffer_iter_dropped(iter));
	ring_buffer_iter_reset(iter);
	KUNIT_EXPECT_EQ(test, iter_all(test, iter, 0), 2 * pp + 5);
	ring_buffer_read_finish(iter);
}

static void test_iter_from_reader(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	unsigned int pp = rb_records_per_page(fix, 3), i, skip;
	struct ring_buffer_iter *iter = iter_start(test);

	rb_write_many(fix, 0, 3 * pp, 3);
	for (skip = 0; skip < 3 * pp; skip += 40) {
		ring_buffer_iter_reset(iter);
		KUNIT_EXPECT_EQ(test, iter_all(test, iter, skip), 3 * pp - skip);
		for (i = 0; i < 40; i++)
			ring_buffer_consume(fix->buffer, fix->cpu, NULL, NULL);
	}
	ring_buffer_read_finish(iter);
}

static void test_iter_dropped(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	unsigned int pp = rb_records_per_page(fix, 3);
	struct ring_buffer_event *event;
	struct ring_buffer_iter *iter;
	struct rb_rec *rec;

	/* Records lost before the iterator was created are not reported as a gap. */
	rb_write_many(fix, 0, 6 * pp, 3);
	iter = iter_start(test);
	KUNIT_ASSERT_NOT_NULL(test, ring_buffer_iter_peek(iter, NULL));
	KUNIT_EXPECT_FALSE(test, ring_buffer_iter_dropped(iter));
	ring_buffer_iter_advance(iter);

	/* The iterator returns the rest of the page that it has copied; a gap follows. */
	rb_write_many(fix, 6 * pp, 2 * pp, 3);
	do {
		ring_buffer_iter_advance(iter);
		event = ring_buffer_iter_peek(iter, NULL);
		KUNIT_ASSERT_NOT_NULL(test, event);
		rec = ring_buffer_event_data(event);
	} while (rec->seq < 3 * pp);
	KUNIT_EXPECT_EQ(test, rec->seq, 4 * pp);
	KUNIT_EXPECT_TRUE(test, ring_buffer_iter_dropped(iter));
	KUNIT_EXPECT_FALSE(test, ring_buffer_iter_dropped(iter));
	KUNIT_EXPECT_EQ(test, iter_all(test, iter, 4 * pp), 2 * pp);
	ring_buffer_read_finish(iter);
}

/* -- Pages. -- */

struct page_reader {
	struct buffer_data_read_page	*page;
	u32				seq;
	u64				ts;
	unsigned long			lost;
	unsigned long			flags;
};

/* Check a page as user space would; returns the number of records on it. */
static unsigned int page_check(struct kunit *test, struct page_reader *reader)
{
	struct rb_data_page *page = ring_buffer_read_page_data(reader->page);
	unsigned int size = page->commit & ~MISSED, pos = 0, n = 0, end = size;

	reader->flags = page->commit & MISSED;
	reader->lost = 0;
	if (reader->flags & RB_MISSED_STORED) {
		memcpy(&reader->lost, &page->data[size], sizeof(reader->lost));
		end += sizeof(reader->lost);
	}
	reader->seq += reader->lost;
	reader->ts = page->time_stamp;
	while (pos < size) {
		struct ring_buffer_event *event = (void *)&page->data[pos];

		KUNIT_ASSERT_LE(test, (u32)event->type_len, RINGBUF_TYPE_DATA_TYPE_LEN_MAX);
		reader->ts += event->time_delta;
		KUNIT_ASSERT_TRUE(test, rb_rec_is_intact(event));
		KUNIT_ASSERT_EQ(test, reader->seq++,
				((struct rb_rec *)ring_buffer_event_data(event))->seq);
		pos += rb_record_size(event);
		n++;
	}
	KUNIT_EXPECT_EQ(test, pos, size);
	/* The page must have no stale bytes that user space could see. */
	KUNIT_EXPECT_NULL(test, memchr_inv(&page->data[end], 0, rb_payload(0) - end));
	return n;
}

static void page_reader_init(struct kunit *test, struct page_reader *reader)
{
	struct rb_fixture *fix = test->priv;

	memset(reader, 0, sizeof(*reader));
	KUNIT_ASSERT_EQ(test, 0, ring_buffer_alloc_read_page(fix->buffer, fix->cpu,
							     &reader->page));
	KUNIT_ASSERT_EQ(test, PAGE_SIZE, ring_buffer_read_page_size(reader->page));
}

static int page_read(struct kunit *test, struct page_reader *reader, size_t len, bool full)
{
	struct rb_fixture *fix = test->priv;

	return ring_buffer_read_page(fix->buffer, reader->page, len, fix->cpu, full);
}

static void page_reader_done(struct kunit *test, struct page_reader *reader)
{
	struct rb_fixture *fix = test->priv;

	ring_buffer_free_read_page(fix->buffer, fix->cpu, reader->page);
}

static void test_page_whole(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	unsigned int pp = rb_records_per_page(fix, 3);
	struct page_reader reader;
	void *before;

	page_reader_init(test, &reader);
	KUNIT_EXPECT_LT(test, page_read(test, &reader, PAGE_SIZE, false), 0);
	rb_write_many(fix, 0, 2 * pp + 3, 3);
	before = ring_buffer_read_page_data(reader.page);
	KUNIT_EXPECT_EQ(test, 0, page_read(test, &reader, PAGE_SIZE, true));
	KUNIT_EXPECT_PTR_NE(test, before, ring_buffer_read_page_data(reader.page));
	KUNIT_EXPECT_EQ(test, page_check(test, &reader), pp);
	KUNIT_EXPECT_EQ(test, reader.flags, 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(fix->buffer), pp + 3);
	KUNIT_EXPECT_EQ(test, 0, page_read(test, &reader, PAGE_SIZE, true));
	KUNIT_EXPECT_EQ(test, page_check(test, &reader), pp);

	/* The rest is not a whole page. */
	KUNIT_EXPECT_LT(test, page_read(test, &reader, PAGE_SIZE, true), 0);
	KUNIT_EXPECT_EQ(test, 0, page_read(test, &reader, PAGE_SIZE, false));
	KUNIT_EXPECT_EQ(test, page_check(test, &reader), 3);
	KUNIT_EXPECT_LT(test, page_read(test, &reader, PAGE_SIZE, false), 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_read_events_cpu(fix->buffer, fix->cpu), 2 * pp + 3);
	page_reader_done(test, &reader);
}

static void test_page_pieces(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	unsigned int pp = rb_records_per_page(fix, 3), size = rb_event_size(RB_REC_MIN + 12), n = 0;
	struct page_reader reader;

	page_reader_init(test, &reader);
	rb_write_many(fix, 0, 2 * pp + 3, 3);
	KUNIT_EXPECT_EQ(test, -EINVAL, page_read(test, &reader, RB_PAGE_HEAD, false));
	KUNIT_EXPECT_EQ(test, -EAGAIN, page_read(test, &reader, RB_PAGE_HEAD + size - 1, false));
	while (!page_read(test, &reader, RB_PAGE_HEAD + 5 * size + 1, false))
		n += page_check(test, &reader);
	KUNIT_EXPECT_EQ(test, n, 2 * pp + 3);
	page_reader_done(test, &reader);
}

/* After records were consumed one by one, the rest of the page is read as a page. */
static void test_page_rest(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	unsigned int pp = rb_records_per_page(fix, 3);
	struct page_reader reader;

	page_reader_init(test, &reader);
	rb_write_many(fix, 0, 5, 3);
	ring_buffer_consume(fix->buffer, fix->cpu, NULL, NULL);
	ring_buffer_consume(fix->buffer, fix->cpu, NULL, NULL);
	rb_write_many(fix, 5, pp, 3);
	reader.seq = 2;
	KUNIT_EXPECT_EQ(test, 0, page_read(test, &reader, PAGE_SIZE, true));
	KUNIT_EXPECT_EQ(test, page_check(test, &reader), pp - 2);
	KUNIT_EXPECT_EQ(test, rb_read_all(test, pp), 5);
	page_reader_done(test, &reader);
}

static void test_page_missed(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	unsigned int pp = rb_records_per_page(fix, 1);
	struct page_reader reader;
	bool stored;

	page_reader_init(test, &reader);
	rb_write_many(fix, 0, 7 * pp, 1);
	/* A short piece has room for the number of lost records. */
	KUNIT_EXPECT_EQ(test, 0, page_read(test, &reader, RB_PAGE_HEAD + 100, false));
	KUNIT_EXPECT_GT(test, page_check(test, &reader), 0);
	KUNIT_EXPECT_EQ(test, reader.flags, MISSED);
	KUNIT_EXPECT_EQ(test, reader.lost, 3 * pp);
	KUNIT_EXPECT_EQ(test, 0, page_read(test, &reader, PAGE_SIZE, false));
	KUNIT_EXPECT_GT(test, page_check(test, &reader), 0);
	KUNIT_EXPECT_EQ(test, reader.flags, 0);

	/* A full page may have no room for the number of lost records. */
	rb_write_many(fix, 7 * pp, 20 * pp, 1);
	KUNIT_EXPECT_EQ(test, 0, page_read(test, &reader, PAGE_SIZE, true));
	stored = rb_payload(0) - pp * rb_event_size(RB_REC_MIN + 4) >= sizeof(long);
	reader.seq = stored ? 4 * pp : 23 * pp;
	KUNIT_EXPECT_EQ(test, page_check(test, &reader), pp);
	KUNIT_EXPECT_EQ(test, reader.flags, stored ? MISSED : RB_MISSED_EVENTS);
	page_reader_done(test, &reader);
}

/* A reader of whole pages has copied a part of a page that is overwritten before it is complete. */
static void test_page_lost(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	unsigned int pp = rb_records_per_page(fix, 3);
	bool stored = rb_payload(0) - pp * rb_event_size(RB_REC_MIN + 12) >= sizeof(long);
	struct page_reader reader;

	page_reader_init(test, &reader);
	rb_write_many(fix, 0, 3, 3);
	KUNIT_EXPECT_EQ(test, -EAGAIN, page_read(test, &reader, PAGE_SIZE, true));
	rb_write_many(fix, 3, 8 * pp - 3, 3);
	KUNIT_ASSERT_EQ(test, 0, page_read(test, &reader, PAGE_SIZE, true));
	KUNIT_EXPECT_EQ(test, page_check(test, &reader), 3);
	KUNIT_ASSERT_EQ(test, 0, page_read(test, &reader, PAGE_SIZE, true));
	reader.seq = stored ? 3 : 4 * pp;
	KUNIT_EXPECT_EQ(test, page_check(test, &reader), pp);
	KUNIT_EXPECT_EQ(test, reader.flags, stored ? MISSED : RB_MISSED_EVENTS);
	page_reader_done(test, &reader);
}

/* So many records were overwritten since the last one was read that their number seems negative. */
static void test_very_many_missed(struct kunit *test)
{
	const unsigned long very_many = BIT(BITS_PER_LONG - 1) + 1;
	struct rb_fixture *fix = test->priv;
	struct rb_ring *ring = rb_cpu_of(fix->buffer, fix->cpu)->ring;
	unsigned long lost = 0;

	rb_write_many(fix, 0, 3 * rb_records_per_page(fix, 1), 1);
	for (unsigned int i = 0; i <= ring->nr + 1; i++)
		ring->pages[i].first_record += very_many;
	KUNIT_ASSERT_NOT_NULL(test, ring_buffer_consume(fix->buffer, fix->cpu, NULL, &lost));
	KUNIT_EXPECT_EQ(test, lost, very_many);
}

/* -- Resizing. -- */

static void resize(struct kunit *test, unsigned long pages)
{
	struct rb_fixture *fix = test->priv;

	KUNIT_ASSERT_EQ(test, 0, ring_buffer_resize(fix->buffer, pages * fix->payload,
						    RING_BUFFER_ALL_CPUS));
	KUNIT_EXPECT_EQ(test, ring_buffer_size(fix->buffer, fix->cpu),
			max(pages, 2UL) * fix->payload);
}

static void test_resize_keeps(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	unsigned int pp = rb_records_per_page(fix, 3), n = 3 * pp + 9, i;

	for (i = 0; i < 3; i++) {
		KUNIT_EXPECT_EQ(test, rb_write_many(fix, 0, n, 3), n);
		resize(test, 50);
		KUNIT_EXPECT_EQ(test, rb_write_many(fix, n, 20 * pp, 3), 20 * pp);
		KUNIT_EXPECT_EQ(test, ring_buffer_entries(fix->buffer), n + 20 * pp);
		resize(test, 25);
		resize(test, 26);
		KUNIT_EXPECT_EQ(test, ring_buffer_entries(fix->buffer), n + 20 * pp);
		KUNIT_EXPECT_EQ(test, ring_buffer_overruns(fix->buffer), 0);
		KUNIT_EXPECT_EQ(test, rb_read_all(test, 0), n + 20 * pp);
		resize(test, 4);
	}
}

static void test_resize_shrinks(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	unsigned int pp = rb_records_per_page(fix, 3), n = 40 * pp;
	unsigned long lost;

	resize(test, 50);
	rb_write_many(fix, 0, n, 3);
	ring_buffer_consume(fix->buffer, fix->cpu, NULL, NULL);
	resize(test, 10);
	/* The page of the reader is kept in addition to the pages in the ring. */
	KUNIT_EXPECT_EQ(test, rb_write_many(fix, n, 1, 3), 1);
	KUNIT_EXPECT_EQ(test, ring_buffer_read_events_cpu(fix->buffer, fix->cpu), 1);
	for (n = 1; n < pp; n++)
		ring_buffer_consume(fix->buffer, fix->cpu, NULL, NULL);
	KUNIT_ASSERT_NOT_NULL(test, ring_buffer_peek(fix->buffer, fix->cpu, NULL, &lost));
	KUNIT_EXPECT_EQ(test, lost, 30 * pp);
	KUNIT_EXPECT_EQ(test, rb_read_all(test, 31 * pp), 9 * pp + 1);
	KUNIT_EXPECT_EQ(test, ring_buffer_overruns(fix->buffer), 30 * pp);
	resize(test, 0);
	KUNIT_EXPECT_EQ(test, rb_write_many(fix, 0, 5, 3), 5);
	KUNIT_EXPECT_EQ(test, rb_read_all(test, 0), 5);
}

/* All records that fit are kept, in addition to those on the page of the reader. */
static void test_resize_keeps_newest(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	unsigned int pp = rb_records_per_page(fix, 3), n = 40 * pp + 7;

	resize(test, 50);
	rb_write_many(fix, 0, n, 3);
	resize(test, 10);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(fix->buffer), 9 * pp + 7);
	KUNIT_EXPECT_EQ(test, ring_buffer_overruns(fix->buffer), 31 * pp);
	KUNIT_EXPECT_NOT_NULL(test, ring_buffer_consume(fix->buffer, fix->cpu, NULL, NULL));
	resize(test, 3);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(fix->buffer), (pp - 1) + 2 * pp + 7);
	KUNIT_EXPECT_EQ(test, ring_buffer_overruns(fix->buffer), 31 * pp + 6 * pp);
}

/* Unread records on the page of the reader count neither as lost nor as read. */
static void test_overrun_of_half_read_page(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	unsigned int pp = rb_records_per_page(fix, 3), i;

	rb_write_many(fix, 0, 2 * pp, 3);
	for (i = 0; i < 5; i++)
		ring_buffer_consume(fix->buffer, fix->cpu, NULL, NULL);
	KUNIT_EXPECT_EQ(test, ring_buffer_overruns(fix->buffer), 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(fix->buffer), 2 * pp - 5);
	rb_write_many(fix, 2 * pp, 5 * pp, 3);
	/* Seven pages were filled: one is the reader page, four are in the ring, two were lost. */
	KUNIT_EXPECT_EQ(test, ring_buffer_overruns(fix->buffer), 2 * pp);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(fix->buffer), 5 * pp - 5);
}

static void test_resize_no_memory(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	unsigned long size = ring_buffer_size(fix->buffer, fix->cpu);

	KUNIT_EXPECT_EQ(test, rb_write_many(fix, 0, 10, 3), 10);
	KUNIT_EXPECT_EQ(test, -ENOMEM, ring_buffer_resize(fix->buffer, ~0UL / 2,
							  RING_BUFFER_ALL_CPUS));
	KUNIT_EXPECT_EQ(test, -ENOMEM, ring_buffer_resize(fix->buffer, ~0UL / 4, fix->cpu));
	KUNIT_EXPECT_EQ(test, -ENOMEM, ring_buffer_resize(fix->buffer, ~0UL, fix->cpu));
	KUNIT_EXPECT_EQ(test, ring_buffer_size(fix->buffer, fix->cpu), size);
	KUNIT_EXPECT_EQ(test, rb_read_all(test, 0), 10);
}

static void test_resize_under_iterator(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	unsigned int pp = rb_records_per_page(fix, 3);
	struct ring_buffer_iter *iter;

	rb_write_many(fix, 0, 3 * pp, 3);
	iter = iter_start(test);
	ring_buffer_iter_advance(iter);
	resize(test, 20);
	KUNIT_EXPECT_EQ(test, iter_all(test, iter, 1), 3 * pp - 1);
	KUNIT_EXPECT_EQ(test, -EBUSY, ring_buffer_subbuf_order_set(fix->buffer, 1));
	ring_buffer_read_finish(iter);
}

static void test_order_of_subbuf(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	unsigned long size = ring_buffer_size(fix->buffer, fix->cpu);
	struct page_reader reader;
	unsigned int order;

	page_reader_init(test, &reader);
	KUNIT_EXPECT_EQ(test, -EINVAL, ring_buffer_subbuf_order_set(fix->buffer, -1));
	for (order = 1; order < 4; order++) {
		unsigned int max = (PAGE_SIZE << order) - 64, words = (max - RB_REC_MIN) / 4;

		rb_write_many(fix, 0, 10, 3);
		KUNIT_ASSERT_EQ(test, 0, ring_buffer_subbuf_order_set(fix->buffer, order));
		KUNIT_EXPECT_EQ(test, ring_buffer_subbuf_order_get(fix->buffer), order);
		KUNIT_EXPECT_GE(test, ring_buffer_size(fix->buffer, fix->cpu), size);
		KUNIT_EXPECT_TRUE(test, ring_buffer_empty(fix->buffer));
		KUNIT_EXPECT_EQ(test, rb_write_many(fix, 7, 2, words), 2);
		KUNIT_EXPECT_EQ(test, -EINVAL, page_read(test, &reader, PAGE_SIZE, false));
		KUNIT_EXPECT_EQ(test, rb_read_all(test, 7), 2);
	}
	page_reader_done(test, &reader);
	KUNIT_EXPECT_EQ(test, 0, ring_buffer_subbuf_order_set(fix->buffer, 0));
	KUNIT_EXPECT_EQ(test, rb_write_many(fix, 0, 10, 3), 10);
	KUNIT_EXPECT_EQ(test, rb_read_all(test, 0), 10);
}

/* -- Waiting. -- */

/* A task that waits for any CPU is woken by a CPU that comes up meanwhile. */
static void test_wait_for_cpu_to_come(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	struct rb_cpu *cb = rb_cpu_of(fix->buffer, fix->cpu);

	cpumask_clear_cpu(fix->cpu, fix->buffer->cpumask);
	KUNIT_EXPECT_FALSE(test, ring_buffer_poll_wait(fix->buffer, RING_BUFFER_ALL_CPUS,
						       NULL, NULL, 0));
	KUNIT_EXPECT_TRUE(test, READ_ONCE(cb->waiting));
	cpumask_set_cpu(fix->cpu, fix->buffer->cpumask);
	rb_write_many(fix, 0, 1, 3);
	KUNIT_EXPECT_FALSE(test, READ_ONCE(cb->waiting));
	KUNIT_EXPECT_TRUE(test, ring_buffer_poll_wait(fix->buffer, RING_BUFFER_ALL_CPUS,
						      NULL, NULL, 0));
	KUNIT_EXPECT_EQ(test, rb_read_all(test, 0), 1);
}

/*
 * A buffer may be freed as soon as no task waits, before the timer that was started for the
 * waiter has run. KASAN reports a timer that accesses freed pages.
 */
static void test_free_after_wait(struct kunit *test)
{
	struct trace_buffer *buffer;
	unsigned int most = jiffies_to_usecs(2), us;

	for (us = 0; us < most; us += most / 20) {
		buffer = ring_buffer_alloc(SZ_2M, RB_FL_OVERWRITE);
		KUNIT_ASSERT_NOT_NULL(test, buffer);
		ring_buffer_poll_wait(buffer, RING_BUFFER_ALL_CPUS, NULL, NULL, 0);
		mdelay(us / USEC_PER_MSEC);
		udelay(us % USEC_PER_MSEC);
		ring_buffer_free(buffer);
	}
}

static void test_wake_nobody(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;

	ring_buffer_wake_waiters(NULL, RING_BUFFER_ALL_CPUS);
	ring_buffer_wake_waiters(NULL, fix->cpu);
	ring_buffer_wake_waiters(fix->buffer, RING_BUFFER_ALL_CPUS);
}

/*
 * No irq_work is queued if no task waits. Otherwise a caller that is traced by the irq_work
 * itself would never end.
 */
static void test_wake_costs_no_interrupt(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	struct rb_cpu *cb = rb_cpu_of(fix->buffer, fix->cpu);
	int nr_wakeups = atomic_read(&cb->waiters.nr_wakeups);

	ring_buffer_wake_waiters(fix->buffer, fix->cpu);
	ring_buffer_wake_waiters(fix->buffer, RING_BUFFER_ALL_CPUS);
	irq_work_sync(&cb->wake);
	KUNIT_EXPECT_EQ(test, atomic_read(&cb->waiters.nr_wakeups), nr_wakeups);
}

static struct kunit_case rb_read_cases[] = {
	KUNIT_CASE(test_iter_sees_all),
	KUNIT_CASE(test_iter_empty),
	KUNIT_CASE(test_iter_ends),
	KUNIT_CASE(test_iter_from_reader),
	KUNIT_CASE(test_iter_dropped),
	KUNIT_CASE(test_page_whole),
	KUNIT_CASE(test_page_pieces),
	KUNIT_CASE(test_page_rest),
	KUNIT_CASE(test_page_missed),
	KUNIT_CASE(test_page_lost),
	KUNIT_CASE(test_very_many_missed),
	KUNIT_CASE(test_resize_keeps),
	KUNIT_CASE(test_resize_shrinks),
	KUNIT_CASE(test_resize_keeps_newest),
	KUNIT_CASE(test_overrun_of_half_read_page),
	KUNIT_CASE(test_resize_no_memory),
	KUNIT_CASE(test_resize_under_iterator),
	KUNIT_CASE(test_order_of_subbuf),
	KUNIT_CASE(test_wait_for_cpu_to_come),
	KUNIT_CASE(test_free_after_wait),
	KUNIT_CASE(test_wake_nobody),
	KUNIT_CASE(test_wake_costs_no_interrupt),
	{}
};

static struct kunit_suite rb_read_suite = {
	.name		= "ring_buffer_read",
	.init		= rb_test_init,
	.exit		= rb_test_exit,
	.test_cases	= rb_read_cases,
};

kunit_test_suite(rb_read_suite);
