// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of lists of pids, across the borders of their pieces.
 */
#include <kunit/test.h>

#include "pid_list.h"

static int pid_list_init(struct kunit *test)
{
	test->priv = pid_list_alloc();
	return test->priv ? 0 : -ENOMEM;
}

static void pid_list_exit(struct kunit *test)
{
	if (test->priv)
		pid_list_free(test->priv);
}

static unsigned int count_pieces(const struct pid_list *list)
{
	unsigned int nr = 0;

	for (unsigned int i = 0; i < NR_PID_PIECES; i++)
		nr += !!list->pieces[i];
	return nr;
}

static void add(struct kunit *test, unsigned int pid)
{
	KUNIT_ASSERT_EQ(test, pid_list_provide(test->priv, pid), 0);
	pid_list_add(test->priv, pid);
	KUNIT_EXPECT_TRUE(test, pid_list_has(test->priv, pid));
}

static void one_pid_takes_one_piece(struct kunit *test)
{
	struct pid_list *list = test->priv;

	KUNIT_EXPECT_EQ(test, count_pieces(list), 0);
	KUNIT_EXPECT_FALSE(test, pid_list_has(list, 0));
	KUNIT_EXPECT_EQ(test, pid_list_next(list, 0), PID_MAX_LIMIT);
	add(test, PID_MAX_LIMIT - 1);
	add(test, PID_MAX_LIMIT - 2);
	KUNIT_EXPECT_EQ(test, count_pieces(list), 1);
	KUNIT_EXPECT_EQ(test, pid_list_next(list, 0), PID_MAX_LIMIT - 2);
	KUNIT_EXPECT_FALSE(test, pid_list_has(list, PID_MAX_LIMIT - 3));
}

/* Without the piece of a pid, adding and removing it do nothing. */
static void pids_come_and_go(struct kunit *test)
{
	struct pid_list *list = test->priv;

	pid_list_remove(list, 5);
	pid_list_add(list, 5);
	KUNIT_EXPECT_FALSE(test, pid_list_has(list, 5));
	add(test, 5);
	add(test, 7);
	pid_list_remove(list, 5);
	KUNIT_EXPECT_FALSE(test, pid_list_has(list, 5));
	KUNIT_EXPECT_EQ(test, pid_list_next(list, 0), 7);
	KUNIT_EXPECT_EQ(test, pid_list_next(list, 7), 7);
	KUNIT_EXPECT_EQ(test, pid_list_next(list, 8), PID_MAX_LIMIT);
	KUNIT_EXPECT_EQ(test, pid_list_next(list, PID_MAX_LIMIT), PID_MAX_LIMIT);
	KUNIT_EXPECT_EQ(test, pid_list_next(list, INT_MAX), PID_MAX_LIMIT);
}

/* Pids at both ends of some pieces, and none in the others. */
static void all_are_found_in_order(struct kunit *test)
{
	const unsigned int end = min_t(unsigned int, PID_PIECE_BITS, PID_MAX_LIMIT) - 1;
	struct pid_list *list = test->priv;
	unsigned int pid = 0;

	for (unsigned int i = 0; i < NR_PID_PIECES; i += 3) {
		add(test, i * PID_PIECE_BITS);
		add(test, i * PID_PIECE_BITS + end);
	}
	for (unsigned int i = 0; i < NR_PID_PIECES; i += 3) {
		pid = pid_list_next(list, pid);
		KUNIT_EXPECT_EQ(test, pid, i * PID_PIECE_BITS);
		pid = pid_list_next(list, pid + 1);
		KUNIT_EXPECT_EQ(test, pid++, i * PID_PIECE_BITS + end);
	}
	KUNIT_EXPECT_EQ(test, pid_list_next(list, pid), PID_MAX_LIMIT);
	KUNIT_EXPECT_EQ(test, pid_list_provide_all(list), 0);
	KUNIT_EXPECT_EQ(test, count_pieces(list), NR_PID_PIECES);
	KUNIT_EXPECT_TRUE(test, pid_list_has(list, end));
}

static struct kunit_case pid_list_cases[] = {
	KUNIT_CASE(one_pid_takes_one_piece),
	KUNIT_CASE(pids_come_and_go),
	KUNIT_CASE(all_are_found_in_order),
	{}
};

static struct kunit_suite pid_list_suite = {
	.name		= "ftrace_pid_list",
	.init		= pid_list_init,
	.exit		= pid_list_exit,
	.test_cases	= pid_list_cases,
};

kunit_test_suite(pid_list_suite);
