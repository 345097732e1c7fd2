// SPDX-License-Identifier: GPL-2.0
/*
 * Direct calls (SPEC D17): call sites call an address that the user of an ops provides, a
 * trampoline of BPF or of a module, with the stack and the registers as if the compiler had
 * put the call there.  At a site with other ops the trampoline of the set calls these first, and
 * then jumps to the address.
 *
 * A direct call that continues in the traced function itself, instead of returning to it, would
 * miss an IPMODIFY ops, that is a live patch, at the same site.  So the users of direct calls are
 * asked before the two share a function: the ops that is registered second has the user of the
 * direct call asked by its &ftrace_ops.ops_func.  Without that function the second one is refused.
 */
#include <linux/cleanup.h>
#include <linux/ftrace.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/slab.h>

#include "dispatch/call.h"
#include "dispatch/dispatch.h"
#include "filter/filter.h"
#include "internal.h"
#include "ops.h"
#include "sites/lock.h"
#include "sites/sites.h"
#include "visit.h"

/* internal.h says what direct_lock protects and its place in the lock order. */
static DEFINE_MUTEX(direct_lock);

/* ------------------------------------------------------------------ */
/* Sharing functions with ops that modify the instruction pointer	*/

/**
 * struct direct_peers - the direct calls that share functions with an IPMODIFY ops
 * @ops: the ops with FTRACE_OPS_FL_DIRECT
 * @nr: number of elements of @ops
 */
struct direct_peers {
	struct ftrace_ops	**ops;
	unsigned int		nr;
};

static unsigned int direct_find_peers(const struct ftrace_ops *modifier, struct ftrace_ops **found,
				      unsigned int room)
{
	guard(mutex)(&ftrace_lock);
	if (!filter_has_list(modifier->filter))
		return 0;
	return ops_find_sharing(modifier->filter, FTRACE_OPS_FL_DIRECT, found, room);
}

/* direct_lock keeps the peers registered.  Return: 0; -ENOMEM. */
static int direct_get_peers(struct direct_peers *peers, const struct ftrace_ops *modifier,
			    gfp_t gfp)
{
	unsigned int room = direct_find_peers(modifier, NULL, 0);

	lockdep_assert_held(&direct_lock);
	*peers = (struct direct_peers){};
	if (!room)
		return 0;
	peers->ops = kcalloc(room, sizeof(*peers->ops), gfp);
	if (!peers->ops)
		return -ENOMEM;
	peers->nr = min(direct_find_peers(modifier, peers->ops, room), room);
	return 0;
}

static void direct_stop_sharing(const struct direct_peers *peers, unsigned int nr)
{
	for (unsigned int i = 0; i < nr; i++)
		ops_ask_direct(peers->ops[i], FTRACE_OPS_CMD_DISABLE_SHARE_IPMODIFY_PEER);
}

/* Ask all peers.  If one refuses, those that have agreed get the request that ends it. */
static int direct_start_sharing(const struct direct_peers *peers)
{
	int ret;

	for (unsigned int i = 0; i < peers->nr; i++) {
		ret = ops_ask_direct(peers->ops[i], FTRACE_OPS_CMD_ENABLE_SHARE_IPMODIFY_PEER);
		if (ret) {
			direct_stop_sharing(peers, i);
			return ret;
		}
	}
	return 0;
}

int direct_register_modifier(struct ftrace_ops *ops)
{
	struct direct_peers peers;
	int ret;

	guard(mutex)(&direct_lock);
	ret = direct_get_peers(&peers, ops, GFP_KERNEL);
	if (ret)
		return ret;
	ret = direct_start_sharing(&peers);
	if (ret)
		goto free;
	ret = ops_register(ops);
	if (ret)
		direct_stop_sharing(&peers, peers.nr);
free:
	kfree(peers.ops);
	return ret;
}

int direct_unregister_modifier(struct ftrace_ops *ops)
{
	struct direct_peers peers;
	int ret;

	guard(mutex)(&direct_lock);
	ret = ops_unregister(ops);
	if (ret)
		return ret;
	direct_get_peers(&peers, ops, GFP_KERNEL | __GFP_NOFAIL);
	direct_stop_sharing(&peers, peers.nr);
	kfree(peers.ops);
	return 0;
}

/* ------------------------------------------------------------------ */
/* The interface							*/

/* Flags of an ops while it is a direct call.  It is the last ops of each set. */
#define DIRECT_FLAGS	(FTRACE_OPS_FL_DIRECT | FTRACE_OPS_FL_ORDERED)

static void direct_begin(struct ftrace_ops *ops, unsigned long addr)
{
	ops->flags |= DIRECT_FLAGS;
	ops->seq = U64_MAX;
	ops->direct_call = addr;
}

static void direct_end(struct ftrace_ops *ops)
{
	ops->flags &= ~DIRECT_FLAGS;
	ops->direct_call = 0;
}

static bool direct_is_registered(const struct ftrace_ops *ops)
{
	return ops->flags & FTRACE_OPS_FL_DIRECT && ops->flags & FTRACE_OPS_FL_ENABLED;
}

/**
 * register_ftrace_direct() - make functions call an address
 * @ops: the ops, without &ftrace_ops.func; its filter has a list of functions
 * @addr: the address
 *
 * The code at @addr runs as if the function had called it by its first instruction: it has to
 * preserve all registers that can hold arguments, and returns to the address on top of the stack,
 * in the function, or to the caller of the function.  It must exist until a grace period of Tasks
 * RCU has ended after unregister_ftrace_direct() has returned; of a module that function waits for
 * it.  Other ops of a function are called before.
 *
 * Context: may sleep; takes ftrace_lock.
 *
 * Return: 0; -EINVAL if @ops has a callback, is registered, or has no list of functions; -EBUSY if
 * one of the functions has a direct call, or an IPMODIFY ops and @ops no &ftrace_ops.ops_func; what
 * that function has answered; other errors as of register_ftrace_function().
 */
int register_ftrace_direct(struct ftrace_ops *ops, unsigned long addr)
{
	int ret;

	guard(mutex)(&direct_lock);
	if (!addr || ops->func || ops->flags & FTRACE_OPS_FL_ENABLED ||
	    !filter_has_list(ops->filter))
		return -EINVAL;
	direct_begin(ops, addr);
	ret = ops_register(ops);
	if (ret)
		direct_end(ops);
	return ret;
}
EXPORT_SYMBOL_GPL(register_ftrace_direct);

/**
 * unregister_ftrace_direct() - make functions stop calling an address
 * @ops: the ops, which can be registered again afterwards
 * @addr: the address
 * @free_filters: true to free the filter of @ops as well
 *
 * On return no function calls @addr, but a task that has called it may still be in front of its
 * first instruction.  If @addr is in a module, whose users do not expect that, this waits until no
 * task is in the code of the module any more.  Other users have to wait themselves, with
 * synchronize_rcu_tasks() or call_rcu_tasks().
 *
 * Context: may sleep, for long if @addr is in a module; takes ftrace_lock.
 *
 * Return: 0; -EINVAL if @ops is not registered; -ENOMEM: it is still registered; any other error:
 * the tracer is dead, and functions call @addr until the next boot.
 */
int unregister_ftrace_direct(struct ftrace_ops *ops, unsigned long addr, bool free_filters)
{
	int ret;

	scoped_guard(mutex, &direct_lock) {
		if (!direct_is_registered(ops))
			return -EINVAL;
		ret = ops_unregister(ops);
		if (ret == -ENOMEM)
			return ret;
		direct_end(ops);
	}
	if (!ret && is_module_text_address(addr))
		dispatch_synchronize();
	if (free_filters)
		ftrace_free_filter(ops);
	return ret;
}
EXPORT_SYMBOL_GPL(unregister_ftrace_direct);

static int direct_modify_locked(struct ftrace_ops *ops, unsigned long addr)
{
	unsigned long old = ops->direct_call;
	int ret;

	guard(mutex)(&ftrace_lock);
	ret = ops_are_attached();
	if (ret < 0)
		return ret;
	ops->direct_call = addr;
	ret = ret ? ops_renew(ops) : 0;
	if (ret == -ENOMEM)
		ops->direct_call = old;
	return ret;
}

/**
 * modify_ftrace_direct_nolock() - change the address of a direct call
 * @ops: the ops
 * @addr: the new address, as for register_ftrace_direct()
 *
 * No function calls both addresses or none in between.  On return no function calls the old one,
 * but as after unregister_ftrace_direct() tasks may still be in front of its first instruction.
 *
 * Context: &ftrace_ops.ops_func of @ops, except for FTRACE_OPS_CMD_ENABLE_SHARE_IPMODIFY_SELF.
 *
 * Return: 0; -EINVAL if @ops is not registered by register_ftrace_direct(); -ENOMEM: nothing has
 * changed; -ENODEV after ftrace_kill(); any other error: the tracer has died of the change.
 */
int modify_ftrace_direct_nolock(struct ftrace_ops *ops, unsigned long addr)
{
	lockdep_assert_held(&direct_lock);
	return addr && direct_is_registered(ops) ? direct_modify_locked(ops, addr) : -EINVAL;
}
EXPORT_SYMBOL_GPL(modify_ftrace_direct_nolock);

/**
 * modify_ftrace_direct() - change the address of a direct call
 * @ops: the ops
 * @addr: the new address, as for register_ftrace_direct()
 *
 * Context: may sleep; takes ftrace_lock; not for &ftrace_ops.ops_func, which calls
 * modify_ftrace_direct_nolock().
 *
 * Return: as modify_ftrace_direct_nolock().
 */
int modify_ftrace_direct(struct ftrace_ops *ops, unsigned long addr)
{
	guard(mutex)(&direct_lock);
	return modify_ftrace_direct_nolock(ops, addr);
}
EXPORT_SYMBOL_GPL(modify_ftrace_direct);

/**
 * ftrace_find_rec_direct() - get the direct call of a function
 * @ip: address of the call site
 *
 * Context: any.
 *
 * Return: the address that the function calls, 0 if it has no direct call.
 */
unsigned long ftrace_find_rec_direct(unsigned long ip)
{
	const struct dispatch_set *set;
	const struct site *site;

	guard(preempt_notrace)();
	site = site_at(ip, NULL);
	set = site ? dispatch_set_by_id(site_set_id(site)) : NULL;
	return set ? set->direct : 0;
}
