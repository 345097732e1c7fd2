// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the ring buffer: writing and reading between the steps of a resize, and pages
 * so large that readers copy them in pieces.
 */
#include <linux/cpu.h>
#include <linux/err.h>
#include <linux/prandom.h>

#include "internal.h"
#include "test.h"

/**
 * struct stream - records of one size in the fixture's buffer
 * @test: the test
 * @cb: the CPU's stream
 * @words: length of the body of each record
 * @written: number of the next record to be written
 * @read: number of the next record to be read
 */
struct stream {
	struct kunit	*test;
	struct rb_cpu	*cb;
	u16		words;
	u32		written;
	u32		read;
};

static struct stream stream_of(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;

	return (struct stream) {
		.test	= test,
		.cb	= rb_cpu_of(fix->buffer, fix->cpu),
		.words	= rb_words_of_whole_page(fix),
	};
}

static void stream_write(struct stream *s, unsigned int n)
{
	s->written += rb_write_many(s->test->priv, s->written, n, s->words);
}

/* Read up to @n records. Returns the number of records read. */
static unsigned int stream_read(struct stream *s, unsigned int n)
{
	struct rb_fixture *fix = s->test->priv;
	struct ring_buffer_event *event;
	unsigned long lost;
	unsigned int i;

	for (i = 0; i < n; i++) {
		event = ring_buffer_consume(fix->buffer, fix->cpu, NULL, &lost);
		if (!event)
			break;
		s->read += lost;
		KUNIT_ASSERT_TRUE(s->test, rb_rec_is_intact(event));
		KUNIT_ASSERT_EQ(s->test, s->read++,
				((struct rb_rec *)ring_buffer_event_data(event))->seq);
	}
	return i;
}

/* An iterator returns all unread records without a gap, up to the last one. */
static void stream_look(struct stream *s)
{
	struct rb_fixture *fix = s->test->priv;
	unsigned long n = ring_buffer_entries(fix->buffer);
	struct ring_buffer_event *event;
	struct ring_buffer_iter *iter;

	iter = ring_buffer_read_start(fix->buffer, fix->cpu, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(s->test, iter);
	for (; (event = ring_buffer_iter_peek(iter, NULL)); n--) {
		struct rb_rec *rec = ring_buffer_event_data(event);

		KUNIT_EXPECT_TRUE(s->test, rb_rec_is_intact(event));
		KUNIT_EXPECT_EQ(s->test, rec->seq, s->written - n);
		ring_buffer_iter_advance(iter);
	}
	KUNIT_EXPECT_EQ(s->test, n, 0);
	ring_buffer_read_finish(iter);
}

/* Each record was read, can be read, or is counted as overwritten. */
static void stream_check_sum(struct stream *s)
{
	struct rb_fixture *fix = s->test->priv;

	KUNIT_ASSERT_EQ(s->test, s->written,
			ring_buffer_entries(fix->buffer) +
			ring_buffer_overruns(fix->buffer) +
			ring_buffer_read_events_cpu(fix->buffer, fix->cpu));
}

/* Each slot has a page of its own, the reader has one, and each page has memory. */
static void stream_check_pages(struct stream *s)
{
	struct rb_ring *ring = s->cb->ring;
	unsigned long *seen = kunit_kcalloc(s->test, BITS_TO_LONGS(ring->nr + 1),
					    sizeof(*seen), GFP_KERNEL);
	unsigned long i;

	KUNIT_ASSERT_NOT_NULL(s->test, seen);
	__set_bit(s->cb->reader.page - ring->pages, seen);
	for (i = 0; i < ring->nr; i++) {
		KUNIT_ASSERT_NE(s->test, rb_word_state(ring->slots[i]), RB_AWAY);
		KUNIT_ASSERT_FALSE(s->test, __test_and_set_bit(rb_word_index(ring->slots[i]),
							       seen));
	}
	for (i = 0; i <= ring->nr; i++)
		KUNIT_ASSERT_NOT_NULL(s->test, ring->pages[i].data);
	kunit_kfree(s->test, seen);
}

/* -- A resize, step by step. -- */

static void resize_start(struct stream *s, unsigned long nr)
{
	unsigned long old = s->cb->nr;
	struct rb_ring *ring;

	ring = rb_ring_alloc(s->cb->cpu, nr, nr > old ? nr - old : 0, 0);
	KUNIT_ASSERT_FALSE(s->test, IS_ERR(ring));
	s->cb->spare_ring = ring;
	guard(cpus_read_lock)();
	rb_run_without_writers(s->cb, rb_resize_start);
}

/* Do one step of the resize. False after the last step. */
static bool resize_step(struct stream *s)
{
	guard(cpus_read_lock)();
	rb_run_without_writers(s->cb, rb_resize_step);
	return rb_is_resizing(s->cb->ring);
}

static void resize_finish(struct stream *s)
{
	while (resize_step(s))
		;
	rb_free_spares(s->cb->buffer);
	stream_check_pages(s);
	stream_check_sum(s);
}

static void test_halfway_to_more(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	struct stream s = stream_of(test);

	stream_write(&s, 4);
	resize_start(&s, 10);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(fix->buffer), 4);
	stream_look(&s);
	/* The new ring has room for six more records; later ones overwrite the oldest. */
	stream_write(&s, 6);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(fix->buffer), 10);
	KUNIT_EXPECT_EQ(test, ring_buffer_overruns(fix->buffer), 0);
	stream_write(&s, 2);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(fix->buffer), 10);
	KUNIT_EXPECT_EQ(test, ring_buffer_overruns(fix->buffer), 2);
	stream_look(&s);
	resize_finish(&s);
	stream_look(&s);
	KUNIT_EXPECT_EQ(test, stream_read(&s, UINT_MAX), 10);
	KUNIT_EXPECT_EQ(test, s.read, s.written);
}

/* A larger ring has no records in the slots that were added. */
static void test_more_room_is_empty(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	struct stream s = stream_of(test);

	stream_write(&s, 20);
	resize_start(&s, 10);
	KUNIT_EXPECT_EQ(test, ring_buffer_nr_dirty_pages(fix->buffer, fix->cpu), 3);
	resize_finish(&s);
	KUNIT_EXPECT_EQ(test, ring_buffer_nr_dirty_pages(fix->buffer, fix->cpu), 3);
	KUNIT_EXPECT_EQ(test, stream_read(&s, UINT_MAX), 4);
}

static void test_halfway_to_less(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	struct stream s = stream_of(test);

	KUNIT_ASSERT_EQ(test, 0, ring_buffer_resize(fix->buffer, 40 * fix->payload, fix->cpu));
	stream_write(&s, 50);
	resize_start(&s, 10);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(fix->buffer), 10);
	stream_look(&s);
	/*
	 * Records are read in the old ring; the writer reuses the pages that the reader leaves
	 * there.
	 */
	KUNIT_EXPECT_EQ(test, stream_read(&s, 3), 3);
	KUNIT_EXPECT_EQ(test, s.read, 43);
	stream_write(&s, 4);
	stream_look(&s);
	KUNIT_EXPECT_EQ(test, stream_read(&s, 2), 2);
	KUNIT_EXPECT_EQ(test, s.read, 46);
	resize_finish(&s);
	stream_look(&s);
	KUNIT_EXPECT_EQ(test, stream_read(&s, UINT_MAX), 8);
	KUNIT_EXPECT_EQ(test, s.read, s.written);
}

/* A full buffer that does not overwrite accepts no records while it gets smaller. */
static void test_halfway_without_overwrite(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	struct stream s = stream_of(test);

	ring_buffer_change_overwrite(fix->buffer, 0);
	stream_write(&s, 4);
	resize_start(&s, 3);
	stream_write(&s, 1);
	KUNIT_EXPECT_EQ(test, s.written, 4);
	KUNIT_EXPECT_EQ(test, ring_buffer_dropped_events_cpu(fix->buffer, fix->cpu), 1);
	KUNIT_EXPECT_EQ(test, stream_read(&s, 1), 1);
	stream_write(&s, 2);
	KUNIT_EXPECT_EQ(test, s.written, 5);
	resize_finish(&s);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(fix->buffer), 3);
	resize_start(&s, 5);
	stream_write(&s, 9);
	KUNIT_EXPECT_EQ(test, s.written, 7);
	resize_finish(&s);
	ring_buffer_change_overwrite(fix->buffer, 1);
}

/* Writes, reads and iterations at random between the steps of resizes to random sizes. */
static void test_halfway_at_random(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	struct stream s = stream_of(test);
	unsigned long size;
	struct rnd_state rnd;
	unsigned int i, n;

	prandom_seed_state(&rnd, 20);
	for (i = 0; i < 40; i++) {
		size = 2 + prandom_u32_state(&rnd) % 900;
		resize_start(&s, size);
		do {
			stream_write(&s, prandom_u32_state(&rnd) % 400);
			stream_read(&s, prandom_u32_state(&rnd) % 200);
			stream_look(&s);
		} while (resize_step(&s));
		resize_finish(&s);
		for (n = 0; n < size + 3; n++)
			stream_write(&s, 1);
		KUNIT_ASSERT_EQ(test, ring_buffer_entries(fix->buffer), size);
		cond_resched();
	}
	stream_read(&s, UINT_MAX);
	KUNIT_EXPECT_EQ(test, s.read, s.written);
}

/* -- Pages that are larger than a reader copies at once. -- */

#define LARGE_ORDER	4
static_assert((PAGE_SIZE << LARGE_ORDER) > 2 * RB_COPY_MAX);

/* Write records with a body of @words, which fill two pages and most of a third. */
static struct stream large_pages(struct kunit *test, u16 words)
{
	struct rb_fixture *fix = test->priv;
	struct stream s = stream_of(test);

	KUNIT_ASSERT_EQ(test, 0, ring_buffer_subbuf_order_set(fix->buffer, LARGE_ORDER));
	KUNIT_ASSERT_EQ(test, 0, ring_buffer_resize(fix->buffer, 4 * rb_payload(LARGE_ORDER),
						    fix->cpu));
	fix->payload = rb_payload(LARGE_ORDER);
	s.words = words;
	stream_write(&s, rb_records_per_page(fix, words) * 11 / 4);
	return s;
}

static void test_large_pages_by_records(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	struct stream s = large_pages(test, 5);

	stream_look(&s);
	KUNIT_EXPECT_EQ(test, stream_read(&s, 100), 100);
	stream_look(&s);
	KUNIT_EXPECT_EQ(test, stream_read(&s, s.written - 200), s.written - 200);
	stream_look(&s);
	/* The page of the reader is a copy of a part of the open page. */
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(fix->buffer), 100);
	stream_write(&s, 10);
	KUNIT_EXPECT_EQ(test, stream_read(&s, UINT_MAX), 110);
}

/* A record that is larger than a piece is copied as a whole. */
static void test_large_records(struct kunit *test)
{
	struct stream s = large_pages(test, (RB_COPY_MAX + 64) / sizeof(u32));

	stream_look(&s);
	KUNIT_EXPECT_EQ(test, stream_read(&s, UINT_MAX), s.written);
}

/* Check that @rpage has the next records. Returns the number of records. */
static unsigned int large_page_check(struct stream *s, struct buffer_data_read_page *rpage)
{
	struct rb_data_page *page = ring_buffer_read_page_data(rpage);
	struct ring_buffer_event *event;
	struct rb_cursor cur = { .page = page, .size = page->commit };
	unsigned int n = 0;

	while ((event = rb_cursor_next(&cur))) {
		KUNIT_ASSERT_TRUE(s->test, rb_rec_is_intact(event));
		KUNIT_ASSERT_EQ(s->test, s->read++,
				((struct rb_rec *)ring_buffer_event_data(event))->seq);
		rb_cursor_advance(&cur, event);
		n++;
	}
	return n;
}

static void test_large_pages_by_pages(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	struct stream s = large_pages(test, 5);
	unsigned int pp = rb_records_per_page(fix, 5), size = rb_event_size(RB_REC_MIN + 20);
	unsigned int few = RB_COPY_MAX / size + 7;
	struct buffer_data_read_page *page;

	KUNIT_ASSERT_EQ(test, 0, ring_buffer_alloc_read_page(fix->buffer, fix->cpu, &page));
	KUNIT_EXPECT_EQ(test, stream_read(&s, 1), 1);
	/* This is not the whole page, so as many records as fit are copied. */
	KUNIT_EXPECT_EQ(test, 0, ring_buffer_read_page(fix->buffer, page, RB_PAGE_HEAD +
						       few * size + 4, fix->cpu, 0));
	KUNIT_EXPECT_EQ(test, large_page_check(&s, page), few);
	KUNIT_EXPECT_EQ(test, 0, ring_buffer_read_page(fix->buffer, page, PAGE_SIZE << LARGE_ORDER,
						       fix->cpu, 1));
	KUNIT_EXPECT_EQ(test, large_page_check(&s, page), pp - few - 1);
	/*
	 * The second page is complete and handed over whole; of the last page, which is open,
	 * all is copied.
	 */
	KUNIT_EXPECT_EQ(test, 0, ring_buffer_read_page(fix->buffer, page, PAGE_SIZE << LARGE_ORDER,
						       fix->cpu, 0));
	KUNIT_EXPECT_EQ(test, large_page_check(&s, page), pp);
	KUNIT_EXPECT_EQ(test, 0, ring_buffer_read_page(fix->buffer, page, PAGE_SIZE << LARGE_ORDER,
						       fix->cpu, 0));
	KUNIT_EXPECT_EQ(test, large_page_check(&s, page), s.written - 2 * pp);
	KUNIT_EXPECT_EQ(test, s.read, s.written);
	ring_buffer_free_read_page(fix->buffer, fix->cpu, page);
}

static struct kunit_case rb_resize_cases[] = {
	KUNIT_CASE(test_halfway_to_more),
	KUNIT_CASE(test_more_room_is_empty),
	KUNIT_CASE(test_halfway_to_less),
	KUNIT_CASE(test_halfway_without_overwrite),
	KUNIT_CASE(test_halfway_at_random),
	KUNIT_CASE(test_large_pages_by_records),
	KUNIT_CASE(test_large_records),
	KUNIT_CASE(test_large_pages_by_pages),
	{}
};

static struct kunit_suite rb_resize_suite = {
	.name		= "ring_buffer_resize",
	.init		= rb_test_init,
	.exit		= rb_test_exit,
	.test_cases	= rb_resize_cases,
};

kunit_test_suite(rb_resize_suite);
