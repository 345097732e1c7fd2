// SPDX-License-Identifier: GPL-2.0
/*
 * Room: dispatch - the interned sets of ops and their trampolines (SPEC D10,
 * D11).
 *
 * ops.c asks for "this set and that ops", patch.c for the address that goes
 * with a set; nobody else needs to know that sets exist.  A set lives as long
 * as a site holds it.  Then it is retired: a task may have been preempted in
 * its trampoline, so the code stays until Tasks RCU says that every task has
 * left it.
 */
#include <linux/list.h>
#include <linux/rculist.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>

#include "dispatch.h"
#include "sites.h"

/* By id, for those sites hold; changes under ftrace_lock, read anywhere. */
static DEFINE_XARRAY_ALLOC1(sets_by_id);

/* All whose trampoline exists, the retired ones too; RCU, ftrace_lock. */
static LIST_HEAD(sets);

static void dispatch_free_retired(struct work_struct *work);
static DECLARE_WORK(free_work, dispatch_free_retired);

struct dispatch_set *dispatch_set_by_id(u32 id)
{
	return xa_load(&sets_by_id, id);
}

unsigned long dispatch_target(u32 id)
{
	return id == DISPATCH_EMPTY ? 0 : dispatch_set_by_id(id)->trampoline;
}

/* ------------------------------------------------------------------ */
/* Finding and making sets						*/

/* The members of @base with @plus, in the order of registration. */
static struct dispatch_set *set_draft(const struct dispatch_set *base,
				      struct ftrace_ops *plus, struct ftrace_ops *minus)
{
	unsigned int i, n = base ? base->nr_ops : 0;
	struct dispatch_set *set;

	set = kzalloc(struct_size(set, ops, n + 1), GFP_KERNEL);
	if (!set)
		return NULL;
	set->nr_ops = n + 1;
	for (i = 0, n = 0; base && i < base->nr_ops; i++) {
		if (plus && plus->seq < base->ops[i]->seq) {
			set->ops[n++] = plus;
			plus = NULL;
		}
		if (base->ops[i] != minus)
			set->ops[n++] = base->ops[i];
	}
	if (plus)
		set->ops[n++] = plus;
	set->nr_ops = n;
	return set;
}

static bool set_equal(const struct dispatch_set *a, const struct dispatch_set *b)
{
	return a->nr_ops == b->nr_ops &&
	       !memcmp(a->ops, b->ops, a->nr_ops * sizeof(a->ops[0]));
}

static struct dispatch_set *set_find(const struct dispatch_set *draft)
{
	struct dispatch_set *set;

	list_for_each_entry(set, &sets, node)
		if (!set->retired && set_equal(set, draft))
			return set;
	return NULL;
}

static bool set_has(const struct dispatch_set *set, const struct ftrace_ops *ops)
{
	unsigned int i;

	for (i = 0; set && i < set->nr_ops; i++)
		if (set->ops[i] == ops)
			return true;
	return false;
}

/* Where no code can be generated, the static entry looks the set up. */
static void set_give_code(struct dispatch_set *set)
{
	if (!arch_trampoline_build(set))
		return;
	set->size = 0;
	set->trampoline = set->flags & FTRACE_OPS_FL_SAVE_REGS ?
		(unsigned long)ftrace_regs_caller : (unsigned long)ftrace_caller;
}

static int set_publish(struct dispatch_set *set)
{
	unsigned int i;
	int ret;

	for (i = 0; i < set->nr_ops; i++)
		set->flags |= set->ops[i]->flags & SET_FLAGS;
	ret = xa_alloc(&sets_by_id, &set->id, set, XA_LIMIT(1, SITE_SET_ID_MAX),
		       GFP_KERNEL);
	if (ret)
		return -ENOMEM;
	set_give_code(set);
	list_add_rcu(&set->node, &sets);
	return set->id;
}

/* The id of the set like @draft, which is used up. */
static int set_intern(struct dispatch_set *draft)
{
	struct dispatch_set *known;
	int id;

	if (!draft)
		return -ENOMEM;
	known = set_find(draft);
	if (!draft->nr_ops || known) {
		kfree(draft);
		return known ? known->id : DISPATCH_EMPTY;
	}
	id = set_publish(draft);
	if (id < 0)
		kfree(draft);
	return id;
}

int dispatch_with(u32 id, struct ftrace_ops *ops)
{
	struct dispatch_set *base = dispatch_set_by_id(id);

	lockdep_assert_held(&ftrace_lock);
	if (set_has(base, ops))
		return id;
	if (base && (base->flags & ops->flags & FTRACE_OPS_FL_IPMODIFY))
		return -EBUSY;
	return set_intern(set_draft(base, ops, NULL));
}

int dispatch_without(u32 id, struct ftrace_ops *ops)
{
	struct dispatch_set *base = dispatch_set_by_id(id);

	lockdep_assert_held(&ftrace_lock);
	if (!set_has(base, ops))
		return id;
	return set_intern(set_draft(base, NULL, ops));
}

/* ------------------------------------------------------------------ */
/* The end of a set							*/

void dispatch_moved(u32 from, u32 to, unsigned int nr)
{
	lockdep_assert_held(&ftrace_lock);
	if (from != DISPATCH_EMPTY)
		dispatch_set_by_id(from)->sites -= nr;
	if (to != DISPATCH_EMPTY)
		dispatch_set_by_id(to)->sites += nr;
}

void dispatch_reap(void)
{
	struct dispatch_set *set;
	bool any = false;

	lockdep_assert_held(&ftrace_lock);
	list_for_each_entry(set, &sets, node) {
		if (set->sites || set->retired)
			continue;
		xa_erase(&sets_by_id, set->id);
		set->retired = true;
		any = true;
	}
	if (any)
		queue_work(system_unbound_wq, &free_work);
}

/*
 * Tasks RCU waits for every task to schedule of its own will: none is
 * preempted in a trampoline then.  It does not wait for idle tasks; those
 * cannot be preempted, and the rude flavour has seen each CPU switch.
 */
void dispatch_synchronize(void)
{
	synchronize_rcu_tasks_rude();
	if (IS_ENABLED(CONFIG_PREEMPTION))
		synchronize_rcu_tasks();
}

static void set_free(struct dispatch_set *set)
{
	if (set->size)
		arch_trampoline_free(set);
	kfree(set);
}

static void dispatch_take_retired(struct list_head *dead)
{
	struct dispatch_set *set, *next;

	guard(mutex)(&ftrace_lock);
	list_for_each_entry_safe(set, next, &sets, node) {
		/* Only those that were retired before the grace period. */
		if (!set->waited)
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
	/* Unwinders and breakpoint handlers may be walking the list. */
	synchronize_rcu();
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

/* In front of callbacks that asked for a guard. */
static void guarded_call(unsigned long ip, unsigned long parent_ip,
			 struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	int bit = trace_recursion_enter(TRACE_RECURSION_ASSIST);

	if (bit < 0)
		return;
	if (!(ops->flags & FTRACE_OPS_FL_RCU) || rcu_is_watching())
		ops->func(ip, parent_ip, ops, fregs);
	trace_recursion_exit(bit);
}

ftrace_func_t dispatch_func(const struct ftrace_ops *ops)
{
	if (ops->flags & FTRACE_OPS_FL_STUB)
		return ftrace_stub;
	if (ops->flags & (FTRACE_OPS_FL_RECURSION | FTRACE_OPS_FL_RCU))
		return guarded_call;
	return ops->func;
}

/**
 * arch_ftrace_ops_list_func - call the ops of a site, found by its address
 * @ip: the site
 * @parent_ip: where the traced function will return to
 * @op: unused
 * @fregs: what the entry saved
 *
 * What ftrace_caller and ftrace_regs_caller call, for sets without generated
 * code.
 *
 * Context: any, NMI too.
 */
void arch_ftrace_ops_list_func(unsigned long ip, unsigned long parent_ip,
			       struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	struct dispatch_set *set = NULL;
	struct site *site;
	unsigned int i;

	preempt_disable_notrace();
	site = site_at(ip, NULL);
	if (site)
		set = dispatch_set_by_id(site_set_id(site));
	for (i = 0; set && i < set->nr_ops; i++) {
		struct ftrace_ops *ops = set->ops[i];

		dispatch_func(ops)(ip, parent_ip, ops, fregs);
	}
	preempt_enable_notrace();
}
