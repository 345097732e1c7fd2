/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sets of code addresses, and the algebra filters are made of (D5).
 *
 * A set never changes once made: an operation returns a new one. The empty set
 * is NULL, so that "is there a filter at all" is a pointer test and clearing a
 * filter cannot fail. Sets have one owner, who frees them with ip_set_free().
 */
#ifndef _KERNEL_TRACE_IP_SET_H
#define _KERNEL_TRACE_IP_SET_H

#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/types.h>

/**
 * struct ip_set - an immutable set of addresses
 * @nr: number of addresses, never 0
 * @ips: the addresses, ascending, no two alike
 */
struct ip_set {
	unsigned int nr;
	unsigned long ips[] __counted_by(nr);
};

/**
 * struct ip_set_builder - collects addresses in any order
 * @set: the addresses as they came, NULL while there are none
 * @room: number of addresses @set has memory for
 *
 * All zero is an empty builder.
 */
struct ip_set_builder {
	struct ip_set *set;
	unsigned int room;
};

#define IP_SET_BUILDER_INIT	{ }

/**
 * ip_set_size() - number of addresses in a set
 * @s: the set, or NULL
 *
 * Context: any, while the set cannot go.
 */
static inline unsigned int ip_set_size(const struct ip_set *s)
{
	return s ? s->nr : 0;
}

/**
 * ip_set_add() - note one address
 * @b: the builder
 * @ip: the address; the same one may be noted twice
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM, when the builder is as before.
 */
int ip_set_add(struct ip_set_builder *b, unsigned long ip);

/**
 * ip_set_finish() - turn what was collected into a set
 * @b: the builder, empty afterwards whatever is returned
 *
 * Takes linear time when the addresses came in ascending order.
 *
 * Context: may sleep.
 * Return: the set, NULL if nothing was collected, or ERR_PTR(-ENOMEM).
 */
struct ip_set *ip_set_finish(struct ip_set_builder *b);

/**
 * ip_set_drop() - forget what was collected
 * @b: the builder, empty afterwards
 *
 * Context: may sleep.
 */
void ip_set_drop(struct ip_set_builder *b);

/**
 * ip_set_from() - make a set of an array
 * @ips: addresses in any order, duplicates allowed
 * @nr: number of addresses
 *
 * Context: may sleep.
 * Return: the set, NULL if @nr is 0, or ERR_PTR(-ENOMEM).
 */
struct ip_set *ip_set_from(const unsigned long *ips, unsigned int nr);

/**
 * ip_set_union() - addresses in @a or in @b
 * @a: a set or NULL
 * @b: a set or NULL
 *
 * Linear in the sizes, as are all the operations below. The operands stay with
 * their owner.
 *
 * Context: may sleep.
 * Return: a new set, NULL for the empty one, or ERR_PTR(-ENOMEM).
 */
struct ip_set *ip_set_union(const struct ip_set *a, const struct ip_set *b);

/**
 * ip_set_minus() - addresses in @a that are not in @b
 * @a: a set or NULL
 * @b: a set or NULL
 *
 * Context: may sleep.
 * Return: as ip_set_union().
 */
struct ip_set *ip_set_minus(const struct ip_set *a, const struct ip_set *b);

/**
 * ip_set_common() - addresses in both @a and @b
 * @a: a set or NULL
 * @b: a set or NULL
 *
 * Context: may sleep.
 * Return: as ip_set_union().
 */
struct ip_set *ip_set_common(const struct ip_set *a, const struct ip_set *b);

/**
 * ip_set_without_range() - addresses in @a outside of a stretch of text
 * @a: a set or NULL
 * @start: first address of the stretch
 * @end: the address behind it
 *
 * Context: may sleep.
 * Return: as ip_set_union().
 */
struct ip_set *ip_set_without_range(const struct ip_set *a,
				    unsigned long start, unsigned long end);

/**
 * ip_set_cut_range() - take a stretch of text out of a set its caller owns
 * @a: a set or NULL; used up
 * @start: first address of the stretch
 * @end: the address behind it
 *
 * For text that is about to vanish, where failing is not an option.
 *
 * Context: nobody else may be looking at @a.
 * Return: the set that is left (the same memory), or NULL, when @a was freed.
 */
struct ip_set *ip_set_cut_range(struct ip_set *a, unsigned long start,
				unsigned long end);

/**
 * ip_set_keep() - take out of a set what a function does not want kept
 * @a: a set or NULL; used up
 * @keep: asked for each address
 * @arg: passed to @keep
 *
 * Cannot fail. Also for what a builder has collected, in whatever order.
 *
 * Context: nobody else may be looking at @a.
 * Return: the set that is left (the same memory), or NULL, when @a was freed.
 */
struct ip_set *ip_set_keep(struct ip_set *a,
			   bool (*keep)(unsigned long ip, unsigned long arg),
			   unsigned long arg);

/**
 * ip_set_copy() - a second set with the same addresses
 * @a: a set or NULL
 *
 * Context: may sleep.
 * Return: as ip_set_union().
 */
struct ip_set *ip_set_copy(const struct ip_set *a);

/**
 * ip_set_has() - is an address in the set?
 * @s: a set or NULL
 * @ip: the address
 *
 * Context: any, while the set cannot go.
 */
bool ip_set_has(const struct ip_set *s, unsigned long ip);

/**
 * ip_set_touches() - is an address of the set in a stretch of text?
 * @s: a set or NULL
 * @start: first address of the stretch
 * @end: the address behind it
 *
 * Context: any, while the set cannot go.
 */
bool ip_set_touches(const struct ip_set *s, unsigned long start,
		    unsigned long end);

/**
 * ip_set_equal() - have two sets the same addresses?
 * @a: a set or NULL
 * @b: a set or NULL
 *
 * Context: any, while the sets cannot go.
 */
bool ip_set_equal(const struct ip_set *a, const struct ip_set *b);

/**
 * ip_set_free() - free a set
 * @s: a set, NULL or an ERR_PTR()
 *
 * Context: not NMI; nobody may be looking at @s.
 */
void ip_set_free(const struct ip_set *s);

DEFINE_FREE(ip_set, const struct ip_set *, ip_set_free(_T))

#endif /* _KERNEL_TRACE_IP_SET_H */
