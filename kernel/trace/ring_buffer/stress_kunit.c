// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the ring buffer: writers that are really interrupted, readers and resizes on
 * another CPU while the writer laps them, and waiting.
 *
 * Each record carries a pattern and a number, so a torn, lost, doubled or displaced record is
 * noticed. If there is only one CPU the reader shares it with the writer by preemption.
 */
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/sched/task.h>
#include <linux/trace_clock.h>

#include "internal.h"
#include "test.h"
#include "write.h"

#define NR_RECORDS	60000
#define NR_CHANGES	24
/* Largest number of records that are read at a time while the writer is at work. */
#define MAX_CONSUME	4096
#define STRESS_PERIOD	ns_to_ktime(100 * NSEC_PER_USEC)
#define WAIT_LIMIT	(10 * HZ)
#define MORE_LIMIT	(60 * HZ)

enum { TASK, TIMER, NR_WRITERS };

/**
 * struct stress - writers on one CPU, and the records that a reader found
 * @buffer: the buffer
 * @cpu: the CPU of the writers
 * @timer: timer that interrupts the task and writes, too
 * @written: number of records written by each writer
 * @refused: number of records that found no room
 * @next: number of the next record expected of each writer
 * @read: number of records read, of both writers
 * @lost: number of records reported as lost
 * @bad: number of records that were damaged or out of order
 * @ts: time of the last record read
 * @more: write more than NR_RECORDS, for at most MORE_LIMIT, because the other side has not
 *	done enough yet
 * @done: completed when the task has ended
 */
struct stress {
	struct trace_buffer	*buffer;
	int			cpu;
	struct hrtimer		timer;
	u32			written[NR_WRITERS];
	u32			refused;
	u32			next[NR_WRITERS];
	unsigned long		read;
	unsigned long		lost;
	unsigned int		bad;
	u64			ts;
	bool			more;
	struct completion	done;
};

static int stress_init(struct kunit *test)
{
	struct rb_fixture *fix;
	int ret = rb_test_init(test);

	if (ret)
		return ret;
	fix = test->priv;
	ring_buffer_set_clock(fix->buffer, trace_clock_local);
	return 0;
}

static void stress_setup(struct kunit *test, struct stress *s, bool elsewhere)
{
	struct rb_fixture *fix = test->priv;
	int other = cpumask_any_but(cpu_online_mask, fix->cpu);

	memset(s, 0, sizeof(*s));
	s->buffer = fix->buffer;
	s->cpu = elsewhere && other < nr_cpu_ids ? other : fix->cpu;
	init_completion(&s->done);
}

/* Write a record on the fast path; the task keeps every 64th record open for a while. */
static void stress_write(struct stress *s, unsigned int who)
{
	u32 seq = s->written[who];
	struct rb_write_ctx ctx;
	struct rb_rec *rec;

	guard(preempt_notrace)();
	rec = rb_reserve_fast(s->buffer, RB_REC_MIN + 4 * sizeof(u32), &ctx);
	if (!rec) {
		s->refused++;
		return;
	}
	s->written[who]++;
	if (who == TASK && seq % 64 == 0)
		udelay(9);
	rb_rec_fill(rec, seq, who, 4);
	rb_commit_fast(&ctx);
}

/* Write a record with a body of @words by the exported functions. */
static void stress_write_exported(struct stress *s, unsigned int who, u16 words)
{
	if (rb_rec_write(s->buffer, s->written[who], who, words))
		s->written[who]++;
	else
		s->refused++;
}

static enum hrtimer_restart stress_timer(struct hrtimer *timer)
{
	struct stress *s = container_of(timer, struct stress, timer);

	stress_write(s, TIMER);
	stress_write_exported(s, TIMER, s->written[TIMER] % 40);
	hrtimer_forward_now(timer, STRESS_PERIOD);
	return HRTIMER_RESTART;
}

static void stress_timer_start(struct stress *s)
{
	hrtimer_init(&s->timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	s->timer.function = stress_timer;
	hrtimer_start(&s->timer, STRESS_PERIOD, HRTIMER_MODE_REL_PINNED_HARD);
}

static int stress_task(void *data)
{
	unsigned long end = jiffies + MORE_LIMIT;
	struct stress *s = data;
	u32 i;

	stress_timer_start(s);
	for (i = 0; i < NR_RECORDS || (READ_ONCE(s->more) && time_before(jiffies, end)); i++) {
		stress_write(s, TASK);
		if (i % 13 == 0)
			stress_write_exported(s, TASK, i % 50);
		if (i % 1024 == 0)
			cond_resched();
	}
	hrtimer_cancel(&s->timer);
	complete(&s->done);
	return 0;
}

static void stress_start(struct kunit *test, struct stress *s)
{
	struct task_struct *task;

	task = kthread_create_on_cpu(stress_task, s, s->cpu, "rb_stress/%u");
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, task);
	wake_up_process(task);
}

/* Check a record against the previous ones. @gap: records before it were lost. */
static void stress_check(struct stress *s, struct ring_buffer_event *event, u64 ts,
			 bool gap)
{
	const struct rb_rec *rec = ring_buffer_event_data(event);

	if (!rb_rec_is_intact(event) || rec->who >= NR_WRITERS || ts < s->ts) {
		s->bad++;
		return;
	}
	if (gap ? rec->seq < s->next[rec->who] : rec->seq != s->next[rec->who])
		s->bad++;
	s->next[rec->who] = rec->seq + 1;
	s->ts = ts;
	s->read++;
}

/*
 * Consume up to @most records; a writer may write faster than a slow machine reads. After a
 * loss, the numbers of any writer may have a gap, which @gaps notes.
 */
static unsigned int stress_consume(struct stress *s, bool *gaps, unsigned int most)
{
	struct ring_buffer_event *event;
	unsigned long lost;
	unsigned int n = 0;
	u64 ts;
	int i;

	while (n < most) {
		event = ring_buffer_consume(s->buffer, s->cpu, &ts, &lost);
		if (!event)
			break;
		s->lost += lost;
		for (i = 0; lost && i < NR_WRITERS; i++)
			gaps[i] = true;
		i = ((struct rb_rec *)ring_buffer_event_data(event))->who;
		stress_check(s, event, ts, i < NR_WRITERS && gaps[i]);
		if (i < NR_WRITERS)
			gaps[i] = false;
		n++;
	}
	return n;
}

static unsigned long stress_written(const struct stress *s)
{
	return s->written[TASK] + s->written[TIMER];
}

/* All records that were written were either read or reported as lost. */
static void stress_balance(struct kunit *test, struct stress *s)
{
	unsigned long refused;

	refused = ring_buffer_dropped_events_cpu(s->buffer, s->cpu) +
		  ring_buffer_commit_overrun_cpu(s->buffer, s->cpu);
	kunit_info(test, "written %u + %u, read %lu, lost %lu, refused %lu\n",
		   s->written[TASK], s->written[TIMER], s->read, s->lost, refused);
	KUNIT_EXPECT_EQ(test, s->bad, 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries_cpu(s->buffer, s->cpu), 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_read_events_cpu(s->buffer, s->cpu), s->read);
	KUNIT_EXPECT_EQ(test, ring_buffer_overrun_cpu(s->buffer, s->cpu) + s->read,
			stress_written(s));
	KUNIT_EXPECT_GT(test, s->read, 0);
	KUNIT_EXPECT_LE(test, s->lost, stress_written(s) - s->read + refused);
	KUNIT_EXPECT_GE(test, s->lost, stress_written(s) - s->read);
}

/*
 * A task and a timer write on one CPU, in a ring that holds all records. On a busy machine the
 * timer may fire late; the task waits for it, and writes slowly meanwhile.
 */
static void test_interrupted(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	bool gaps[NR_WRITERS] = {};
	unsigned long end;
	struct stress *s;
	u32 i;

	s = kunit_kzalloc(test, sizeof(*s), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, s);
	stress_setup(test, s, false);
	KUNIT_ASSERT_EQ(test, 0, ring_buffer_resize(fix->buffer, 2000 * PAGE_SIZE, fix->cpu));
	end = jiffies + WAIT_LIMIT;
	stress_timer_start(s);
	for (i = 0; i < NR_RECORDS; i++)
		stress_write(s, TASK);
	while (!READ_ONCE(s->written[TIMER]) && time_before(jiffies, end)) {
		mdelay(1);
		stress_write(s, TASK);
	}
	hrtimer_cancel(&s->timer);
	stress_consume(s, gaps, UINT_MAX);
	stress_balance(test, s);
	KUNIT_EXPECT_EQ(test, s->refused, 0);
	KUNIT_EXPECT_EQ(test, s->lost, 0);
	KUNIT_EXPECT_GT(test, s->written[TIMER], 0);
}

/* A reader on another CPU reads a small ring. */
static void test_lapped_reader(struct kunit *test)
{
	bool gaps[NR_WRITERS] = {};
	struct stress *s;

	s = kunit_kzalloc(test, sizeof(*s), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, s);
	stress_setup(test, s, true);
	stress_start(test, s);
	while (!completion_done(&s->done)) {
		stress_consume(s, gaps, MAX_CONSUME);
		cond_resched();
	}
	stress_consume(s, gaps, UINT_MAX);
	stress_balance(test, s);
}

/* Check all records on a page that ring_buffer_read_page() returned. */
static void stress_page(struct stress *s, struct rb_data_page *page, bool *gaps)
{
	unsigned long missed = RB_MISSED_EVENTS | RB_MISSED_STORED, lost = 0;
	struct ring_buffer_event *event;
	struct rb_cursor cur = {
		.page	= page,
		.size	= page->commit & ~missed,
		.ts	= page->time_stamp,
	};

	if (page->commit & RB_MISSED_STORED)
		memcpy(&lost, &page->data[cur.size], sizeof(lost));
	s->lost += lost;
	if (page->commit & RB_MISSED_EVENTS)
		memset(gaps, true, NR_WRITERS * sizeof(*gaps));
	while ((event = rb_cursor_next(&cur))) {
		int who = ((struct rb_rec *)ring_buffer_event_data(event))->who;

		stress_check(s, event, cur.ts + event->time_delta,
			     who < NR_WRITERS && gaps[who]);
		if (who < NR_WRITERS)
			gaps[who] = false;
		rb_cursor_advance(&cur, event);
	}
}

static void test_lapped_page_reader(struct kunit *test)
{
	struct buffer_data_read_page *page;
	bool gaps[NR_WRITERS] = {}, more;
	struct stress *s;

	s = kunit_kzalloc(test, sizeof(*s), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, s);
	stress_setup(test, s, true);
	KUNIT_ASSERT_EQ(test, 0, ring_buffer_alloc_read_page(s->buffer, s->cpu, &page));
	stress_start(test, s);
	do {
		more = !completion_done(&s->done);
		while (!ring_buffer_read_page(s->buffer, page, PAGE_SIZE, s->cpu, false))
			stress_page(s, ring_buffer_read_page_data(page), gaps);
		cond_resched();
	} while (more);
	ring_buffer_free_read_page(s->buffer, s->cpu, page);

	/* A full page has no room for the number of lost records, so lost may be too small. */
	KUNIT_EXPECT_EQ(test, s->bad, 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_overrun_cpu(s->buffer, s->cpu) + s->read,
			stress_written(s));
	KUNIT_EXPECT_LE(test, s->lost, stress_written(s) - s->read +
			ring_buffer_dropped_events_cpu(s->buffer, s->cpu) +
			ring_buffer_commit_overrun_cpu(s->buffer, s->cpu));
}

static void stress_iterate(struct stress *s, struct ring_buffer_iter *iter)
{
	bool gaps[NR_WRITERS] = { true, true };
	struct ring_buffer_event *event;
	u64 ts;

	memset(s->next, 0, sizeof(s->next));
	s->ts = 0;
	ring_buffer_iter_reset(iter);
	while ((event = ring_buffer_iter_peek(iter, &ts))) {
		int who = ((struct rb_rec *)ring_buffer_event_data(event))->who;

		if (ring_buffer_iter_dropped(iter))
			memset(gaps, true, sizeof(gaps));
		stress_check(s, event, ts, who < NR_WRITERS && gaps[who]);
		if (who < NR_WRITERS)
			gaps[who] = false;
		ring_buffer_iter_advance(iter);
	}
}

static void test_lapped_iterator(struct kunit *test)
{
	struct ring_buffer_iter *iter;
	struct stress *s;

	s = kunit_kzalloc(test, sizeof(*s), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, s);
	stress_setup(test, s, true);
	iter = ring_buffer_read_start(s->buffer, s->cpu, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, iter);
	stress_start(test, s);
	while (!completion_done(&s->done)) {
		stress_iterate(s, iter);
		cond_resched();
	}
	stress_iterate(s, iter);
	ring_buffer_read_finish(iter);
	KUNIT_EXPECT_EQ(test, s->bad, 0);
	KUNIT_EXPECT_GT(test, s->read, 0);
	KUNIT_EXPECT_EQ(test, ring_buffer_read_events_cpu(s->buffer, s->cpu), 0);
}

/* The ring gets larger and smaller while it is being written and read. */
static void test_resize_while_writing(struct kunit *test)
{
	static const unsigned int sizes[] = { 2, 30, 3, 100, 7, 8, 50, 4 };
	bool gaps[NR_WRITERS] = {};
	unsigned int i = 0;
	struct stress *s;

	s = kunit_kzalloc(test, sizeof(*s), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, s);
	stress_setup(test, s, true);
	s->more = true;
	stress_start(test, s);
	while (!completion_done(&s->done)) {
		int cpu = i % 3 ? s->cpu : RING_BUFFER_ALL_CPUS;
		unsigned long size = sizes[i++ % ARRAY_SIZE(sizes)] * PAGE_SIZE;

		KUNIT_EXPECT_EQ(test, 0, ring_buffer_resize(s->buffer, size, cpu));
		WRITE_ONCE(s->more, i < NR_CHANGES);
		stress_consume(s, gaps, MAX_CONSUME);
		cond_resched();
	}
	stress_consume(s, gaps, UINT_MAX);
	stress_balance(test, s);
	KUNIT_EXPECT_GE(test, i, NR_CHANGES);
}

/* Resets and switches lose records, so the sums do not match; but no record may be bad. */
static void test_reset_while_writing(struct kunit *test)
{
	unsigned int i = 0;
	struct stress *s;

	s = kunit_kzalloc(test, sizeof(*s), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, s);
	stress_setup(test, s, true);
	s->more = true;
	stress_start(test, s);
	while (!completion_done(&s->done)) {
		bool gaps[NR_WRITERS] = { true, true };

		ring_buffer_record_off(s->buffer);
		ring_buffer_reset_online_cpus(s->buffer);
		ring_buffer_record_on(s->buffer);
		stress_consume(s, gaps, MAX_CONSUME);
		KUNIT_EXPECT_TRUE(test, ring_buffer_record_is_on(s->buffer));
		WRITE_ONCE(s->more, ++i < NR_CHANGES);
		cond_resched();
	}
	KUNIT_EXPECT_EQ(test, s->bad, 0);
	KUNIT_EXPECT_GE(test, i, NR_CHANGES);
	ring_buffer_reset(s->buffer);
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(s->buffer), 0);
}

/* -- Waiting. -- */

struct waiter {
	struct trace_buffer	*buffer;
	int			cpu;
	int			full;
	int			ret;
	size_t			pages;
	struct completion	done;
};

static int waiter_task(void *data)
{
	struct waiter *w = data;

	w->ret = ring_buffer_wait(w->buffer, w->cpu, w->full, NULL, NULL);
	if (w->cpu != RING_BUFFER_ALL_CPUS)
		w->pages = ring_buffer_nr_dirty_pages(w->buffer, w->cpu);
	complete(&w->done);
	return 0;
}

/*
 * Start the waiter and wait until it sleeps, which takes long on a busy machine. The reference
 * keeps the task, which may have ended already.
 */
static bool waiter_sleeps(struct task_struct *task)
{
	unsigned long end = jiffies + WAIT_LIMIT;
	unsigned int state;

	get_task_struct(task);
	wake_up_process(task);
	do {
		msleep(20);
		state = READ_ONCE(task->__state);
	} while (!(state & (TASK_INTERRUPTIBLE | TASK_DEAD)) && time_before(jiffies, end));
	put_task_struct(task);
	return state & TASK_INTERRUPTIBLE;
}

static struct waiter *waiter_start(struct kunit *test, int cpu, int full)
{
	struct rb_fixture *fix = test->priv;
	struct waiter *w = kunit_kzalloc(test, sizeof(*w), GFP_KERNEL);
	struct task_struct *task;

	KUNIT_ASSERT_NOT_NULL(test, w);
	w->buffer = fix->buffer;
	w->cpu = cpu;
	w->full = full;
	w->ret = 1;
	init_completion(&w->done);
	task = kthread_create(waiter_task, w, "rb_waiter");
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, task);
	KUNIT_EXPECT_TRUE(test, waiter_sleeps(task));
	KUNIT_EXPECT_FALSE(test, completion_done(&w->done));
	return w;
}

static void waiter_finish(struct kunit *test, struct waiter *w)
{
	bool woken = wait_for_completion_timeout(&w->done, WAIT_LIMIT);

	KUNIT_EXPECT_TRUE(test, woken);
	/* The waiter must not outlive the buffer. */
	if (!woken) {
		ring_buffer_wake_waiters(w->buffer, w->cpu);
		wait_for_completion(&w->done);
	}
	KUNIT_EXPECT_EQ(test, w->ret, 0);
}

static void test_wait(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	struct waiter *w;

	w = waiter_start(test, fix->cpu, 0);
	rb_rec_write(fix->buffer, 0, 0, 1);
	waiter_finish(test, w);
	ring_buffer_reset(fix->buffer);

	w = waiter_start(test, RING_BUFFER_ALL_CPUS, 0);
	rb_rec_write(fix->buffer, 0, 0, 1);
	waiter_finish(test, w);
}

static void test_wait_full(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	unsigned int pp = rb_records_per_page(fix, 3), n;
	struct waiter *w = waiter_start(test, fix->cpu, 75);

	rb_write_many(fix, 0, pp, 3);
	msleep(50);
	KUNIT_EXPECT_FALSE(test, completion_done(&w->done));
	n = rb_write_many(fix, pp, 2 * pp, 3);
	waiter_finish(test, w);
	KUNIT_EXPECT_EQ(test, w->pages, 2);
	KUNIT_EXPECT_EQ(test, rb_read_all(test, 0), pp + n);
}

static void test_wake_waiters(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	struct waiter *w[3] = {
		waiter_start(test, fix->cpu, 0),
		waiter_start(test, fix->cpu, 50),
		waiter_start(test, RING_BUFFER_ALL_CPUS, 0),
	};
	int i;

	ring_buffer_wake_waiters(fix->buffer, RING_BUFFER_ALL_CPUS);
	for (i = 0; i < 3; i++)
		waiter_finish(test, w[i]);
}

static struct kunit_case rb_stress_cases[] = {
	KUNIT_CASE_SLOW(test_interrupted),
	KUNIT_CASE_SLOW(test_lapped_reader),
	KUNIT_CASE_SLOW(test_lapped_page_reader),
	KUNIT_CASE_SLOW(test_lapped_iterator),
	KUNIT_CASE_SLOW(test_resize_while_writing),
	KUNIT_CASE_SLOW(test_reset_while_writing),
	KUNIT_CASE(test_wait),
	KUNIT_CASE(test_wait_full),
	KUNIT_CASE(test_wake_waiters),
	{}
};

static struct kunit_suite rb_stress_suite = {
	.name		= "ring_buffer_stress",
	.init		= stress_init,
	.exit		= rb_test_exit,
	.test_cases	= rb_stress_cases,
};

kunit_test_suite(rb_stress_suite);
