// SPDX-License-Identifier: GPL-2.0
/*
 * Building the table of names of a region for names.c.
 *
 * A table is built in one pass over the symbols, not by a search for each site:
 * each symbol claims the first site at or after it. The nearest symbol wins,
 * and of several symbols at one address the first, as in kallsyms. The names are stored
 * one after the other in the order of addresses; an index has the order of names.
 *
 * All functions run under ftrace_lock and may sleep.
 */
#include <linux/kallsyms.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/module_symbol.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>
#include <linux/unaligned.h>

#include "names.h"
#include "names_internal.h"

/* Average size of a name in bytes, so that the first pool usually suffices. */
#define POOL_PER_SITE	24

/**
 * struct name_claim - the best name found so far for a site
 * @name_off: offset of the name in the pool, or NO_NAME
 * @distance: distance in bytes of the site from the symbol
 */
struct name_claim {
	u32 name_off;
	u32 distance;
};

/**
 * struct name_build - a table that is being built
 * @r: the region
 * @claims: the claim of each site
 * @end: index after the last site whose text exists
 * @next: index of the first site that the walk has not passed; used for the core kernel
 *	only, whose symbols are visited in the order of addresses
 * @pool: the names so far
 * @used: number of bytes used in @pool
 * @room: size of @pool in bytes
 * @last: offset in @pool of the name that was added last
 * @nr_named: number of sites with a name
 */
struct name_build {
	const struct site_region *r;
	struct name_claim *claims;
	unsigned int end;
	unsigned int next;
	char *pool;
	size_t used;
	size_t room;
	u32 last;
	unsigned int nr_named;
};

/**
 * struct name_key - sort key of a name
 * @prefix: the first eight bytes of the name as a big-endian number
 * @index: index of the site
 */
struct name_key {
	u64 prefix;
	u32 index;
};

/**
 * struct name_sort - memory for sorting, which is too large for the stack
 * @start: for each value of a byte, position of the next key that has it
 * @nr: number of names
 * @keys: keys of the names
 * @tmp: target of a sorting pass, with room for @nr keys
 * @mem: memory of @keys and @tmp
 */
struct name_sort {
	u32 start[257];
	unsigned int nr;
	struct name_key *keys;
	struct name_key *tmp;
	struct name_key mem[];
};

static int names_pool_add(struct name_build *b, const char *name)
{
	size_t size = strlen(name) + 1;

	if (b->used + size > b->room) {
		size_t room = b->room + b->room / 2 + size;
		char *pool = room < NO_NAME ?
			     kvrealloc(b->pool, room, GFP_KERNEL) : NULL;

		if (!pool)
			return -ENOMEM;
		b->pool = pool;
		b->room = room;
	}

	b->last = b->used;
	memcpy(b->pool + b->used, name, size);
	b->used += size;
	return 0;
}

static int names_claim_site(struct name_build *b, unsigned int index, u32 distance,
			    const char *name)
{
	struct name_claim *claim = &b->claims[index];
	int err;

	if (distance >= claim->distance && claim->name_off != NO_NAME)
		return 0;
	/* Overwrite the name of the farther symbol if it is the last one in the pool. */
	if (claim->name_off != NO_NAME && claim->name_off == b->last)
		b->used = b->last;

	err = names_pool_add(b, name);
	if (err)
		return err;
	if (claim->name_off == NO_NAME)
		b->nr_named++;
	claim->name_off = b->last;
	claim->distance = distance;
	return 0;
}

/* Find the first site at or after a symbol. */
static unsigned int names_site_behind(struct name_build *b, unsigned long addr)
{
	if (b->r->mod)
		return sites_index_from(b->r, addr);

	while (b->next < b->end && site_ip(b->r, &b->r->sites[b->next]) < addr)
		b->next++;
	return b->next;
}

/* Called for each symbol. Return: 0 to continue, 1 to end the walk, -ENOMEM to fail it. */
static int names_note_symbol(void *data, const char *name, unsigned long addr)
{
	struct name_build *b = data;
	unsigned int i = names_site_behind(b, addr);
	unsigned long distance;

	if (i >= b->end)
		return !b->r->mod;
	if (!*name || is_mapping_symbol(name))
		return 0;
	if (site_has(&b->r->sites[i], SITE_RETIRED))
		return 0;

	distance = site_ip(b->r, &b->r->sites[i]) - addr;
	if (distance > SITE_MAX_DISTANCE)
		return 0;
	return names_claim_site(b, i, distance, name);
}

static int names_walk_symbols(struct name_build *b)
{
	int ret;

	if (b->r->mod)
		ret = module_kallsyms_on_each_symbol(module_name(b->r->mod),
						     names_note_symbol, b);
	else
		ret = kallsyms_on_each_symbol(names_note_symbol, b);
	return min(ret, 0);
}

/* Stable counting sort by one byte of the prefix, from @keys to @tmp, which are then swapped. */
static void names_sort_by_byte(struct name_sort *sort, unsigned int shift)
{
	u32 *start = sort->start;
	unsigned int i;

	memset(start, 0, sizeof(sort->start));
	for (i = 0; i < sort->nr; i++)
		start[(u8)(sort->keys[i].prefix >> shift) + 1]++;
	for (i = 1; i < 256; i++)
		start[i] += start[i - 1];
	for (i = 0; i < sort->nr; i++)
		sort->tmp[start[(u8)(sort->keys[i].prefix >> shift)]++] = sort->keys[i];
	swap(sort->keys, sort->tmp);
}

static int names_compare_keys(const void *a, const void *b, const void *priv)
{
	const struct name_key *x = a, *y = b;
	const struct site_names *n = priv;
	int diff = 0;

	/* The equal prefixes contain the whole names if they end with a NUL. */
	if ((u8)x->prefix)
		diff = strcmp(n->pool + n->name_off[x->index] + sizeof(u64),
			      n->pool + n->name_off[y->index] + sizeof(u64));
	return diff ?: (x->index > y->index) - (x->index < y->index);
}

/* Sort each run of keys with equal prefixes by the rest of the names. */
static void names_sort_runs(struct name_key *keys, unsigned int nr,
			    const struct site_names *n)
{
	unsigned int from, to;

	for (from = 0; from < nr; from = to) {
		for (to = from + 1; to < nr; to++)
			if (keys[to].prefix != keys[from].prefix)
				break;
		if (to - from > 1)
			sort_r(keys + from, to - from, sizeof(*keys), names_compare_keys,
			       NULL, n);
	}
}

static u64 name_prefix(const char *name)
{
	u8 bytes[sizeof(u64)] __nonstring;

	strtomem_pad(bytes, name, 0);
	return get_unaligned_be64(bytes);
}

static struct name_sort *name_sort_alloc(unsigned int nr)
{
	struct name_sort *sort;

	sort = kvmalloc(struct_size(sort, mem, 2 * (size_t)nr), GFP_KERNEL);
	if (!sort)
		return NULL;
	sort->nr = 0;
	sort->keys = sort->mem;
	sort->tmp = sort->mem + nr;
	return sort;
}

static int names_sort(struct site_names *n, unsigned int nr_sites)
{
	struct name_sort *sort = name_sort_alloc(n->nr_named);
	unsigned int i, shift;

	if (!sort)
		return -ENOMEM;
	for (i = 0; i < nr_sites; i++) {
		struct name_key *key = &sort->keys[sort->nr];

		if (n->name_off[i] == NO_NAME)
			continue;
		key->prefix = name_prefix(n->pool + n->name_off[i]);
		key->index = i;
		sort->nr++;
	}

	for (shift = 0; shift < 64; shift += 8)
		names_sort_by_byte(sort, shift);
	names_sort_runs(sort->keys, sort->nr, n);

	for (i = 0; i < sort->nr; i++)
		n->by_name[i] = sort->keys[i].index;
	kvfree(sort);
	return 0;
}

/* Copy the collected names to one block of memory, without the free room of the pool. */
static struct site_names *names_pack(const struct name_build *b)
{
	unsigned int i, nr = b->r->nr;
	struct site_names *n;
	size_t bytes;

	bytes = struct_size(n, mem, (size_t)nr + b->nr_named) + b->used;
	n = kvmalloc(bytes, GFP_KERNEL);
	if (!n)
		return NULL;

	n->nr_named = b->nr_named;
	n->nr_orphans = 0;
	n->bytes = bytes;
	n->name_off = n->mem;
	n->by_name = n->name_off + nr;
	n->pool = (char *)(n->by_name + b->nr_named);

	for (i = 0; i < nr; i++)
		n->name_off[i] = b->claims[i].name_off;
	if (b->used)
		memcpy(n->pool, b->pool, b->used);
	return n;
}

/*
 * Find the end of the sites whose text exists. Freed init text is behind all other text and
 * the data, so the walk over symbols can end before it.
 */
static unsigned int names_end_of_present(const struct site_region *r)
{
	unsigned int end = r->nr;

	while (end && site_has(&r->sites[end - 1], SITE_RETIRED))
		end--;
	return end;
}

static struct site_names *names_collect(struct name_build *b)
{
	struct site_names *n;

	b->end = names_end_of_present(b->r);
	memset(b->claims, 0xff, array_size(b->r->nr, sizeof(*b->claims)));
	if (names_walk_symbols(b))
		return NULL;

	n = names_pack(b);
	if (n && n->nr_named && names_sort(n, b->r->nr)) {
		kvfree(n);
		return NULL;
	}
	return n;
}

struct site_names *names_build(const struct site_region *r)
{
	struct name_build b = { .r = r, .last = NO_NAME };
	struct site_names *n = NULL;

	b.room = array_size(r->nr, POOL_PER_SITE);
	b.claims = kvmalloc_array(r->nr, sizeof(*b.claims), GFP_KERNEL);
	b.pool = kvmalloc(b.room, GFP_KERNEL);
	if (b.claims && b.pool)
		n = names_collect(&b);

	kvfree(b.pool);
	kvfree(b.claims);
	return n;
}
