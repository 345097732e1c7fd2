/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Description of a dispatch set by another set and the ops that are added or removed, for
 * dispatch.c only.
 */
#ifndef _KERNEL_TRACE_DISPATCH_CHANGE_H
#define _KERNEL_TRACE_DISPATCH_CHANGE_H

#include <linux/types.h>

struct dispatch_set;
struct ftrace_ops;

/**
 * struct set_change - a set described by its difference to another set
 * @base: the other set, NULL for the empty set
 * @plus: ops to add; some may be in @base already
 * @nr_plus: number of ops in @plus
 * @minus: ops to remove; some may not be in @base
 * @nr_minus: number of ops in @minus
 * @nr: number of ops in the described set; valid after change_measure()
 * @direct: address that the described set calls directly, or 0; valid after change_measure()
 * @key: sum of the addresses of these ops and of @direct, the hash key of the set; valid after
 *	change_measure()
 *
 * @plus and @minus have the order of &ftrace_ops.seq, as the ops of a set. One of the two
 * is empty.
 */
struct set_change {
	const struct dispatch_set	*base;
	struct ftrace_ops *const	*plus;
	unsigned int			nr_plus;
	struct ftrace_ops *const	*minus;
	unsigned int			nr_minus;
	unsigned int			nr;
	unsigned long			direct;
	unsigned long			key;
};

/**
 * change_measure() - compute &set_change.nr and &set_change.key
 * @c: the change, with all other members filled in
 *
 * Context: ftrace_lock held.
 */
void change_measure(struct set_change *c);

/**
 * change_is_empty() - check whether the described set equals its base
 * @c: the change, after change_measure()
 *
 * Context: ftrace_lock held.
 * Return: true if the change adds and removes nothing.
 */
bool change_is_empty(const struct set_change *c);

/**
 * change_has_conflict() - check whether ops of the described set exclude each other
 * @c: the change
 *
 * Context: ftrace_lock held.
 * Return: true if two ops have FTRACE_OPS_FL_IPMODIFY, or two have FTRACE_OPS_FL_DIRECT.
 */
bool change_has_conflict(const struct set_change *c);

/**
 * change_matches() - check whether a set is exactly the described set
 * @c: the change, after change_measure()
 * @set: the set
 *
 * Context: ftrace_lock held.
 *
 * Return: true if it has the same ops and calls the same address directly; false also if @set is
 * outdated.
 */
bool change_matches(const struct set_change *c, const struct dispatch_set *set);

/**
 * change_fill() - fill in the ops, the flags, the direct call and the key of the described set
 * @c: the change, after change_measure()
 * @set: the new set, with room for &set_change.nr ops
 *
 * Context: ftrace_lock held.
 */
void change_fill(const struct set_change *c, struct dispatch_set *set);

#endif /* _KERNEL_TRACE_DISPATCH_CHANGE_H */
