// SPDX-License-Identifier: GPL-2.0
/*
 * Walks the ops of a set that is described by a struct set_change. The ops of the base set and
 * the added and removed ops all have the order of &ftrace_ops.seq, so one walk merges them.
 */
#include <linux/ftrace.h>

#include "change.h"
#include "dispatch.h"

/**
 * struct set_cursor - position of a walk over the ops of a described set
 * @base: index of the next ops in &set_change.base
 * @plus: index of the next ops in &set_change.plus
 * @minus: index of the next ops in &set_change.minus
 */
struct set_cursor {
	unsigned int base;
	unsigned int plus;
	unsigned int minus;
};

static bool change_removes_ops(const struct set_change *c, struct set_cursor *at,
			       const struct ftrace_ops *ops)
{
	while (at->minus < c->nr_minus && c->minus[at->minus]->seq < ops->seq)
		at->minus++;
	if (at->minus == c->nr_minus || c->minus[at->minus] != ops)
		return false;
	at->minus++;
	return true;
}

/* Number of ops of a set, with that of its direct call, which is the last one. */
static unsigned int set_size(const struct dispatch_set *set)
{
	return set ? set->nr_ops + !!set->direct_ops : 0;
}

static struct ftrace_ops *set_nth(const struct dispatch_set *set, unsigned int n)
{
	return n < set->nr_ops ? set->ops[n] : set->direct_ops;
}

/* Return: the next ops of the base set that is not removed, or NULL. @at kept in front of it. */
static struct ftrace_ops *change_peek_base(const struct set_change *c, struct set_cursor *at)
{
	while (at->base < set_size(c->base)) {
		struct ftrace_ops *ops = set_nth(c->base, at->base);

		if (!change_removes_ops(c, at, ops))
			return ops;
		at->base++;
	}
	return NULL;
}

/* Return: the next ops of the described set, or NULL at its end. */
static struct ftrace_ops *change_next(const struct set_change *c, struct set_cursor *at)
{
	struct ftrace_ops *kept = change_peek_base(c, at);
	struct ftrace_ops *added = at->plus < c->nr_plus ? c->plus[at->plus] : NULL;

	if (kept && (!added || kept == added || kept->seq <= added->seq)) {
		at->base++;
		at->plus += kept == added;
		return kept;
	}
	at->plus++;
	return added;
}

void change_measure(struct set_change *c)
{
	struct set_cursor at = { };
	struct ftrace_ops *ops;

	c->nr = 0;
	c->direct = 0;
	c->key = 0;
	while ((ops = change_next(c, &at))) {
		c->nr++;
		c->key += (unsigned long)ops;
		if (ops->flags & FTRACE_OPS_FL_DIRECT)
			c->direct = ops->direct_call;
	}
	c->key += c->direct;
}

/* A change either adds or removes ops, so sets of the same size are the same set. */
bool change_is_empty(const struct set_change *c)
{
	return c->nr == set_size(c->base);
}

bool change_matches(const struct set_change *c, const struct dispatch_set *set)
{
	struct set_cursor at = { };

	if (set->outdated || set_size(set) != c->nr || set->direct != c->direct)
		return false;
	for (unsigned int i = 0; i < c->nr; i++)
		if (set_nth(set, i) != change_next(c, &at))
			return false;
	return true;
}

/* Flags of a set: SET_FLAGS of any of its ops; FTRACE_OPS_FL_ARGS_ONLY if all ops have it. */
static unsigned long set_add_flags(unsigned long flags, const struct ftrace_ops *ops)
{
	return ((flags | ops->flags) & SET_FLAGS) |
	       (flags & ops->flags & FTRACE_OPS_FL_ARGS_ONLY);
}

void change_fill(const struct set_change *c, struct dispatch_set *set)
{
	struct set_cursor at = { };

	set->key = c->key;
	set->direct = c->direct;
	set->nr_ops = c->nr - !!c->direct;
	set->flags = FTRACE_OPS_FL_ARGS_ONLY;
	for (unsigned int i = 0; i < set->nr_ops; i++) {
		set->ops[i] = change_next(c, &at);
		set->flags = set_add_flags(set->flags, set->ops[i]);
	}
	set->direct_ops = change_next(c, &at);
}

bool change_has_conflict(const struct set_change *c)
{
	unsigned int modifiers = 0, directs = 0;
	struct set_cursor at = { };
	struct ftrace_ops *ops;

	while ((ops = change_next(c, &at))) {
		modifiers += !!(ops->flags & FTRACE_OPS_FL_IPMODIFY);
		directs += !!(ops->flags & FTRACE_OPS_FL_DIRECT);
	}
	return modifiers > 1 || directs > 1;
}
