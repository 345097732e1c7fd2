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

/* Return: the next ops of the base set that is not removed, or NULL. @at kept in front of it. */
static struct ftrace_ops *change_peek_base(const struct set_change *c, struct set_cursor *at)
{
	while (c->base && at->base < c->base->nr_ops) {
		struct ftrace_ops *ops = c->base->ops[at->base];

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
	c->key = 0;
	while ((ops = change_next(c, &at))) {
		c->nr++;
		c->key += (unsigned long)ops;
	}
}

/* A change either adds or removes ops, so sets of the same size are the same set. */
bool change_is_empty(const struct set_change *c)
{
	return c->nr == (c->base ? c->base->nr_ops : 0);
}

bool change_matches(const struct set_change *c, const struct dispatch_set *set)
{
	struct set_cursor at = { };

	if (set->outdated || set->nr_ops != c->nr)
		return false;
	for (unsigned int i = 0; i < c->nr; i++)
		if (set->ops[i] != change_next(c, &at))
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

	set->flags = FTRACE_OPS_FL_ARGS_ONLY;
	for (unsigned int i = 0; i < c->nr; i++) {
		set->ops[i] = change_next(c, &at);
		set->flags = set_add_flags(set->flags, set->ops[i]);
	}
}

bool change_modifies_twice(const struct set_change *c)
{
	struct set_cursor at = { };
	struct ftrace_ops *ops;
	unsigned int nr = 0;

	while ((ops = change_next(c, &at)))
		nr += !!(ops->flags & FTRACE_OPS_FL_IPMODIFY);
	return nr > 1;
}
