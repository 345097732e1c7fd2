/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Operations on sets of code addresses that only the tests of this room use.
 */
#ifndef _KERNEL_TRACE_IP_SET_INTERNAL_H
#define _KERNEL_TRACE_IP_SET_INTERNAL_H

#include <linux/types.h>

struct ip_set;

/**
 * ip_set_common() - get the addresses that are in both @a and @b
 * @a: a set or NULL
 * @b: a set or NULL
 *
 * Takes linear time in the sizes of the sets. The operands do not change.
 *
 * Context: may sleep.
 * Return: a new set, NULL for the empty one, or ERR_PTR(-ENOMEM).
 */
struct ip_set *ip_set_common(const struct ip_set *a, const struct ip_set *b);

/**
 * ip_set_without_range() - get the addresses in @a outside of a range of text
 * @a: a set or NULL; does not change
 * @start: first address of the range
 * @end: address after the range
 *
 * Context: may sleep.
 * Return: a new set, NULL for the empty one, or ERR_PTR(-ENOMEM).
 */
struct ip_set *ip_set_without_range(const struct ip_set *a,
				    unsigned long start, unsigned long end);

/**
 * ip_set_touches() - check whether a set has an address in a range of text
 * @s: a set or NULL
 * @start: first address of the range
 * @end: address after the range
 *
 * Context: any, while the set cannot be freed.
 * Return: true if it has one.
 */
bool ip_set_touches(const struct ip_set *s, unsigned long start,
		    unsigned long end);

#endif /* _KERNEL_TRACE_IP_SET_INTERNAL_H */
