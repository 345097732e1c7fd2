// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the ring buffer: races that a stress test would rarely hit. Each test creates
 * the state of a race directly: page numbers just before they wrap, a reader that missed all
 * laps that a slot word can tell apart, a writer that was interrupted between two loads.
 */
#include <linux/completion.h>
#include <linux/cpu.h>
#include <linux/irq_work.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/trace_clock.h>

#include "internal.h"
#include "test.h"
#include "write.h"

static struct rb_cpu *cpu_of(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;

	return rb_cpu_of(fix->buffer, fix->cpu);
}

/* -- Page numbers. -- */

/* Arguments of shift_numbers(): distance to shift by, and whether to shift the origin as well. */
static unsigned long shift_by;
static bool shift_origin;

static void shift_numbers(struct rb_cpu *cb)
{
	struct rb_ring *ring = cb->ring;
	unsigned long i;

	for (i = 0; i <= ring->nr; i++)
		ring->pages[i].no += shift_by;
	cb->tail_no += shift_by;
	cb->floor += shift_by;
	if (shift_origin)
		ring->origin += shift_by;
}

/*
 * Shift page numbers as if the writer had written @pages more pages, and the reader had not
 * read.
 */
static void go_on_for(struct kunit *test, unsigned long pages, bool origin)
{
	shift_by = pages;
	shift_origin = origin;
	guard(cpus_read_lock)();
	rb_run_without_writers(cpu_of(test), shift_numbers);
}

static void set_pages(struct kunit *test, unsigned long nr)
{
	struct rb_fixture *fix = test->priv;

	KUNIT_ASSERT_EQ(test, 0, ring_buffer_resize(fix->buffer, nr * fix->payload,
						    fix->cpu));
}

/* Write records of one page each: none is refused, and the newest ones are kept in order. */
static void check_laps(struct kunit *test, unsigned long nr, u32 *seq)
{
	struct rb_fixture *fix = test->priv;
	u16 words = rb_words_of_whole_page(fix);
	unsigned long kept = 0, i;

	for (i = 0; i < 3 * nr + 1; i++) {
		KUNIT_ASSERT_TRUE(test, rb_rec_write(fix->buffer, (*seq)++, 0, words));
		kept = min(kept + 1, nr);
		KUNIT_ASSERT_EQ(test, ring_buffer_entries(fix->buffer), kept);
	}
	KUNIT_ASSERT_EQ(test, rb_read_all(test, *seq - kept), kept);
}

static const unsigned long some_nr[] = { 2, 3, 4, 5, 17 };

static void test_numbers_wrap(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	struct rb_cpu *cb = cpu_of(test);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(some_nr); i++) {
		unsigned long nr = some_nr[i];
		u32 seq = 0;

		KUNIT_ASSERT_EQ(test, 0, ring_buffer_resize(fix->buffer, nr * fix->payload,
							    RING_BUFFER_ALL_CPUS));
		go_on_for(test, -cb->tail_no - nr - nr / 2, true);
		ring_buffer_reset(fix->buffer);
		check_laps(test, nr, &seq);
		check_laps(test, nr, &seq);
		KUNIT_EXPECT_LT(test, cb->tail_no, 8 * nr);
		KUNIT_EXPECT_EQ(test, ring_buffer_overruns(fix->buffer), 4 * nr + 2);
	}
}

/* The size changes while page numbers before and after the wrap are in the ring. */
static void test_resize_at_wrap(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	struct rb_cpu *cb = cpu_of(test);
	u16 words = rb_words_of_whole_page(fix);
	unsigned int i, j;

	for (i = 0; i < ARRAY_SIZE(some_nr); i++) {
		for (j = 0; j < ARRAY_SIZE(some_nr); j++) {
			unsigned long from = some_nr[i], to = some_nr[j];
			unsigned long kept = min(from, to);

			set_pages(test, from);
			go_on_for(test, -cb->tail_no - 1 - from / 2, true);
			ring_buffer_reset(fix->buffer);
			KUNIT_ASSERT_EQ(test, rb_write_many(fix, 0, from, words), from);
			set_pages(test, to);
			KUNIT_ASSERT_EQ(test, ring_buffer_entries(fix->buffer), kept);
			KUNIT_ASSERT_EQ(test, rb_write_many(fix, from, 3 * to, words), 3 * to);
			KUNIT_ASSERT_EQ(test, rb_read_all(test, from + 2 * to), to);
		}
	}
}

/* The origin moves before the distance from it wraps, and no slot changes. */
static void test_origin_goes_on(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	struct rb_cpu *cb = cpu_of(test);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(some_nr); i++) {
		unsigned long nr = some_nr[i], step, origin;
		u32 seq = 0;

		KUNIT_ASSERT_EQ(test, 0, ring_buffer_resize(fix->buffer, nr * fix->payload,
							    RING_BUFFER_ALL_CPUS));
		step = rb_origin_step(cb->ring);
		origin = cb->ring->origin;
		/*
		 * A multiple of all laps changes no slot word, and is far enough to move the
		 * origin.
		 */
		go_on_for(test, (RB_ORIGIN_DISTANCE_MAX / step + 1) * step, false);
		ring_buffer_reset(fix->buffer);
		check_laps(test, nr, &seq);
		KUNIT_EXPECT_EQ(test, (cb->ring->origin - origin) % step, 0);
		KUNIT_EXPECT_GT(test, cb->ring->origin - origin, 0);
		KUNIT_EXPECT_LE(test, cb->tail_no - cb->ring->origin, RB_ORIGIN_DISTANCE_MAX);
		KUNIT_EXPECT_LE(test, cb->tail_no - cb->floor, RB_ORIGIN_DISTANCE_MAX);
		check_laps(test, nr, &seq);
	}
}

/*
 * A reader has read a part of an open page. When it reads again, another page is in that slot,
 * and the lap in the slot word is the same again.
 */
static void test_laps_between_reads(struct kunit *test)
{
	unsigned int size = rb_event_size(RB_REC_MIN + 12), left;
	struct rb_fixture *fix = test->priv;
	struct buffer_data_read_page *rpage;
	struct rb_cpu *cb = cpu_of(test);
	struct rb_data_page *page;
	unsigned long lost;

	KUNIT_ASSERT_EQ(test, 0, ring_buffer_alloc_read_page(fix->buffer, fix->cpu, &rpage));
	rb_write_many(fix, 0, 10, 3);
	KUNIT_EXPECT_EQ(test, 0, ring_buffer_read_page(fix->buffer, rpage,
						       RB_PAGE_HEAD + 4 * size, fix->cpu, false));
	KUNIT_EXPECT_FALSE(test, cb->reader.whole);
	left = cb->reader.cur.size - cb->reader.cur.pos;
	KUNIT_EXPECT_EQ(test, left, 6 * size);

	go_on_for(test, rb_origin_step(cb->ring) - cb->ring->nr, false);
	rb_write_many(fix, 1000, (RB_TEST_PAGES + 1) * rb_records_per_page(fix, 3), 3);

	KUNIT_EXPECT_EQ(test, 0, ring_buffer_read_page(fix->buffer, rpage, PAGE_SIZE,
						       fix->cpu, false));
	page = ring_buffer_read_page_data(rpage);
	KUNIT_EXPECT_EQ(test, page->commit, left);
	KUNIT_EXPECT_EQ(test, 4, ((struct rb_rec *)
				  ring_buffer_event_data((void *)page->data))->seq);
	KUNIT_EXPECT_NOT_NULL(test, ring_buffer_consume(fix->buffer, fix->cpu, NULL, &lost));
	KUNIT_EXPECT_GT(test, lost, 0);
	ring_buffer_free_read_page(fix->buffer, fix->cpu, rpage);
}

/* A reader that is behind by more than half of all page numbers finds the oldest page. */
static void test_reader_left_behind(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	struct rb_cpu *cb = cpu_of(test);
	unsigned int n = RB_TEST_PAGES + 1;

	rb_write_many(fix, 0, 3, 3);
	KUNIT_EXPECT_EQ(test, rb_read_all(test, 0), 3);
	go_on_for(test, BIT(BITS_PER_LONG - 1) + 5 * RB_TEST_PAGES, true);
	KUNIT_EXPECT_GT(test, rb_ahead(cb->reader.no, cb->tail_no), 0);
	KUNIT_EXPECT_EQ(test, rb_write_many(fix, 0, n, rb_words_of_whole_page(fix)), n);
	KUNIT_EXPECT_EQ(test, ring_buffer_nr_dirty_pages(fix->buffer, fix->cpu), n - 2);
	KUNIT_EXPECT_EQ(test, rb_read_all(test, 1), n - 1);
}

static void shift_records(struct rb_cpu *cb)
{
	for (unsigned long i = 0; i <= cb->ring->nr; i++)
		cb->ring->pages[i].first_record += shift_by;
}

/* All lost records are counted, even if they are more than half of all numbers. */
static void test_records_left_behind(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	struct rb_cpu *cb = cpu_of(test);
	unsigned int n = RB_TEST_PAGES + 1;
	unsigned long lost;

	rb_write_many(fix, 0, 3, 3);
	KUNIT_EXPECT_EQ(test, rb_read_all(test, 0), 3);
	shift_by = BIT(BITS_PER_LONG - 1) + 5;
	scoped_guard(cpus_read_lock)
		rb_run_without_writers(cb, shift_records);
	KUNIT_EXPECT_EQ(test, rb_write_many(fix, 0, n, rb_words_of_whole_page(fix)), n);
	KUNIT_EXPECT_NOT_NULL(test, ring_buffer_consume(fix->buffer, fix->cpu, NULL, &lost));
	/* The first of the records that were written last was overwritten, too. */
	KUNIT_EXPECT_EQ(test, lost, shift_by + 1);
}

/* An iterator that starts at a reader which is far behind finds the oldest page. */
static void test_iterator_left_behind(struct kunit *test)
{
	unsigned int n = RB_TEST_PAGES + 1, seen = 0;
	struct rb_fixture *fix = test->priv;
	struct ring_buffer_event *event;
	struct ring_buffer_iter *iter;
	u32 seq = 0;

	rb_write_many(fix, 0, 3, 3);
	KUNIT_EXPECT_NOT_NULL(test, ring_buffer_peek(fix->buffer, fix->cpu, NULL, NULL));
	go_on_for(test, BIT(BITS_PER_LONG - 1) + 5 * RB_TEST_PAGES, true);
	KUNIT_EXPECT_EQ(test, rb_write_many(fix, 3, n, rb_words_of_whole_page(fix)), n);

	iter = ring_buffer_read_start(fix->buffer, fix->cpu, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, iter);
	for (; (event = ring_buffer_iter_peek(iter, NULL)); seen++) {
		seq = ((struct rb_rec *)ring_buffer_event_data(event))->seq;
		ring_buffer_iter_advance(iter);
	}
	KUNIT_EXPECT_EQ(test, seen, 3 + RB_TEST_PAGES);
	KUNIT_EXPECT_EQ(test, seq, 3 + n - 1);
	ring_buffer_read_finish(iter);
}

/* The writer has claimed the oldest page, and has not opened it yet. */
static void test_count_without_oldest(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	struct rb_cpu *cb = cpu_of(test);
	unsigned int n = RB_TEST_PAGES + 1;
	unsigned long *slot, word, entries, overruns, no = cb->tail_no + n;

	KUNIT_ASSERT_EQ(test, rb_write_many(fix, 0, n, rb_words_of_whole_page(fix)), n);
	KUNIT_ASSERT_EQ(test, no, cb->tail_no + 1);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(fix->buffer), n - 1);

	/* Change the slot word as rb_claim_slot() does. */
	slot = rb_slot(cb->ring, no);
	word = *slot;
	WRITE_ONCE(*slot, rb_slot_word(cb->ring, no, rb_word_index(word), RB_EMPTY));
	entries = ring_buffer_entries(fix->buffer);
	overruns = ring_buffer_overruns(fix->buffer);
	WRITE_ONCE(*slot, word);

	KUNIT_EXPECT_EQ(test, entries, n - 2);
	KUNIT_EXPECT_EQ(test, overruns, 2);
	KUNIT_EXPECT_EQ(test, rb_read_all(test, 1), n - 1);
}

/* -- Interrupted writers. -- */

/*
 * The first record of a page was discarded. A writer on the fast path has loaded write, stamp
 * and limit; then an interrupt writes at that address and discards. write is as it was before,
 * so limit must stop the fast path: its delta would be relative to the old time of the page,
 * which has another time now.
 */
static void test_discard_first(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	struct rb_cpu *cb = cpu_of(test);
	struct ring_buffer_event *event;
	unsigned long write, limit;

	ring_buffer_reset(fix->buffer);
	event = ring_buffer_lock_reserve(fix->buffer, RB_REC_MIN);
	KUNIT_ASSERT_NOT_NULL(test, event);
	KUNIT_EXPECT_EQ(test, (unsigned long)event, rb_page_base(cb->tail));
	ring_buffer_discard_commit(fix->buffer, event);

	preempt_disable_notrace();
	WRITE_ONCE(cb->depth, 1);
	write = cb->write;
	limit = cb->limit;
	event = ring_buffer_lock_reserve(fix->buffer, RB_REC_MIN);
	if (event)
		ring_buffer_discard_commit(fix->buffer, event);
	rb_commit_slow(cb);
	preempt_enable_notrace();

	KUNIT_EXPECT_NOT_NULL(test, event);
	KUNIT_EXPECT_EQ(test, write, cb->write);
	KUNIT_EXPECT_LT(test, limit, write);
}

/*
 * An interrupt that writes while a record is reserved. Its record comes later in order, and
 * must not be visible before that record is committed.
 */
struct irq_writer {
	struct irq_work		work;
	struct trace_buffer	*buffer;
	bool			wrote;
};

static void irq_writer(struct irq_work *work)
{
	struct irq_writer *writer = container_of(work, struct irq_writer, work);

	writer->wrote = rb_rec_write(writer->buffer, 1, 0, 3);
}

static void test_irq_in_between(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	struct irq_writer writer = { .buffer = fix->buffer };
	struct ring_buffer_event *event;
	bool empty;

	/* A hard irq_work, because other irq_works may run in a thread. */
	writer.work = IRQ_WORK_INIT_HARD(irq_writer);
	event = ring_buffer_lock_reserve(fix->buffer, RB_REC_MIN);
	KUNIT_ASSERT_NOT_NULL(test, event);
	irq_work_queue(&writer.work);
	while (irq_work_is_busy(&writer.work))
		cpu_relax();
	empty = ring_buffer_empty_cpu(fix->buffer, fix->cpu);
	rb_rec_fill(ring_buffer_event_data(event), 0, 0, 0);
	ring_buffer_unlock_commit(fix->buffer);

	KUNIT_EXPECT_TRUE(test, writer.wrote);
	KUNIT_EXPECT_TRUE(test, empty);
	KUNIT_EXPECT_EQ(test, rb_read_all(test, 0), 2);
}

/* -- Counting records while a page is closed. -- */

#define COUNT_RECORDS	100000
/* Number of records that fit a page; small, so that pages are closed often. */
#define COUNT_PER_PAGE	4

/**
 * struct counted - a writer whose records are counted meanwhile
 * @buffer: the buffer
 * @words: length of the body of each record
 * @written: number of records written
 * @done: completed when the writer has ended
 */
struct counted {
	struct trace_buffer	*buffer;
	u16			words;
	unsigned long		written;
	struct completion	done;
};

/* Write a record on the fast path, which counts records separately from the slow path. */
static bool counted_write(struct counted *c)
{
	unsigned int len = RB_REC_MIN + c->words * sizeof(u32);
	struct rb_write_ctx ctx;
	struct rb_rec *rec;

	guard(preempt_notrace)();
	rec = rb_reserve_fast(c->buffer, len, &ctx);
	if (!rec)
		return false;
	rb_rec_fill(rec, c->written, 0, c->words);
	rb_commit_fast(&ctx);
	return true;
}

static int counted_task(void *data)
{
	struct counted *c = data;
	unsigned int i;

	for (i = 0; i < COUNT_RECORDS; i++) {
		if (counted_write(c))
			/*
			 * Pairs with test_count_while_closing(): write the record before
			 * counting it.
			 */
			smp_store_release(&c->written, c->written + 1);
		if (i % 1024 == 0)
			cond_resched();
	}
	complete(&c->done);
	return 0;
}

static unsigned long count_consumed(struct counted *c, int cpu)
{
	unsigned long n = 0;

	while (n < 100 && ring_buffer_consume(c->buffer, cpu, NULL, NULL))
		n++;
	return n;
}

/* Readable and read records add up to the written ones; one may just be written. */
static void test_count_while_closing(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	unsigned long read = 0, low = 0, high = 0, looks = 0, before, total;
	int cpu = cpumask_any_but(cpu_online_mask, fix->cpu);
	struct task_struct *task;
	struct counted *c;

	if (cpu >= nr_cpu_ids)
		kunit_skip(test, "takes two CPUs");
	c = kunit_kzalloc(test, sizeof(*c), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, c);
	c->buffer = fix->buffer;
	c->words = (fix->payload / COUNT_PER_PAGE - RB_REC_MIN) / sizeof(u32) - 4;
	init_completion(&c->done);
	ring_buffer_change_overwrite(fix->buffer, 0);
	ring_buffer_set_clock(fix->buffer, trace_clock_local);
	KUNIT_ASSERT_EQ(test, 0, ring_buffer_resize(fix->buffer, 200 * PAGE_SIZE, cpu));
	task = kthread_create_on_cpu(counted_task, c, cpu, "rb_counted/%u");
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, task);
	wake_up_process(task);
	do {
		/* Pairs with the smp_store_release() in counted_task(). */
		before = smp_load_acquire(&c->written);
		total = read + ring_buffer_entries_cpu(fix->buffer, cpu);
		low += total < before;
		/* Load the counts of the buffer before loading written again. */
		smp_rmb();
		high += total > READ_ONCE(c->written) + 1;
		if (total > read + 50 * COUNT_PER_PAGE)
			read += count_consumed(c, cpu);
		looks++;
		cond_resched();
	} while (!completion_done(&c->done));
	kunit_info(test, "written %lu, read %lu, counted %lu times\n", c->written, read, looks);
	KUNIT_EXPECT_EQ(test, low, 0);
	KUNIT_EXPECT_EQ(test, high, 0);
	KUNIT_EXPECT_EQ(test, read + ring_buffer_entries_cpu(fix->buffer, cpu), c->written);
}

static struct kunit_case rb_race_cases[] = {
	KUNIT_CASE(test_numbers_wrap),
	KUNIT_CASE(test_resize_at_wrap),
	KUNIT_CASE(test_origin_goes_on),
	KUNIT_CASE(test_laps_between_reads),
	KUNIT_CASE(test_reader_left_behind),
	KUNIT_CASE(test_records_left_behind),
	KUNIT_CASE(test_iterator_left_behind),
	KUNIT_CASE(test_count_without_oldest),
	KUNIT_CASE(test_discard_first),
	KUNIT_CASE(test_irq_in_between),
	KUNIT_CASE_SLOW(test_count_while_closing),
	{}
};

static struct kunit_suite rb_race_suite = {
	.name		= "ring_buffer_race",
	.init		= rb_test_init,
	.exit		= rb_test_exit,
	.test_cases	= rb_race_cases,
};

kunit_test_suite(rb_race_suite);
