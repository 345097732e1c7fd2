// SPDX-License-Identifier: GPL-2.0
/*
 * The interned sets of ops and their trampolines (SPEC D10,
 * D11).
 *
 * ops/ops.c asks for "this set and that ops", patch.c for the address that goes
 * with a set; nobody else needs to know that sets exist.  A set lives as long
 * as a site holds it.  Then it is retired: a task may have been preempted in
 * its trampoline, so the code stays until Tasks RCU says that every task has
 * left it.
 */
#include <linux/cleanup.h>
#include <linux/cpu.h>
#include <linux/hashtable.h>
#include <linux/list.h>
#include <linux/memory.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/perf_event.h>
#include <linux/rculist.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "change.h"
#include "death.h"
#include "dispatch.h"
#include "sites/lockless.h"
#include "sites/noted.h"
#include "sites/sites.h"

/**
 * struct set_table - the sets by their ids
 * @lockless: frees the table after its last reader
 * @nr: number of entries
 * @at: the sets that sites may hold; NULL for ids that are free, as
 *	DISPATCH_EMPTY is for ever
 *
 * An array, because the look-up of a call without generated code may call
 * nothing that is traced.
 */
struct set_table {
	struct lockless		lockless;
	u32			nr;
	struct dispatch_set	*at[] __counted_by(nr);
};

#define SET_TABLE_FIRST	16

/* Entries change, and a larger table takes its place, under ftrace_lock. */
static struct set_table __rcu *set_table;

/* All whose trampoline exists, the retired ones too; RCU, ftrace_lock. */
static LIST_HEAD(sets);

/* Sets that are not retired, by their key; and those of them that no site holds: ftrace_lock. */
static DEFINE_HASHTABLE(sets_by_ops, 10);
static LIST_HEAD(unused_sets);

static void dispatch_free_retired(struct work_struct *work);
static DECLARE_WORK(free_work, dispatch_free_retired);

struct dispatch_set *dispatch_set_by_id(u32 id)
{
	/* Raw: the caller's NMI or disabled preemption is as good as a lock. */
	const struct set_table *table = rcu_dereference_raw(set_table);

	return table && id < table->nr ? READ_ONCE(table->at[id]) : NULL;
}

static unsigned long set_static_entry(const struct dispatch_set *set)
{
	if (dispatch_set_needs_regs(set))
		return (unsigned long)ftrace_regs_caller;
	return (unsigned long)ftrace_caller;
}

unsigned long dispatch_target(u32 id, unsigned long ip)
{
	const struct dispatch_set *set;

	if (id == DISPATCH_EMPTY)
		return 0;
	set = dispatch_set_by_id(id);
	if (arch_site_reaches(ip, set->trampoline))
		return set->trampoline;
	return set_static_entry(set);
}

/* ------------------------------------------------------------------ */
/* Ids									*/

static void table_free(struct lockless *dead)
{
	kvfree(container_of(dead, struct set_table, lockless));
}

/* A table with room for more ids; NULL when there is no memory, or no id. */
static struct set_table *table_grow(struct set_table *old, gfp_t gfp)
{
	u32 nr = old ? 2 * old->nr : SET_TABLE_FIRST;
	struct set_table *table;

	if (nr > SITE_SET_ID_MAX)
		return NULL;
	table = kvzalloc(struct_size(table, at, nr), gfp);
	if (!table)
		return NULL;
	table->nr = nr;
	if (old)
		memcpy(table->at, old->at, array_size(old->nr, sizeof(old->at[0])));
	rcu_assign_pointer(set_table, table);
	if (old)
		lockless_free(&old->lockless, table_free);
	return table;
}

/* All ids below are taken. Protected by ftrace_lock. */
static u32 free_id_from = DISPATCH_EMPTY + 1;

/* Give @set the least id that is free. */
static int table_add(struct dispatch_set *set, gfp_t gfp)
{
	struct set_table *table = rcu_dereference_protected(set_table,
							    lockdep_is_held(&ftrace_lock));
	u32 id = free_id_from;

	while (table && id < table->nr && table->at[id])
		id++;
	if (!table || id == table->nr)
		table = table_grow(table, gfp);
	if (!table)
		return -ENOMEM;
	set->id = id;
	free_id_from = id + 1;
	/* Pairs with the address dependency in dispatch_set_by_id(). */
	smp_store_release(&table->at[id], set);
	return 0;
}

static void table_remove(const struct dispatch_set *set)
{
	struct set_table *table = rcu_dereference_protected(set_table,
							    lockdep_is_held(&ftrace_lock));

	WRITE_ONCE(table->at[set->id], NULL);
	free_id_from = min(free_id_from, set->id);
}

/* ------------------------------------------------------------------ */
/* Finding and making sets						*/

static bool set_has(const struct dispatch_set *set, const struct ftrace_ops *ops)
{
	unsigned int i;

	for (i = 0; set && i < set->nr_ops; i++)
		if (set->ops[i] == ops)
			return true;
	return false;
}

static struct dispatch_set *set_find(const struct set_change *c)
{
	struct dispatch_set *set;

	hash_for_each_possible(sets_by_ops, set, by_ops, c->key)
		if (set->key == c->key && change_makes(c, set))
			return set;
	return NULL;
}

/* For who has samples from within it and wants to know what that was. */
static void trampoline_announce(const struct dispatch_set *set, bool gone)
{
	perf_event_ksymbol(PERF_RECORD_KSYMBOL_TYPE_OOL, set->trampoline, set->size,
			   gone, TRAMPOLINE_SYMBOL);
}

/*
 * A set of more ops than this has no code of its own: with so many calls to make it is no matter
 * how they are found, and a thousand ops that come to a site would be written out half a
 * million times.
 */
#define TRAMPOLINE_OPS_MAX	64

/* Where there is no code, the static entry looks the set up. */
static void set_give_code(struct dispatch_set *set)
{
	if (set->nr_ops <= TRAMPOLINE_OPS_MAX && !arch_trampoline_build(set)) {
		trampoline_announce(set, false);
		return;
	}
	set->size = 0;
	set->trampoline = set_static_entry(set);
}

static void set_free(struct dispatch_set *set)
{
	if (set->size) {
		trampoline_announce(set, true);
		arch_trampoline_free(set);
	}
	kvfree(set);
}

static int set_make(const struct set_change *c, gfp_t gfp)
{
	struct dispatch_set *set;

	/* And the end of the list. */
	set = kvzalloc(struct_size(set, ops, c->nr + 1), gfp);
	if (!set)
		return -ENOMEM;
	set->nr_ops = c->nr;
	set->key = c->key;
	change_fill(c, set);
	set_give_code(set);
	if (table_add(set, gfp)) {
		set_free(set);
		return -ENOMEM;
	}
	list_add_rcu(&set->node, &sets);
	hash_add(sets_by_ops, &set->by_ops, set->key);
	list_add(&set->unused, &unused_sets);
	return set->id;
}

/* The change has been measured. */
static int set_intern(const struct set_change *c, gfp_t gfp)
{
	struct dispatch_set *known;

	if (!c->nr)
		return DISPATCH_EMPTY;
	known = set_find(c);
	return known ? known->id : set_make(c, gfp);
}

int dispatch_with_all(u32 id, struct ftrace_ops *const *ops, unsigned int nr)
{
	struct set_change c = {
		.base = dispatch_set_by_id(id), .plus = ops, .nr_plus = nr,
	};

	lockdep_assert_held(&ftrace_lock);
	change_measure(&c);
	if (change_is_none(&c))
		return id;
	return change_modifies_twice(&c) ? -EBUSY : set_intern(&c, GFP_KERNEL);
}

int dispatch_with(u32 id, struct ftrace_ops *ops)
{
	return dispatch_with_all(id, &ops, 1);
}

u32 dispatch_without_all(u32 id, struct ftrace_ops *const *ops, unsigned int nr)
{
	struct set_change c = {
		.base = dispatch_set_by_id(id), .minus = ops, .nr_minus = nr,
	};

	lockdep_assert_held(&ftrace_lock);
	change_measure(&c);
	return change_is_none(&c) ? id : set_intern(&c, GFP_KERNEL | __GFP_NOFAIL);
}

u32 dispatch_without(u32 id, struct ftrace_ops *ops)
{
	return dispatch_without_all(id, &ops, 1);
}

void __init dispatch_outdate_all(void)
{
	struct dispatch_set *set;

	lockdep_assert_held(&ftrace_lock);
	list_for_each_entry(set, &sets, node)
		set->outdated = true;
}

int __init dispatch_renewed(u32 id)
{
	struct set_change c = { .base = dispatch_set_by_id(id) };

	lockdep_assert_held(&ftrace_lock);
	if (!c.base || !c.base->outdated)
		return id;
	change_measure(&c);
	return set_intern(&c, GFP_KERNEL);
}

/* ------------------------------------------------------------------ */
/* The end of a set							*/

static void count_sites(u32 id, int nr)
{
	struct dispatch_set *set = dispatch_set_by_id(id);

	set->sites += nr;
	if (set->sites)
		list_del_init(&set->unused);
	else if (list_empty(&set->unused))
		list_add(&set->unused, &unused_sets);
}

void dispatch_moved(u32 from, u32 to, unsigned int nr)
{
	lockdep_assert_held(&ftrace_lock);
	if (from != DISPATCH_EMPTY)
		count_sites(from, -nr);
	if (to != DISPATCH_EMPTY)
		count_sites(to, nr);
}

void dispatch_disarm(const struct ftrace_ops *ops)
{
	struct dispatch_set *set;

	guard(mutex)(&ftrace_lock);
	guard(cpus_read_lock)();
	guard(mutex)(&text_mutex);
	list_for_each_entry(set, &sets, node) {
		if (set->disarmed || !set_has(set, ops))
			continue;
		/* Where there is no code of its own, the look-up passes it over. */
		WRITE_ONCE(set->disarmed, true);
		if (set->size)
			arch_trampoline_disarm(set);
	}
}

static void set_retire(struct dispatch_set *set)
{
	table_remove(set);
	hash_del(&set->by_ops);
	list_del_init(&set->unused);
	set->retired = true;
}

void dispatch_reap(void)
{
	struct dispatch_set *set, *next;
	bool any = !list_empty(&unused_sets);

	lockdep_assert_held(&ftrace_lock);
	if (ftrace_is_dead())
		return;
	list_for_each_entry_safe(set, next, &unused_sets, unused)
		set_retire(set);
	/* Early in the boot there is no work yet: then the next one frees all. */
	if (any && system_unbound_wq)
		queue_work(system_unbound_wq, &free_work);
}

static void dispatch_take_retired(struct list_head *dead)
{
	struct dispatch_set *set, *next;

	guard(mutex)(&ftrace_lock);
	list_for_each_entry_safe(set, next, &sets, node) {
		/* Only those that were retired before the grace period. */
		if (!set->waited || ftrace_is_dead())
			continue;
		list_del_rcu(&set->node);
		list_add(&set->dead, dead);
	}
}

static void dispatch_mark_retired(void)
{
	struct dispatch_set *set;

	guard(mutex)(&ftrace_lock);
	list_for_each_entry(set, &sets, node)
		set->waited = set->retired;
}

static void dispatch_free_retired(struct work_struct *work)
{
	struct dispatch_set *set, *next;
	LIST_HEAD(dead);

	dispatch_mark_retired();
	dispatch_synchronize();
	dispatch_take_retired(&dead);
	/* Unwinders may be walking the list, wherever a function is traced. */
	lockless_synchronize();
	list_for_each_entry_safe(set, next, &dead, dead)
		set_free(set);
}

/* ------------------------------------------------------------------ */
/* Calls								*/

struct dispatch_set *dispatch_trampoline_at(unsigned long ip)
{
	struct dispatch_set *set;

	list_for_each_entry_rcu(set, &sets, node, true)
		if (ip - set->trampoline < set->size)
			return set;
	return NULL;
}

struct dispatch_set *dispatch_nth_trampoline(unsigned int n)
{
	struct dispatch_set *set;

	list_for_each_entry_rcu(set, &sets, node, true)
		if (set->size && !n--)
			return set;
	return NULL;
}

bool __init dispatch_is_used(void)
{
	guard(mutex)(&ftrace_lock);
	return !list_empty(&sets);
}

void dispatch_note_sites(bool on)
{
	WRITE_ONCE(ftrace_entry_open, on);
}

/* The entry may not have looked: see linux/ftrace_arch.h. */
static void note_site(unsigned long ip)
{
	if (READ_ONCE(ftrace_entry_open))
		noted_add(&noted_sites, ip);
}

/*
 * A stop of the machine comes before a site's set can change, so the two go
 * together while preemption is off.
 */
static struct dispatch_set *set_at_site(unsigned long ip)
{
	struct dispatch_set *set = NULL;
	struct site *site;

	guard(preempt_notrace)();
	site = site_at(ip, NULL);
	if (site)
		set = dispatch_set_by_id(site_set_id(site));
	else
		note_site(ip);
	return set && !READ_ONCE(set->disarmed) ? set : NULL;
}

/*
 * A task that was preempted on its way here may find an ops that has come
 * since and wants registers that nobody has saved.
 */
static bool needs_more_than(const struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	return (ops->flags & SET_FLAGS) && !ftrace_get_regs(fregs);
}

/**
 * arch_ftrace_ops_list_func - call the ops of a site, found by its address
 * @ip: the site
 * @parent_ip: where the traced function will return to
 * @op: unused
 * @fregs: what the entry saved
 *
 * What ftrace_caller and ftrace_regs_caller call, for sets without generated
 * code and for sites that do not reach it.  Also called by the entry for a site that is
 * still as compiled: that has no set, and is noted if it has no record.
 *
 * The set stays meanwhile for the reason that a trampoline does: whoever frees
 * it waits for Tasks RCU first.  So the ops are called with preemption as the
 * traced function had it, and see its count.
 *
 * Context: any, NMI too.
 */
void arch_ftrace_ops_list_func(unsigned long ip, unsigned long parent_ip,
			       struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	struct dispatch_set *set = set_at_site(ip);
	unsigned int i;

	for (i = 0; set && i < set->nr_ops; i++) {
		struct ftrace_ops *ops = set->ops[i];

		if (!needs_more_than(ops, fregs))
			dispatch_func(ops)(ip, parent_ip, ops, fregs);
	}
}
