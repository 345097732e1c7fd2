// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of filters: words, edits, and the functions that a filter selects
 * (SPEC D5), on the names of the running kernel.  No ops is registered here,
 * so nothing is patched.  Also tests of the filter files that a shell cannot make.
 */
#include <kunit/test.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/ftrace.h>
#include <linux/ftrace_kunit.h>
#include <linux/mount.h>
#include <linux/sizes.h>

#include "edit.h"
#include "filter/word.h"
#include "internal.h"
#include "sites/ip_set.h"
#include "sites/names.h"
#include "sites/sites.h"

/* Functions that every kernel has and that are traceable. */
#define F_READ		"vfs_read"
#define F_WRITE		"vfs_write"

static struct ftrace_ops ops;

static unsigned long site_named(struct kunit *test, const char *name)
{
	struct ip_set *set = filter_match_sites(name);
	unsigned long ip;

	KUNIT_ASSERT_FALSE(test, IS_ERR_OR_NULL(set));
	ip = set->ips[0];
	ip_set_free(set);
	return ip;
}

/* Apply words to one side and commit; commit nothing if a word fails. */
static int apply(unsigned int flags, const char * const *words)
{
	struct filter_edit *edit = filter_edit_begin(&ops, flags);
	int ret = 0;

	if (IS_ERR(edit))
		return PTR_ERR(edit);
	for (; !ret && *words; words++)
		ret = filter_edit_word(edit, *words);
	if (!ret)
		return filter_edit_commit(edit);
	filter_edit_abort(edit);
	return ret;
}

#define WORDS(...)	((const char * const []) { __VA_ARGS__, NULL })

static bool wants(struct kunit *test, const char *name)
{
	unsigned long ip = site_named(test, name);

	guard(mutex)(&ftrace_lock);
	return filter_wants(ops.filter, ip);
}

static int filter_test_init(struct kunit *test)
{
	ops = (struct ftrace_ops) { };
	return 0;
}

static void filter_test_exit(struct kunit *test)
{
	ftrace_free_filter(&ops);
}

static void empty_means_all(struct kunit *test)
{
	KUNIT_EXPECT_TRUE(test, wants(test, F_READ));
	KUNIT_ASSERT_EQ(test, apply(0, WORDS(F_READ)), 0);
	KUNIT_EXPECT_FALSE(test, wants(test, F_WRITE));
	KUNIT_ASSERT_EQ(test, ftrace_set_filter(&ops, NULL, 0, 1), 0);
	KUNIT_EXPECT_TRUE(test, wants(test, F_WRITE));
}

static void only_and_append(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, apply(0, WORDS(F_READ)), 0);
	KUNIT_EXPECT_TRUE(test, wants(test, F_READ));
	KUNIT_EXPECT_FALSE(test, wants(test, F_WRITE));
	KUNIT_ASSERT_EQ(test, apply(0, WORDS(F_WRITE)), 0);
	KUNIT_EXPECT_TRUE(test, wants(test, F_READ));
	KUNIT_EXPECT_TRUE(test, wants(test, F_WRITE));
	KUNIT_ASSERT_EQ(test, apply(FILTER_EDIT_RESET, WORDS(F_WRITE)), 0);
	KUNIT_EXPECT_FALSE(test, wants(test, F_READ));
}

static void except_wins(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, apply(0, WORDS("vfs_*")), 0);
	KUNIT_ASSERT_EQ(test, apply(FILTER_EDIT_NOTRACE, WORDS(F_READ)), 0);
	KUNIT_EXPECT_FALSE(test, wants(test, F_READ));
	KUNIT_EXPECT_TRUE(test, wants(test, F_WRITE));
	/* A function in both sides is not traced, and no other function is either. */
	KUNIT_ASSERT_EQ(test, apply(FILTER_EDIT_RESET, WORDS(F_READ)), 0);
	KUNIT_EXPECT_FALSE(test, wants(test, F_READ));
	KUNIT_EXPECT_FALSE(test, wants(test, F_WRITE));
}

static void bang_takes_away(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, apply(0, WORDS("vfs_*", "!vfs_r*")), 0);
	KUNIT_EXPECT_FALSE(test, wants(test, F_READ));
	KUNIT_EXPECT_TRUE(test, wants(test, F_WRITE));
	/* Removing the last function leaves an empty side, which selects all. */
	KUNIT_ASSERT_EQ(test, apply(0, WORDS("!vfs_*")), 0);
	KUNIT_EXPECT_TRUE(test, wants(test, F_READ));
}

static void bad_words_change_nothing(struct kunit *test)
{
	static const char * const bad[] = {
		"!", "", ":", "vfs_read:", "vfs_read:no_such_command", "99999999", "0",
		"!no_such_function", "!no_such_*",
		/* Where functions are found later, these may name one of them. */
		"no_such_function", "no_such_*", "vfs_read:mod:", "*:mod:no_such_module*",
	};
	unsigned int i, nr = ARRAY_SIZE(bad);

	if (!IS_ENABLED(CONFIG_FTRACE_MCOUNT_RECORD))
		nr -= 4;
	KUNIT_ASSERT_EQ(test, apply(0, WORDS(F_READ)), 0);
	for (i = 0; i < nr; i++) {
		KUNIT_EXPECT_EQ_MSG(test, apply(0, WORDS(F_WRITE, bad[i])), -EINVAL,
				    "word '%s'", bad[i]);
		KUNIT_EXPECT_FALSE(test, wants(test, F_WRITE));
	}
	KUNIT_EXPECT_TRUE(test, wants(test, F_READ));
}

/* An empty word names no function; a missing word (NULL) is no error. */
static void empty_word_changes_nothing(struct kunit *test)
{
	u8 word[] = F_READ, empty[] = "", blank[] = "  ";

	KUNIT_EXPECT_EQ(test, ftrace_set_filter(&ops, empty, 0, 1), -EINVAL);
	KUNIT_EXPECT_NULL(test, ops.filter);
	KUNIT_ASSERT_EQ(test, ftrace_set_filter(&ops, word, strlen(F_READ), 0), 0);
	KUNIT_EXPECT_EQ(test, ftrace_set_filter(&ops, empty, 0, 1), -EINVAL);
	KUNIT_EXPECT_EQ(test, ftrace_set_filter(&ops, blank, 2, 1), -EINVAL);
	KUNIT_EXPECT_EQ(test, ftrace_set_notrace(&ops, empty, 0, 0), -EINVAL);
	KUNIT_EXPECT_TRUE(test, wants(test, F_READ));
	KUNIT_EXPECT_FALSE(test, wants(test, F_WRITE));
	KUNIT_EXPECT_EQ(test, ftrace_set_filter(&ops, NULL, 0, 1), 0);
	KUNIT_EXPECT_TRUE(test, wants(test, F_WRITE));
}

static void line_numbers(struct kunit *test)
{
	unsigned long ip = 0;
	struct site_region *r;
	struct site *site;

	scoped_guard(mutex, &ftrace_lock) {
		for_each_site_region(r)
			KUNIT_EXPECT_EQ(test, r->live ? names_get(r) : 0, 0);
		site = names_nth(6, &r);
		ip = site ? site_ip(r, site) : 0;
	}
	KUNIT_ASSERT_EQ(test, apply(0, WORDS("7")), 0);
	KUNIT_EXPECT_EQ(test, ip_set_size(ops.filter->only.sites), 1U);
	KUNIT_EXPECT_TRUE(test, ip_set_has(ops.filter->only.sites, ip));
}

static void words_for_modules(struct kunit *test)
{
	struct ip_set *all = filter_match_sites("*");
	struct ip_set *core = filter_match_sites("*:mod:!*");
	struct ip_set *mods = filter_match_sites("*:mod:*");

	KUNIT_EXPECT_EQ(test, ip_set_size(core) + ip_set_size(mods), ip_set_size(all));
	ip_set_free(all);
	ip_set_free(core);
	ip_set_free(mods);
	/* A word for a module that is not loaded waits, and selects nothing until then. */
	KUNIT_ASSERT_EQ(test, apply(0, WORDS("x*:mod:no_such_module")), 0);
	KUNIT_EXPECT_FALSE(test, wants(test, F_READ));
	KUNIT_EXPECT_FALSE(test, list_empty(&ops.filter->only.pending));
	KUNIT_ASSERT_EQ(test, apply(0, WORDS("!x*:mod:no_such_module")), 0);
	KUNIT_EXPECT_TRUE(test, wants(test, F_READ));
	/* "!*:mod:" removes all words for one module and no others. */
	KUNIT_ASSERT_EQ(test, apply(0, WORDS("x*:mod:no_such_module", "y:mod:no_such_module",
					     "y:mod:another")), 0);
	KUNIT_EXPECT_EQ(test, apply(0, WORDS("!*:mod:no_such_module")), 0);
	KUNIT_EXPECT_EQ(test, list_count_nodes(&ops.filter->only.pending), 1);
	KUNIT_EXPECT_EQ(test, apply(0, WORDS("!*:mod:no_such_module")), -EINVAL);
	KUNIT_EXPECT_EQ(test, apply(0, WORDS("!*:mod:another")), 0);
	KUNIT_EXPECT_TRUE(test, wants(test, F_READ));
}

static void expect_same(struct kunit *test, const char *word, const char *other)
{
	struct ip_set *a = filter_match_sites(word);
	struct ip_set *b = filter_match_sites(other);

	KUNIT_EXPECT_TRUE_MSG(test, ip_set_equal(a, b), "%s and %s", word, other);
	ip_set_free(a);
	ip_set_free(b);
}

/* An empty module glob means every module, "!" alone means the functions in no module. */
static void modules_without_a_name(struct kunit *test)
{
	expect_same(test, "*:mod:", "*:mod:*");
	expect_same(test, "*:mod:!", "*:mod:!*");
	KUNIT_ASSERT_EQ(test, apply(0, WORDS(F_READ ":mod:!")), 0);
	KUNIT_EXPECT_TRUE(test, wants(test, F_READ));
	KUNIT_EXPECT_FALSE(test, wants(test, F_WRITE));
}

/* Reading an edit back merges the sites that words have added, once and completely. */
static void settling_changes_nothing(struct kunit *test)
{
	struct filter_edit *edit = filter_edit_begin(&ops, 0);

	KUNIT_ASSERT_FALSE(test, IS_ERR(edit));
	KUNIT_EXPECT_EQ(test, filter_edit_merge(edit), 0);
	KUNIT_EXPECT_FALSE(test, filter_edit_side(edit)->set);
	KUNIT_EXPECT_EQ(test, filter_edit_word(edit, F_WRITE), 0);
	KUNIT_EXPECT_EQ(test, filter_edit_word(edit, F_READ), 0);
	KUNIT_EXPECT_EQ(test, filter_edit_word(edit, F_READ), 0);
	KUNIT_EXPECT_EQ(test, filter_edit_merge(edit), 0);
	KUNIT_EXPECT_EQ(test, filter_edit_merge(edit), 0);
	KUNIT_EXPECT_EQ(test, ip_set_size(filter_edit_side(edit)->sites), 2U);
	KUNIT_EXPECT_EQ(test, filter_edit_word(edit, "!" F_READ), 0);
	KUNIT_EXPECT_EQ(test, filter_edit_commit(edit), 0);
	KUNIT_EXPECT_FALSE(test, wants(test, F_READ));
	KUNIT_EXPECT_TRUE(test, wants(test, F_WRITE));
}

static void by_address(struct kunit *test)
{
	unsigned long ips[] = { site_named(test, F_READ), site_named(test, F_WRITE) };

	KUNIT_ASSERT_EQ(test, ftrace_set_filter_ips(&ops, ips, 2, 0, 0), 0);
	KUNIT_EXPECT_TRUE(test, wants(test, F_WRITE));
	KUNIT_EXPECT_EQ(test, ftrace_set_filter_ip(&ops, ips[0], 1, 0), 0);
	KUNIT_EXPECT_EQ(test, ftrace_set_filter_ip(&ops, ips[0], 1, 0), -ENOENT);
	KUNIT_EXPECT_EQ(test, ftrace_set_filter_ip(&ops, 16, 0, 0), -EINVAL);
	KUNIT_EXPECT_FALSE(test, wants(test, F_READ));
	KUNIT_EXPECT_TRUE(test, wants(test, F_WRITE));
}

/* An ops that removes its last function need not free its filter. */
static void empty_filter_is_freed(struct kunit *test)
{
	unsigned long ip = site_named(test, F_READ);
	struct filter_edit *edit;

	KUNIT_ASSERT_EQ(test, ftrace_set_filter_ip(&ops, ip, 0, 0), 0);
	KUNIT_ASSERT_NOT_NULL(test, ops.filter);
	KUNIT_EXPECT_EQ(test, ftrace_set_filter_ip(&ops, ip, 1, 0), 0);
	KUNIT_EXPECT_NULL(test, ops.filter);
	KUNIT_EXPECT_EQ(test, ftrace_set_filter_ip(&ops, 16, 0, 0), -EINVAL);
	KUNIT_EXPECT_NULL(test, ops.filter);

	/* The filter is not freed while an edit is in progress. */
	edit = filter_edit_begin(&ops, 0);
	KUNIT_ASSERT_FALSE(test, IS_ERR(edit));
	KUNIT_EXPECT_EQ(test, ftrace_set_filter(&ops, NULL, 0, 1), 0);
	KUNIT_ASSERT_NOT_NULL(test, ops.filter);
	KUNIT_EXPECT_EQ(test, filter_edit_word(edit, F_READ), 0);
	KUNIT_EXPECT_EQ(test, filter_edit_commit(edit), 0);
	KUNIT_EXPECT_FALSE(test, wants(test, F_WRITE));
}

static void own_filter_is_kept(struct kunit *test)
{
	struct ftrace_filter *own;

	KUNIT_ASSERT_EQ(test, apply(0, WORDS(F_READ)), 0);
	own = ops.filter;
	ftrace_ops_set_global_filter(&ops);
	KUNIT_EXPECT_PTR_EQ(test, ops.filter, own);
	ftrace_free_filter(&ops);
	ftrace_ops_set_global_filter(&ops);
	KUNIT_EXPECT_PTR_EQ(test, ops.filter, &global_filter);
	ftrace_ops_set_global_filter(&ops);
	KUNIT_EXPECT_PTR_EQ(test, ops.filter, &global_filter);
}

static void down_to_none(struct kunit *test)
{
	unsigned long ip = site_named(test, F_READ);

	KUNIT_ASSERT_EQ(test, ftrace_set_filter_ip(&ops, ip, 0, 0), 0);
	KUNIT_EXPECT_EQ(test, filter_remove_ips(&ops, &ip, 1), 0);
	KUNIT_EXPECT_FALSE(test, wants(test, F_READ));
	KUNIT_EXPECT_FALSE(test, wants(test, F_WRITE));
	/* By ftrace_set_filter_ip(), removing the last function selects all functions. */
	KUNIT_EXPECT_EQ(test, ftrace_set_filter_ip(&ops, ip, 0, 0), 0);
	KUNIT_EXPECT_EQ(test, ftrace_set_filter_ip(&ops, ip, 1, 0), 0);
	KUNIT_EXPECT_TRUE(test, wants(test, F_WRITE));
}

static void vanished_text_is_not_everything(struct kunit *test)
{
	unsigned long ip = site_named(test, F_READ);

	KUNIT_ASSERT_EQ(test, apply(0, WORDS(F_READ)), 0);
	scoped_guard(mutex, &ftrace_lock)
		ops.filter->only.sites = ip_set_cut_range(ops.filter->only.sites, ip, ip + 1);
	KUNIT_EXPECT_NULL(test, ops.filter->only.sites);
	KUNIT_EXPECT_FALSE(test, wants(test, F_WRITE));
}

/* More than the size of struct module, which is incomplete without CONFIG_MODULES. */
#define MODULE_ROOM	SZ_8K

/**
 * struct guest - a made-up module
 * @mod: the module; only its address is used
 * @ips: addresses in memory that is never executed
 */
struct guest {
	struct module *mod;
	unsigned long ips[2];
};

static struct guest *make_guest(struct kunit *test)
{
	struct guest *g = kunit_kzalloc(test, sizeof(*g), GFP_KERNEL);
	char *text = kunit_kzalloc(test, 64, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, g);
	KUNIT_ASSERT_NOT_NULL(test, text);
	g->mod = kunit_kzalloc(test, MODULE_ROOM, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, g->mod);
	g->ips[0] = (unsigned long)text;
	g->ips[1] = (unsigned long)text + 32;
	return g;
}

static void guest_comes(struct kunit *test, struct guest *g)
{
	guard(mutex)(&ftrace_lock);
	KUNIT_EXPECT_NOT_ERR_OR_NULL(test, sites_add_region(g->mod, g->ips, 2));
}

static void guest_goes(struct guest *g)
{
	guard(mutex)(&ftrace_lock);
	filter_remove_text(g->ips[0], g->ips[1] + 1);
	sites_retire_range(g->ips[0], g->ips[1] + 1);
}

static bool listed(unsigned long ip)
{
	guard(mutex)(&ftrace_lock);
	return ops.filter && ip_set_has(ops.filter->only.sites, ip);
}

/* Text is freed and other text loaded in its place while an edit is in progress. */
static void text_that_came_instead(struct kunit *test)
{
	struct guest *g = make_guest(test);
	struct filter_edit *edit;

	guest_comes(test, g);
	KUNIT_EXPECT_EQ(test, ftrace_set_filter_ips(&ops, g->ips, 2, 0, 0), 0);
	edit = filter_edit_begin(&ops, 0);
	KUNIT_EXPECT_FALSE(test, IS_ERR(edit));
	guest_goes(g);
	guest_comes(test, g);
	KUNIT_EXPECT_EQ(test, filter_edit_word(edit, F_READ), 0);
	KUNIT_EXPECT_EQ(test, filter_edit_commit(edit), 0);
	KUNIT_EXPECT_TRUE(test, wants(test, F_READ));
	KUNIT_EXPECT_FALSE(test, listed(g->ips[0]));
	KUNIT_EXPECT_FALSE(test, listed(g->ips[1]));

	/* Sites added after the new text was loaded stay. */
	edit = filter_edit_begin(&ops, 0);
	KUNIT_EXPECT_FALSE(test, IS_ERR(edit));
	KUNIT_EXPECT_EQ(test, filter_edit_ips(edit, g->ips, 1, false), 0);
	guest_goes(g);
	guest_comes(test, g);
	KUNIT_EXPECT_EQ(test, filter_edit_ips(edit, g->ips + 1, 1, false), 0);
	KUNIT_EXPECT_EQ(test, filter_edit_commit(edit), 0);
	KUNIT_EXPECT_FALSE(test, listed(g->ips[0]));
	KUNIT_EXPECT_TRUE(test, listed(g->ips[1]));

	guest_goes(g);
	/* A reader of the regions may still use the made-up module. */
	synchronize_rcu();
}

/*
 * A side that has lost some functions with their module selects none, not all, when the
 * remaining ones are removed.
 */
static void taking_away_what_is_left(struct kunit *test)
{
	struct guest *g = make_guest(test);
	unsigned long ip = site_named(test, F_READ);
	struct filter_edit *edit;

	guest_comes(test, g);
	KUNIT_EXPECT_EQ(test, ftrace_set_filter_ips(&ops, g->ips, 2, 0, 0), 0);
	KUNIT_EXPECT_EQ(test, ftrace_set_filter_ip(&ops, ip, 0, 0), 0);
	edit = filter_edit_begin(&ops, 0);
	KUNIT_EXPECT_FALSE(test, IS_ERR(edit));
	guest_goes(g);
	/* Text without a listed function is freed afterwards. */
	guest_goes(g);
	KUNIT_EXPECT_EQ(test, ftrace_set_filter_ip(&ops, ip, 1, 0), 0);
	KUNIT_EXPECT_FALSE(test, wants(test, F_READ));
	KUNIT_EXPECT_FALSE(test, wants(test, F_WRITE));

	/* An edit that began before gives the same result. */
	KUNIT_EXPECT_EQ(test, filter_edit_ips(edit, &ip, 1, true), 0);
	KUNIT_EXPECT_EQ(test, filter_edit_commit(edit), 0);
	KUNIT_EXPECT_FALSE(test, wants(test, F_WRITE));

	KUNIT_EXPECT_EQ(test, ftrace_set_filter(&ops, NULL, 0, 1), 0);
	KUNIT_EXPECT_TRUE(test, wants(test, F_WRITE));
	KUNIT_EXPECT_EQ(test, ftrace_set_filter_ip(&ops, ip, 0, 0), 0);
	KUNIT_EXPECT_EQ(test, ftrace_set_filter_ip(&ops, ip, 1, 0), 0);
	KUNIT_EXPECT_TRUE(test, wants(test, F_WRITE));
	synchronize_rcu();
}

static void expect_pwrite(struct kunit *test, struct vfsmount *tracefs, const char *name)
{
	struct file *file = file_open_root_mnt(tracefs, name, O_WRONLY, 0);

	KUNIT_EXPECT_FALSE_MSG(test, IS_ERR(file), "%s cannot be opened", name);
	if (IS_ERR(file))
		return;
	KUNIT_EXPECT_TRUE_MSG(test, file->f_mode & FMODE_PWRITE, "%s", name);
	__fput_sync(file);
}

/* The filter files support pwrite(), which seq_file alone does not. */
static void writers_may_pwrite(struct kunit *test)
{
	struct file_system_type *type = get_fs_type("tracefs");
	struct vfsmount *tracefs;

	KUNIT_ASSERT_NOT_NULL(test, type);
	tracefs = kern_mount(type);
	put_filesystem(type);
	KUNIT_ASSERT_FALSE(test, IS_ERR(tracefs));
	expect_pwrite(test, tracefs, "set_ftrace_filter");
	expect_pwrite(test, tracefs, "set_ftrace_notrace");
	expect_pwrite(test, tracefs, "tracing_on");
	kern_unmount(tracefs);
}

static struct kunit_case filter_cases[] = {
	KUNIT_CASE(empty_means_all),
	KUNIT_CASE(only_and_append),
	KUNIT_CASE(except_wins),
	KUNIT_CASE(bang_takes_away),
	KUNIT_CASE(bad_words_change_nothing),
	KUNIT_CASE(empty_word_changes_nothing),
	KUNIT_CASE(line_numbers),
	KUNIT_CASE(words_for_modules),
	KUNIT_CASE(modules_without_a_name),
	KUNIT_CASE(settling_changes_nothing),
	KUNIT_CASE(by_address),
	KUNIT_CASE(empty_filter_is_freed),
	KUNIT_CASE(own_filter_is_kept),
	KUNIT_CASE(down_to_none),
	KUNIT_CASE(vanished_text_is_not_everything),
	KUNIT_CASE(text_that_came_instead),
	KUNIT_CASE(taking_away_what_is_left),
	KUNIT_CASE(writers_may_pwrite),
	{}
};

static int filter_suite_init(struct kunit_suite *suite)
{
	return ftrace_find_functions("vfs_*");
}

static struct kunit_suite filter_suite = {
	.name		= "ftrace_filter",
	.suite_init	= filter_suite_init,
	.init		= filter_test_init,
	.exit		= filter_test_exit,
	.test_cases	= filter_cases,
};

kunit_test_suite(filter_suite);
