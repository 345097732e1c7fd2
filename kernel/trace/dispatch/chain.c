// SPDX-License-Identifier: GPL-2.0
/*
 * Chains, see chain.h.  A task may be preempted while it walks one, so one that is
 * replaced is freed behind dispatch_synchronize(), when every task has left it.
 */
#include <linux/cleanup.h>
#include <linux/ftrace_arch.h>
#include <linux/lockdep.h>
#include <linux/llist.h>
#include <linux/overflow.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "chain.h"
#include "sites/lock.h"

/**
 * struct chain_link - one of those who are called
 * @func: what is called, dispatch_func() of
 * @ops: the ops
 */
struct chain_link {
	ftrace_func_t		func;
	struct ftrace_ops	*ops;
};

/**
 * struct ftrace_chain - whom every site calls
 * @func: called for every traced function, with
 * @op: as its third argument; not an ops if there are several
 * @dead: among those that wait to be freed
 * @nr: number of ops
 * @links: one for each, in the order in which they were added
 */
struct ftrace_chain {
	ftrace_func_t		func;
	void			*op;
	struct llist_node	dead;
	unsigned int		nr;
	struct chain_link	links[] __counted_by(nr);
};

/* Looked at by every call of every function while ftrace_entry_open says so. */
static struct ftrace_chain *ftrace_chain __read_mostly;

int function_trace_stop __read_mostly;

static LLIST_HEAD(dead_chains);

static void free_dead_chains(struct work_struct *work)
{
	/* Taken first: what comes later has the work run again. */
	struct llist_node *batch = llist_del_all(&dead_chains);
	struct ftrace_chain *chain, *next;

	dispatch_synchronize();
	llist_for_each_entry_safe(chain, next, batch, dead)
		kfree(chain);
}

static DECLARE_WORK(free_work, free_dead_chains);

/* For one ops its own function is called, and for several this one. */
static void call_all(unsigned long ip, unsigned long parent_ip,
		     struct ftrace_ops *self, struct ftrace_regs *fregs)
{
	const struct ftrace_chain *chain = (void *)self;

	for (unsigned int i = 0; i < chain->nr; i++)
		chain->links[i].func(ip, parent_ip, chain->links[i].ops, fregs);
}

/**
 * arch_ftrace_ops_list_func - call everybody who is attached
 * @ip: the site
 * @parent_ip: where the traced function will return to
 * @op: unused
 * @fregs: what the entry saved
 *
 * Somebody was attached when the entry looked, who may be gone, or another one.
 *
 * Context: any, NMI too.
 */
void arch_ftrace_ops_list_func(unsigned long ip, unsigned long parent_ip,
			       struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	/* Pairs with the release in chain_publish(), by the address. */
	const struct ftrace_chain *chain = READ_ONCE(ftrace_chain);

	if (!chain)
		return;
	if (!IS_ENABLED(CONFIG_HAVE_FUNCTION_TRACE_MCOUNT_TEST) &&
	    READ_ONCE(function_trace_stop))
		return;
	chain->func(ip, parent_ip, chain->op, fregs);
}

static struct ftrace_chain *current_chain(void)
{
	lockdep_assert_held(&ftrace_lock);
	return ftrace_chain;
}

bool __init dispatch_is_used(void)
{
	return READ_ONCE(ftrace_chain) || !llist_empty(&dead_chains);
}

static struct ftrace_chain *chain_alloc(unsigned int nr, gfp_t gfp)
{
	struct ftrace_chain *chain = kzalloc(struct_size(chain, links, nr), gfp);

	if (chain)
		chain->nr = nr;
	return chain;
}

/* Copy the ops of @from, which may be NULL, but for @skip. */
static void chain_fill(struct ftrace_chain *chain, const struct ftrace_chain *from,
		       const struct ftrace_ops *skip)
{
	unsigned int n = 0;

	for (unsigned int i = 0; from && i < from->nr; i++)
		if (from->links[i].ops != skip)
			chain->links[n++] = from->links[i];
}

/* Has the entry call @chain, NULL for nobody, and frees what it has called so far. */
static void chain_publish(struct ftrace_chain *chain)
{
	struct ftrace_chain *old = current_chain();

	if (chain) {
		chain->func = chain->nr > 1 ? call_all : chain->links[0].func;
		chain->op = chain->nr > 1 ? (void *)chain : chain->links[0].ops;
	}
	/* Pairs with the address dependency in arch_ftrace_ops_list_func(). */
	smp_store_release(&ftrace_chain, chain);
	WRITE_ONCE(ftrace_entry_open, !!chain);
	if (!old)
		return;
	llist_add(&old->dead, &dead_chains);
	/* Early in the boot there is no work yet: then the next one frees all. */
	if (system_unbound_wq)
		queue_work(system_unbound_wq, &free_work);
}

static bool chain_has(const struct ftrace_chain *chain, const struct ftrace_ops *ops)
{
	for (unsigned int i = 0; chain && i < chain->nr; i++)
		if (chain->links[i].ops == ops)
			return true;
	return false;
}

int chain_add(struct ftrace_ops *ops)
{
	const struct ftrace_chain *old = current_chain();
	struct ftrace_chain *chain;

	if (chain_has(old, ops))
		return 0;
	chain = chain_alloc(old ? old->nr + 1 : 1, GFP_KERNEL);
	if (!chain)
		return -ENOMEM;
	chain_fill(chain, old, NULL);
	chain->links[chain->nr - 1] = (struct chain_link) {
		.func	= dispatch_func(ops),
		.ops	= ops,
	};
	chain_publish(chain);
	return 0;
}

void chain_remove(const struct ftrace_ops *ops)
{
	const struct ftrace_chain *old = current_chain();
	struct ftrace_chain *chain;

	if (!chain_has(old, ops))
		return;
	if (old->nr == 1)
		return chain_clear();
	chain = chain_alloc(old->nr - 1, GFP_KERNEL | __GFP_NOFAIL);
	chain_fill(chain, old, ops);
	chain_publish(chain);
}

void chain_clear(void)
{
	if (current_chain())
		chain_publish(NULL);
}

void dispatch_disarm(const struct ftrace_ops *ops)
{
	guard(mutex)(&ftrace_lock);
	chain_remove(ops);
}
