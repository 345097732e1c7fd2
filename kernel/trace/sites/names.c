// SPDX-License-Identifier: GPL-2.0
/*
 * Names of call sites. Filters turn what users type into sites here, listings
 * turn sites into names; both ask per region.
 *
 * Decoded names take four times the memory of the sites, and are wanted for
 * moments: while filters are written and lists are read. So they are given back
 * some time after their last use, or when memory runs short, and decoded again
 * when somebody asks.
 *
 * Everything here runs under ftrace_lock, may sleep and is never called from a
 * traced function or an interrupt.
 */
#include <linux/init.h>
#include <linux/jiffies.h>
#include <linux/kallsyms.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/shrinker.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include "names.h"
#include "names_internal.h"

/* How long names stay after their last use. */
#define NAMES_LINGER	(10 * HZ)

/*
 * When names were last asked for, what they take, and how often they were
 * decoded. Changed under ftrace_lock.
 */
static unsigned long names_used;
static size_t names_held;
static unsigned long nr_decoded;

static void rest_names(struct work_struct *work);
static DECLARE_DELAYED_WORK(rest_work, rest_names);

/*
 * A site without a name is not a function's. One that points to a set keeps
 * what it has, so that it can be patched back, until a later call.
 */
static void retire_orphans(struct site_region *r)
{
	unsigned int i, left = 0;

	for (i = 0; i < r->nr; i++) {
		struct site *s = &r->sites[i];

		if (r->names->name_off[i] != NO_NAME || site_has(s, SITE_GONE))
			continue;
		if (site_set_id(s))
			left++;
		else
			site_retire(r, s);
	}
	r->names->nr_orphans = left;
}

static int names_make(struct site_region *r)
{
	r->names = names_build(r);
	if (!r->names)
		return -ENOMEM;
	nr_decoded++;
	WRITE_ONCE(names_held, names_held + r->names->bytes);
	/* What the command line asks for comes before there are workqueues. */
	if (system_unbound_wq)
		queue_delayed_work(system_unbound_wq, &rest_work, NAMES_LINGER);
	retire_orphans(r);
	return 0;
}

int names_get(struct site_region *r)
{
	lockdep_assert_held(&ftrace_lock);
	if (!r->live)
		return -EAGAIN;

	names_used = jiffies;
	if (!r->names)
		return names_make(r);
	if (r->names->nr_orphans)
		retire_orphans(r);
	return 0;
}

const char *site_name(const struct site_region *r, unsigned int index)
{
	u32 off = r->names->name_off[index];

	return off == NO_NAME ? NULL : r->names->pool + off;
}

static const char *name_at(const struct site_region *r, unsigned int pos)
{
	return r->names->pool + r->names->name_off[r->names->by_name[pos]];
}

/* First position whose name's first @len bytes are not below @text. */
static unsigned int lower_bound(const struct site_region *r, const char *text,
				size_t len)
{
	unsigned int lo = 0, hi = r->names->nr_named;

	while (lo < hi) {
		unsigned int mid = lo + (hi - lo) / 2;

		if (strncmp(name_at(r, mid), text, len) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

void names_find(const struct site_region *r, const char *name,
		unsigned int *first, unsigned int *count)
{
	unsigned int pos;

	lockdep_assert_held(&ftrace_lock);
	/* More than any name has: all of it is compared. */
	pos = lower_bound(r, name, KSYM_NAME_LEN);
	*first = pos;
	while (pos < r->names->nr_named && !strcmp(name_at(r, pos), name))
		pos++;
	*count = pos - *first;
}

unsigned int names_at(const struct site_region *r, unsigned int pos)
{
	return r->names->by_name[pos];
}

static int match_one(struct site_region *r, unsigned int index,
		     name_match_fn fn, void *data)
{
	return site_usable(&r->sites[index]) ? fn(r, index, data) : 0;
}

static int match_by_name(struct site_region *r, const struct name_glob *g,
			 name_match_fn fn, void *data)
{
	unsigned int pos = lower_bound(r, g->text, g->len);
	int ret;

	/* An exact name comes first among those it is a prefix of. */
	for (; pos < r->names->nr_named; pos++) {
		if (!name_glob_match(g, name_at(r, pos)))
			break;
		ret = match_one(r, names_at(r, pos), fn, data);
		if (ret)
			return ret;
	}
	return 0;
}

static int match_by_address(struct site_region *r, const struct name_glob *g,
			    name_match_fn fn, void *data)
{
	unsigned int i;
	int ret;

	for (i = 0; i < r->nr; i++) {
		const char *name = site_name(r, i);

		if (!name || !name_glob_match(g, name))
			continue;
		ret = match_one(r, i, fn, data);
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
		return match_by_name(r, g, fn, data);
	return match_by_address(r, g, fn, data);
}

static struct site *nth_in_region(struct site_region *r, unsigned long *n)
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
		/* Those that are not live have none. */
		struct site *s = r->names ? nth_in_region(r, &n) : NULL;

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

/* Runs as long as there are names, and looks when they were last asked for. */
static void rest_names(struct work_struct *work)
{
	unsigned long until;

	guard(mutex)(&ftrace_lock);
	until = names_used + NAMES_LINGER;
	if (time_before(jiffies, until))
		queue_delayed_work(system_unbound_wq, &rest_work, until - jiffies);
	else
		names_drop_all();
}

/* ------------------------------------------------------------------ */
/* When memory runs short						*/

static unsigned long count_names(struct shrinker *shrinker, struct shrink_control *sc)
{
	return READ_ONCE(names_held) >> PAGE_SHIFT ?: SHRINK_EMPTY;
}

/* Who runs short of memory may hold ftrace_lock, and be using the names. */
static unsigned long scan_names(struct shrinker *shrinker, struct shrink_control *sc)
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

	/* Without it, they stay until they have not been used for a while. */
	if (!shrinker)
		return;
	shrinker->count_objects = count_names;
	shrinker->scan_objects = scan_names;
	shrinker_register(shrinker);
}

/* ------------------------------------------------------------------ */
/* Boot									*/

/*
 * Decoding them finds the sites that are no functions, and who sets filters
 * while the system comes up does not have to wait.
 */
static void build_core_names(struct work_struct *work)
{
	struct site_region *r;

	guard(mutex)(&ftrace_lock);
	for_each_site_region(r)
		if (!r->mod && names_get(r))
			pr_warn("ftrace: no memory for the names of functions yet\n");
}

static DECLARE_WORK(core_names_work, build_core_names);

static int __init core_names_init(void)
{
	names_shrinker_init();
	/* What was decoded for the command line is given back as well. */
	queue_delayed_work(system_unbound_wq, &rest_work, NAMES_LINGER);
	queue_work(system_unbound_wq, &core_names_work);
	return 0;
}
late_initcall(core_names_init);
