/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A set of ops that is described by another one: who comes, and who is left out. Of dispatch.c.
 */
#ifndef _KERNEL_TRACE_DISPATCH_CHANGE_H
#define _KERNEL_TRACE_DISPATCH_CHANGE_H

#include <linux/types.h>

struct dispatch_set;
struct ftrace_ops;

/**
 * struct set_change - a set described by another one
 * @base: that one, NULL for the empty set
 * @plus: ops that are in it as well; some may be in @base
 * @nr_plus: how many
 * @minus: ops that are left out; some may not be in @base
 * @nr_minus: how many
 * @nr: how many ops the set has, from change_measure() on
 * @key: the sum of their addresses, by which the set is found, from change_measure() on
 *
 * The ops of an array stand in the order of &ftrace_ops.seq, as in a set. There is @plus, or
 * @minus, but not both.
 */
struct set_change {
	const struct dispatch_set	*base;
	struct ftrace_ops *const	*plus;
	unsigned int			nr_plus;
	struct ftrace_ops *const	*minus;
	unsigned int			nr_minus;
	unsigned int			nr;
	unsigned long			key;
};

/**
 * change_measure - find &set_change.nr and &set_change.key
 * @c: the change
 *
 * Context: ftrace_lock held.
 */
void change_measure(struct set_change *c);

/* Is the set that is described the one it is described by? Context: ftrace_lock held. */
bool change_is_none(const struct set_change *c);

/* Would two ops of it change where the function goes on? Context: ftrace_lock held. */
bool change_modifies_twice(const struct set_change *c);

/* Is @set what is described? Context: ftrace_lock held. */
bool change_makes(const struct set_change *c, const struct dispatch_set *set);

/**
 * change_fill - write down who is in a set that is described
 * @c: the change, measured
 * @set: its ops, for which there is room, and its flags are filled in
 *
 * Context: ftrace_lock held.
 */
void change_fill(const struct set_change *c, struct dispatch_set *set);

#endif /* _KERNEL_TRACE_DISPATCH_CHANGE_H */
