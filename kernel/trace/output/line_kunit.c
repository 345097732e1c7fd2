// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the columns of a line in states that other tests cannot produce one by one:
 * characters for each context, durations of each length, and more names of addresses than the
 * cache holds.
 */
#include <kunit/test.h>
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/slab.h>
#include <linux/trace_events.h>
#include <asm/sections.h>

#include "internal.h"
#include "output.h"
#include "sym_cache.h"

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

/* There are up to three decimals, as far as eight columns have room for them. */
static void digits_of_durations(struct kunit *test)
{
	static const struct {
		u64		nsecs;
		const char	*text;
	} durations[] = {
		{ 0,			"0.000 us    " },
		{ 37,			"0.037 us    " },
		{ 999999,		"999.999 us  " },
		{ 1234567,		"1234.567 us " },
		{ 12345678,		"12345.67 us " },
		{ 123456789,		"123456.7 us " },
		{ 1234567890,		"1234567 us  " },
		{ 12345678901ULL,	"12345678 us " },
		{ 123456789012ULL,	"123456789 us " },
	};
	char text[OUTPUT_USECS_MAX];
	int i;

	for (i = 0; i < ARRAY_SIZE(durations); i++)
		KUNIT_EXPECT_STREQ(test, output_usecs(text, durations[i].nsecs),
				   durations[i].text);
}

static bool has_name(struct kunit *test, struct sym_cache *cache, unsigned long addr,
		     enum sym_style style, const char *format)
{
	struct trace_output *o = test->priv;
	char name[KSYM_SYMBOL_LEN];

	trace_seq_init(&o->seq);
	sym_cache_put(cache, &o->seq, addr, style);
	trace_seq_putc(&o->seq, '\0');
	snprintf(name, sizeof(name), format, (void *)addr);
	KUNIT_EXPECT_STREQ_MSG(test, o->seq.buffer, name, "%#lx, style %d", addr, style);
	return !strcmp(o->seq.buffer, name);
}

/* Each name is looked up twice: first it is new and replaces another one, then it is cached. */
static bool is_remembered(struct kunit *test, struct sym_cache *cache, unsigned long addr)
{
	int again;

	for (again = 0; again < 2; again++)
		if (!has_name(test, cache, addr, SYM_OFFSET, "%pS") ||
		    !has_name(test, cache, addr, SYM_MODULE, "%ps"))
			return false;
	return true;
}

static void names_of_many(struct kunit *test)
{
	unsigned long step = round_up((_etext - _stext) / 10000, sizeof(int)), addr;
	struct sym_cache *cache = sym_cache_alloc();

	KUNIT_ASSERT_NOT_NULL(test, cache);
	for (addr = (unsigned long)_stext; addr < (unsigned long)_etext; addr += step)
		/* The kretprobe trampoline is printed as "[unknown/kretprobe'd]". */
		if (!is_kretprobe_trampoline(addr) && !is_remembered(test, cache, addr))
			break;
	sym_cache_free(cache);
}

static struct kunit_case line_cases[] = {
	KUNIT_CASE(letter_of_irqs),
	KUNIT_CASE(letter_of_need_resched),
	KUNIT_CASE(letter_of_context),
	KUNIT_CASE(digits_of_depths),
	KUNIT_CASE(digits_of_durations),
	KUNIT_CASE(names_of_many),
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
