// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the names of call sites: parsing of patterns, and that the index
 * finds in the running kernel exactly the sites that a comparison of every name finds.
 * Only expectations are used under ftrace_lock: a failed assertion would exit with the
 * lock held.
 */
#include <kunit/test.h>
#include <linux/glob.h>
#include <linux/module.h>
#include <linux/string.h>

#include "names.h"
#include "names_internal.h"
#include "sites.h"

/**
 * struct glob_case - a pattern and a name
 * @pattern: the pattern
 * @kind: the form that name_glob_parse() should find
 * @name: a name
 * @match: true if @name should match @pattern
 */
struct glob_case {
	const char *pattern;
	enum name_glob_kind kind;
	const char *name;
	bool match;
};

static const struct glob_case glob_cases[] = {
	{ "*",		GLOB_ALL,	"",		true },
	{ "*",		GLOB_ALL,	"vfs_read",	true },
	{ "**",		GLOB_ALL,	"vfs_read",	true },
	{ "***",	GLOB_ALL,	"",		true },
	{ "",		GLOB_EXACT,	"",		true },
	{ "",		GLOB_EXACT,	"a",		false },
	{ "vfs_read",	GLOB_EXACT,	"vfs_read",	true },
	{ "vfs_read",	GLOB_EXACT,	"vfs_readv",	false },
	{ "vfs_read",	GLOB_EXACT,	"vfs_rea",	false },
	{ "vfs_read",	GLOB_EXACT,	"Vfs_read",	false },
	{ "vfs_*",	GLOB_PREFIX,	"vfs_read",	true },
	{ "vfs_*",	GLOB_PREFIX,	"vfs_",		true },
	{ "vfs_*",	GLOB_PREFIX,	"vfs",		false },
	{ "vfs_*",	GLOB_PREFIX,	"__vfs_read",	false },
	{ "*_read",	GLOB_SUFFIX,	"vfs_read",	true },
	{ "*_read",	GLOB_SUFFIX,	"_read",	true },
	{ "*_read",	GLOB_SUFFIX,	"read",		false },
	{ "*_read",	GLOB_SUFFIX,	"vfs_readv",	false },
	{ "*_rea*",	GLOB_MIDDLE,	"vfs_readv",	true },
	{ "*_rea*",	GLOB_MIDDLE,	"_rea",		true },
	{ "*_rea*",	GLOB_MIDDLE,	"_re",		false },
	{ "*aab*",	GLOB_MIDDLE,	"xaaab",	true },
	{ "*aab*",	GLOB_MIDDLE,	"",		false },
	{ "a*b",	GLOB_FULL,	"ab",		true },
	{ "a*b",	GLOB_FULL,	"axxb",		true },
	{ "a*b",	GLOB_FULL,	"axxbc",	false },
	{ "a*b*",	GLOB_FULL,	"axxbc",	true },
	{ "*a*b",	GLOB_FULL,	"xaxb",		true },
	{ "a**",	GLOB_FULL,	"abc",		true },
	{ "**a",	GLOB_FULL,	"cba",		true },
	{ "?",		GLOB_FULL,	"a",		true },
	{ "?",		GLOB_FULL,	"",		false },
	{ "?",		GLOB_FULL,	"ab",		false },
	{ "vfs_?ead",	GLOB_FULL,	"vfs_read",	true },
	{ "?fs*",	GLOB_FULL,	"vfs_read",	true },
	{ "[a-c]*",	GLOB_FULL,	"bio_put",	true },
	{ "[a-c]*",	GLOB_FULL,	"dput",		false },
	{ "[!a-c]*",	GLOB_FULL,	"dput",		true },
	{ "*[",		GLOB_FULL,	"a[",		true },
	{ "a\\*",	GLOB_FULL,	"a*",		true },
	{ "a\\*",	GLOB_FULL,	"ab",		false },
};

static void glob_test(struct kunit *test)
{
	const struct glob_case *c;
	struct name_glob g;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(glob_cases); i++) {
		c = &glob_cases[i];
		name_glob_parse(&g, c->pattern);
		KUNIT_EXPECT_EQ_MSG(test, g.kind, c->kind, "%s", c->pattern);
		KUNIT_EXPECT_EQ_MSG(test, name_glob_match(&g, c->name), c->match,
				    "%s on %s", c->pattern, c->name);
	}
}

/* Get the region of the core kernel with its names; ftrace_lock held. */
static struct site_region *named_core(struct kunit *test)
{
	struct site_region *r;

	for_each_site_region(r) {
		if (r->mod || !r->live)
			continue;
		KUNIT_EXPECT_EQ(test, names_get(r), 0);
		return r->names ? r : NULL;
	}
	KUNIT_FAIL(test, "the core kernel has no sites");
	return NULL;
}

static unsigned int count_named(const struct site_region *r)
{
	unsigned int i, nr = 0;

	for (i = 0; i < r->nr; i++)
		nr += !!site_name(r, i);
	return nr;
}

static void order_test(struct kunit *test)
{
	struct site_region *r;
	unsigned int pos, nr;

	guard(mutex)(&ftrace_lock);
	r = named_core(test);
	if (!r)
		return;

	nr = count_named(r);
	KUNIT_EXPECT_GT(test, nr, 100);
	KUNIT_EXPECT_LT(test, names_at(r, 0), r->nr);
	for (pos = 1; pos < nr; pos++) {
		unsigned int a = names_at(r, pos - 1), b = names_at(r, pos);
		int diff;

		if (b >= r->nr || !site_name(r, b)) {
			KUNIT_FAIL(test, "no name at position %u", pos);
			return;
		}
		/* Strictly ascending, and so also a permutation of the named sites. */
		diff = strcmp(site_name(r, a), site_name(r, b));
		KUNIT_EXPECT_TRUE(test, diff < 0 || (diff == 0 && a < b));
	}
}

static void check_find(struct kunit *test, struct site_region *r,
		       const char *name, unsigned int want)
{
	unsigned int i, first, count;

	names_find(r, name, NAMES_NO_HINT, &first, &count);
	KUNIT_EXPECT_EQ_MSG(test, count, want, "%s", name);
	for (i = 0; i < count; i++)
		KUNIT_EXPECT_STREQ(test, site_name(r, names_at(r, first + i)),
				   name);
}

static unsigned int count_exact(const struct site_region *r, const char *name)
{
	unsigned int i, nr = 0;

	for (i = 0; i < r->nr; i++)
		if (site_name(r, i) && !strcmp(site_name(r, i), name))
			nr++;
	return nr;
}

static void exact_test(struct kunit *test)
{
	struct site_region *r;
	unsigned int i;

	guard(mutex)(&ftrace_lock);
	r = named_core(test);
	if (!r)
		return;

	for (i = 0; i < r->nr; i += 211)
		if (site_name(r, i))
			check_find(test, r, site_name(r, i),
				   count_exact(r, site_name(r, i)));
	check_find(test, r, "", 0);
	check_find(test, r, "!", 0);
	check_find(test, r, "~", 0);
	check_find(test, r, "no function has this name", 0);
}

/**
 * struct sought - a site that a walk should visit
 * @index: index of the site
 * @found: the walk has visited the site
 */
struct sought {
	unsigned int index;
	bool found;
};

static int note_sought(struct site_region *r, unsigned int index, void *data)
{
	struct sought *s = data;

	s->found = index == s->index;
	return s->found;
}

static bool glob_finds(struct site_region *r, enum name_glob_kind kind,
		       const char *text, unsigned int index)
{
	struct name_glob g = { .kind = kind, .text = text, .len = strlen(text) };
	struct sought s = { .index = index };

	names_match(r, &g, note_sought, &s);
	return s.found;
}

static bool find_finds(struct site_region *r, const char *name, unsigned int index)
{
	unsigned int i, first, count;

	names_find(r, name, NAMES_NO_HINT, &first, &count);
	for (i = first; i < first + count; i++)
		if (names_at(r, i) == index)
			return true;
	return false;
}

/* A name is found at the same positions, wherever the search begins. */
static void hints_test(struct kunit *test)
{
	unsigned int nr, pos, hint, first, count, missed = 0;
	struct site_region *r;
	const char *name;

	guard(mutex)(&ftrace_lock);
	r = named_core(test);
	if (!r)
		return;
	nr = count_named(r);
	for (pos = 0; pos < nr; pos += 97) {
		name = site_name(r, names_at(r, pos));
		for (hint = 0; hint <= nr + 61; hint += 61) {
			names_find(r, name, hint, &first, &count);
			missed += pos < first || pos >= first + count;
			missed += first && !strcmp(site_name(r, names_at(r, first - 1)), name);
		}
		names_find(r, name, pos, &first, &count);
		missed += pos < first || pos >= first + count;
	}
	names_find(r, "ftrace_no_such_name", 0, &first, &count);
	KUNIT_EXPECT_EQ(test, count, 0);
	KUNIT_EXPECT_EQ(test, missed, 0);
}

/* Every name of each region is found, also that of the first and of the last site. */
static void every_name_test(struct kunit *test)
{
	unsigned int i, missed = 0;
	struct site_region *r;

	guard(mutex)(&ftrace_lock);
	for_each_site_region(r) {
		if (names_get(r))
			continue;
		for (i = 0; i < r->nr; i++) {
			const char *name = site_name(r, i);

			if (!name)
				continue;
			missed += !find_finds(r, name, i);
			if (!site_usable(&r->sites[i]))
				continue;
			missed += !glob_finds(r, GLOB_EXACT, name, i);
			missed += !glob_finds(r, GLOB_PREFIX, name, i);
		}
	}
	KUNIT_EXPECT_EQ(test, missed, 0);
}

/* All static functions of different files that share a name are found. */
static void duplicates_test(struct kunit *test)
{
	unsigned int pos, nr, seen = 0;
	struct site_region *r;

	guard(mutex)(&ftrace_lock);
	r = named_core(test);
	if (!r)
		return;

	nr = count_named(r);
	for (pos = 1; pos < nr && seen < 20; pos++) {
		const char *name = site_name(r, names_at(r, pos));

		if (strcmp(name, site_name(r, names_at(r, pos - 1))))
			continue;
		seen++;
		check_find(test, r, name, count_exact(r, name));
	}
	if (!seen)
		kunit_info(test, "no two functions share a name");
}

/**
 * struct tally - result of a walk
 * @nr: number of visited sites
 * @sum: sum of the indices of the sites, to tell sets of equal size apart
 * @stop_at: number of sites at which the walk ends, 0 for no limit
 */
struct tally {
	unsigned int nr;
	unsigned long sum;
	unsigned int stop_at;
};

static int count_site(struct site_region *r, unsigned int index, void *data)
{
	struct tally *t = data;

	t->nr++;
	t->sum += index;
	return t->nr == t->stop_at ? 42 : 0;
}

static void tally_all(struct site_region *r, const char *pattern,
		      struct tally *t)
{
	unsigned int i;

	for (i = 0; i < r->nr; i++)
		if (site_usable(&r->sites[i]) && site_name(r, i) &&
		    glob_match(pattern, site_name(r, i)))
			count_site(r, i, t);
}

static const char * const live_patterns[] = {
	"*", "vfs_*", "_*", "*_read", "*lock*", "a*b*", "?*", "[a-c]*",
	"schedule", "*e", "x*", "~*", "*_init_*", "no_such_function*",
	"s*_*[0-9]", "__x64_sys_*", "printk*",
};

static void match_test(struct kunit *test)
{
	struct site_region *r;
	unsigned int i;

	guard(mutex)(&ftrace_lock);
	r = named_core(test);
	if (!r)
		return;

	for (i = 0; i < ARRAY_SIZE(live_patterns); i++) {
		struct tally got = { }, want = { };
		struct name_glob g;

		name_glob_parse(&g, live_patterns[i]);
		tally_all(r, live_patterns[i], &want);
		KUNIT_EXPECT_EQ(test, names_match(r, &g, count_site, &got), 0);
		KUNIT_EXPECT_EQ_MSG(test, got.nr, want.nr, "%s",
				    live_patterns[i]);
		KUNIT_EXPECT_EQ_MSG(test, got.sum, want.sum, "%s",
				    live_patterns[i]);
	}
}

static void match_stop_test(struct kunit *test)
{
	static const char * const patterns[] = { "*", "s*", "*e*" };
	struct site_region *r;
	unsigned int i;

	guard(mutex)(&ftrace_lock);
	r = named_core(test);
	if (!r)
		return;

	for (i = 0; i < ARRAY_SIZE(patterns); i++) {
		struct tally t = { .stop_at = 3 };
		struct name_glob g;

		name_glob_parse(&g, patterns[i]);
		KUNIT_EXPECT_EQ(test, names_match(r, &g, count_site, &t), 42);
		KUNIT_EXPECT_EQ(test, t.nr, 3);
	}
}

static void tally_pattern(struct site_region *r, const char *pattern,
			  struct tally *t)
{
	struct name_glob g;

	name_glob_parse(&g, pattern);
	names_match(r, &g, count_site, t);
}

/* names_nth() finds the site of each line of available_filter_functions. */
static void nth_test(struct kunit *test)
{
	struct site_region *r, *found;
	unsigned long n = 0;
	unsigned int i;

	guard(mutex)(&ftrace_lock);
	for_each_site_region(r)
		KUNIT_EXPECT_EQ(test, r->live ? names_get(r) : 0, 0);
	for_each_site_region(r) {
		for (i = 0; r->names && i < r->nr; i++) {
			if (!site_usable(&r->sites[i]) || !site_name(r, i))
				continue;
			/* Each look-up counts from the start, so try only a few. */
			if (n % 1024 == 0) {
				KUNIT_EXPECT_PTR_EQ(test, names_nth(n, &found), &r->sites[i]);
				KUNIT_EXPECT_PTR_EQ(test, found, r);
			}
			n++;
		}
	}
	KUNIT_EXPECT_GE(test, sites_total(), n);
	KUNIT_EXPECT_NOT_NULL(test, names_nth(n - 1, &found));
	KUNIT_EXPECT_NULL(test, names_nth(n, &found));
	KUNIT_EXPECT_NULL(test, names_nth(ULONG_MAX, &found));
}

/* Freed names are decoded again, with the same result. */
static void drop_test(struct kunit *test)
{
	struct tally before = { }, after = { };
	unsigned long decoded;
	struct site_region *r;

	guard(mutex)(&ftrace_lock);
	r = named_core(test);
	if (!r)
		return;
	tally_pattern(r, "*lock*", &before);
	KUNIT_EXPECT_GT(test, names_bytes(), r->nr);

	names_drop_all();
	KUNIT_EXPECT_EQ(test, names_bytes(), 0);
	KUNIT_EXPECT_NULL(test, r->names);

	decoded = names_decoded();
	r = named_core(test);
	if (!r)
		return;
	tally_pattern(r, "*lock*", &after);
	KUNIT_EXPECT_EQ(test, names_decoded(), decoded + 1);
	KUNIT_EXPECT_GT(test, before.nr, 0);
	KUNIT_EXPECT_EQ(test, before.nr, after.nr);
	KUNIT_EXPECT_EQ(test, before.sum, after.sum);
}

static struct kunit_case names_cases[] = {
	KUNIT_CASE(glob_test),
	KUNIT_CASE(order_test),
	KUNIT_CASE(exact_test),
	KUNIT_CASE(every_name_test),
	KUNIT_CASE(hints_test),
	KUNIT_CASE(duplicates_test),
	KUNIT_CASE(match_test),
	KUNIT_CASE(match_stop_test),
	KUNIT_CASE(nth_test),
	KUNIT_CASE(drop_test),
	{}
};

static struct kunit_suite names_suite = {
	.name = "ftrace_names",
	.test_cases = names_cases,
};

kunit_test_suite(names_suite);

MODULE_DESCRIPTION("Tests of the names of call sites");
MODULE_LICENSE("GPL");
