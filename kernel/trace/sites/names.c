// SPDX-License-Identifier: GPL-2.0
/*
 * Names of call sites. Filters look up the sites of a name or pattern here, listings the
 * name of a site; both do so region by region.
 *
 * Decoded names take four times the memory of the sites, and are needed for
 * short times only: while filters are written and lists are read. They are therefore freed
 * some time after their last use, or when memory is short, and decoded again
 * on demand.
 *
 * All functions run under ftrace_lock, may sleep and must never be called from a
 * traced function or an interrupt.
 */
#include <linux/init.h>
#include <linux/jiffies.h>
#include <linux/kallsyms.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/shrinker.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include "names.h"
#include "names_internal.h"
#include "sites_internal.h"

/* Time after the last use of names until they are freed. */
#define NAMES_LINGER	(10 * HZ)

/* Changed under ftrace_lock. */
static unsigned long names_last_used;	/* time of the last names_get(), in jiffies */
static size_t names_held;		/* size in bytes of the names of all regions */
static unsigned long nr_decoded;	/* number of times that names of a region were decoded */

static void names_expire(struct work_struct *work);
static DECLARE_DELAYED_WORK(names_expire_work, names_expire);

/*
 * Retire the sites without a name, which belong to no function. A site that points to a set
 * must still be patched back; a later call retires it.
 */
static void names_retire_orphans(struct site_region *r)
{
	unsigned int i, left = 0;

	for (i = 0; i < r->nr; i++) {
		struct site *s = &r->sites[i];

		if (r->names->name_off[i] != NO_NAME || site_has(s, SITE_RETIRED))
			continue;
		if (site_set_id(s))
			left++;
		else
			site_retire(r, s);
	}
	r->names->nr_orphans = left;
}

static int names_create(struct site_region *r)
{
	r->names = names_build(r);
	if (!r->names)
		return -ENOMEM;
	nr_decoded++;
	WRITE_ONCE(names_held, names_held + r->names->bytes);
	/* Filters of the command line are applied before there are workqueues. */
	if (system_unbound_wq)
		queue_delayed_work(system_unbound_wq, &names_expire_work, NAMES_LINGER);
	names_retire_orphans(r);
	return 0;
}

int names_get(struct site_region *r)
{
	lockdep_assert_held(&ftrace_lock);
	if (!r->live)
		return -EAGAIN;

	names_last_used = jiffies;
	if (!r->names)
		return names_create(r);
	if (r->names->nr_orphans)
		names_retire_orphans(r);
	return 0;
}

const char *site_name(const struct site_region *r, unsigned int index)
{
	u32 off = r->names->name_off[index];

	return off == NO_NAME ? NULL : r->names->pool + off;
}

static const char *names_name_at(const struct site_region *r, unsigned int pos)
{
	return r->names->pool + r->names->name_off[r->names->by_name[pos]];
}

/* Find the first position from @lo to @hi where the first @len bytes of the name are >= @text. */
static unsigned int names_lower_bound_in(const struct site_region *r, const char *text,
					 size_t len, unsigned int lo, unsigned int hi)
{
	while (lo < hi) {
		unsigned int mid = lo + (hi - lo) / 2;

		if (strncmp(names_name_at(r, mid), text, len) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static unsigned int names_lower_bound(const struct site_region *r, const char *text, size_t len)
{
	return names_lower_bound_in(r, text, len, 0, r->names->nr_named);
}

/*
 * Find the first position where the name is >= @name. Looks at @hint first, then at positions that
 * are twice as far behind it each time: fast if callers look up names in ascending order.
 */
static unsigned int names_lower_bound_near(const struct site_region *r, const char *name,
					   unsigned int hint)
{
	unsigned int lo = hint, hi = hint, step = 1, nr = r->names->nr_named;

	if (hint && strcmp(names_name_at(r, hint - 1), name) >= 0)
		return names_lower_bound_in(r, name, KSYM_NAME_LEN, 0, hint);
	while (hi < nr && strcmp(names_name_at(r, hi), name) < 0) {
		lo = hi + 1;
		hi += step;
		step *= 2;
	}
	/* No name is longer than KSYM_NAME_LEN, so whole names are compared. */
	return names_lower_bound_in(r, name, KSYM_NAME_LEN, lo, min(hi, nr));
}

void names_find(const struct site_region *r, const char *name, unsigned int hint,
		unsigned int *first, unsigned int *count)
{
	unsigned int pos;

	lockdep_assert_held(&ftrace_lock);
	pos = names_lower_bound_near(r, name, min(hint, r->names->nr_named));
	*first = pos;
	while (pos < r->names->nr_named && !strcmp(names_name_at(r, pos), name))
		pos++;
	*count = pos - *first;
}

unsigned int names_at(const struct site_region *r, unsigned int pos)
{
	return r->names->by_name[pos];
}

/* Call @fn for a site that matches, unless it is unusable. */
static int names_call_usable(struct site_region *r, unsigned int index,
			     name_match_fn fn, void *data)
{
	return site_usable(&r->sites[index]) ? fn(r, index, data) : 0;
}

static int names_match_by_name(struct site_region *r, const struct name_glob *g,
			       name_match_fn fn, void *data)
{
	unsigned int pos = names_lower_bound(r, g->text, g->len);
	int ret;

	/* A name that equals @g->text is sorted before the longer ones that begin with it. */
	for (; pos < r->names->nr_named; pos++) {
		if (!name_glob_match(g, names_name_at(r, pos)))
			break;
		ret = names_call_usable(r, names_at(r, pos), fn, data);
		if (ret)
			return ret;
	}
	return 0;
}

static int names_match_by_address(struct site_region *r, const struct name_glob *g,
				  name_match_fn fn, void *data)
{
	unsigned int i;
	int ret;

	for (i = 0; i < r->nr; i++) {
		const char *name = site_name(r, i);

		if (!name || !name_glob_match(g, name))
			continue;
		ret = names_call_usable(r, i, fn, data);
		if (ret)
			return ret;
	}
	return 0;
}

int names_match(struct site_region *r, const struct name_glob *g,
		name_match_fn fn, void *data)
{
	lockdep_assert_held(&ftrace_lock);
	if (g->kind == GLOB_EXACT || g->kind == GLOB_PREFIX)
		return names_match_by_name(r, g, fn, data);
	return names_match_by_address(r, g, fn, data);
}

static struct site *names_nth_in_region(struct site_region *r, unsigned long *n)
{
	struct site *s;

	for (s = r->sites; s < sites_end(r); s++)
		if (site_usable(s) && site_name(r, site_index(r, s)) && !(*n)--)
			return s;
	return NULL;
}

struct site *names_nth(unsigned long n, struct site_region **region)
{
	struct site_region *r;

	lockdep_assert_held(&ftrace_lock);
	for_each_site_region(r) {
		/* A region that is not live has no names. */
		struct site *s = r->names ? names_nth_in_region(r, &n) : NULL;

		if (!s)
			continue;
		*region = r;
		return s;
	}
	return NULL;
}

size_t names_bytes(void)
{
	lockdep_assert_held(&ftrace_lock);
	return names_held;
}

unsigned long names_decoded(void)
{
	lockdep_assert_held(&ftrace_lock);
	return nr_decoded;
}

void names_drop(struct site_region *r)
{
	lockdep_assert_held(&ftrace_lock);
	if (!r->names)
		return;
	WRITE_ONCE(names_held, names_held - r->names->bytes);
	kvfree(r->names);
	r->names = NULL;
}

void names_drop_all(void)
{
	struct site_region *r;

	for_each_site_region(r)
		names_drop(r);
}

/* Free the names that were not used for NAMES_LINGER, or run again when that is over. */
static void names_expire(struct work_struct *work)
{
	unsigned long until;

	guard(mutex)(&ftrace_lock);
	until = names_last_used + NAMES_LINGER;
	if (time_before(jiffies, until))
		queue_delayed_work(system_unbound_wq, &names_expire_work, until - jiffies);
	else
		names_drop_all();
}

/* ------------------------------------------------------------------ */
/* Shrinker								*/

static unsigned long names_shrinker_count(struct shrinker *shrinker, struct shrink_control *sc)
{
	return READ_ONCE(names_held) >> PAGE_SHIFT ?: SHRINK_EMPTY;
}

/* Only try ftrace_lock: the task that reclaims memory may hold it and be using the names. */
static unsigned long names_shrinker_scan(struct shrinker *shrinker, struct shrink_control *sc)
{
	size_t held;

	if (!mutex_trylock(&ftrace_lock))
		return SHRINK_STOP;
	held = names_held;
	names_drop_all();
	mutex_unlock(&ftrace_lock);
	return held >> PAGE_SHIFT;
}

static void __init names_shrinker_init(void)
{
	struct shrinker *shrinker = shrinker_alloc(0, "ftrace-names");

	/* Without a shrinker, names_expire() still frees unused names. */
	if (!shrinker)
		return;
	shrinker->count_objects = names_shrinker_count;
	shrinker->scan_objects = names_shrinker_scan;
	shrinker_register(shrinker);
}

/* ------------------------------------------------------------------ */
/* Boot									*/

/*
 * Decode the names of the core kernel during boot: this retires the sites that belong to no
 * function, and filters that are set during startup do not have to wait for the names.
 */
static void names_build_core(struct work_struct *work)
{
	struct site_region *r;

	guard(mutex)(&ftrace_lock);
	for_each_site_region(r)
		if (!r->mod && names_get(r))
			pr_warn("ftrace: no memory for the names of functions yet\n");
}

static DECLARE_WORK(names_core_work, names_build_core);

static int __init names_core_init(void)
{
	names_shrinker_init();
	/* Also frees the names that were decoded for filters of the command line. */
	queue_delayed_work(system_unbound_wq, &names_expire_work, NAMES_LINGER);
	queue_work(system_unbound_wq, &names_core_work);
	return 0;
}
late_initcall(names_core_init);
