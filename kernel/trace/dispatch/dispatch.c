// SPDX-License-Identifier: GPL-2.0
/*
 * The interned sets of ops and their trampolines (SPEC D10,
 * D11).
 *
 * ops/ops.c and ops/many.c get the set with or without an ops, patch.c the address that sites
 * of a set call; no other code uses sets.  A set that no site holds any more is
 * retired: a task may have been preempted in its trampoline, so the set is freed after a
 * grace period of Tasks RCU, when every task has left it.
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
#include "internal.h"
#include "sites/lockless.h"
#include "sites/noted.h"
#include "sites/sites.h"

/**
 * struct set_table - the sets by their ids
 * @lockless: frees the table after its last reader
 * @nr: number of entries
 * @at: the sets that sites may hold, by id; NULL for free ids and for
 *	DISPATCH_EMPTY
 *
 * The table is an array since its look-up, which calls without generated code make,
 * must not call a traced function.
 */
struct set_table {
	struct lockless		lockless;
	u32			nr;
	struct dispatch_set	*at[] __counted_by(nr);
};

#define SET_TABLE_FIRST	16

/* Entries are changed and the table is replaced by a larger one under ftrace_lock. */
static struct set_table __rcu *set_table;

/* All sets, also the retired ones that are not freed yet; read under RCU or ftrace_lock. */
static LIST_HEAD(sets);

/* Sets that are not retired, by &dispatch_set.key; under ftrace_lock. */
static DEFINE_HASHTABLE(sets_by_ops, 10);

/* Sets that are not retired and that no site holds; under ftrace_lock. */
static LIST_HEAD(unused_sets);

static void dispatch_free_retired(struct work_struct *work);
static DECLARE_WORK(dispatch_free_work, dispatch_free_retired);

struct dispatch_set *dispatch_set_by_id(u32 id)
{
	/* Unchecked: callers may be in an NMI or have preemption off instead of holding a lock. */
	const struct set_table *table = rcu_dereference_raw(set_table);

	return table && id < table->nr ? READ_ONCE(table->at[id]) : NULL;
}

static unsigned long dispatch_static_entry(const struct dispatch_set *set)
{
	if (IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS) && set->direct)
		return (unsigned long)ftrace_direct_caller;
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
	return dispatch_static_entry(set);
}

/* ------------------------------------------------------------------ */
/* Ids									*/

static void set_table_free(struct lockless *dead)
{
	kvfree(container_of(dead, struct set_table, lockless));
}

/* Replace the table by one of twice the size; NULL if there is no memory or ids run out. */
static struct set_table *set_table_grow(struct set_table *old, gfp_t gfp)
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
		lockless_free(&old->lockless, set_table_free);
	return table;
}

/* All lower ids are in use. Protected by ftrace_lock. */
static u32 free_id_from = DISPATCH_EMPTY + 1;

/* Give @set the lowest free id and enter it into the table. */
static int set_table_add(struct dispatch_set *set, gfp_t gfp)
{
	struct set_table *table = rcu_dereference_protected(set_table,
							    lockdep_is_held(&ftrace_lock));
	u32 id = free_id_from;

	while (table && id < table->nr && table->at[id])
		id++;
	if (!table || id == table->nr)
		table = set_table_grow(table, gfp);
	if (!table)
		return -ENOMEM;
	set->id = id;
	free_id_from = id + 1;
	/* Pairs with the address dependency in dispatch_set_by_id(). */
	smp_store_release(&table->at[id], set);
	return 0;
}

static void set_table_remove(const struct dispatch_set *set)
{
	struct set_table *table = rcu_dereference_protected(set_table,
							    lockdep_is_held(&ftrace_lock));

	WRITE_ONCE(table->at[set->id], NULL);
	free_id_from = min(free_id_from, set->id);
}

/* ------------------------------------------------------------------ */
/* Finding and making sets						*/

/* True if @ops has a callback that the set calls. */
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
		if (set->key == c->key && change_matches(c, set))
			return set;
	return NULL;
}

/* Report a new or freed trampoline to perf, which can then name samples in it. */
static void trampoline_announce(const struct dispatch_set *set, bool unregister)
{
	perf_event_ksymbol(PERF_RECORD_KSYMBOL_TYPE_OOL, set->trampoline, set->size,
			   unregister, TRAMPOLINE_SYMBOL);
}

/*
 * A set of more ops than this gets no trampoline: the look-up of the set costs little compared
 * to so many calls, and with one set for each of a thousand ops added to a site, their
 * trampolines would contain half a million calls.
 */
#define TRAMPOLINE_OPS_MAX	64

/*
 * Generate the trampoline of @set; without one, the static entry looks the set up.  A direct call
 * without callbacks needs none: the sites call its address.
 */
static void set_build_trampoline(struct dispatch_set *set)
{
	if (!set->nr_ops) {
		set->trampoline = set->direct;
		return;
	}
	if (set->nr_ops <= TRAMPOLINE_OPS_MAX && !arch_trampoline_build(set)) {
		trampoline_announce(set, false);
		return;
	}
	set->size = 0;
	set->trampoline = dispatch_static_entry(set);
}

static void set_free(struct dispatch_set *set)
{
	if (set->size) {
		trampoline_announce(set, true);
		arch_trampoline_free(set);
	}
	kvfree(set);
}

static int set_create(const struct set_change *c, gfp_t gfp)
{
	struct dispatch_set *set;

	/* One more for the NULL at the end of the ops. */
	set = kvzalloc(struct_size(set, ops, c->nr + 1), gfp);
	if (!set)
		return -ENOMEM;
	change_fill(c, set);
	set_build_trampoline(set);
	if (set_table_add(set, gfp)) {
		set_free(set);
		return -ENOMEM;
	}
	list_add_rcu(&set->node, &sets);
	hash_add(sets_by_ops, &set->by_ops, set->key);
	list_add(&set->unused, &unused_sets);
	return set->id;
}

/* Return: id of the set that @c, after change_measure(), describes; -ENOMEM. */
static int set_intern(const struct set_change *c, gfp_t gfp)
{
	struct dispatch_set *known;

	if (!c->nr)
		return DISPATCH_EMPTY;
	known = set_find(c);
	return known ? known->id : set_create(c, gfp);
}

int dispatch_with_all(u32 id, struct ftrace_ops *const *ops, unsigned int nr)
{
	struct set_change c = {
		.base = dispatch_set_by_id(id), .plus = ops, .nr_plus = nr,
	};

	lockdep_assert_held(&ftrace_lock);
	change_measure(&c);
	if (change_is_empty(&c))
		return id;
	return change_has_conflict(&c) ? -EBUSY : set_intern(&c, GFP_KERNEL);
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
	return change_is_empty(&c) ? id : set_intern(&c, GFP_KERNEL | __GFP_NOFAIL);
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

int dispatch_renewed(u32 id)
{
	struct set_change c = { .base = dispatch_set_by_id(id) };

	lockdep_assert_held(&ftrace_lock);
	if (!c.base)
		return id;
	change_measure(&c);
	return change_matches(&c, c.base) ? id : set_intern(&c, GFP_KERNEL);
}

/* ------------------------------------------------------------------ */
/* Retiring and disarming sets						*/

static void dispatch_count_sites(u32 id, int nr)
{
	struct dispatch_set *set = dispatch_set_by_id(id);

	set->sites += nr;
	if (set->sites)
		list_del_init(&set->unused);
	else if (list_empty(&set->unused))
		list_add(&set->unused, &unused_sets);
}

void dispatch_count_moved(u32 from, u32 to, unsigned int nr)
{
	lockdep_assert_held(&ftrace_lock);
	if (from != DISPATCH_EMPTY)
		dispatch_count_sites(from, -nr);
	if (to != DISPATCH_EMPTY)
		dispatch_count_sites(to, nr);
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
		/* The look-up by the static entry skips disarmed sets. */
		WRITE_ONCE(set->disarmed, true);
		if (set->size)
			arch_trampoline_disarm(set);
	}
}

static void set_retire(struct dispatch_set *set)
{
	set_table_remove(set);
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
	/* Early in boot there is no workqueue; a later run of the work frees all. */
	if (any && system_unbound_wq)
		queue_work(system_unbound_wq, &dispatch_free_work);
}

static void dispatch_take_retired(struct list_head *dead)
{
	struct dispatch_set *set, *next;

	guard(mutex)(&ftrace_lock);
	list_for_each_entry_safe(set, next, &sets, node) {
		/* Sets that were retired after the grace period began have to wait for the next. */
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
	/* Unwinders may still walk the list of sets, also where RCU is not watching. */
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

/* Some entries call without a check of ftrace_entry_open: see linux/ftrace_arch.h. */
static void dispatch_note_unknown_site(unsigned long ip)
{
	if (READ_ONCE(ftrace_entry_open))
		noted_add(&noted_sites, ip);
}

/*
 * Get the set of a site. Preemption is off while the word of the site and the table are read: the
 * set of a site changes only in a stop of the machine, so the two match.
 */
static struct dispatch_set *dispatch_set_at_site(unsigned long ip)
{
	struct dispatch_set *set = NULL;
	struct site *site;

	guard(preempt_notrace)();
	site = site_at(ip, NULL);
	if (site)
		set = dispatch_set_by_id(site_set_id(site));
	else
		dispatch_note_unknown_site(ip);
	return set;
}

/*
 * Check whether an ops needs registers that were not saved: a task preempted between the site
 * and the look-up may find an ops that was attached after its entry saved registers.
 */
static bool ops_lacks_regs(const struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	return (ops->flags & SET_FLAGS) && !ftrace_get_regs(fregs);
}

static void dispatch_call_ops(const struct dispatch_set *set, unsigned long ip,
			      unsigned long parent_ip, struct ftrace_regs *fregs)
{
	for (unsigned int i = 0; i < set->nr_ops; i++) {
		struct ftrace_ops *ops = set->ops[i];

		if (!ops_lacks_regs(ops, fregs))
			dispatch_func(ops)(ip, parent_ip, ops, fregs);
	}
}

/**
 * arch_ftrace_ops_list_func() - call the ops of a site, found by its address
 * @ip: address of the site
 * @parent_ip: return address of the traced function
 * @op: unused
 * @fregs: registers that the entry has saved
 *
 * ftrace_caller, ftrace_regs_caller and ftrace_direct_caller call this for sets without a
 * generated trampoline and for sites that do not reach it.  The entry of sites that are
 * still as compiled calls it, too: such a site has no set, and is noted if it has no record.
 *
 * The set is not freed meanwhile, since dispatch_free_retired() waits for Tasks RCU
 * first.  Preemption need not be disabled for that, so the ops see the preempt count
 * of the traced function.
 *
 * Context: any, NMI too.
 */
void arch_ftrace_ops_list_func(unsigned long ip, unsigned long parent_ip,
			       struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	struct dispatch_set *set = dispatch_set_at_site(ip);

	if (!set)
		return;
	if (!READ_ONCE(set->disarmed))
		dispatch_call_ops(set, ip, parent_ip, fregs);
	if (set->direct)
		arch_ftrace_set_direct(fregs, set->direct);
}
