// SPDX-License-Identifier: GPL-2.0
/* KUnit tests of splitting text into words. */
#include <kunit/test.h>
#include <linux/string.h>

#include "words.h"

/* Expect @text to have the words of @expected, which has a "|" behind each word. */
static void expect_words(struct kunit *test, const char *text, size_t len,
			 const char *expected)
{
	char copy[32] = {}, found[64] = {};
	struct words w;
	char *word;

	memcpy(copy, text, len);
	words_begin(&w, copy, len);
	while ((word = words_next(&w))) {
		strlcat(found, word, sizeof(found));
		strlcat(found, "|", sizeof(found));
	}
	KUNIT_EXPECT_STREQ_MSG(test, found, expected, "%*pE", (int)len, text);
	KUNIT_EXPECT_NULL(test, words_next(&w));
}

#define EXPECT_WORDS(test, text, expected) \
	expect_words(test, text, sizeof(text) - 1, expected)

static void words_are_found(struct kunit *test)
{
	EXPECT_WORDS(test, "", "");
	EXPECT_WORDS(test, " \t\n", "");
	EXPECT_WORDS(test, "one", "one|");
	EXPECT_WORDS(test, "one\n", "one|");
	EXPECT_WORDS(test, " one  two\tthree\n", "one|two|three|");
	EXPECT_WORDS(test, "one:mod:x two", "one:mod:x|two|");
}

static void nuls_are_between_words(struct kunit *test)
{
	EXPECT_WORDS(test, "\0", "");
	EXPECT_WORDS(test, "one\0", "one|");
	EXPECT_WORDS(test, "one\0two", "one|two|");
	EXPECT_WORDS(test, "\0\0one \0 two\0", "one|two|");
}

/* No byte behind the end is read or changed. */
static void the_end_is_the_end(struct kunit *test)
{
	char text[] = "one twothree";
	struct words w;

	words_begin(&w, text, strlen("one two"));
	KUNIT_EXPECT_STREQ(test, words_next(&w), "one");
	KUNIT_EXPECT_STREQ(test, words_next(&w), "two");
	KUNIT_EXPECT_NULL(test, words_next(&w));
	KUNIT_EXPECT_STREQ(test, text + strlen("one two") + 1, "hree");
}

static void whole_words_end(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, words_whole("", 0), 0);
	KUNIT_EXPECT_EQ(test, words_whole("one", 3), 0);
	KUNIT_EXPECT_EQ(test, words_whole("one\n", 4), 4);
	KUNIT_EXPECT_EQ(test, words_whole("one tw", 6), 4);
	KUNIT_EXPECT_EQ(test, words_whole("one\0tw", 6), 4);
	KUNIT_EXPECT_EQ(test, words_whole("one two  ", 9), 9);
}

static struct kunit_case words_cases[] = {
	KUNIT_CASE(words_are_found),
	KUNIT_CASE(nuls_are_between_words),
	KUNIT_CASE(the_end_is_the_end),
	KUNIT_CASE(whole_words_end),
	{}
};

static struct kunit_suite words_suite = {
	.name		= "ftrace_words",
	.test_cases	= words_cases,
};

kunit_test_suite(words_suite);
