// SPDX-License-Identifier: GPL-2.0
/*
 * The table of call sites. ops/ and patch.c look up sites to patch,
 * names.c sites to name, and the breakpoint handler of the architecture
 * the site at an address, even in NMI context. Boot and the
 * module loader add regions.
 *
 * Writers hold ftrace_lock. Readers need no lock in any context: a new map replaces
 * the map of regions to add one, only the words of sites change in a listed region,
 * and removed memory is freed after its last reader, also
 * where RCU is not watching (lockless.h). Since traced functions look sites up,
 * the look-up must not call a function that can be traced.
 */
#include <linux/err.h>
#include <linux/gfp.h>
#include <linux/init.h>
#include <linux/kallsyms.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/overflow.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/sort.h>

#include "sites.h"
#include "sites_internal.h"

/* The part of the given addresses that belongs to a new region. */
enum text_part {
	PART_KERNEL,		/* all in the text of the core kernel, whose region is permanent */
	PART_ALL,		/* all */
	PART_MOD_TEXT,		/* those in the text of the module */
	PART_MOD_INIT,		/* those in the init text of the module */
};

/**
 * struct region_map - the regions, for readers without a lock
 * @lockless: frees the map after its last reader
 * @nr: number of entries
 * @at: for each region, in the order of addresses, the range that it covers and a pointer
 *	to it. Removing a region only clears the pointer, so that it cannot fail; the
 *	entry disappears with the new map when the next region is added.
 */
struct region_map {
	struct lockless lockless;
	unsigned int nr;
	struct {
		unsigned long base;
		unsigned long last;
		struct site_region *region;
	} at[] __counted_by(nr);
};

LIST_HEAD(site_regions);

static struct region_map __rcu *region_map;

/* Number of regions that were ever added; under ftrace_lock. */
static unsigned long regions_born;

/* Number of times that a site was retired or a region removed; under ftrace_lock. */
static unsigned long nr_losses;

/* Region of the core kernel. Most look-ups end in it, so it is tried before the map. */
static struct site_region *core_region;

/* Find a region that overlaps the range from @start to @end (inclusive). */
static struct site_region *region_overlapping(unsigned long start,
					      unsigned long end)
{
	/* Unchecked: callers may be in an NMI or have preemption off instead of holding a lock. */
	const struct region_map *map = rcu_dereference_raw(region_map);
	unsigned int lo = 0, hi = map ? map->nr : 0;

	while (lo < hi) {
		unsigned int mid = lo + (hi - lo) / 2;

		if (end < map->at[mid].base)
			hi = mid;
		else if (start > map->at[mid].last)
			lo = mid + 1;
		else
			return READ_ONCE(map->at[mid].region);
	}
	return NULL;
}

struct site_region *site_region_at(unsigned long ip)
{
	/* Pairs with smp_store_release() in region_set_core(). */
	struct site_region *core = READ_ONCE(core_region);

	if (core && ip - core->base <= core->last - core->base)
		return core;
	return region_overlapping(ip, ip);
}

/* Find the last site at or before @offset. There is one: the first site is at offset 0. */
static __always_inline struct site *site_before(const struct site_region *r,
						unsigned long offset)
{
	struct site *s = r->sites;
	unsigned int nr = r->nr;

	while (nr > 1) {
		unsigned int half = nr / 2;

		if (s[half].offset <= offset)
			s += half;
		nr -= half;
	}
	return s;
}

struct site *site_at(unsigned long ip, struct site_region **region)
{
	struct site_region *r = site_region_at(ip);
	struct site *s;

	if (!r)
		return NULL;
	s = site_before(r, ip - r->base);
	if (s->offset != ip - r->base)
		return NULL;
	if (region)
		*region = r;
	return s;
}

unsigned int sites_index_from(const struct site_region *r, unsigned long ip)
{
	const struct site *s;

	if (ip <= r->base)
		return 0;
	s = site_before(r, ip - r->base);
	return site_index(r, s) + (site_ip(r, s) < ip);
}

unsigned long sites_first_in(unsigned long start, unsigned long end)
{
	struct site_region *r = region_overlapping(start, end);
	unsigned int i;

	if (!r)
		return 0;
	for (i = sites_index_from(r, start); i < r->nr; i++) {
		unsigned long ip = site_ip(r, &r->sites[i]);

		if (ip > end)
			break;
		if (!site_has(&r->sites[i], SITE_RETIRED))
			return ip;
	}
	return 0;
}

static bool region_part_has(unsigned long addr, const struct module *mod,
			    enum text_part part)
{
	if (!addr)
		return false;

	switch (part) {
	case PART_MOD_TEXT:
		return within_module_core(addr, mod);
	case PART_MOD_INIT:
		return within_module_init(addr, mod);
	case PART_KERNEL:
		/* Drops entries that the build cleared (overridden functions), moved by KASLR. */
		return is_kernel_text(addr) || is_kernel_inittext(addr);
	default:
		return true;
	}
}

static struct site *region_alloc_sites(struct site_region *r, enum text_part part)
{
	r->bytes = array_size(r->nr, sizeof(struct site));

	/* Exact pages: rounding up to a power of two would waste memory for ever. */
	r->paged = part == PART_KERNEL;
	if (r->paged)
		return alloc_pages_exact(r->bytes, GFP_KERNEL);
	return kvmalloc(r->bytes, GFP_KERNEL);
}

static int site_compare_offsets(const void *a, const void *b)
{
	u32 x = ((const struct site *)a)->offset;
	u32 y = ((const struct site *)b)->offset;

	return (x > y) - (x < y);
}

/* Return: true if the addresses were in ascending order. */
static bool region_fill_sites(struct site_region *r, const unsigned long *addrs,
			      unsigned long nr, enum text_part part)
{
	struct site *s = r->sites;
	bool ascending = true;
	unsigned long i;

	for (i = 0; i < nr; i++) {
		if (!region_part_has(addrs[i], r->mod, part))
			continue;
		s->offset = addrs[i] - r->base;
		s->word = 0;
		if (s > r->sites && s[-1].offset >= s->offset)
			ascending = false;
		s++;
	}
	return ascending;
}

static void region_drop_duplicates(struct site_region *r)
{
	unsigned int i, nr = 1;

	for (i = 1; i < r->nr; i++)
		if (r->sites[i].offset != r->sites[nr - 1].offset)
			r->sites[nr++] = r->sites[i];
	r->nr = nr;
}

static void region_measure(struct site_region *r, const unsigned long *addrs,
			   unsigned long nr, enum text_part part)
{
	unsigned long i;

	r->base = ULONG_MAX;
	for (i = 0; i < nr; i++) {
		if (!region_part_has(addrs[i], r->mod, part))
			continue;
		r->base = min(r->base, addrs[i]);
		r->last = max(r->last, addrs[i]);
		r->nr++;
	}
}

/* Check against the list: the map may still have the entry of a removed region. */
static bool region_overlaps_listed(const struct site_region *r)
{
	const struct site_region *other;

	for_each_site_region(other)
		if (r->base <= other->last && other->base <= r->last)
			return true;
	return false;
}

static int region_collect_sites(struct site_region *r, const unsigned long *addrs,
				unsigned long nr, enum text_part part)
{
	if (r->last - r->base > U32_MAX)
		return -ERANGE;
	if (region_overlaps_listed(r))
		return -EEXIST;

	r->sites = region_alloc_sites(r, part);
	if (!r->sites)
		return -ENOMEM;

	if (!region_fill_sites(r, addrs, nr, part)) {
		sort(r->sites, r->nr, sizeof(r->sites[0]), site_compare_offsets, NULL);
		region_drop_duplicates(r);
	}
	return 0;
}

/* Create an unpublished region; NULL if it would be empty. */
static struct site_region *region_create(struct module *mod,
					 const unsigned long *addrs,
					 unsigned long nr, enum text_part part)
{
	struct site_region *r = kzalloc(sizeof(*r), GFP_KERNEL);
	int err;

	if (!r)
		return ERR_PTR(-ENOMEM);

	r->mod = mod;
	region_measure(r, addrs, nr, part);
	err = r->nr ? region_collect_sites(r, addrs, nr, part) : 0;
	if (err || !r->nr) {
		kfree(r);
		return ERR_PTR(err);
	}
	return r;
}

void region_free(struct site_region *r)
{
	if (!r)
		return;
	if (r->paged)
		free_pages_exact(r->sites, r->bytes);
	else
		kvfree(r->sites);
	kfree(r);
}

static void region_free_late(struct lockless *dead)
{
	region_free(container_of(dead, struct site_region, lockless));
}

static void region_map_free_late(struct lockless *dead)
{
	kvfree(container_of(dead, struct region_map, lockless));
}

static void region_list_add(struct site_region *r)
{
	struct list_head *next;

	r->born = ++regions_born;
	list_for_each(next, &site_regions)
		if (list_entry(next, struct site_region, node)->base > r->base)
			break;
	list_add_tail_rcu(&r->node, next);
}

static void region_map_publish(struct region_map *map)
{
	struct region_map *old;
	struct site_region *r;
	unsigned int i = 0;

	for_each_site_region(r) {
		map->at[i].base = r->base;
		map->at[i].last = r->last;
		map->at[i++].region = r;
	}
	map->nr = i;

	old = rcu_replace_pointer(region_map, map,
				  lockdep_is_held(&ftrace_lock));
	if (old)
		lockless_free(&old->lockless, region_map_free_late);
}

static struct region_map *region_map_alloc(unsigned int more)
{
	unsigned int room = list_count_nodes(&site_regions) + more;
	struct region_map *map = kvzalloc(struct_size(map, at, room), GFP_KERNEL);

	if (map)
		map->nr = room;
	return map;
}

/* Publish both regions or none. Either may be NULL. */
static int region_publish_pair(struct site_region *a, struct site_region *b)
{
	struct region_map *map;

	if (!a && !b)
		return 0;
	map = region_map_alloc(2);
	if (!map)
		return -ENOMEM;
	if (a)
		region_list_add(a);
	if (b)
		region_list_add(b);
	region_map_publish(map);
	return 0;
}

static void region_set_core(struct site_region *r)
{
	/* Pairs with the address dependency in site_region_at(). */
	smp_store_release(&core_region, r);
}

struct site_region *region_core(void)
{
	lockdep_assert_held(&ftrace_lock);
	return core_region;
}

int region_publish(struct site_region *r, struct site_region *old)
{
	struct region_map *map = region_map_alloc(1);

	if (!map)
		return -ENOMEM;
	if (old) {
		r->born = old->born;
		list_replace_rcu(&old->node, &r->node);
	} else {
		region_list_add(r);
	}
	region_map_publish(map);
	if (!r->mod)
		region_set_core(r);
	if (old)
		lockless_free(&old->lockless, region_free_late);
	return 0;
}

struct site_region *sites_add_region(struct module *mod,
				     const unsigned long *addrs,
				     unsigned long nr)
{
	struct site_region *r;
	int err;

	lockdep_assert_held(&ftrace_lock);
	r = region_create(mod, addrs, nr, PART_ALL);
	if (IS_ERR(r))
		return r;
	err = region_publish_pair(r, NULL);
	if (err) {
		region_free(r);
		return ERR_PTR(err);
	}
	return r;
}

int sites_add_module(struct module *mod, const unsigned long *addrs,
		     unsigned long nr)
{
	struct site_region *text, *init;
	unsigned int total;
	int err;

	lockdep_assert_held(&ftrace_lock);
	text = region_create(mod, addrs, nr, PART_MOD_TEXT);
	if (IS_ERR(text))
		return PTR_ERR(text);
	init = region_create(mod, addrs, nr, PART_MOD_INIT);
	if (IS_ERR(init)) {
		region_free(text);
		return PTR_ERR(init);
	}

	total = (text ? text->nr : 0) + (init ? init->nr : 0);
	err = region_publish_pair(text, init);
	if (err) {
		region_free(text);
		region_free(init);
		return err;
	}
	return total;
}

int __init sites_init_core(const unsigned long *start,
			   const unsigned long *stop)
{
	struct site_region *r;
	int err;

	guard(mutex)(&ftrace_lock);
	r = region_create(NULL, start, stop - start, PART_KERNEL);
	if (IS_ERR_OR_NULL(r))
		return PTR_ERR(r);

	r->live = true;
	err = region_publish_pair(r, NULL);
	if (err) {
		region_free(r);
		return err;
	}
	region_set_core(r);
	return r->nr;
}

static void region_unmap(const struct site_region *r)
{
	struct region_map *map;
	unsigned int i;

	map = rcu_dereference_protected(region_map,
					lockdep_is_held(&ftrace_lock));
	for (i = 0; i < map->nr; i++)
		if (map->at[i].region == r)
			WRITE_ONCE(map->at[i].region, NULL);
}

void region_unlist(struct site_region *r)
{
	lockdep_assert_held(&ftrace_lock);
	nr_losses++;
	region_unmap(r);
	list_del_rcu(&r->node);
	lockless_free(&r->lockless, region_free_late);
}

void sites_set_live(struct module *mod)
{
	struct site_region *r;

	lockdep_assert_held(&ftrace_lock);
	for_each_site_region(r)
		if (r->mod == mod)
			r->live = true;
}

void site_retire(struct site_region *r, struct site *s)
{
	lockdep_assert_held(&ftrace_lock);
	if (site_has(s, SITE_RETIRED))
		return;
	site_mark(s, SITE_RETIRED);
	r->nr_retired++;
	nr_losses++;
}

unsigned long sites_latest(void)
{
	lockdep_assert_held(&ftrace_lock);
	return regions_born;
}

unsigned long sites_losses(void)
{
	lockdep_assert_held(&ftrace_lock);
	return nr_losses;
}
