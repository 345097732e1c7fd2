// SPDX-License-Identifier: GPL-2.0
/*
 * Chains of ops, see chain.h.  A task may be preempted while it walks a chain, so a replaced
 * chain is freed after dispatch_synchronize(), when every task has left it.
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
#include "internal.h"
#include "sites/lock.h"

/**
 * struct chain_link - an ops in a chain
 * @func: dispatch_func() of @ops
 * @ops: the ops
 */
struct chain_link {
	ftrace_func_t		func;
	struct ftrace_ops	*ops;
};

/**
 * struct ftrace_chain - the ops that every site calls
 * @func: function to call for every traced function
 * @op: third argument for @func: the ops if there is one, else this chain
 * @retired: in retired_chains after the chain was replaced
 * @nr: number of ops
 * @links: the ops in the order in which they were added
 */
struct ftrace_chain {
	ftrace_func_t		func;
	void			*op;
	struct llist_node	retired;
	unsigned int		nr;
	struct chain_link	links[] __counted_by(nr);
};

/* The current chain, read by every call of every function while ftrace_entry_open is set. */
static struct ftrace_chain *ftrace_chain __read_mostly;

int function_trace_stop __read_mostly;

static LLIST_HEAD(retired_chains);

static void chain_free_retired(struct work_struct *work)
{
	/* Taken before the grace period: a chain that is added later queues the work again. */
	struct llist_node *batch = llist_del_all(&retired_chains);
	struct ftrace_chain *chain, *next;

	dispatch_synchronize();
	llist_for_each_entry_safe(chain, next, batch, retired)
		kfree(chain);
}

static DECLARE_WORK(chain_free_work, chain_free_retired);

/* The function of a chain of several ops; a chain of one ops calls that ops directly. */
static void chain_call_all(unsigned long ip, unsigned long parent_ip,
			   struct ftrace_ops *self, struct ftrace_regs *fregs)
{
	const struct ftrace_chain *chain = (void *)self;

	for (unsigned int i = 0; i < chain->nr; i++)
		chain->links[i].func(ip, parent_ip, chain->links[i].ops, fregs);
}

/**
 * arch_ftrace_ops_list_func() - call all attached ops
 * @ip: address of the site
 * @parent_ip: return address of the traced function
 * @op: unused
 * @fregs: registers that the entry has saved
 *
 * The chain may have changed, or become empty, since the entry read ftrace_entry_open.
 *
 * Context: any, NMI too.
 */
void arch_ftrace_ops_list_func(unsigned long ip, unsigned long parent_ip,
			       struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	/* Address dependency; pairs with the release in chain_publish(). */
	const struct ftrace_chain *chain = READ_ONCE(ftrace_chain);

	if (!chain)
		return;
	if (!IS_ENABLED(CONFIG_HAVE_FUNCTION_TRACE_MCOUNT_TEST) &&
	    READ_ONCE(function_trace_stop))
		return;
	chain->func(ip, parent_ip, chain->op, fregs);
}

static struct ftrace_chain *chain_current(void)
{
	lockdep_assert_held(&ftrace_lock);
	return ftrace_chain;
}

bool __init dispatch_is_used(void)
{
	return READ_ONCE(ftrace_chain) || !llist_empty(&retired_chains);
}

static struct ftrace_chain *chain_alloc(unsigned int nr, gfp_t gfp)
{
	struct ftrace_chain *chain = kzalloc(struct_size(chain, links, nr), gfp);

	if (chain)
		chain->nr = nr;
	return chain;
}

/* Copy the ops of @from, which may be NULL, except @skip. */
static void chain_fill(struct ftrace_chain *chain, const struct ftrace_chain *from,
		       const struct ftrace_ops *skip)
{
	unsigned int n = 0;

	for (unsigned int i = 0; from && i < from->nr; i++)
		if (from->links[i].ops != skip)
			chain->links[n++] = from->links[i];
}

/* Make the entry call @chain (NULL: no ops) and have the chain that it replaces freed. */
static void chain_publish(struct ftrace_chain *chain)
{
	struct ftrace_chain *old = chain_current();

	if (chain) {
		chain->func = chain->nr > 1 ? chain_call_all : chain->links[0].func;
		chain->op = chain->nr > 1 ? (void *)chain : chain->links[0].ops;
	}
	/* Pairs with the address dependency in arch_ftrace_ops_list_func(). */
	smp_store_release(&ftrace_chain, chain);
	WRITE_ONCE(ftrace_entry_open, !!chain);
	if (!old)
		return;
	llist_add(&old->retired, &retired_chains);
	/* Early in boot there is no workqueue; a later run of the work frees all. */
	if (system_unbound_wq)
		queue_work(system_unbound_wq, &chain_free_work);
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
	const struct ftrace_chain *old = chain_current();
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
	const struct ftrace_chain *old = chain_current();
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
	if (chain_current())
		chain_publish(NULL);
}

void dispatch_disarm(const struct ftrace_ops *ops)
{
	guard(mutex)(&ftrace_lock);
	chain_remove(ops);
}
