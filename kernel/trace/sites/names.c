// SPDX-License-Identifier: GPL-2.0
/*
 * Names of call sites. Filters turn what users type into sites here, listings
 * turn sites into names; both ask per region.
 *
 * A table is made in one pass over the symbols, not in one search per site:
 * each symbol claims the first site at or behind it, the nearest symbol wins,
 * and of several at one address the first, as in kallsyms. The names are kept
 * back to back in address order, with a second order, by name, beside.
 *
 * Everything here runs under ftrace_lock, may sleep and is never called from a
 * traced function or an interrupt.
 */
#include <linux/glob.h>
#include <linux/init.h>
#include <linux/kallsyms.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/module_symbol.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>
#include <linux/unaligned.h>
#include <linux/workqueue.h>

#include "names.h"

#define NO_NAME		U32_MAX

/* What a name takes on average, to start with a pool that will do. */
#define POOL_PER_SITE	24

/**
 * struct site_names - the names of a region, one block of memory
 * @nr_named: number of sites that have a name
 * @nr_orphans: sites without a name that could not be retired yet
 * @bytes: size of the whole
 * @name_off: per site, where its name starts in @pool, or NO_NAME
 * @by_name: indices of the sites that have a name, by name, then by address
 * @pool: the names, each with its NUL
 * @mem: what the pointers point into
 */
struct site_names {
	unsigned int nr_named;
	unsigned int nr_orphans;
	size_t bytes;
	u32 *name_off;
	u32 *by_name;
	char *pool;
	u32 mem[];
};

/* While the symbols go by: what a site knows of its name. */
struct name_claim {
	u32 name_off;
	u32 distance;
};

/**
 * struct name_build - a table in the making
 * @r: the region
 * @claims: per site
 * @next: core kernel only, whose symbols come in address order: the first
 *	site not yet passed
 * @pool: the names so far
 * @used: bytes used of @pool
 * @room: size of @pool
 * @last: where in @pool the latest name starts
 * @nr_named: number of sites with a name
 */
struct name_build {
	const struct site_region *r;
	struct name_claim *claims;
	unsigned int next;
	char *pool;
	size_t used;
	size_t room;
	u32 last;
	unsigned int nr_named;
};

/* A name in sortable form: its first eight bytes as a number. */
struct name_key {
	u64 prefix;
	u32 index;
};

static int pool_add(struct name_build *b, const char *name)
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

static int claim_site(struct name_build *b, unsigned int index, u32 distance,
		      const char *name)
{
	struct name_claim *claim = &b->claims[index];
	int err;

	if (distance >= claim->distance && claim->name_off != NO_NAME)
		return 0;
	/* A farther symbol's name, if it came just before, is overwritten. */
	if (claim->name_off != NO_NAME && claim->name_off == b->last)
		b->used = b->last;

	err = pool_add(b, name);
	if (err)
		return err;
	if (claim->name_off == NO_NAME)
		b->nr_named++;
	claim->name_off = b->last;
	claim->distance = distance;
	return 0;
}

static unsigned int site_behind(struct name_build *b, unsigned long addr)
{
	if (b->r->mod)
		return sites_index_from(b->r, addr);

	while (b->next < b->r->nr && site_ip(b->r, &b->r->sites[b->next]) < addr)
		b->next++;
	return b->next;
}

/* For each symbol: 0 goes on, 1 ends the walk, -ENOMEM fails it. */
static int note_symbol(void *data, const char *name, unsigned long addr)
{
	struct name_build *b = data;
	unsigned int i = site_behind(b, addr);
	unsigned long distance;

	if (i == b->r->nr)
		return !b->r->mod;
	if (!*name || is_mapping_symbol(name))
		return 0;
	if (site_has(&b->r->sites[i], SITE_GONE))
		return 0;

	distance = site_ip(b->r, &b->r->sites[i]) - addr;
	if (distance > SITE_MAX_DISTANCE)
		return 0;
	return claim_site(b, i, distance, name);
}

static int walk_symbols(struct name_build *b)
{
	int ret;

	if (b->r->mod)
		ret = module_kallsyms_on_each_symbol(b->r->mod->name,
						     note_symbol, b);
	else
		ret = kallsyms_on_each_symbol(note_symbol, b);
	return min(ret, 0);
}

/* One counting sort on a byte of the prefix; stable. */
static void sort_by_byte(struct name_key *to, const struct name_key *from,
			 unsigned int nr, unsigned int shift)
{
	u32 start[257] = { };
	unsigned int i;

	for (i = 0; i < nr; i++)
		start[(u8)(from[i].prefix >> shift) + 1]++;
	for (i = 1; i < 256; i++)
		start[i] += start[i - 1];
	for (i = 0; i < nr; i++)
		to[start[(u8)(from[i].prefix >> shift)]++] = from[i];
}

static int key_cmp(const void *a, const void *b, const void *priv)
{
	const struct name_key *x = a, *y = b;
	const struct site_names *n = priv;
	int diff = 0;

	/* Both names go on only if the prefix has no NUL at its end. */
	if ((u8)x->prefix)
		diff = strcmp(n->pool + n->name_off[x->index] + sizeof(u64),
			      n->pool + n->name_off[y->index] + sizeof(u64));
	return diff ?: (x->index > y->index) - (x->index < y->index);
}

/* The prefixes are in order: sort each run of equal ones by the rest. */
static void sort_runs(struct name_key *keys, unsigned int nr,
		      const struct site_names *n)
{
	unsigned int from, to;

	for (from = 0; from < nr; from = to) {
		for (to = from + 1; to < nr; to++)
			if (keys[to].prefix != keys[from].prefix)
				break;
		if (to - from > 1)
			sort_r(keys + from, to - from, sizeof(*keys), key_cmp,
			       NULL, n);
	}
}

static u64 name_prefix(const char *name)
{
	u8 bytes[sizeof(u64)] __nonstring;

	strtomem_pad(bytes, name, 0);
	return get_unaligned_be64(bytes);
}

static int order_names(struct site_names *n, unsigned int nr_sites)
{
	struct name_key *keys, *tmp;
	unsigned int i, nr = 0, shift;

	keys = kvmalloc_array(n->nr_named, 2 * sizeof(*keys), GFP_KERNEL);
	if (!keys)
		return -ENOMEM;
	tmp = keys + n->nr_named;

	for (i = 0; i < nr_sites; i++) {
		if (n->name_off[i] == NO_NAME)
			continue;
		keys[nr].prefix = name_prefix(n->pool + n->name_off[i]);
		keys[nr++].index = i;
	}

	for (shift = 0; shift < 64; shift += 16) {
		sort_by_byte(tmp, keys, nr, shift);
		sort_by_byte(keys, tmp, nr, shift + 8);
	}
	sort_runs(keys, nr, n);

	for (i = 0; i < nr; i++)
		n->by_name[i] = keys[i].index;
	kvfree(keys);
	return 0;
}

/* One block of what was collected, without what the pool has too much. */
static struct site_names *pack_names(const struct name_build *b)
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

static struct site_names *collect_names(struct name_build *b)
{
	struct site_names *n;

	memset(b->claims, 0xff, array_size(b->r->nr, sizeof(*b->claims)));
	if (walk_symbols(b))
		return NULL;

	n = pack_names(b);
	if (n && n->nr_named && order_names(n, b->r->nr)) {
		kvfree(n);
		return NULL;
	}
	return n;
}

static int names_build(struct site_region *r)
{
	struct name_build b = { .r = r, .last = NO_NAME };

	b.room = array_size(r->nr, POOL_PER_SITE);
	b.claims = kvmalloc_array(r->nr, sizeof(*b.claims), GFP_KERNEL);
	b.pool = kvmalloc(b.room, GFP_KERNEL);
	if (b.claims && b.pool)
		r->names = collect_names(&b);

	kvfree(b.pool);
	kvfree(b.claims);
	return r->names ? 0 : -ENOMEM;
}

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

int names_get(struct site_region *r)
{
	lockdep_assert_held(&ftrace_lock);
	if (!r->live)
		return -EAGAIN;

	if (!r->names) {
		int err = names_build(r);

		if (err)
			return err;
		retire_orphans(r);
	} else if (r->names->nr_orphans) {
		retire_orphans(r);
	}
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
	pos = lower_bound(r, name, SIZE_MAX);
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

void name_glob_parse(struct name_glob *g, const char *pattern)
{
	size_t len = strlen(pattern);
	bool head, tail, all;

	all = len && strspn(pattern, "*") == len;
	head = len && pattern[0] == '*';
	tail = len > 1 && pattern[len - 1] == '*';
	g->text = pattern + head;
	g->len = len - head - tail;

	if (all) {
		g->kind = GLOB_ALL;
	} else if (strcspn(g->text, "*?[\\") < g->len) {
		g->kind = GLOB_FULL;
		g->text = pattern;
		g->len = len;
	} else if (head) {
		g->kind = tail ? GLOB_MIDDLE : GLOB_SUFFIX;
	} else {
		g->kind = tail ? GLOB_PREFIX : GLOB_EXACT;
	}
}

static bool name_ends_with(const char *name, const char *text, size_t len)
{
	size_t size = strlen(name);

	return size >= len && !memcmp(name + size - len, text, len);
}

/* strstr() measures both strings first; most names lack even the first byte. */
static bool name_contains(const char *name, const char *text, size_t len)
{
	for (; (name = strchr(name, *text)); name++)
		if (!strncmp(name, text, len))
			return true;
	return false;
}

bool name_glob_match(const struct name_glob *g, const char *name)
{
	switch (g->kind) {
	case GLOB_ALL:
		return true;
	case GLOB_EXACT:
		return !strcmp(name, g->text);
	case GLOB_PREFIX:
		return !strncmp(name, g->text, g->len);
	case GLOB_SUFFIX:
		return name_ends_with(name, g->text, g->len);
	case GLOB_MIDDLE:
		return name_contains(name, g->text, g->len);
	case GLOB_FULL:
		return glob_match(g->text, name);
	}
	return false;
}

size_t names_bytes(void)
{
	struct site_region *r;
	size_t bytes = 0;

	lockdep_assert_held(&ftrace_lock);
	for_each_site_region(r)
		if (r->names)
			bytes += r->names->bytes;
	return bytes;
}

/* The first user should not have to wait for the core kernel's names. */
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
	queue_work(system_unbound_wq, &core_names_work);
	return 0;
}
late_initcall(core_names_init);
