// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the discovery of call sites, with functions whose sites are in no table. ftraced runs
 * concurrently, so it may convert a noted site before the test does.
 */
#include <kunit/test.h>
#include <linux/ftrace.h>
#include <linux/ftrace_arch.h>
#include <linux/ftrace_kunit.h>
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/mutex.h>
#include <linux/string.h>

#include "discover.h"
#include "found_targets.h"
#include "internal.h"
#include "sites/noted.h"
#include "sites/sites.h"

/* Return: the usable call site of a function, 0 if there is none. */
static unsigned long site_of(void (*func)(void))
{
	unsigned long ip = ftrace_location((unsigned long)func);
	struct site *site;

	guard(mutex)(&ftrace_lock);
	site = ip ? site_at(ip, NULL) : NULL;
	return site && site_usable(site) ? ip : 0;
}

static void expect_nop(struct kunit *test, unsigned long ip)
{
	u8 found[MCOUNT_INSN_SIZE], expected[MCOUNT_INSN_SIZE];

	KUNIT_EXPECT_TRUE(test, arch_site_insn(ip, 0, found, expected));
	KUNIT_EXPECT_MEMEQ(test, found, expected, MCOUNT_INSN_SIZE);
}

/* A site is found at its first call, not before, and becomes a nop. */
static void first_call_is_found(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, discover_convert(), 0);
	KUNIT_EXPECT_EQ(test, site_of(ftrace_found_one), 0);
	ftrace_found_one();
	KUNIT_ASSERT_EQ(test, discover_convert(), 0);
	KUNIT_ASSERT_NE(test, site_of(ftrace_found_one), 0);
	ftrace_skip_if_traced(test, ftrace_found_one);
	expect_nop(test, site_of(ftrace_found_one));
}

static unsigned int calls;

static void count_call(unsigned long ip, unsigned long parent_ip,
		       struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	/* Tests that trace all functions, on all CPUs, do not check the number of calls. */
	data_race(calls++);
}

static struct ftrace_ops counting_ops = { .func = count_call };

static int filter_by_name(const char *name)
{
	char word[KSYM_NAME_LEN];

	strscpy(word, name, sizeof(word));
	return ftrace_set_filter(&counting_ops, (unsigned char *)word, strlen(word), 1);
}

/* A site that was found can be traced, and is a nop again afterwards. */
static void found_is_traced(struct kunit *test)
{
	ftrace_found_one();
	KUNIT_ASSERT_EQ(test, discover_convert(), 0);
	ftrace_skip_if_traced(test, ftrace_found_one);
	KUNIT_ASSERT_EQ(test, filter_by_name("ftrace_found_one"), 0);
	KUNIT_ASSERT_EQ(test, register_ftrace_function(&counting_ops), 0);
	calls = 0;
	ftrace_found_one();
	ftrace_found_one();
	KUNIT_EXPECT_EQ(test, calls, 2);
	KUNIT_EXPECT_EQ(test, unregister_ftrace_function(&counting_ops), 0);
	ftrace_found_one();
	KUNIT_EXPECT_EQ(test, calls, 2);
	expect_nop(test, site_of(ftrace_found_one));
	ftrace_free_filter(&counting_ops);
}

/* An ops without a filter is attached to sites that are found later. */
static void everything_has_what_is_found(struct kunit *test)
{
	unsigned long ip;

	KUNIT_ASSERT_EQ(test, register_ftrace_function(&counting_ops), 0);
	ftrace_found_two();
	KUNIT_EXPECT_EQ(test, discover_convert(), 0);
	unregister_ftrace_function(&counting_ops);
	ip = site_of(ftrace_found_two);
	KUNIT_ASSERT_NE(test, ip, 0);
	scoped_guard(mutex, &ftrace_lock)
		KUNIT_EXPECT_TRUE(test, site_has(site_at(ip, NULL), SITE_TOUCHED));
	ftrace_free_filter(&counting_ops);
}

/*
 * A filter may name a function before its site is found, in a kernel without a table of call
 * sites; with a table, the name is refused.
 */
static void name_comes_first(struct kunit *test)
{
	int ret = filter_by_name("ftrace_found_three");

	if (IS_ENABLED(CONFIG_FTRACE_MCOUNT_RECORD)) {
		KUNIT_EXPECT_EQ(test, ret, -EINVAL);
		return;
	}
	KUNIT_ASSERT_EQ(test, ret, 0);
	KUNIT_ASSERT_EQ(test, register_ftrace_function(&counting_ops), 0);
	calls = 0;
	ftrace_found_one();
	ftrace_found_three();
	KUNIT_EXPECT_EQ(test, calls, 0);
	KUNIT_EXPECT_EQ(test, discover_convert(), 0);
	ftrace_found_three();
	KUNIT_EXPECT_EQ(test, calls, 1);
	unregister_ftrace_function(&counting_ops);
	ftrace_free_filter(&counting_ops);
}

/* A site with a kprobe is not converted: the kprobe would restore its old first byte later. */
static void probed_is_left_alone(struct kunit *test)
{
	struct kprobe probe = {
		.symbol_name	= "ftrace_found_four",
		.flags		= KPROBE_FLAG_DISABLED,
	};

	if (!IS_ENABLED(CONFIG_KPROBES))
		kunit_skip(test, "no kprobes in this kernel");
	KUNIT_ASSERT_EQ(test, register_kprobe(&probe), 0);
	ftrace_found_four();
	KUNIT_EXPECT_EQ(test, discover_convert(), 0);
	KUNIT_EXPECT_EQ(test, site_of(ftrace_found_four), 0);
	unregister_kprobe(&probe);
	ftrace_found_four();
	KUNIT_EXPECT_EQ(test, discover_convert(), 0);
	KUNIT_EXPECT_NE(test, site_of(ftrace_found_four), 0);
}

/* Filtering by address finds the site before its first call. */
static void address_comes_first(struct kunit *test)
{
	unsigned long addr = (unsigned long)ftrace_found_three;

	KUNIT_ASSERT_EQ(test, ftrace_set_filter_ip(&counting_ops, addr, 0, 1), 0);
	KUNIT_ASSERT_EQ(test, register_ftrace_function(&counting_ops), 0);
	calls = 0;
	ftrace_found_three();
	KUNIT_EXPECT_EQ(test, calls, 1);
	unregister_ftrace_function(&counting_ops);
	ftrace_free_filter(&counting_ops);
}

/* Note ten addresses for each slot. */
static void note_too_much(void)
{
	unsigned long text = (unsigned long)ftrace_found_one;

	for (unsigned int i = 0; i < 10 * noted_capacity(&noted_sites); i++)
		noted_add(&noted_sites, text + 64 * i + 1);
}

/* Filtering by address finds the site even if no slot is free and ftraced is disabled. */
static void address_comes_when_full(struct kunit *test)
{
	unsigned long addr = (unsigned long)ftrace_found_five;
	bool on = ftraced_is_enabled();

	ftraced_enable(false);
	note_too_much();
	KUNIT_EXPECT_EQ(test, discover_note(addr), -ENOSPC);
	KUNIT_EXPECT_EQ(test, ftrace_set_filter_ip(&counting_ops, addr, 0, 1), 0);
	KUNIT_EXPECT_NE(test, site_of(ftrace_found_five), 0);
	ftraced_enable(on);
	ftrace_free_filter(&counting_ops);
}

#define ROUNDS		100
#define IN_A_ROUND	10000

/* A million notes of addresses that are no call site do not use up memory (SPEC D9). */
static void failures_do_not_grow(struct kunit *test)
{
	unsigned long total, pages = noted_sites.nr_pages;

	KUNIT_ASSERT_EQ(test, discover_convert(), 0);
	scoped_guard(mutex, &ftrace_lock)
		total = sites_total();
	for (unsigned int i = 0; i < ROUNDS; i++) {
		for (unsigned int n = 0; n < IN_A_ROUND; n++)
			noted_add(&noted_sites, (unsigned long)ftrace_found_one + 1 + n % 8);
		KUNIT_ASSERT_EQ(test, discover_convert(), 0);
	}
	scoped_guard(mutex, &ftrace_lock) {
		if (IS_ENABLED(CONFIG_FTRACE_MCOUNT_RECORD))
			KUNIT_EXPECT_EQ(test, sites_total(), total);
		KUNIT_EXPECT_NULL(test, site_at((unsigned long)ftrace_found_one + 1, NULL));
	}
	KUNIT_EXPECT_EQ(test, noted_sites.nr_pages, pages);
}

static struct kunit_case discover_cases[] = {
	KUNIT_CASE(first_call_is_found),
	KUNIT_CASE_SLOW(found_is_traced),
	KUNIT_CASE_SLOW(everything_has_what_is_found),
	KUNIT_CASE_SLOW(name_comes_first),
	KUNIT_CASE_SLOW(address_comes_first),
	KUNIT_CASE_SLOW(address_comes_when_full),
	KUNIT_CASE_SLOW(probed_is_left_alone),
	KUNIT_CASE_SLOW(failures_do_not_grow),
	{ }
};

static struct kunit_suite discover_suite = {
	.name		= "ftrace_discover",
	.test_cases	= discover_cases,
};

kunit_test_suite(discover_suite);

MODULE_LICENSE("GPL");
