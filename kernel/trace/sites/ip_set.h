/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sets of code addresses, and operations on them for filters (SPEC D5).
 *
 * A set does not change: an operation returns a new one. The exceptions, ip_set_cut_range()
 * and ip_set_keep(), use up their operand. The empty set
 * is NULL, so that clearing a filter cannot fail. A set has one owner, which frees it with
 * ip_set_free().
 */
#ifndef _KERNEL_TRACE_IP_SET_H
#define _KERNEL_TRACE_IP_SET_H

#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/types.h>

/**
 * struct ip_set - an immutable set of addresses
 * @nr: number of addresses, never 0
 * @ips: the addresses, ascending, without duplicates
 */
struct ip_set {
	unsigned int nr;
	unsigned long ips[] __counted_by(nr);
};

/**
 * struct ip_set_builder - collects addresses in any order
 * @set: the addresses in the order in which they were added, NULL while there are none
 * @room: number of addresses for which @set has memory
 *
 * A builder of zeroes is empty.
 */
struct ip_set_builder {
	struct ip_set *set;
	unsigned int room;
};

#define IP_SET_BUILDER_INIT	{ }

/**
 * ip_set_size() - get the number of addresses in a set
 * @s: the set, or NULL
 *
 * Context: any, while the set cannot be freed.
 * Return: the number; 0 for NULL.
 */
static inline unsigned int ip_set_size(const struct ip_set *s)
{
	return s ? s->nr : 0;
}

/**
 * ip_set_add() - add one address to a builder
 * @b: the builder
 * @ip: the address; may be in the builder already
 *
 * Context: may sleep.
 * Return: 0; -ENOMEM: the builder is as before.
 */
int ip_set_add(struct ip_set_builder *b, unsigned long ip);

/**
 * ip_set_finish() - turn the addresses in a builder into a set
 * @b: the builder, empty afterwards, also after an error
 *
 * Takes linear time if the addresses were added in ascending order.
 *
 * Context: may sleep.
 * Return: the set, NULL if the builder was empty, or ERR_PTR(-ENOMEM).
 */
struct ip_set *ip_set_finish(struct ip_set_builder *b);

/**
 * ip_set_drop() - discard the addresses in a builder
 * @b: the builder, empty afterwards
 *
 * Context: may sleep.
 */
void ip_set_drop(struct ip_set_builder *b);

/**
 * ip_set_from() - make a set from an array
 * @ips: addresses in any order, duplicates allowed
 * @nr: number of addresses
 *
 * Context: may sleep.
 * Return: the set, NULL if @nr is 0, or ERR_PTR(-ENOMEM).
 */
struct ip_set *ip_set_from(const unsigned long *ips, unsigned int nr);

/**
 * ip_set_union() - get the addresses that are in @a or in @b
 * @a: a set or NULL
 * @b: a set or NULL
 *
 * Takes linear time in the sizes of the sets. The operands do not change.
 *
 * Context: may sleep.
 * Return: a new set, NULL for the empty one, or ERR_PTR(-ENOMEM).
 */
struct ip_set *ip_set_union(const struct ip_set *a, const struct ip_set *b);

/**
 * ip_set_minus() - get the addresses in @a that are not in @b
 * @a: a set or NULL
 * @b: a set or NULL
 *
 * Takes linear time in the sizes of the sets. The operands do not change.
 *
 * Context: may sleep.
 * Return: a new set, NULL for the empty one, or ERR_PTR(-ENOMEM).
 */
struct ip_set *ip_set_minus(const struct ip_set *a, const struct ip_set *b);

/**
 * ip_set_cut_range() - remove a range of text from a set in place
 * @a: a set or NULL; used up
 * @start: first address of the range
 * @end: address after the range
 *
 * Cannot fail. For text that is about to be freed.
 *
 * Context: no other code may be reading @a.
 * Return: the remaining set, in the memory of @a; NULL if it is empty, and @a was freed.
 */
struct ip_set *ip_set_cut_range(struct ip_set *a, unsigned long start,
				unsigned long end);

/**
 * ip_set_keep() - remove addresses from a set in place by a predicate
 * @a: a set or NULL, or the unordered addresses of a builder; used up
 * @keep: called for each address; returns true if the address stays
 * @arg: passed to @keep
 *
 * Cannot fail.
 *
 * Context: no other code may be reading @a; as @keep requires.
 * Return: the remaining set, in the memory of @a; NULL if it is empty, and @a was freed.
 */
struct ip_set *ip_set_keep(struct ip_set *a,
			   bool (*keep)(unsigned long ip, unsigned long arg),
			   unsigned long arg);

/**
 * ip_set_copy() - copy a set
 * @a: a set or NULL
 *
 * Context: may sleep.
 * Return: a new set, NULL for the empty one, or ERR_PTR(-ENOMEM).
 */
struct ip_set *ip_set_copy(const struct ip_set *a);

/**
 * ip_set_has() - check whether an address is in a set
 * @s: a set or NULL
 * @ip: the address
 *
 * Context: any, while the set cannot be freed.
 * Return: true if it is.
 */
bool ip_set_has(const struct ip_set *s, unsigned long ip);

/**
 * ip_set_equal() - check whether two sets have the same addresses
 * @a: a set or NULL
 * @b: a set or NULL
 *
 * Context: any, while the sets cannot be freed.
 * Return: true if they have.
 */
bool ip_set_equal(const struct ip_set *a, const struct ip_set *b);

/**
 * ip_set_free() - free a set
 * @s: a set, NULL or an ERR_PTR()
 *
 * Context: any but NMI; no other code may be reading @s.
 */
void ip_set_free(const struct ip_set *s);

DEFINE_FREE(ip_set, const struct ip_set *, ip_set_free(_T))

#endif /* _KERNEL_TRACE_IP_SET_H */
