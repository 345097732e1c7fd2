// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the table of call sites: the real one of the running kernel, and
 * made-up regions. These exist only while ftrace_lock is held,
 * so that their sites are never patched. Only expectations are used under the lock: a failed
 * assertion would exit with the lock held.
 */
#include <kunit/test.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/string.h>

#include "names.h"
#include "sites.h"
#include "sites_internal.h"

#define FAKE_NR		16
#define FAKE_STEP	32

static struct site_region *core_region(void)
{
	struct site_region *r;

	for_each_site_region(r)
		if (!r->mod && r->live)
			return r;
	return NULL;
}

/* Get the region of the core kernel, which is never removed. */
static struct site_region *get_core(struct kunit *test)
{
	struct site_region *r;

	scoped_guard(mutex, &ftrace_lock)
		r = core_region();
	KUNIT_ASSERT_NOT_NULL(test, r);
	return r;
}

static void word_test(struct kunit *test)
{
	struct site s = { .offset = 0x12345678 };

	KUNIT_EXPECT_EQ(test, sizeof(s), 8);
	KUNIT_EXPECT_TRUE(test, site_usable(&s));
	KUNIT_EXPECT_EQ(test, site_set_id(&s), 0);

	site_point_at(&s, 0);
	KUNIT_EXPECT_FALSE(test, site_has(&s, SITE_TOUCHED));
	site_point_at(&s, SITE_SET_ID_MAX);
	KUNIT_EXPECT_EQ(test, site_set_id(&s), SITE_SET_ID_MAX);
	KUNIT_EXPECT_TRUE(test, site_has(&s, SITE_TOUCHED));
	KUNIT_EXPECT_TRUE(test, site_usable(&s));
	site_point_at(&s, 0);
	KUNIT_EXPECT_EQ(test, site_word(&s), site_word_make(0, SITE_TOUCHED));

	site_point_at(&s, 77);
	site_mark(&s, SITE_FAILED);
	KUNIT_EXPECT_FALSE(test, site_usable(&s));
	KUNIT_EXPECT_FALSE(test, site_has(&s, SITE_RETIRED));
	KUNIT_EXPECT_EQ(test, site_set_id(&s), 77);
	KUNIT_EXPECT_EQ(test, s.offset, 0x12345678);
}

static void core_order_test(struct kunit *test)
{
	struct site_region *r = get_core(test);
	unsigned int i;

	KUNIT_EXPECT_GT(test, r->nr, 100);
	KUNIT_EXPECT_GE(test, r->bytes, r->nr * 8UL);
	KUNIT_EXPECT_EQ(test, site_ip(r, &r->sites[0]), r->base);
	KUNIT_EXPECT_EQ(test, site_ip(r, &r->sites[r->nr - 1]), r->last);
	for (i = 1; i < r->nr; i++)
		KUNIT_EXPECT_LT(test, r->sites[i - 1].offset,
				r->sites[i].offset);
}

static void core_lookup_test(struct kunit *test)
{
	struct site_region *r = get_core(test), *found;
	unsigned int i;

	for (i = 0; i < r->nr; i++) {
		unsigned long ip = site_ip(r, &r->sites[i]);

		found = NULL;
		KUNIT_EXPECT_PTR_EQ(test, site_at(ip, &found), &r->sites[i]);
		KUNIT_EXPECT_PTR_EQ(test, found, r);
		KUNIT_EXPECT_NULL(test, site_at(ip + 1, NULL));
		KUNIT_EXPECT_EQ(test, sites_index_from(r, ip), i);
		KUNIT_EXPECT_EQ(test, sites_index_from(r, ip + 1), i + 1);
	}

	KUNIT_EXPECT_NULL(test, site_at(0, NULL));
	KUNIT_EXPECT_NULL(test, site_at(ULONG_MAX, NULL));
	KUNIT_EXPECT_NULL(test, site_at(r->base - 1, NULL));
	KUNIT_EXPECT_NULL(test, site_region_at(r->base - 1));
	KUNIT_EXPECT_PTR_EQ(test, site_region_at(r->base + 1), r);
	KUNIT_EXPECT_EQ(test, sites_index_from(r, 0), 0);
	KUNIT_EXPECT_EQ(test, sites_index_from(r, ULONG_MAX), r->nr);
}

static void core_range_test(struct kunit *test)
{
	struct site_region *r = get_core(test);
	unsigned int i;

	for (i = 1; i < r->nr; i++) {
		unsigned long a = site_ip(r, &r->sites[i - 1]);
		unsigned long b = site_ip(r, &r->sites[i]);

		if (site_has(&r->sites[i - 1], SITE_RETIRED) ||
		    site_has(&r->sites[i], SITE_RETIRED))
			continue;
		KUNIT_EXPECT_EQ(test, sites_first_in(a, a), a);
		KUNIT_EXPECT_EQ(test, sites_first_in(a, b), a);
		KUNIT_EXPECT_EQ(test, sites_first_in(a + 1, b), b);
		KUNIT_EXPECT_EQ(test, sites_first_in(a + 1, b - 1), 0);
	}
	KUNIT_EXPECT_EQ(test, sites_first_in(0, r->base - 1), 0);
}

/* Check that @i is the first site after a symbol. A second one is of an overridden function. */
static bool is_first_behind(const struct site_region *r, unsigned int i,
			    unsigned long symbol)
{
	return !i || site_ip(r, &r->sites[i - 1]) < symbol;
}

/* Check that the name from the pass over all symbols equals that of a search for the site. */
static void check_name(struct kunit *test, struct site_region *r,
		       unsigned int i, char *buf)
{
	unsigned long ip = site_ip(r, &r->sites[i]);
	const char *name = site_name(r, i);
	unsigned long size, offset;
	const char *want;
	char *modname;

	want = kallsyms_lookup(ip, &size, &offset, &modname, buf);
	if (want && offset <= SITE_MAX_DISTANCE && is_first_behind(r, i, ip - offset)) {
		KUNIT_EXPECT_TRUE(test, site_usable(&r->sites[i]));
		KUNIT_EXPECT_STREQ(test, name ?: "(none)", want);
	} else {
		KUNIT_EXPECT_TRUE(test, site_has(&r->sites[i], SITE_RETIRED) ||
				  site_set_id(&r->sites[i]));
		KUNIT_EXPECT_NULL(test, name);
	}
}

static void core_names_test(struct kunit *test)
{
	char *buf = kunit_kzalloc(test, KSYM_NAME_LEN, GFP_KERNEL);
	struct site_region *r = get_core(test);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, buf);
	guard(mutex)(&ftrace_lock);
	KUNIT_EXPECT_EQ(test, names_get(r), 0);
	if (!r->names)
		return;
	for (i = 0; i < r->nr; i++)
		if (!is_kernel_inittext(site_ip(r, &r->sites[i])))
			check_name(test, r, i, buf);
}

/**
 * struct fake - a made-up module
 * @mod: the module; only its address is used
 * @base: memory that is never executed, whose addresses are used
 * @addrs: FAKE_NR addresses in @base, FAKE_STEP apart, descending, each
 *	twice, with zeroes between
 */
struct fake {
	struct module *mod;
	unsigned long base;
	unsigned long addrs[3 * FAKE_NR];
};

static struct fake *make_fake(struct kunit *test)
{
	struct fake *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);
	void *text = kunit_kzalloc(test, FAKE_NR * FAKE_STEP, GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, f);
	KUNIT_ASSERT_NOT_NULL(test, text);
	f->mod = kunit_kzalloc(test, sizeof(*f->mod), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, f->mod);

	f->base = (unsigned long)text;
	for (i = 0; i < FAKE_NR; i++) {
		f->addrs[3 * i] = f->base + (FAKE_NR - 1 - i) * FAKE_STEP;
		f->addrs[3 * i + 1] = f->addrs[3 * i];
	}
	return f;
}

static unsigned long fake_ip(const struct fake *f, unsigned int i)
{
	return f->base + i * FAKE_STEP;
}

static struct site_region *list_fake(struct kunit *test, struct fake *f)
{
	struct site_region *r;

	r = sites_add_region(f->mod, f->addrs, ARRAY_SIZE(f->addrs));
	KUNIT_EXPECT_NOT_ERR_OR_NULL(test, r);
	return IS_ERR(r) ? NULL : r;
}

static void region_test(struct kunit *test)
{
	struct fake *f = make_fake(test);
	struct site_region *r, *found;
	unsigned long total;
	unsigned int i;

	scoped_guard(mutex, &ftrace_lock) {
		total = sites_total();
		r = list_fake(test, f);
		if (!r)
			return;

		KUNIT_EXPECT_EQ(test, r->nr, FAKE_NR);
		KUNIT_EXPECT_EQ(test, sites_total(), total + FAKE_NR);
		KUNIT_EXPECT_EQ(test, r->base, fake_ip(f, 0));
		KUNIT_EXPECT_EQ(test, r->last, fake_ip(f, FAKE_NR - 1));
		for (i = 0; i < FAKE_NR; i++) {
			KUNIT_EXPECT_PTR_EQ(test, site_at(fake_ip(f, i), &found),
					    &r->sites[i]);
			KUNIT_EXPECT_PTR_EQ(test, found, r);
		}

		KUNIT_EXPECT_FALSE(test, r->live);
		KUNIT_EXPECT_EQ(test, names_get(r), -EAGAIN);
		sites_set_live(f->mod);
		KUNIT_EXPECT_TRUE(test, r->live);

		sites_remove_module(f->mod);
		KUNIT_EXPECT_NULL(test, site_at(fake_ip(f, 0), NULL));
		KUNIT_EXPECT_EQ(test, sites_total(), total);
	}
	/* A reader of the regions may still use the made-up module. */
	synchronize_rcu();
}

static void region_refused_test(struct kunit *test)
{
	struct fake *f = make_fake(test);
	unsigned long zeroes[4] = { }, inside = fake_ip(f, 3) + 1;
	unsigned int regions;
	struct site_region *r;

	scoped_guard(mutex, &ftrace_lock) {
		regions = sites_regions();
		KUNIT_EXPECT_NULL(test, sites_add_region(f->mod, NULL, 0));
		KUNIT_EXPECT_NULL(test, sites_add_region(f->mod, zeroes, 4));

		r = list_fake(test, f);
		if (!r)
			return;
		KUNIT_EXPECT_PTR_EQ(test, sites_add_region(f->mod, &inside, 1),
				    ERR_PTR(-EEXIST));
		sites_remove_region(r);

		/* None of these addresses is in the module. */
		KUNIT_EXPECT_EQ(test, sites_add_module(f->mod, f->addrs,
						       ARRAY_SIZE(f->addrs)), 0);
		KUNIT_EXPECT_EQ(test, sites_regions(), regions);
	}
	synchronize_rcu();
}

static void too_far_test(struct kunit *test)
{
	unsigned long addrs[2] = { 0x1000, 0x1000 };

	if (!IS_ENABLED(CONFIG_64BIT))
		kunit_skip(test, "no addresses are more than 4 GiB apart");

	addrs[1] += U32_MAX;
	addrs[1]++;
	guard(mutex)(&ftrace_lock);
	KUNIT_EXPECT_PTR_EQ(test, sites_add_region(NULL, addrs, 2),
			    ERR_PTR(-ERANGE));
}

static void gone_test(struct kunit *test)
{
	struct fake *f = make_fake(test);
	struct site_region *r;
	unsigned long total;

	scoped_guard(mutex, &ftrace_lock) {
		r = list_fake(test, f);
		if (!r)
			return;
		total = sites_total();

		KUNIT_EXPECT_EQ(test, sites_retire_range(fake_ip(f, 0) + 1,
							 fake_ip(f, 1)), 0);
		KUNIT_EXPECT_EQ(test, sites_retire_range(fake_ip(f, 1),
							 fake_ip(f, 4)), 3);
		KUNIT_EXPECT_EQ(test, sites_retire_range(fake_ip(f, 1),
							 fake_ip(f, 4)), 0);
		KUNIT_EXPECT_EQ(test, r->nr_retired, 3);
		KUNIT_EXPECT_EQ(test, sites_total(), total - 3);
		KUNIT_EXPECT_TRUE(test, site_usable(&r->sites[0]));
		KUNIT_EXPECT_FALSE(test, site_usable(&r->sites[1]));
		KUNIT_EXPECT_FALSE(test, site_usable(&r->sites[3]));
		KUNIT_EXPECT_TRUE(test, site_usable(&r->sites[4]));
		KUNIT_EXPECT_EQ(test, sites_first_in(fake_ip(f, 1), fake_ip(f, 5)),
				fake_ip(f, 4));
		site_retire(r, &r->sites[1]);
		KUNIT_EXPECT_EQ(test, r->nr_retired, 3);

		/* Retiring the last sites removes the region. */
		KUNIT_EXPECT_EQ(test, sites_retire_range(fake_ip(f, 0),
							 fake_ip(f, FAKE_NR)),
				FAKE_NR - 3);
		KUNIT_EXPECT_NULL(test, site_region_at(fake_ip(f, 0)));
		KUNIT_EXPECT_EQ(test, sites_total(), total - FAKE_NR);
	}
	synchronize_rcu();
}

/* sites_losses() changes when a site is retired or a region removed, and only then. */
static void losses_test(struct kunit *test)
{
	struct fake *f = make_fake(test);
	struct site_region *r;
	unsigned long losses;

	scoped_guard(mutex, &ftrace_lock) {
		losses = sites_losses();
		r = list_fake(test, f);
		if (!r)
			return;
		sites_retire_range(fake_ip(f, 0) + 1, fake_ip(f, 1));
		KUNIT_EXPECT_EQ(test, sites_losses(), losses);

		sites_retire_range(fake_ip(f, 1), fake_ip(f, 2));
		KUNIT_EXPECT_NE(test, sites_losses(), losses);
		losses = sites_losses();
		sites_remove_region(r);
		KUNIT_EXPECT_NE(test, sites_losses(), losses);
	}
	synchronize_rcu();
}

/* A failed site cannot be traced, but its text stays reserved. */
static void failed_test(struct kunit *test)
{
	struct fake *f = make_fake(test);
	unsigned long ip = fake_ip(f, 2);
	struct site_region *r;

	scoped_guard(mutex, &ftrace_lock) {
		r = list_fake(test, f);
		if (!r)
			return;
		KUNIT_EXPECT_EQ(test, ftrace_location(ip), ip);
		site_mark(&r->sites[2], SITE_FAILED);
		KUNIT_EXPECT_EQ(test, ftrace_location(ip), 0);
		KUNIT_EXPECT_EQ(test, ftrace_location_range(ip, ip + FAKE_STEP), ip + FAKE_STEP);
		KUNIT_EXPECT_TRUE(test, ftrace_text_reserved((void *)ip, (void *)ip));

		/* A failed site that still calls a set must be found. */
		site_point_at(&r->sites[2], 7);
		KUNIT_EXPECT_EQ(test, ftrace_location(ip), ip);
		site_point_at(&r->sites[2], 0);
		sites_remove_region(r);
	}
	synchronize_rcu();
}

/* Sites that belong to no symbol are retired, unless they point to a set. */
static void orphans_test(struct kunit *test)
{
	struct fake *f = make_fake(test);
	struct site_region *r;

	strscpy(f->mod->name, "no such module");
	scoped_guard(mutex, &ftrace_lock) {
		r = list_fake(test, f);
		if (!r)
			return;
		sites_set_live(f->mod);
		site_point_at(&r->sites[2], 7);

		KUNIT_EXPECT_EQ(test, names_get(r), 0);
		KUNIT_EXPECT_EQ(test, r->nr_retired, FAKE_NR - 1);
		KUNIT_EXPECT_TRUE(test, site_usable(&r->sites[2]));
		KUNIT_EXPECT_FALSE(test, site_usable(&r->sites[1]));
		KUNIT_EXPECT_NULL(test, site_name(r, 1));
		KUNIT_EXPECT_NULL(test, site_name(r, 2));

		site_point_at(&r->sites[2], 0);
		KUNIT_EXPECT_EQ(test, names_get(r), 0);
		KUNIT_EXPECT_EQ(test, r->nr_retired, FAKE_NR);

		/* All sites are retired already, but the region must be removed with its text. */
		KUNIT_EXPECT_EQ(test, sites_retire_range(fake_ip(f, 0),
							 fake_ip(f, FAKE_NR - 1)), 0);
		KUNIT_EXPECT_PTR_EQ(test, site_region_at(fake_ip(f, 0)), r);
		KUNIT_EXPECT_EQ(test, sites_retire_range(fake_ip(f, 0),
							 fake_ip(f, FAKE_NR)), 0);
		KUNIT_EXPECT_NULL(test, site_region_at(fake_ip(f, 0)));
	}
	synchronize_rcu();
}

static struct kunit_case sites_cases[] = {
	KUNIT_CASE(word_test),
	KUNIT_CASE(core_order_test),
	KUNIT_CASE(core_lookup_test),
	KUNIT_CASE(core_range_test),
	KUNIT_CASE(core_names_test),
	KUNIT_CASE(region_test),
	KUNIT_CASE(region_refused_test),
	KUNIT_CASE(too_far_test),
	KUNIT_CASE(gone_test),
	KUNIT_CASE(losses_test),
	KUNIT_CASE(failed_test),
	KUNIT_CASE(orphans_test),
	{}
};

static struct kunit_suite sites_suite = {
	.name = "ftrace_sites",
	.test_cases = sites_cases,
};

kunit_test_suite(sites_suite);

MODULE_DESCRIPTION("Tests of the table of call sites");
MODULE_LICENSE("GPL");
