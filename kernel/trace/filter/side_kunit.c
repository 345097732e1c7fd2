// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of words that wait for functions, with sites passed as newly found ones.
 */
#include <kunit/test.h>
#include <linux/err.h>
#include <linux/ftrace_kunit.h>
#include <linux/mutex.h>
#include <linux/string.h>

#include "filter.h"
#include "side.h"
#include "sites/ip_set.h"
#include "sites/lock.h"
#include "word.h"

/* Functions that every kernel calls during boot. */
#define F_READ	"vfs_read"
#define F_OPEN	"vfs_open"

static struct filter_side side;

static int side_test_init(struct kunit *test)
{
	side_init(&side);
	return 0;
}

static void side_test_exit(struct kunit *test)
{
	side_clear(&side);
}

static int add(const char *pattern, const char *module, bool remove)
{
	struct filter_word w = { .pattern = pattern, .module = module, .remove = remove };

	return side_add_word(&side, &w, false);
}

static int take_away(const char *pattern, const char *module)
{
	struct filter_word w = { .pattern = pattern, .module = module, .remove = true };

	return side_remove_word(&side, &w);
}

/* Check whether a side selects a function that is found. */
static bool wanted(struct kunit *test, const char *name)
{
	struct ip_set *found = filter_match_sites(name);
	bool ret;

	KUNIT_ASSERT_FALSE(test, IS_ERR_OR_NULL(found));
	scoped_guard(mutex, &ftrace_lock)
		KUNIT_EXPECT_EQ(test, side_take_found(&side, found), 0);
	ret = ip_set_has(side.sites, found->ips[0]);
	ip_set_free(side.sites);
	side.sites = NULL;
	ip_set_free(found);
	return ret;
}

static unsigned int waiting(void)
{
	return list_count_nodes(&side.pending);
}

static void word_names_what_is_found(struct kunit *test)
{
	KUNIT_EXPECT_FALSE(test, wanted(test, F_READ));
	KUNIT_ASSERT_EQ(test, add(F_READ, NULL, false), 0);
	KUNIT_EXPECT_TRUE(test, wanted(test, F_READ));
	KUNIT_EXPECT_FALSE(test, wanted(test, F_OPEN));
	/* The word stays pending: other functions may have the same name. */
	KUNIT_EXPECT_TRUE(test, wanted(test, F_READ));
}

static void word_is_for_its_module(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, add(F_READ, "other", false), 0);
	KUNIT_EXPECT_FALSE(test, wanted(test, F_READ));
}

static void last_word_decides(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, add("vfs_*", NULL, false), 0);
	KUNIT_ASSERT_EQ(test, take_away(F_READ, NULL), 0);
	KUNIT_EXPECT_FALSE(test, wanted(test, F_READ));
	KUNIT_EXPECT_TRUE(test, wanted(test, F_OPEN));
	KUNIT_ASSERT_EQ(test, add(F_READ, NULL, false), 0);
	KUNIT_EXPECT_TRUE(test, wanted(test, F_READ));
	KUNIT_EXPECT_EQ(test, waiting(), 2);
}

static void shown_until_it_names_one(struct kunit *test)
{
	struct filter_pending *p;

	KUNIT_ASSERT_EQ(test, add(F_READ, NULL, false), 0);
	p = list_first_entry(&side.pending, struct filter_pending, node);
	wanted(test, F_OPEN);
	KUNIT_EXPECT_FALSE(test, p->named);
	wanted(test, F_READ);
	KUNIT_EXPECT_TRUE(test, p->named);
}

static void word_taken_away(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, add(F_READ, NULL, false), 0);
	KUNIT_EXPECT_EQ(test, take_away(F_OPEN, NULL), -EINVAL);
	KUNIT_EXPECT_EQ(test, take_away(F_READ, "other"), -EINVAL);
	KUNIT_EXPECT_EQ(test, take_away(F_READ, NULL), 0);
	KUNIT_EXPECT_EQ(test, waiting(), 0);
	KUNIT_EXPECT_EQ(test, take_away(F_READ, NULL), -EINVAL);
}

static void word_taken_away_by_pattern(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, add(F_READ, NULL, false), 0);
	KUNIT_EXPECT_EQ(test, take_away("no_*", NULL), -EINVAL);
	KUNIT_EXPECT_EQ(test, take_away("vfs_*", NULL), 0);
	KUNIT_EXPECT_EQ(test, waiting(), 0);
	KUNIT_ASSERT_EQ(test, add("vfs_*", NULL, false), 0);
	KUNIT_EXPECT_EQ(test, take_away("no_such", NULL), -EINVAL);
	KUNIT_EXPECT_EQ(test, take_away("*_read", NULL), 0);
	KUNIT_EXPECT_FALSE(test, wanted(test, F_READ));
	KUNIT_EXPECT_TRUE(test, wanted(test, F_OPEN));
}

static void all_words_taken_away(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, add("vfs_*", NULL, false), 0);
	KUNIT_ASSERT_EQ(test, add(F_READ, "other", false), 0);
	KUNIT_ASSERT_EQ(test, take_away(F_OPEN, NULL), 0);
	KUNIT_EXPECT_EQ(test, waiting(), 3);
	KUNIT_EXPECT_EQ(test, take_away("*", NULL), 0);
	KUNIT_EXPECT_EQ(test, waiting(), 1);
	KUNIT_EXPECT_EQ(test, take_away("*", "other"), 0);
	KUNIT_EXPECT_EQ(test, waiting(), 0);
}

/* Removing words without an adding word before them are dropped. */
static void no_leading_removals(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, add("vfs_*", NULL, false), 0);
	KUNIT_ASSERT_EQ(test, take_away(F_READ, NULL), 0);
	KUNIT_ASSERT_EQ(test, take_away("vfs_*", NULL), 0);
	KUNIT_EXPECT_EQ(test, waiting(), 0);
}

static struct kunit_case side_cases[] = {
	KUNIT_CASE(word_names_what_is_found),
	KUNIT_CASE(word_is_for_its_module),
	KUNIT_CASE(last_word_decides),
	KUNIT_CASE(shown_until_it_names_one),
	KUNIT_CASE(word_taken_away),
	KUNIT_CASE(word_taken_away_by_pattern),
	KUNIT_CASE(all_words_taken_away),
	KUNIT_CASE(no_leading_removals),
	{ }
};

static int side_suite_init(struct kunit_suite *suite)
{
	return ftrace_find_functions("vfs_*");
}

static struct kunit_suite side_suite = {
	.name		= "ftrace_filter_side",
	.suite_init	= side_suite_init,
	.init		= side_test_init,
	.exit		= side_test_exit,
	.test_cases	= side_cases,
};

kunit_test_suite(side_suite);

MODULE_LICENSE("GPL");
