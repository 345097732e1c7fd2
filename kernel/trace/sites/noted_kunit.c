// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the hash in which call sites are noted.
 */
#include <kunit/test.h>
#include <linux/bitmap.h>
#include <linux/gfp.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/slab.h>

#include "noted.h"

#define MANY	(4 * (unsigned int)NOTED_SLOTS)

static struct noted *test_noted(struct kunit *test, unsigned int pages)
{
	struct noted *n = kunit_kzalloc(test, sizeof(*n), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, n);
	KUNIT_ASSERT_EQ(test, noted_grow(n, pages), 0);
	test->priv = n;
	return n;
}

static void noted_exit(struct kunit *test)
{
	struct noted *n = test->priv;

	for (unsigned int i = 0; n && i < n->nr_pages; i++)
		free_page((unsigned long)n->pages[i]);
}

static unsigned long *room_for(struct kunit *test, unsigned int nr)
{
	unsigned long *ips = kunit_kcalloc(test, nr, sizeof(*ips), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, ips);
	return ips;
}

static unsigned long nth_ip(unsigned int i)
{
	return PAGE_OFFSET + 16 * i;
}

static void noted_once(struct kunit *test)
{
	struct noted *n = test_noted(test, 1);
	unsigned long *ips = room_for(test, NOTED_SLOTS);

	KUNIT_EXPECT_FALSE(test, n->any);
	for (unsigned int i = 0; i < 1000; i++)
		noted_add(n, nth_ip(i % 2));
	KUNIT_EXPECT_TRUE(test, n->any);
	KUNIT_EXPECT_EQ(test, noted_take(n, ips, NOTED_SLOTS), 2);
	KUNIT_EXPECT_EQ(test, ips[0] + ips[1], nth_ip(0) + nth_ip(1));
	KUNIT_EXPECT_NE(test, ips[0], ips[1]);
	KUNIT_EXPECT_FALSE(test, n->any);
	KUNIT_EXPECT_EQ(test, noted_take(n, ips, NOTED_SLOTS), 0);
	KUNIT_EXPECT_EQ(test, noted_skipped(n), 0);
}

static void nothing_is_lost_uncounted(struct kunit *test)
{
	struct noted *n = test_noted(test, 1);
	unsigned long *ips = room_for(test, NOTED_SLOTS);
	unsigned int taken;

	for (unsigned int i = 0; i < MANY; i++)
		noted_add(n, nth_ip(i));
	taken = noted_take(n, ips, NOTED_SLOTS);
	KUNIT_EXPECT_GT(test, taken, NOTED_SLOTS * 3 / 4);
	KUNIT_EXPECT_EQ(test, taken + noted_skipped(n), MANY);
}

static void without_slots(struct kunit *test)
{
	struct noted *n = test_noted(test, 0);
	unsigned long ip;

	KUNIT_EXPECT_FALSE(test, noted_add(n, nth_ip(1)));
	KUNIT_EXPECT_EQ(test, noted_skipped(n), 1);
	KUNIT_EXPECT_EQ(test, noted_take(n, &ip, 1), 0);
}

static void taken_in_parts(struct kunit *test)
{
	struct noted *n = test_noted(test, 2);
	unsigned long *ips = room_for(test, 8);

	for (unsigned int i = 0; i < 12; i++)
		noted_add(n, nth_ip(i));
	KUNIT_EXPECT_EQ(test, noted_take(n, ips, 8), 8);
	KUNIT_EXPECT_TRUE(test, n->any);
	KUNIT_EXPECT_EQ(test, noted_take(n, ips, 8), 4);
	KUNIT_EXPECT_FALSE(test, n->any);
}

static void grows_so_far(struct kunit *test)
{
	struct noted *n = test_noted(test, NOTED_PAGES_MAX);

	KUNIT_EXPECT_EQ(test, noted_grow(n, 1), -ENOSPC);
	KUNIT_EXPECT_EQ(test, n->nr_pages, NOTED_PAGES_MAX);
}

/* Note many addresses, as a CPU that runs many functions does; retry those without a slot. */
static int note_many(void *data)
{
	struct noted *n = data;
	unsigned int first = 0;

	/* Begin with another address each time: later ones may find no free slot. */
	for (; !kthread_should_stop(); first += NOTED_SLOTS / 3) {
		for (unsigned int i = 0; i < MANY; i++)
			noted_add(n, nth_ip((first + i) % MANY));
		cond_resched();
	}
	return 0;
}

#define NOTERS	3

/* An address that is noted during noted_take() is taken at the latest by the next one. */
static void noted_while_taken(struct kunit *test)
{
	struct noted *n = test_noted(test, 2);
	unsigned long *ips = room_for(test, 2 * NOTED_SLOTS);
	unsigned long *seen = room_for(test, BITS_TO_LONGS(MANY));
	struct task_struct *noters[NOTERS];
	unsigned long end = jiffies + 20 * HZ;
	unsigned int i;

	for (i = 0; i < NOTERS; i++)
		noters[i] = kthread_run(note_many, n, "noter/%u", i);
	while (time_before(jiffies, end) && !bitmap_full(seen, MANY)) {
		unsigned int nr = noted_take(n, ips, 2 * NOTED_SLOTS);

		while (nr--)
			set_bit((ips[nr] - nth_ip(0)) / 16, seen);
		cond_resched();
	}
	for (i = 0; i < NOTERS; i++)
		if (!IS_ERR(noters[i]))
			kthread_stop(noters[i]);
	KUNIT_EXPECT_TRUE(test, bitmap_full(seen, MANY));
}

static struct kunit_case noted_cases[] = {
	KUNIT_CASE(noted_once),
	KUNIT_CASE(nothing_is_lost_uncounted),
	KUNIT_CASE(without_slots),
	KUNIT_CASE(taken_in_parts),
	KUNIT_CASE(grows_so_far),
	KUNIT_CASE_SLOW(noted_while_taken),
	{ }
};

static struct kunit_suite noted_suite = {
	.name		= "ftrace_noted",
	.exit		= noted_exit,
	.test_cases	= noted_cases,
};

kunit_test_suite(noted_suite);

MODULE_LICENSE("GPL");
