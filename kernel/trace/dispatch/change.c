// SPDX-License-Identifier: GPL-2.0
/*
 * Finds out which ops are in a set that is described by another set. Both have their ops in the
 * order of &ftrace_ops.seq, and so have the ops that come or go: one walk merges all of them.
 */
#include <linux/ftrace.h>

#include "change.h"
#include "dispatch.h"

/**
 * struct set_place - how far a walk over the ops of a described set has come
 * @base: in &set_change.base
 * @plus: in &set_change.plus
 * @minus: in &set_change.minus
 */
struct set_place {
	unsigned int base;
	unsigned int plus;
	unsigned int minus;
};

static bool is_left_out(const struct set_change *c, struct set_place *at,
			const struct ftrace_ops *ops)
{
	while (at->minus < c->nr_minus && c->minus[at->minus]->seq < ops->seq)
		at->minus++;
	if (at->minus == c->nr_minus || c->minus[at->minus] != ops)
		return false;
	at->minus++;
	return true;
}

/* The next ops of @base that stays. The walk does not pass it. */
static struct ftrace_ops *change_peek_base(const struct set_change *c, struct set_place *at)
{
	while (c->base && at->base < c->base->nr_ops) {
		struct ftrace_ops *ops = c->base->ops[at->base];

		if (!is_left_out(c, at, ops))
			return ops;
		at->base++;
	}
	return NULL;
}

/* The next ops of the set that is described, or NULL at its end. */
static struct ftrace_ops *change_next(const struct set_change *c, struct set_place *at)
{
	struct ftrace_ops *stays = change_peek_base(c, at);
	struct ftrace_ops *comes = at->plus < c->nr_plus ? c->plus[at->plus] : NULL;

	if (stays && (!comes || stays == comes || stays->seq <= comes->seq)) {
		at->base++;
		at->plus += stays == comes;
		return stays;
	}
	at->plus++;
	return comes;
}

void change_measure(struct set_change *c)
{
	struct set_place at = { };
	struct ftrace_ops *ops;

	c->nr = 0;
	c->key = 0;
	while ((ops = change_next(c, &at))) {
		c->nr++;
		c->key += (unsigned long)ops;
	}
}

/* Ops come or go, never both: as many are the same ones. */
bool change_is_none(const struct set_change *c)
{
	return c->nr == (c->base ? c->base->nr_ops : 0);
}

bool change_makes(const struct set_change *c, const struct dispatch_set *set)
{
	struct set_place at = { };

	if (set->outdated || set->nr_ops != c->nr)
		return false;
	for (unsigned int i = 0; i < c->nr; i++)
		if (set->ops[i] != change_next(c, &at))
			return false;
	return true;
}

/* A set has the flags that any of its ops has, and one that all of them have. */
static unsigned long flags_with(unsigned long flags, const struct ftrace_ops *ops)
{
	return ((flags | ops->flags) & SET_FLAGS) |
	       (flags & ops->flags & FTRACE_OPS_FL_ARGS_ONLY);
}

void change_fill(const struct set_change *c, struct dispatch_set *set)
{
	struct set_place at = { };

	set->flags = FTRACE_OPS_FL_ARGS_ONLY;
	for (unsigned int i = 0; i < c->nr; i++) {
		set->ops[i] = change_next(c, &at);
		set->flags = flags_with(set->flags, set->ops[i]);
	}
}

bool change_modifies_twice(const struct set_change *c)
{
	struct set_place at = { };
	struct ftrace_ops *ops;
	unsigned int nr = 0;

	while ((ops = change_next(c, &at)))
		nr += !!(ops->flags & FTRACE_OPS_FL_IPMODIFY);
	return nr > 1;
}
