// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the columns that all records share: the letters of what was the case
 * when it was recorded, which no test could bring about one by one.
 */
#include <kunit/test.h>
#include <linux/trace_events.h>

#include "output.h"

static void expect_letters(struct kunit *test, unsigned char flags, unsigned char count,
			   const char *expected)
{
	struct trace_entry ent = { .flags = flags, .preempt_count = count };
	struct trace_output *o = test->priv;

	o->r.ent = &ent;
	trace_seq_init(&o->seq);
	output_flags(o);
	trace_seq_putc(&o->seq, '\0');
	KUNIT_EXPECT_STREQ_MSG(test, o->seq.buffer, expected, "%#x", flags);
}

static void letter_of_irqs(struct kunit *test)
{
	expect_letters(test, 0, 0, ".....");
	expect_letters(test, TRACE_FLAG_IRQS_OFF, 0, "d....");
	expect_letters(test, TRACE_FLAG_BH_OFF, 0, "b....");
	expect_letters(test, TRACE_FLAG_IRQS_OFF | TRACE_FLAG_BH_OFF, 0, "D....");
	expect_letters(test, TRACE_FLAG_IRQS_NOSUPPORT, 0, "X....");
}

static void letter_of_need_resched(struct kunit *test)
{
	expect_letters(test, TRACE_FLAG_NEED_RESCHED, 0, ".n...");
	expect_letters(test, TRACE_FLAG_PREEMPT_RESCHED, 0, ".p...");
	expect_letters(test, TRACE_FLAG_NEED_RESCHED | TRACE_FLAG_PREEMPT_RESCHED, 0, ".N...");
}

static void letter_of_context(struct kunit *test)
{
	expect_letters(test, TRACE_FLAG_SOFTIRQ, 0, "..s..");
	expect_letters(test, TRACE_FLAG_HARDIRQ, 0, "..h..");
	expect_letters(test, TRACE_FLAG_HARDIRQ | TRACE_FLAG_SOFTIRQ, 0, "..H..");
	expect_letters(test, TRACE_FLAG_NMI, 0, "..z..");
	expect_letters(test, TRACE_FLAG_NMI | TRACE_FLAG_HARDIRQ, 0, "..Z..");
}

static void digits_of_depths(struct kunit *test)
{
	expect_letters(test, 0, 0x01, "...1.");
	expect_letters(test, 0, 0x20, "....2");
	expect_letters(test, 0, 0xfa, "...af");
}

static struct kunit_case line_cases[] = {
	KUNIT_CASE(letter_of_irqs),
	KUNIT_CASE(letter_of_need_resched),
	KUNIT_CASE(letter_of_context),
	KUNIT_CASE(digits_of_depths),
	{}
};

static int line_test_init(struct kunit *test)
{
	test->priv = kunit_kzalloc(test, sizeof(struct trace_output), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, test->priv);
	return 0;
}

static struct kunit_suite line_suite = {
	.name		= "ftrace_line",
	.init		= line_test_init,
	.test_cases	= line_cases,
};

kunit_test_suite(line_suite);
