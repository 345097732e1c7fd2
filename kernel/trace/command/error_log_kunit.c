// SPDX-License-Identifier: GPL-2.0
/* KUnit tests of the log of refused commands, with two instances that no other code uses. */
#include <kunit/test.h>
#include <linux/seq_file.h>
#include <linux/string.h>

#include "error_log.h"
#include "instance/instance.h"
#include "internal.h"

/* Only their addresses are used. */
static struct trace_array one, another;

/* Log a command of one letter. */
static void refuse(struct trace_array *tr, char command)
{
	tracing_log_err(tr, "kunit", (char[]){ command, '\0' }, "no such letter", 0);
}

static void expect_logged(struct kunit *test, struct trace_array *tr, const char *expected)
{
	static const char before[] = "Command: ";
	struct seq_file m = { .buf = kunit_kzalloc(test, PAGE_SIZE, GFP_KERNEL) };
	char found[ERROR_LOG_MAX + 2] = {}, *at = m.buf;
	unsigned int nr = 0;

	KUNIT_ASSERT_NOT_NULL(test, at);
	m.size = PAGE_SIZE - 1;
	error_log_show(&m, tr);
	while (nr < sizeof(found) - 1 && (at = strstr(at, before))) {
		at += strlen(before);
		found[nr++] = *at;
	}
	KUNIT_EXPECT_STREQ(test, found, expected);
}

static void each_has_its_last(struct kunit *test)
{
	refuse(&another, 'x');
	for (char c = 'a'; c < 'a' + ERROR_LOG_MAX + 1; c++)
		refuse(&one, c);
	refuse(&another, 'y');
	expect_logged(test, &one, "bcdefghi");
	expect_logged(test, &another, "xy");
}

static void each_is_forgotten_alone(struct kunit *test)
{
	refuse(&one, 'a');
	refuse(&another, 'x');
	error_log_clear(&one);
	expect_logged(test, &one, "");
	expect_logged(test, &another, "x");
}

static struct kunit_case error_log_cases[] = {
	KUNIT_CASE(each_has_its_last),
	KUNIT_CASE(each_is_forgotten_alone),
	{}
};

static void error_log_test_exit(struct kunit *test)
{
	error_log_clear(&one);
	error_log_clear(&another);
}

static struct kunit_suite error_log_suite = {
	.name		= "ftrace_error_log",
	.exit		= error_log_test_exit,
	.test_cases	= error_log_cases,
};

kunit_test_suite(error_log_suite);
