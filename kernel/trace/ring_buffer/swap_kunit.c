// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the ring buffer: exchanging the stream of a CPU with another buffer, mapped
 * pages, and records between reserve and commit.
 */
#include <linux/bitmap.h>
#include <linux/cpu.h>
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/jiffies.h>
#include <linux/trace_clock.h>

#include "internal.h"
#include "test.h"
#include "write.h"

/* The other buffer; it has a clock of its own, which stands still. */
static struct trace_buffer *other;
static u64 other_now;

static u64 other_clock(void)
{
	return other_now;
}

static int swap_init(struct kunit *test)
{
	int ret = rb_test_init(test);

	if (ret)
		return ret;
	other = ring_buffer_alloc(RB_TEST_PAGES * rb_payload(0), RB_FL_OVERWRITE);
	KUNIT_ASSERT_NOT_NULL(test, other);
	other_now = 77;
	ring_buffer_set_clock(other, other_clock);
	return 0;
}

static void swap_exit(struct kunit *test)
{
	if (other)
		ring_buffer_free(other);
	other = NULL;
	rb_test_exit(test);
}

static int swap_now(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;

	return ring_buffer_swap_cpu(fix->buffer, other, fix->cpu);
}

static void write_other(struct kunit *test, u32 seq, unsigned int n)
{
	while (n--)
		KUNIT_EXPECT_TRUE(test, rb_rec_write(other, seq++, 0, 3));
}

static void test_swap(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	unsigned int pp = rb_records_per_page(fix, 3), n = 6 * pp;
	struct ring_buffer_event *event;
	u64 ts;

	rb_write_many(fix, 0, n, 3);
	KUNIT_EXPECT_NOT_NULL(test, ring_buffer_consume(fix->buffer, fix->cpu, NULL, NULL));
	write_other(test, 1000, 5);
	KUNIT_ASSERT_EQ(test, 0, swap_now(test));

	/* The records, and the counts of lost and read records, are in the other buffer. */
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(other), n - 2 * pp - 1);
	KUNIT_EXPECT_EQ(test, ring_buffer_overruns(other), 2 * pp);
	KUNIT_EXPECT_EQ(test, ring_buffer_read_events_cpu(other, fix->cpu), 1);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(fix->buffer), 5);
	KUNIT_EXPECT_EQ(test, ring_buffer_overruns(fix->buffer), 0);
	KUNIT_EXPECT_EQ(test, rb_write_many(fix, 1005, 3, 3), 3);
	KUNIT_EXPECT_EQ(test, rb_read_all(test, 1000), 8);

	/* Each stream continues with the clock of the buffer that it is in. */
	other_now = 123456;
	write_other(test, n, 1);
	KUNIT_ASSERT_EQ(test, 0, swap_now(test));
	KUNIT_EXPECT_EQ(test, rb_write_many(fix, n + 1, 2, 3), 2);
	KUNIT_EXPECT_EQ(test, rb_read_all(test, 2 * pp + 1), n + 3 - 2 * pp - 1);
	other_now = 5;
	write_other(test, 0, 1);
	event = ring_buffer_consume(other, fix->cpu, &ts, NULL);
	KUNIT_ASSERT_NOT_NULL(test, event);
	KUNIT_EXPECT_EQ(test, ts, 5);
}

/* The counts of dropped records move together with the records of the stream. */
static void test_swap_counts(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	unsigned int pp = rb_records_per_page(fix, 3);

	ring_buffer_change_overwrite(fix->buffer, 0);
	rb_write_many(fix, 0, 9 * pp, 3);
	KUNIT_EXPECT_EQ(test, ring_buffer_dropped_events_cpu(fix->buffer, fix->cpu), 1);
	KUNIT_ASSERT_EQ(test, 0, swap_now(test));
	KUNIT_EXPECT_EQ(test, ring_buffer_dropped_events_cpu(fix->buffer, fix->cpu), 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_dropped_events_cpu(other, fix->cpu), 1);
	KUNIT_EXPECT_EQ(test, rb_write_many(fix, 0, 10, 3), 10);
	KUNIT_EXPECT_EQ(test, rb_read_all(test, 0), 10);
}

static void test_swap_unlike(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	int elsewhere = cpumask_any_but(cpu_online_mask, fix->cpu);

	KUNIT_EXPECT_EQ(test, -EINVAL, ring_buffer_swap_cpu(other, other, fix->cpu));
	if (elsewhere < nr_cpu_ids)
		KUNIT_EXPECT_EQ(test, -EINVAL,
				ring_buffer_swap_cpu(fix->buffer, other, elsewhere));
	KUNIT_ASSERT_EQ(test, 0, ring_buffer_resize(other, 9 * fix->payload, fix->cpu));
	KUNIT_EXPECT_EQ(test, -EINVAL, swap_now(test));
	KUNIT_ASSERT_EQ(test, 0, ring_buffer_resize(other, RB_TEST_PAGES * fix->payload,
						    fix->cpu));
	KUNIT_EXPECT_EQ(test, 0, swap_now(test));
	KUNIT_ASSERT_EQ(test, 0, ring_buffer_subbuf_order_set(other, 1));
	KUNIT_ASSERT_EQ(test, 0, ring_buffer_resize(other, RB_TEST_PAGES * rb_payload(1),
						    RING_BUFFER_ALL_CPUS));
	KUNIT_EXPECT_EQ(test, -EINVAL, swap_now(test));
}

static void test_swap_disabled(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;

	ring_buffer_record_off(fix->buffer);
	KUNIT_EXPECT_EQ(test, -EAGAIN, swap_now(test));
	ring_buffer_record_on(fix->buffer);
	ring_buffer_record_disable(other);
	KUNIT_EXPECT_EQ(test, -EAGAIN, swap_now(test));
	ring_buffer_record_enable(other);
	ring_buffer_record_disable_cpu(other, fix->cpu);
	KUNIT_EXPECT_EQ(test, -EAGAIN, swap_now(test));
	ring_buffer_record_enable_cpu(other, fix->cpu);
	KUNIT_EXPECT_EQ(test, 0, swap_now(test));
}

/* Exchanging fails while @buffer is in use, whichever argument it is. */
static void expect_busy(struct kunit *test, struct trace_buffer *buffer)
{
	struct rb_fixture *fix = test->priv;
	struct rb_cpu *cb = rb_cpu_of(buffer, fix->cpu);
	struct ring_buffer_event *event;
	struct ring_buffer_iter *iter;
	unsigned long flags;
	int ret;

	event = ring_buffer_lock_reserve(buffer, 8);
	KUNIT_ASSERT_NOT_NULL(test, event);
	ret = swap_now(test);
	ring_buffer_discard_commit(buffer, event);
	KUNIT_EXPECT_EQ(test, -EBUSY, ret);

	/* Without SMP a spinlock has no state that shows that it is taken. */
	if (IS_ENABLED(CONFIG_SMP)) {
		raw_spin_lock_irqsave(&cb->lock, flags);
		ret = swap_now(test);
		raw_spin_unlock_irqrestore(&cb->lock, flags);
		KUNIT_EXPECT_EQ(test, -EBUSY, ret);
	}

	iter = ring_buffer_read_start(buffer, fix->cpu, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, iter);
	KUNIT_EXPECT_EQ(test, -EBUSY, swap_now(test));
	ring_buffer_read_finish(iter);

	mutex_lock(&buffer->mutex);
	cb->spare_ring = cb->ring;
	KUNIT_EXPECT_EQ(test, -EBUSY, swap_now(test));
	cb->spare_ring = NULL;
	mutex_unlock(&buffer->mutex);
	KUNIT_EXPECT_EQ(test, 0, swap_now(test));
}

static void test_swap_busy(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;

	expect_busy(test, fix->buffer);
	expect_busy(test, other);
}

/* -- An interrupt exchanges streams while a task writes and reads. -- */

#define SWAP_RECORDS	30000
#define SWAP_PERIOD	ns_to_ktime(100 * NSEC_PER_USEC)
#define SWAP_LIMIT	(20 * HZ)
/* Least number of exchanges for the test to be meaningful. */
#define SWAP_ENOUGH	20

/**
 * struct swapper - an interrupt that exchanges two streams, and writes
 * @timer: timer of the interrupt
 * @a: one of the two buffers
 * @b: the other buffer
 * @next: number of the next record that the interrupt or the task writes
 * @swapped: number of exchanges
 * @failed: last error of an exchange other than -EBUSY
 */
struct swapper {
	struct hrtimer		timer;
	struct trace_buffer	*a;
	struct trace_buffer	*b;
	local_t			next;
	unsigned int		swapped;
	int			failed;
};

static void swapper_write(struct swapper *s, struct trace_buffer *buffer, u16 words)
{
	rb_rec_write(buffer, local_add_return(1, &s->next) - 1, 0, words);
}

static enum hrtimer_restart swapper_timer(struct hrtimer *timer)
{
	struct swapper *s = container_of(timer, struct swapper, timer);
	int ret;

	swapper_write(s, s->a, 3);
	ret = ring_buffer_swap_cpu(s->a, s->b, raw_smp_processor_id());
	if (!ret)
		s->swapped++;
	else if (ret != -EBUSY)
		s->failed = ret;
	swapper_write(s, s->b, 9);
	hrtimer_forward_now(timer, SWAP_PERIOD);
	return HRTIMER_RESTART;
}

/* Consume records, and note them in @seen. Returns how many were damaged or came twice. */
static unsigned int swapper_consume(struct trace_buffer *buffer, int cpu,
				    unsigned long *seen, unsigned long max)
{
	struct ring_buffer_event *event;
	unsigned int bad = 0, most = 1000;

	while (most-- && (event = ring_buffer_consume(buffer, cpu, NULL, NULL))) {
		const struct rb_rec *rec = ring_buffer_event_data(event);

		if (!rb_rec_is_intact(event) || rec->seq >= max || test_and_set_bit(rec->seq, seen))
			bad++;
	}
	return bad;
}

static void test_swap_from_irq(struct kunit *test)
{
	const unsigned long max = 4 * SWAP_RECORDS;
	unsigned long end = jiffies + SWAP_LIMIT, *seen;
	struct rb_fixture *fix = test->priv;
	unsigned int i, bad = 0;
	struct swapper *s;

	s = kunit_kzalloc(test, sizeof(*s), GFP_KERNEL);
	seen = kunit_kcalloc(test, BITS_TO_LONGS(max), sizeof(long), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, s);
	KUNIT_ASSERT_NOT_NULL(test, seen);
	s->a = fix->buffer;
	s->b = other;
	ring_buffer_set_clock(s->a, trace_clock_local);
	ring_buffer_set_clock(s->b, trace_clock_local);
	hrtimer_init(&s->timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	s->timer.function = swapper_timer;
	hrtimer_start(&s->timer, SWAP_PERIOD, HRTIMER_MODE_REL_PINNED_HARD);
	for (i = 0; i < SWAP_RECORDS || (READ_ONCE(s->swapped) < SWAP_ENOUGH &&
					 time_before(jiffies, end)); i++) {
		swapper_write(s, i & 1 ? s->a : s->b, i % 40);
		if (i % 50 == 0)
			bad += swapper_consume(i % 3 ? s->a : s->b, fix->cpu, seen, max);
		if (local_read(&s->next) > max - 10)
			break;
		/* Only exchanges are missing now: write slowly to save records. */
		if (i >= SWAP_RECORDS)
			udelay(8);
	}
	hrtimer_cancel(&s->timer);
	for (i = 0; i < 100; i++) {
		bad += swapper_consume(s->a, fix->cpu, seen, max);
		bad += swapper_consume(s->b, fix->cpu, seen, max);
	}
	kunit_info(test, "written %ld, exchanged %u times\n", local_read(&s->next), s->swapped);
	KUNIT_EXPECT_EQ(test, bad, 0);
	KUNIT_EXPECT_EQ(test, s->failed, 0);
	KUNIT_EXPECT_GE(test, s->swapped, SWAP_ENOUGH);
	/* All records that were written were either read or counted as lost. */
	KUNIT_EXPECT_EQ(test, local_read(&s->next), bitmap_weight(seen, max) +
			ring_buffer_overruns(s->a) + ring_buffer_overruns(s->b));
}

/* -- Mapped pages. -- */

static void test_mapped(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	struct rb_cpu *cb = rb_cpu_of(fix->buffer, fix->cpu);
	unsigned int pp = rb_records_per_page(fix, 3);
	struct buffer_data_read_page *rpage;
	void *before;

	KUNIT_ASSERT_EQ(test, 0, ring_buffer_alloc_read_page(fix->buffer, fix->cpu, &rpage));
	before = ring_buffer_read_page_data(rpage);
	rb_write_many(fix, 0, 2 * pp, 3);
	WRITE_ONCE(cb->mapped, 1);
	KUNIT_EXPECT_EQ(test, -EBUSY, ring_buffer_resize(fix->buffer, 9 * PAGE_SIZE, fix->cpu));
	KUNIT_EXPECT_EQ(test, -EBUSY, ring_buffer_resize(fix->buffer, 9 * PAGE_SIZE,
							 RING_BUFFER_ALL_CPUS));
	KUNIT_EXPECT_EQ(test, -EBUSY, ring_buffer_subbuf_order_set(fix->buffer, 1));
	KUNIT_EXPECT_EQ(test, -EBUSY, swap_now(test));
	KUNIT_EXPECT_EQ(test, -EBUSY, ring_buffer_swap_cpu(other, fix->buffer, fix->cpu));
	KUNIT_EXPECT_EQ(test, 0, ring_buffer_read_page(fix->buffer, rpage, PAGE_SIZE,
						       fix->cpu, true));
	KUNIT_EXPECT_PTR_EQ(test, before, ring_buffer_read_page_data(rpage));
	WRITE_ONCE(cb->mapped, 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(fix->buffer), pp);
	KUNIT_EXPECT_EQ(test, 0, swap_now(test));
	KUNIT_EXPECT_EQ(test, 0, ring_buffer_resize(fix->buffer, 9 * PAGE_SIZE, fix->cpu));
	ring_buffer_free_read_page(fix->buffer, fix->cpu, rpage);
}

/* -- Between reserve and commit. -- */

/* The pointer to the buffer changes between reserve and commit, as with a snapshot. */
static void test_commit_where_reserved(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	struct trace_buffer *buffer = fix->buffer;
	struct ring_buffer_event *event;
	struct rb_cpu *cb;

	event = rb_reserve(buffer, RB_REC_MIN, &cb);
	KUNIT_ASSERT_NOT_NULL(test, event);
	swap(buffer, other);
	rb_rec_fill(ring_buffer_event_data(event), 0, 0, 0);
	rb_commit(cb);
	swap(buffer, other);
	KUNIT_EXPECT_EQ(test, READ_ONCE(rb_cpu_of(fix->buffer, fix->cpu)->depth), 0);
	KUNIT_EXPECT_EQ(test, READ_ONCE(rb_cpu_of(other, fix->cpu)->depth), 0);
	KUNIT_EXPECT_TRUE(test, ring_buffer_empty(other));
	KUNIT_EXPECT_EQ(test, rb_read_all(test, 0), 1);
}

#define NR_TIMES	40

/* Reserve a record, get its time, let a writer nest, get the time again, and commit. */
static void timed_write(struct kunit *test, u64 step, unsigned int nested, u64 *times,
			unsigned int *n)
{
	struct ring_buffer_event *event;
	unsigned int at = (*n)++;

	other_now += step;
	event = ring_buffer_lock_reserve(other, RB_REC_MIN);
	if (!event) {
		KUNIT_FAIL(test, "no room");
		return;
	}
	rb_rec_fill(ring_buffer_event_data(event), at, 0, 0);
	times[at] = ring_buffer_event_time_stamp(other, event);
	KUNIT_EXPECT_EQ(test, times[at], other_now);
	if (nested)
		timed_write(test, step, nested - 1, times, n);
	KUNIT_EXPECT_EQ(test, times[at], ring_buffer_event_time_stamp(other, event));
	ring_buffer_unlock_commit(other);
}

/* The time that a writer gets for its record is the time that the reader gets. */
static void test_event_time_stamp(struct kunit *test)
{
	static const u64 steps[] = { 0, 1, BIT_ULL(27), BIT_ULL(40), BIT_ULL(58) - 1, 7 };
	struct rb_fixture *fix = test->priv;
	unsigned int i, j, n = 0;
	u64 times[NR_TIMES], ts;

	for (i = 0; i < ARRAY_SIZE(steps); i++)
		for (j = 0; j < 3; j++)
			timed_write(test, steps[i], j, times, &n);
	for (i = 0; i < n; i++) {
		KUNIT_ASSERT_NOT_NULL(test, ring_buffer_consume(other, fix->cpu, &ts, NULL));
		KUNIT_EXPECT_EQ(test, ts, times[i]);
	}
}

/* The time of a nested record that begins a page is in the page. */
static void test_time_stamp_on_new_page(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	struct ring_buffer_event *outer, *event;
	unsigned int pp = rb_records_per_page(fix, 3), bad = 0, i;

	outer = ring_buffer_lock_reserve(other, RB_REC_MIN);
	KUNIT_ASSERT_NOT_NULL(test, outer);
	for (i = 0; i < 2 * pp; i++) {
		other_now += 3;
		event = ring_buffer_lock_reserve(other, RB_REC_MIN + 12);
		if (!event)
			break;
		bad += ring_buffer_event_time_stamp(other, event) != other_now;
		ring_buffer_unlock_commit(other);
	}
	KUNIT_EXPECT_EQ(test, bad, 0);
	KUNIT_EXPECT_EQ(test, i, 2 * pp);
	KUNIT_EXPECT_EQ(test, ring_buffer_event_time_stamp(other, outer), 77);
	ring_buffer_unlock_commit(other);
}

static struct kunit_case rb_swap_cases[] = {
	KUNIT_CASE(test_swap),
	KUNIT_CASE(test_swap_counts),
	KUNIT_CASE(test_swap_unlike),
	KUNIT_CASE(test_swap_disabled),
	KUNIT_CASE(test_swap_busy),
	KUNIT_CASE_SLOW(test_swap_from_irq),
	KUNIT_CASE(test_mapped),
	KUNIT_CASE(test_commit_where_reserved),
	KUNIT_CASE(test_event_time_stamp),
	KUNIT_CASE(test_time_stamp_on_new_page),
	{}
};

static struct kunit_suite rb_swap_suite = {
	.name		= "ring_buffer_swap",
	.init		= swap_init,
	.exit		= swap_exit,
	.test_cases	= rb_swap_cases,
};

kunit_test_suite(rb_swap_suite);
