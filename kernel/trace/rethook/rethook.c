// SPDX-License-Identifier: GPL-2.0
/*
 * Hooks on function returns: the part that all architectures share.
 *
 * Return probes use these hooks. A node holds the return address that one hook
 * has replaced for one call. The shadow stack of a task is the list of its nodes
 * in task_struct.rethooks, newest first. Only the task itself, and interrupts on
 * top of it, push and pop nodes; an interrupt pops what it has pushed before it
 * returns, so no lock is needed. Other tasks may read the list only while the task
 * does not run.
 *
 * When a call is hooked twice, or a hooked function ends with a tail call of
 * another hooked function, the return address saved in the newer node is the
 * trampoline. Then one return serves all nodes from the newest one to the first
 * one whose saved address is not the trampoline.
 *
 * Functions of this file must not be probed by kprobes, except those that set up
 * and tear down a hook: the others run in the handlers of probes.
 */
#include <linux/bug.h>
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/kprobes.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/rethook.h>
#include <linux/sched.h>
#include <linux/sched/task.h>
#include <linux/slab.h>

#include "caller.h"

/* graph_find_caller(), or NULL in a kernel without graph/. */
static unsigned long (*rethook_find_caller)(unsigned long ret, const unsigned long *retp,
					    unsigned int nr_own,
					    struct llist_node *hook) __ro_after_init;

void __init rethook_set_find_caller(unsigned long (*find)(unsigned long ret,
							  const unsigned long *retp,
							  unsigned int nr_own,
							  struct llist_node *hook))
{
	rethook_find_caller = find;
}

/* Return: the handler of a hook; NULL after rethook_stop(). */
static __always_inline rethook_handler_t rethook_current_handler(const struct rethook *rh)
{
	return (rethook_handler_t)rcu_dereference_check(rh->handler, rcu_read_lock_any_held());
}

/* Called when the last node was given back to the pool, which is freed: free the hook, too. */
static int rethook_free_with_pool(struct objpool_head *pool, void *rh)
{
	kfree(rh);
	return 0;
}

static int rethook_init_node(void *node, void *rh)
{
	((struct rethook_node *)node)->rethook = rh;
	return 0;
}

/**
 * rethook_alloc() - allocate a hook
 * @data: passed to @handler
 * @handler: called at each return, with preemption off
 * @size: size of a node in bytes: struct rethook_node and the user's data behind it
 * @num: number of nodes, which bounds the returns that can be pending at once
 *
 * Context: process; may sleep.
 * Return: the hook, or an error pointer: -EINVAL if @handler is NULL, @num is
 * less than 1 or @size is less than a node; -ENOMEM.
 */
struct rethook *rethook_alloc(void *data, rethook_handler_t handler, int size, int num)
{
	struct rethook *rh __free(kfree) = NULL;

	if (!handler || num < 1 || size < (int)sizeof(struct rethook_node))
		return ERR_PTR(-EINVAL);

	rh = kzalloc(sizeof(*rh), GFP_KERNEL);
	if (!rh)
		return ERR_PTR(-ENOMEM);
	rcu_assign_pointer(rh->handler, handler);
	rh->data = data;
	if (objpool_init(&rh->pool, num, size, GFP_KERNEL, rh, rethook_init_node,
			 rethook_free_with_pool))
		return ERR_PTR(-ENOMEM);

	return_ptr(rh);
}

/**
 * rethook_stop() - stop calling the handler of a hook
 * @rh: the hook
 *
 * The handler may still be running when this returns; synchronize_rcu() waits
 * for it. Pending returns continue at their true return addresses.
 *
 * Context: any.
 */
void rethook_stop(struct rethook *rh)
{
	rcu_assign_pointer(rh->handler, NULL);
}

static void rethook_drop_pool_rcu(struct rcu_head *head)
{
	struct rethook *rh = container_of(head, struct rethook, rcu);

	objpool_fini(&rh->pool);
}

/**
 * rethook_free() - stop a hook and free it
 * @rh: the hook, which the caller must not touch again
 *
 * The hook's memory is freed after the last pending return has happened.
 *
 * Context: any.
 */
void rethook_free(struct rethook *rh)
{
	rethook_stop(rh);
	call_rcu(&rh->rcu, rethook_drop_pool_rcu);
}

/**
 * rethook_try_get() - take a node for one function call
 * @rh: the hook
 *
 * Context: any, preemption disabled.
 * Return: the node, to be passed to rethook_hook() or rethook_recycle(); NULL
 * if all nodes are in use, the hook is stopped, or RCU is not watching.
 */
struct rethook_node *rethook_try_get(struct rethook *rh)
{
	/*
	 * Only RCU keeps the nodes from being freed, so it has to be watching. It always is
	 * without CONFIG_KPROBE_EVENTS_ON_NOTRACE: then other functions are never probed.
	 */
	if (IS_ENABLED(CONFIG_KPROBE_EVENTS_ON_NOTRACE) && !rcu_is_watching())
		return NULL;
	return likely(rethook_current_handler(rh)) ? objpool_pop(&rh->pool) : NULL;
}

NOKPROBE_SYMBOL(rethook_try_get);

static void rethook_drop_node_rcu(struct rcu_head *head)
{
	struct rethook_node *node = container_of(head, struct rethook_node, rcu);

	objpool_drop(node, &node->rethook->pool);
}

static __always_inline void rethook_put_node(struct rethook_node *node)
{
	/* A stopped hook needs no nodes any more: free the node, and with the last one the pool. */
	if (unlikely(!rethook_current_handler(node->rethook)))
		call_rcu(&node->rcu, rethook_drop_node_rcu);
	else
		objpool_push(node, &node->rethook->pool);
}

/**
 * rethook_recycle() - give a node back to the pool of its hook
 * @node: the node, which is on no shadow stack
 *
 * Context: any, preemption disabled.
 */
void rethook_recycle(struct rethook_node *node)
{
	rethook_put_node(node);
}

NOKPROBE_SYMBOL(rethook_recycle);

/**
 * rethook_hook() - hook the return of the function that was just entered
 * @node: node from rethook_try_get()
 * @regs: registers at the entry of the function
 * @mcount: true if @regs come from an ftrace callback, false if from a breakpoint
 *
 * Context: any, preemption disabled.
 */
void rethook_hook(struct rethook_node *node, struct pt_regs *regs, bool mcount)
{
	arch_rethook_prepare(node, regs, mcount);
	__llist_add(&node->llist, &current->rethooks);
}

NOKPROBE_SYMBOL(rethook_hook);

/**
 * rethook_flush_task() - give back the nodes of the calls from which a dead task has not returned
 * @tk: the task, whose last reference is being dropped
 *
 * Context: any in which call_rcu() may be called.
 */
void rethook_flush_task(struct task_struct *tk)
{
	struct rethook_node *node, *next;

	guard(preempt)();
	llist_for_each_entry_safe(node, next, __llist_del_all(&tk->rethooks), llist)
		rethook_recycle(node);
}

/* Find the newest node, from @llist on, whose saved address is not the trampoline of rethook/. */
static struct rethook_node *rethook_find_caller_node(struct llist_node *llist)
{
	struct rethook_node *node;

	llist_for_each_entry(node, llist, llist)
		if (!is_rethook_trampoline(node->ret_addr))
			return node;

	return NULL;
}

NOKPROBE_SYMBOL(rethook_find_caller_node);

/**
 * rethook_find_ret_addr() - find the return address that a trampoline has replaced on a stack
 * @tsk: owner of the stack: current, or a task that does not run
 * @frame: address on the stack where the trampoline's address was found
 * @cur: *@cur is the node that the previous call for this stack has found, at which the
 *	search continues; the caller sets it to NULL before the first call
 *
 * Context: any.
 * Return: the true return address; 0 if no node belongs to @frame, or if @tsk
 * runs on another CPU.
 */
unsigned long rethook_find_ret_addr(struct task_struct *tsk, unsigned long frame,
				    struct llist_node **cur)
{
	struct llist_node *from;
	struct rethook_node *node;

	if (WARN_ON_ONCE(!cur) || (task_is_running(tsk) && tsk != current))
		return 0;

	from = *cur ? (*cur)->next : tsk->rethooks.first;
	while ((node = rethook_find_caller_node(from))) {
		*cur = &node->llist;
		if (node->frame == frame)
			return node->ret_addr;
		from = node->llist.next;
	}

	return 0;
}

NOKPROBE_SYMBOL(rethook_find_ret_addr);

#ifndef arch_rethook_fixup_return
/* For most architectures: the trampoline continues at what rethook_trampoline_handler() returns. */
void __weak arch_rethook_fixup_return(struct pt_regs *regs, unsigned long correct_ret_addr)
{
}
#endif

/*
 * Set the instruction pointer that handlers see to the address in the caller, even if @last has
 * saved a trampoline of graph/, at which execution will continue.
 */
static __always_inline void rethook_set_caller(struct pt_regs *regs, struct rethook_node *last,
					       unsigned long frame)
{
	unsigned long ret = last->ret_addr;

	if (unlikely(ftrace_graph_is_handler(ret)) && rethook_find_caller)
		ret = rethook_find_caller(ret, (unsigned long *)frame, 0, &last->llist);
	instruction_pointer_set(regs, ret);
}

/*
 * Call the handlers of the newest node up to @last. The nodes stay on the shadow stack until all
 * handlers ran, because a handler may unwind the stack.
 */
static __always_inline void rethook_call_handlers(struct rethook_node *last, unsigned long frame,
						  struct pt_regs *regs)
{
	struct rethook_node *node;
	rethook_handler_t handler;

	llist_for_each_entry(node, current->rethooks.first, llist) {
		if (WARN_ON_ONCE(node->frame != frame))
			return;
		handler = rethook_current_handler(node->rethook);
		if (handler)
			handler(node, node->rethook->data, last->ret_addr, regs);
		if (node == last)
			return;
	}
}

static __always_inline void rethook_pop_nodes(struct rethook_node *last)
{
	struct llist_node *popped = current->rethooks.first;
	struct rethook_node *node, *next;

	current->rethooks.first = last->llist.next;
	last->llist.next = NULL;

	llist_for_each_entry_safe(node, next, popped, llist)
		rethook_put_node(node);
}

/*
 * Handle a return that serves several nodes, or that no node belongs to. Return: the address to
 * continue at.
 */
static noinline unsigned long rethook_return_many(struct pt_regs *regs, unsigned long frame)
{
	struct rethook_node *last = rethook_find_caller_node(current->rethooks.first);
	unsigned long ret_addr;

	/* Without a node, the return address is lost: the task cannot continue. */
	if (WARN_ONCE(!last, "no return address for %s at %lx\n", current->comm, frame))
		make_task_dead(SIGSEGV);
	ret_addr = last->ret_addr;

	/* Keeps the hooks of the nodes from being freed: rethook_free() uses call_rcu(). */
	guard(preempt_notrace)();

	rethook_set_caller(regs, last, frame);
	rethook_call_handlers(last, frame, regs);
	arch_rethook_fixup_return(regs, ret_addr);
	rethook_pop_nodes(last);

	return ret_addr;
}

NOKPROBE_SYMBOL(rethook_return_many);

/* True if a return at @frame serves only the newest node of the task. */
static __always_inline bool rethook_serves_newest_only(const struct rethook_node *newest,
						       unsigned long frame)
{
	return newest->frame == frame && !is_rethook_trampoline(newest->ret_addr);
}

/*
 * Handle a return that serves only the newest node. As in rethook_return_many(), preemption is off
 * because rethook_free() uses call_rcu(), and the node stays on the shadow stack until the handler
 * ran. Return: the address to continue at.
 */
static __always_inline unsigned long rethook_return_one(struct rethook_node *node,
							struct pt_regs *regs)
{
	unsigned long ret_addr = node->ret_addr;
	rethook_handler_t handler;

	guard(preempt_notrace)();
	rethook_set_caller(regs, node, node->frame);
	handler = rethook_current_handler(node->rethook);
	if (handler)
		handler(node, node->rethook->data, ret_addr, regs);
	arch_rethook_fixup_return(regs, ret_addr);
	current->rethooks.first = node->llist.next;
	node->llist.next = NULL;
	rethook_put_node(node);
	return ret_addr;
}

/**
 * rethook_trampoline_handler() - handle the return of a hooked function
 * @regs: registers as the function left them
 * @frame: address on the stack where the return address was stored
 *
 * Called by the architecture's trampoline. Sets the instruction pointer of
 * @regs to the address in the caller.
 *
 * Context: that of the function.
 * Return: the address to continue at, which may be a trampoline of graph/.
 */
unsigned long rethook_trampoline_handler(struct pt_regs *regs, unsigned long frame)
{
	struct llist_node *first = current->rethooks.first;
	struct rethook_node *newest;

	if (unlikely(!first))
		return rethook_return_many(regs, frame);
	newest = llist_entry(first, struct rethook_node, llist);
	return likely(rethook_serves_newest_only(newest, frame)) ?
	       rethook_return_one(newest, regs) : rethook_return_many(regs, frame);
}

NOKPROBE_SYMBOL(rethook_trampoline_handler);
