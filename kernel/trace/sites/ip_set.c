// SPDX-License-Identifier: GPL-2.0
/*
 * Sets of code addresses. Filters build them from words of users
 * and compute from them the sites to patch. Every operation walks its
 * operands in order; none knows what the addresses mean,
 * and none takes a lock.
 */
#include <linux/bits.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>

#include "ip_set.h"
#include "ip_set_internal.h"

/* Number of addresses that a builder has room for at first. */
#define BUILDER_ROOM	64

/* Flags of ip_set_merge(): the addresses that are in the result. */
enum {
	KEEP_A_ONLY	= 1,	/* addresses that are in the first set only */
	KEEP_B_ONLY	= 2,	/* addresses that are in the second set only */
	KEEP_COMMON	= 4,	/* addresses that are in both sets */
};

static struct ip_set *ip_set_alloc(unsigned int nr)
{
	struct ip_set *s = kvmalloc(struct_size(s, ips, nr), GFP_KERNEL);

	if (s)
		s->nr = nr;
	return s;
}

static int ip_set_grow(struct ip_set_builder *b)
{
	unsigned int room = b->set ? b->room + b->room / 2 : BUILDER_ROOM;
	struct ip_set *s;

	s = kvrealloc(b->set, struct_size(s, ips, room), GFP_KERNEL);
	if (!s)
		return -ENOMEM;
	if (!b->set)
		s->nr = 0;
	b->set = s;
	b->room = room;
	return 0;
}

int ip_set_add(struct ip_set_builder *b, unsigned long ip)
{
	if (!b->set || b->set->nr == b->room) {
		int err = ip_set_grow(b);

		if (err)
			return err;
	}

	b->set->nr++;
	b->set->ips[b->set->nr - 1] = ip;
	return 0;
}

static int ip_set_compare(const void *a, const void *b)
{
	unsigned long x = *(const unsigned long *)a;
	unsigned long y = *(const unsigned long *)b;

	return (x > y) - (x < y);
}

static bool ip_set_is_ascending(const struct ip_set *s)
{
	unsigned int i;

	for (i = 1; i < s->nr; i++)
		if (s->ips[i - 1] >= s->ips[i])
			return false;
	return true;
}

/* Number of bits of the addresses by which one pass sorts: the counts are on the stack. */
#define IP_SET_RADIX_BITS	6
#define IP_SET_RADIX	BIT(IP_SET_RADIX_BITS)

/* A pass of a radix sort: sort addresses, stably, by the IP_SET_RADIX_BITS bits from @shift on. */
static void ip_set_radix_pass(unsigned long *to, const unsigned long *from, unsigned int nr,
			      unsigned int shift)
{
	unsigned int begin[IP_SET_RADIX] = {}, at = 0, i, count;

	for (i = 0; i < nr; i++)
		begin[(from[i] >> shift) % IP_SET_RADIX]++;
	for (i = 0; i < IP_SET_RADIX; i++) {
		count = begin[i];
		begin[i] = at;
		at += count;
	}
	for (i = 0; i < nr; i++)
		to[begin[(from[i] >> shift) % IP_SET_RADIX]++] = from[i];
}

/* The bits in which addresses differ: those of text have many bits in common. */
static unsigned long ip_set_differing_bits(const struct ip_set *s)
{
	unsigned long differ = 0;

	for (unsigned int i = 1; i < s->nr; i++)
		differ |= s->ips[i] ^ s->ips[0];
	return differ;
}

/* A radix sort is ten times faster than sort() for many addresses. Return: false without memory. */
static bool ip_set_radix_sort(struct ip_set *s)
{
	unsigned long *tmp = kvmalloc_array(s->nr, sizeof(*tmp), GFP_KERNEL | __GFP_NOWARN);
	unsigned long *from = s->ips, *to = tmp, differ = ip_set_differing_bits(s);
	unsigned int shift = 0;

	if (!tmp)
		return false;
	for (; differ; differ >>= IP_SET_RADIX_BITS) {
		ip_set_radix_pass(to, from, s->nr, shift);
		shift += IP_SET_RADIX_BITS;
		swap(from, to);
	}
	if (from != s->ips)
		memcpy(s->ips, from, array_size(s->nr, sizeof(*from)));
	kvfree(tmp);
	return true;
}

/* From this number of addresses on, a radix sort pays. */
#define IP_SET_MANY	256

static void ip_set_sort(struct ip_set *s)
{
	unsigned int i, nr = 1;

	if (ip_set_is_ascending(s))
		return;

	if (s->nr < IP_SET_MANY || !ip_set_radix_sort(s))
		sort(s->ips, s->nr, sizeof(s->ips[0]), ip_set_compare, NULL);
	for (i = 1; i < s->nr; i++)
		if (s->ips[i] != s->ips[nr - 1])
			s->ips[nr++] = s->ips[i];
	s->nr = nr;
}

struct ip_set *ip_set_finish(struct ip_set_builder *b)
{
	struct ip_set *all = b->set, *s;

	b->set = NULL;
	b->room = 0;
	if (!all)
		return NULL;

	/* Copy the set: it may exist for long and should not keep the free room of the builder. */
	ip_set_sort(all);
	s = ip_set_copy(all);
	ip_set_free(all);
	return s;
}

void ip_set_drop(struct ip_set_builder *b)
{
	ip_set_free(b->set);
	b->set = NULL;
	b->room = 0;
}

struct ip_set *ip_set_from(const unsigned long *ips, unsigned int nr)
{
	struct ip_set *s;

	if (!nr)
		return NULL;
	s = ip_set_alloc(nr);
	if (!s)
		return ERR_PTR(-ENOMEM);

	memcpy(s->ips, ips, array_size(nr, sizeof(*ips)));
	ip_set_sort(s);
	return s;
}

struct ip_set *ip_set_copy(const struct ip_set *a)
{
	return a ? ip_set_from(a->ips, a->nr) : NULL;
}

/* Write the addresses selected by @keep to @out unless it is NULL. Return: their number. */
static unsigned int ip_set_merge(unsigned long *out, const struct ip_set *a,
				 const struct ip_set *b, unsigned int keep)
{
	unsigned int nr_a = ip_set_size(a), nr_b = ip_set_size(b);
	unsigned int i = 0, j = 0, nr = 0;

	while (i < nr_a || j < nr_b) {
		unsigned int from;
		unsigned long ip;

		if (j == nr_b || (i < nr_a && a->ips[i] < b->ips[j])) {
			from = KEEP_A_ONLY;
			ip = a->ips[i++];
		} else if (i == nr_a || b->ips[j] < a->ips[i]) {
			from = KEEP_B_ONLY;
			ip = b->ips[j++];
		} else {
			from = KEEP_COMMON;
			ip = a->ips[i++];
			j++;
		}

		if (!(keep & from))
			continue;
		if (out)
			out[nr] = ip;
		nr++;
	}
	return nr;
}

static struct ip_set *ip_set_combine(const struct ip_set *a, const struct ip_set *b,
				     unsigned int keep)
{
	unsigned int nr = ip_set_merge(NULL, a, b, keep);
	struct ip_set *s;

	if (!nr)
		return NULL;
	s = ip_set_alloc(nr);
	if (!s)
		return ERR_PTR(-ENOMEM);
	ip_set_merge(s->ips, a, b, keep);
	return s;
}

struct ip_set *ip_set_union(const struct ip_set *a, const struct ip_set *b)
{
	return ip_set_combine(a, b, KEEP_A_ONLY | KEEP_B_ONLY | KEEP_COMMON);
}

struct ip_set *ip_set_minus(const struct ip_set *a, const struct ip_set *b)
{
	return ip_set_combine(a, b, KEEP_A_ONLY);
}

struct ip_set *ip_set_common(const struct ip_set *a, const struct ip_set *b)
{
	return ip_set_combine(a, b, KEEP_COMMON);
}

/* Return: index of the first address at or after @ip, the size if there is none. */
static unsigned int ip_set_index_from(const struct ip_set *s, unsigned long ip)
{
	unsigned int lo = 0, hi = ip_set_size(s);

	while (lo < hi) {
		unsigned int mid = lo + (hi - lo) / 2;

		if (s->ips[mid] < ip)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

struct ip_set *ip_set_cut_range(struct ip_set *a, unsigned long start,
				unsigned long end)
{
	unsigned int first = ip_set_index_from(a, start);
	unsigned int behind = max(ip_set_index_from(a, end), first);

	if (first == behind)
		return a;
	if (behind - first == a->nr) {
		ip_set_free(a);
		return NULL;
	}

	memmove(&a->ips[first], &a->ips[behind],
		array_size(a->nr - behind, sizeof(a->ips[0])));
	a->nr -= behind - first;
	return a;
}

struct ip_set *ip_set_keep(struct ip_set *a,
			   bool (*keep)(unsigned long ip, unsigned long arg),
			   unsigned long arg)
{
	unsigned int i, nr = 0;

	for (i = 0; i < ip_set_size(a); i++)
		if (keep(a->ips[i], arg))
			a->ips[nr++] = a->ips[i];
	if (nr) {
		a->nr = nr;
		return a;
	}
	ip_set_free(a);
	return NULL;
}

struct ip_set *ip_set_without_range(const struct ip_set *a,
				    unsigned long start, unsigned long end)
{
	struct ip_set *s = ip_set_copy(a);

	return IS_ERR(s) ? s : ip_set_cut_range(s, start, end);
}

bool ip_set_has(const struct ip_set *s, unsigned long ip)
{
	unsigned int i = ip_set_index_from(s, ip);

	return i < ip_set_size(s) && s->ips[i] == ip;
}

bool ip_set_touches(const struct ip_set *s, unsigned long start,
		    unsigned long end)
{
	unsigned int i = ip_set_index_from(s, start);

	return i < ip_set_size(s) && s->ips[i] < end;
}

bool ip_set_equal(const struct ip_set *a, const struct ip_set *b)
{
	if (ip_set_size(a) != ip_set_size(b))
		return false;
	return !a || !memcmp(a->ips, b->ips,
			     array_size(a->nr, sizeof(a->ips[0])));
}

void ip_set_free(const struct ip_set *s)
{
	if (!IS_ERR(s))
		kvfree(s);
}
