// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the cache of comms and of the backlog of a CPU.
 */
#include <kunit/test.h>
#include <linux/hash.h>
#include <linux/sprintf.h>
#include <linux/string.h>

#include "comm_cache.h"

#define SIZE	5U

static struct comm_cache *cache_of_test(struct kunit *test)
{
	return test->priv;
}

static int comm_cache_init(struct kunit *test)
{
	test->priv = comm_cache_alloc(SIZE);
	return test->priv ? 0 : -ENOMEM;
}

static void comm_cache_exit(struct kunit *test)
{
	comm_cache_free(test->priv);
}

/* An array of the size of a task's comm. */
#define COMM(text)	((char [TASK_COMM_LEN]) { text })

static void put(struct comm_cache *c, int pid)
{
	char comm[TASK_COMM_LEN];

	snprintf(comm, sizeof(comm), "task%d", pid);
	comm_cache_put(c, pid, comm, true);
}

static bool has(const struct comm_cache *c, int pid)
{
	const char *found = comm_cache_find(c, pid);
	char comm[TASK_COMM_LEN];

	snprintf(comm, sizeof(comm), "task%d", pid);
	return found && !strcmp(found, comm);
}

/* Return: length of a chain; more than the number of slots if the chain is a ring. */
static unsigned int chain_length(const struct comm_cache *c, int head)
{
	unsigned int n = 0;

	for (int i = head; i != COMM_NO_SLOT && n <= c->size; i = c->slots[i].next)
		n++;
	return n;
}

/* True if each used slot is once in the chain of the hash of its pid, and in no other chain. */
static bool chains_are_sound(const struct comm_cache *c)
{
	unsigned int used = 0, linked = 0;

	for (unsigned int i = 0; i < c->size; i++)
		used += !!c->slots[i].saved.pid;
	for (unsigned int h = 0; h < 1U << c->bits; h++) {
		unsigned int length = chain_length(c, c->heads[h]);

		if (length > c->size)
			return false;
		linked += length;
		for (int i = c->heads[h]; i != COMM_NO_SLOT; i = c->slots[i].next)
			if (hash_32(c->slots[i].saved.pid, c->bits) != h)
				return false;
	}
	return used == linked;
}

static void latest_test(struct kunit *test)
{
	struct comm_cache *c = cache_of_test(test);

	for (int pid = 1; pid <= 8 * SIZE; pid++) {
		put(c, pid);
		KUNIT_ASSERT_TRUE_MSG(test, chains_are_sound(c), "pid %d", pid);
		for (int old = max(pid - (int)SIZE, 0) + 1; old <= pid; old++)
			KUNIT_EXPECT_TRUE_MSG(test, has(c, old), "%d of %d", old, pid);
		if (pid > SIZE)
			KUNIT_EXPECT_NULL(test, comm_cache_find(c, pid - SIZE));
	}
}

/* Return: the next pid after @pid with the hash of @like. */
static int colliding(const struct comm_cache *c, int like, int pid)
{
	do
		pid++;
	while (hash_32(pid, c->bits) != hash_32(like, c->bits));
	return pid;
}

static void collision_test(struct kunit *test)
{
	struct comm_cache *c = cache_of_test(test);
	int pids[3 * SIZE] = { 1 };

	for (unsigned int i = 0; i < ARRAY_SIZE(pids); i++) {
		if (i)
			pids[i] = colliding(c, 1, pids[i - 1]);
		put(c, pids[i]);
		KUNIT_ASSERT_TRUE_MSG(test, chains_are_sound(c), "%u", i);
	}
	for (unsigned int i = 0; i < ARRAY_SIZE(pids); i++)
		KUNIT_EXPECT_EQ_MSG(test, has(c, pids[i]),
				    i >= ARRAY_SIZE(pids) - SIZE, "%u", i);
}

static void newest_test(struct kunit *test)
{
	struct comm_cache *c = cache_of_test(test);

	comm_cache_put(c, 7, COMM("first"), false);
	KUNIT_EXPECT_STREQ(test, comm_cache_find(c, 7), "first");
	comm_cache_put(c, 7, COMM("older"), false);
	KUNIT_EXPECT_STREQ(test, comm_cache_find(c, 7), "first");
	comm_cache_put(c, 7, COMM("newer"), true);
	KUNIT_EXPECT_STREQ(test, comm_cache_find(c, 7), "newer");
	/* A comm without a NUL, as it may be while it is changed. */
	comm_cache_put(c, 7, COMM("longer than a co"), true);
	KUNIT_EXPECT_STREQ(test, comm_cache_find(c, 7), "longer than a c");
}

static struct comm_backlog *backlog_of_test(struct kunit *test)
{
	struct comm_backlog *b = kunit_kzalloc(test, sizeof(*b), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, b);
	return b;
}

static bool backlog_has(const struct comm_backlog *b, int pid)
{
	for (unsigned int i = 0; i < b->nr; i++)
		if (b->left[i].saved.pid == pid)
			return true;
	return false;
}

/* Several tasks that exit while the cache is locked are all saved. */
static void backlog_test(struct kunit *test)
{
	struct comm_cache *c = cache_of_test(test);
	struct comm_backlog *b = backlog_of_test(test);

	comm_backlog_add(b, 1, COMM("sh"), false);
	comm_backlog_add(b, 2, COMM("ls"), true);
	comm_backlog_add(b, 1, COMM("cat"), true);
	comm_backlog_add(b, 3, COMM("was"), false);
	comm_cache_put(c, 3, COMM("is"), true);
	KUNIT_EXPECT_EQ(test, b->nr, 3);
	comm_backlog_flush(b, c);
	KUNIT_EXPECT_EQ(test, b->nr, 0);
	KUNIT_EXPECT_STREQ(test, comm_cache_find(c, 1), "cat");
	KUNIT_EXPECT_STREQ(test, comm_cache_find(c, 2), "ls");
	KUNIT_EXPECT_STREQ(test, comm_cache_find(c, 3), "is");
}

/* A full backlog drops tasks that have not exited before those that have. */
static void backlog_full_test(struct kunit *test)
{
	struct comm_backlog *b = backlog_of_test(test);
	int pid;

	for (pid = 1; pid <= COMM_BACKLOG; pid++)
		comm_backlog_add(b, pid, COMM("t"), pid != 2 && pid != 4);
	KUNIT_EXPECT_EQ(test, b->nr, COMM_BACKLOG);
	comm_backlog_add(b, 100, COMM("t"), true);
	KUNIT_EXPECT_FALSE(test, backlog_has(b, 2));
	comm_backlog_add(b, 101, COMM("t"), true);
	KUNIT_EXPECT_FALSE(test, backlog_has(b, 4));
	KUNIT_EXPECT_TRUE(test, backlog_has(b, 1));
	comm_backlog_add(b, 102, COMM("t"), true);
	KUNIT_EXPECT_FALSE(test, backlog_has(b, 1));
	KUNIT_EXPECT_EQ(test, b->nr, COMM_BACKLOG);
	for (pid = 100; pid <= 102; pid++)
		KUNIT_EXPECT_TRUE(test, backlog_has(b, pid));
}

static struct kunit_case comm_cache_cases[] = {
	KUNIT_CASE(latest_test),
	KUNIT_CASE(collision_test),
	KUNIT_CASE(newest_test),
	KUNIT_CASE(backlog_test),
	KUNIT_CASE(backlog_full_test),
	{}
};

static struct kunit_suite comm_cache_suite = {
	.name = "ftrace_comm_cache",
	.init = comm_cache_init,
	.exit = comm_cache_exit,
	.test_cases = comm_cache_cases,
};

kunit_test_suite(comm_cache_suite);

MODULE_DESCRIPTION("Tests of the cache of comms");
MODULE_LICENSE("GPL");
