// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the ring buffer: mapped pages. The tests read the pages as user space would,
 * with nothing but the meta page and the ids of sub-buffers.
 */
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/trace_clock.h>

#include "internal.h"
#include "map.h"
#include "test.h"

#define MAP_RECORDS	40000
/* Another consumer takes a record each time that this many pages were read. */
#define MAP_OTHERS	5

/**
 * struct map_user - records that a user of the mapped pages has seen
 * @cpu: the CPU whose stream is mapped
 * @buffer: the buffer
 * @id: id of the sub-buffer that was shown last
 * @next: number of the next record expected
 * @read: number of records seen
 * @lost: number of records reported as lost
 * @bad: number of records that were damaged, came twice, or had a wrong time
 */
struct map_user {
	int			cpu;
	struct trace_buffer	*buffer;
	u32			id;
	u32			next;
	unsigned long		read;
	unsigned long		lost;
	unsigned int		bad;
};

static u64 map_now;

static u64 map_clock(void)
{
	return map_now;
}

static int map_init(struct kunit *test)
{
	struct rb_fixture *fix;
	int ret = rb_test_init(test);

	if (ret)
		return ret;
	fix = test->priv;
	map_now = 1000;
	ring_buffer_set_clock(fix->buffer, map_clock);
	return 0;
}

static int map_add(struct rb_fixture *fix)
{
	guard(mutex)(&fix->buffer->mutex);
	return rb_map_add(rb_cpu_of(fix->buffer, fix->cpu), NULL);
}

static struct map_user map_start(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;

	KUNIT_ASSERT_EQ(test, 0, map_add(fix));
	return (struct map_user){ .cpu = fix->cpu, .buffer = fix->buffer };
}

static void map_stop(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;

	KUNIT_EXPECT_EQ(test, 0, ring_buffer_unmap(fix->buffer, fix->cpu));
}

static struct trace_buffer_meta *map_meta(const struct map_user *user)
{
	return page_address(ring_buffer_map_page(user->buffer, user->cpu, 0));
}

static struct rb_data_page *map_subbuf(const struct map_user *user, u32 id)
{
	unsigned int order = ring_buffer_subbuf_order_get(user->buffer);
	unsigned long pgoff = (id + 1UL) << order;

	return page_address(ring_buffer_map_page(user->buffer, user->cpu, pgoff));
}

/* Number of lost records that the meta page reports; the page itself must agree. */
static unsigned long map_lost(struct map_user *user, const struct rb_data_page *page,
			      unsigned int size)
{
	unsigned long lost = map_meta(user)->reader.lost_events, stored = lost;

	if (!(page->commit & RB_MISSED_EVENTS) != !lost)
		user->bad++;
	if (page->commit & RB_MISSED_STORED)
		memcpy(&stored, &page->data[size], sizeof(stored));
	if (stored != lost)
		user->bad++;
	return lost;
}

/* Check all records of a page. The time of record n is 1000 + n, for records of map_write(). */
static void map_read_page(struct map_user *user, struct rb_data_page *page)
{
	struct rb_cursor cur = {
		.page = page,
		.size = page->commit & ~(RB_MISSED_EVENTS | RB_MISSED_STORED),
		.ts = page->time_stamp,
	};
	unsigned long lost = map_lost(user, page, cur.size);
	struct ring_buffer_event *event;

	user->lost += lost;
	user->next += lost;
	while ((event = rb_cursor_next(&cur))) {
		struct rb_rec *rec = ring_buffer_event_data(event);

		rb_cursor_advance(&cur, event);
		if (!rb_rec_is_intact(event) || rec->seq != user->next ||
		    (rec->who && cur.ts != 1000 + rec->seq))
			user->bad++;
		user->next = rec->seq + 1;
		user->read++;
	}
}

/* Show and read the next page. False if there is none. */
static bool map_next(struct map_user *user)
{
	struct trace_buffer_meta *meta = map_meta(user);
	int ret = ring_buffer_map_get_reader(user->buffer, user->cpu);

	if (ret || READ_ONCE(meta->reader.id) == user->id)
		return false;
	user->id = meta->reader.id;
	if (user->id >= meta->nr_subbufs)
		user->bad++;
	else
		map_read_page(user, map_subbuf(user, user->id));
	return true;
}

/* Write records of different lengths, each at its own time. */
static void map_write(struct rb_fixture *fix, u32 seq, unsigned int n)
{
	for (; n--; seq++) {
		map_now = 1000 + seq;
		rb_rec_write(fix->buffer, seq, 1, seq % 7);
	}
}

static void test_map_meta(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	struct map_user user = map_start(test);
	struct trace_buffer_meta *meta = map_meta(&user);
	unsigned int i;

	KUNIT_EXPECT_EQ(test, meta->meta_page_size, PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, meta->meta_struct_len, sizeof(*meta));
	KUNIT_EXPECT_EQ(test, meta->subbuf_size, PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, meta->nr_subbufs, RB_TEST_PAGES + 2);
	KUNIT_EXPECT_EQ(test, meta->entries, 0);
	KUNIT_EXPECT_FALSE(test, map_next(&user));
	KUNIT_EXPECT_EQ(test, meta->reader.id, 0);

	map_write(fix, 0, 16);
	for (i = 0; i < 2; i++) {
		KUNIT_EXPECT_EQ(test, map_next(&user), !i);
		KUNIT_EXPECT_EQ(test, meta->reader.id, 1);
		KUNIT_EXPECT_EQ(test, meta->entries, 16);
		KUNIT_EXPECT_EQ(test, meta->read, 16);
		KUNIT_EXPECT_EQ(test, meta->overrun, 0);
		KUNIT_EXPECT_EQ(test, meta->reader.read, map_subbuf(&user, 1)->commit);
	}
	KUNIT_EXPECT_EQ(test, user.read, 16);
	KUNIT_EXPECT_EQ(test, user.bad, 0);

	ring_buffer_reset(fix->buffer);
	KUNIT_EXPECT_EQ(test, meta->entries, 0);
	KUNIT_EXPECT_EQ(test, meta->read, 0);
	map_stop(test);
}

/* Each id is a different page, whatever earlier mappings did to the pages. */
static void test_map_numbers(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	unsigned int round, i, j;
	u32 seq = 0;

	for (round = 0; round < 4 * RB_TEST_PAGES; round++) {
		struct map_user user = map_start(test);
		u32 nr = map_meta(&user)->nr_subbufs;

		user.next = seq;
		KUNIT_EXPECT_EQ(test, map_meta(&user)->reader.id, 0);
		for (i = 0; i < nr; i++) {
			KUNIT_ASSERT_NOT_NULL(test, map_subbuf(&user, i));
			for (j = 0; j < i; j++)
				KUNIT_EXPECT_PTR_NE(test, map_subbuf(&user, i),
						    map_subbuf(&user, j));
		}
		KUNIT_EXPECT_NULL(test, ring_buffer_map_page(fix->buffer, fix->cpu, nr + 1));
		for (i = 0; i <= round % 5; i++, seq += 300) {
			map_write(fix, seq, 300);
			while (map_next(&user))
				;
		}
		KUNIT_EXPECT_EQ(test, user.bad, 0);
		map_stop(test);
	}
	KUNIT_EXPECT_EQ(test, ring_buffer_entries(fix->buffer), 0);
}

/* A page that is shown repeatedly while it is being written shows each record once. */
static void test_map_open_page(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	struct map_user user = map_start(test);
	unsigned int i;
	u32 seq = 0;

	for (i = 0; i < 400; i++) {
		unsigned int n = 1 + i % 9;

		map_write(fix, seq, n);
		seq += n;
		while (map_next(&user))
			;
		KUNIT_ASSERT_EQ(test, user.read, seq);
		KUNIT_ASSERT_EQ(test, user.bad, 0);
	}
	KUNIT_EXPECT_EQ(test, user.lost, 0);
	map_stop(test);
}

static void test_map_lost(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	struct map_user user = map_start(test);
	struct trace_buffer_meta *meta = map_meta(&user);
	unsigned int i;
	u32 seq = 0;

	for (i = 0; i < 20; i++) {
		unsigned int n = 50 + 97 * i;

		map_write(fix, seq, n);
		seq += n;
		/* Read one page only at first, so that the rest of a copied page is lost. */
		map_next(&user);
		if (i % 3 == 0)
			continue;
		while (map_next(&user))
			;
		KUNIT_ASSERT_EQ(test, user.next, seq);
		KUNIT_EXPECT_EQ(test, meta->overrun, user.lost);
		KUNIT_EXPECT_EQ(test, meta->read, user.read);
		KUNIT_EXPECT_EQ(test, meta->entries, seq);
	}
	while (map_next(&user))
		;
	KUNIT_EXPECT_EQ(test, user.read + user.lost, seq);
	KUNIT_EXPECT_GT(test, user.lost, 0);
	KUNIT_EXPECT_EQ(test, user.bad, 0);
	map_stop(test);
}

/* Records that others consume are not shown, and others do not change the shown page. */
static void test_map_others(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	struct map_user user = map_start(test);
	struct buffer_data_read_page *rpage;
	struct rb_data_page *copy = kunit_kzalloc(test, PAGE_SIZE, GFP_KERNEL);
	struct ring_buffer_event *event;
	unsigned int i;
	u32 seq = 0;

	KUNIT_ASSERT_NOT_NULL(test, copy);
	KUNIT_ASSERT_EQ(test, 0, ring_buffer_alloc_read_page(fix->buffer, fix->cpu, &rpage));
	for (i = 0; i < 40; i++) {
		map_write(fix, seq, 90);
		seq += 90;
		event = ring_buffer_consume(fix->buffer, fix->cpu, NULL, NULL);
		KUNIT_ASSERT_NOT_NULL(test, event);
		user.next++;
		KUNIT_ASSERT_TRUE(test, map_next(&user));
		memcpy(copy, map_subbuf(&user, user.id), PAGE_SIZE);
		/* Read whole pages while the writer laps the ring. */
		while (!ring_buffer_read_page(fix->buffer, rpage, PAGE_SIZE, fix->cpu, false)) {
			map_write(fix, seq, i);
			seq += i;
			if (seq % 1024 < 100)
				break;
		}
		while (ring_buffer_consume(fix->buffer, fix->cpu, NULL, NULL))
			;
		map_write(fix, seq, 2000);
		seq += 2000;
		while (ring_buffer_consume(fix->buffer, fix->cpu, NULL, NULL))
			;
		user.next = seq;
		KUNIT_ASSERT_EQ(test, map_meta(&user)->reader.id, user.id);
		KUNIT_ASSERT_EQ(test, 0, memcmp(copy, map_subbuf(&user, user.id), PAGE_SIZE));
	}
	KUNIT_EXPECT_EQ(test, user.bad, 0);
	ring_buffer_free_read_page(fix->buffer, fix->cpu, rpage);
	map_stop(test);
}

/* Resizing stays forbidden until the last mapping is gone. */
static void test_map_holds(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	struct trace_buffer *buffer = fix->buffer;
	unsigned int i;

	KUNIT_EXPECT_EQ(test, -ENODEV, ring_buffer_map_get_reader(buffer, fix->cpu));
	KUNIT_EXPECT_EQ(test, -ENODEV, ring_buffer_unmap(buffer, fix->cpu));
	map_start(test);
	map_start(test);
	ring_buffer_map_dup(buffer, fix->cpu);
	for (i = 0; i < 3; i++) {
		KUNIT_EXPECT_EQ(test, -EBUSY, ring_buffer_resize(buffer, 9 * PAGE_SIZE,
								 RING_BUFFER_ALL_CPUS));
		KUNIT_EXPECT_EQ(test, -EBUSY, ring_buffer_subbuf_order_set(buffer, 1));
		map_stop(test);
	}
	KUNIT_EXPECT_EQ(test, -ENODEV, ring_buffer_unmap(buffer, fix->cpu));
	KUNIT_EXPECT_EQ(test, 0, ring_buffer_subbuf_order_set(buffer, 1));
	KUNIT_EXPECT_EQ(test, 0, ring_buffer_resize(buffer, 9 * PAGE_SIZE,
						    RING_BUFFER_ALL_CPUS));
	/* Repeat a test with sub-buffers of two pages. */
	test_map_open_page(test);
}

/**
 * struct map_writer - a task that writes on another CPU
 * @buffer: the buffer
 * @done: completed when the task has ended
 */
struct map_writer {
	struct trace_buffer	*buffer;
	struct completion	done;
};

static int map_writer(void *data)
{
	struct map_writer *writer = data;
	u32 seq;

	for (seq = 0; seq < MAP_RECORDS; seq++) {
		rb_rec_write(writer->buffer, seq, 0, seq % 11);
		if (seq % 256 == 0)
			usleep_range(10, 50);
	}
	complete(&writer->done);
	return 0;
}

/* Let another consumer take a record and learn of the records lost before it. */
static void map_other_reads(struct map_user *user)
{
	struct ring_buffer_event *event;
	unsigned long lost;

	event = ring_buffer_consume(user->buffer, user->cpu, NULL, &lost);
	if (!event)
		return;
	user->next += lost + 1;
	user->lost += lost;
	user->read++;
}

static void map_read_all(struct map_user *user)
{
	unsigned int pages;

	for (pages = 1; map_next(user); pages++) {
		if (pages % MAP_OTHERS == 0)
			map_other_reads(user);
	}
}

/* While a writer is at work each record is either read once or reported as lost. */
static void test_map_storm(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	int other = cpumask_any_but(cpu_online_mask, fix->cpu);
	struct map_writer writer = { .buffer = fix->buffer };
	struct task_struct *task;
	struct map_user user;

	if (other < nr_cpu_ids)
		fix->cpu = other;
	ring_buffer_set_clock(fix->buffer, trace_clock_local);
	user = map_start(test);
	init_completion(&writer.done);
	task = kthread_create(map_writer, &writer, "map_writer");
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, task);
	kthread_bind(task, fix->cpu);
	wake_up_process(task);
	while (!try_wait_for_completion(&writer.done)) {
		map_read_all(&user);
		cond_resched();
	}
	map_read_all(&user);
	map_read_all(&user);
	KUNIT_EXPECT_EQ(test, user.bad, 0);
	KUNIT_EXPECT_EQ(test, user.next, MAP_RECORDS);
	KUNIT_EXPECT_EQ(test, user.read + user.lost, MAP_RECORDS);
	KUNIT_EXPECT_EQ(test, map_meta(&user)->overrun, user.lost);
	KUNIT_EXPECT_EQ(test, map_meta(&user)->read, user.read);
	map_stop(test);
}

/* Resizing fails because of the last CPU; the rings allocated for other CPUs are freed. */
static void test_map_keeps_size(struct kunit *test)
{
	struct rb_fixture *fix = test->priv;
	int first = cpumask_first(fix->buffer->cpumask);
	struct rb_cpu *cb = rb_cpu_of(fix->buffer, first);
	unsigned long nr = cb->nr;

	fix->cpu = cpumask_last(fix->buffer->cpumask);
	if (first == fix->cpu)
		kunit_skip(test, "there is one CPU");
	map_start(test);
	KUNIT_EXPECT_EQ(test, -EBUSY, ring_buffer_resize(fix->buffer, 2 * nr * rb_payload(0),
							 RING_BUFFER_ALL_CPUS));
	KUNIT_EXPECT_EQ(test, cb->nr, nr);
	KUNIT_EXPECT_NULL(test, cb->spare_ring);
	map_stop(test);
}

static struct kunit_case rb_map_cases[] = {
	KUNIT_CASE(test_map_meta),
	KUNIT_CASE(test_map_numbers),
	KUNIT_CASE(test_map_open_page),
	KUNIT_CASE(test_map_lost),
	KUNIT_CASE(test_map_others),
	KUNIT_CASE(test_map_holds),
	KUNIT_CASE(test_map_keeps_size),
	KUNIT_CASE_SLOW(test_map_storm),
	{}
};

static struct kunit_suite rb_map_suite = {
	.name		= "ring_buffer_map",
	.init		= map_init,
	.exit		= rb_test_exit,
	.test_cases	= rb_map_cases,
};

kunit_test_suite(rb_map_suite);
