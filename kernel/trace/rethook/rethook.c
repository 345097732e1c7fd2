// SPDX-License-Identifier: GPL-2.0
/*
 * Hooks on function returns: the part that all architectures share.
 *
 * Return probes are the user. The shadow stack is the list of nodes in
 * task_struct.rethooks, newest first. It is the task's own: the task and what
 * interrupts it push and pop, always in pairs, so no lock is needed. Others may
 * look at it only while the task does not run.
 *
 * When a hooked function is hooked once more, or jumps to a hooked one in place
 * of its return, the newer node's "true" return address is the trampoline.
 * One return then serves all nodes down to the first that has an address of
 * the caller.
 *
 * No function here may be probed itself, except those that set up and tear
 * down.
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

/* graph_find_caller(), or NULL if there is none. */
static unsigned long (*find_caller)(unsigned long ret, const unsigned long *retp,
				    unsigned int nr_own, struct llist_node *hook) __ro_after_init;

void __init rethook_ask_for_callers(unsigned long (*find)(unsigned long ret,
							  const unsigned long *retp,
							  unsigned int nr_own,
							  struct llist_node *hook))
{
	find_caller = find;
}

static __always_inline rethook_handler_t current_handler(const struct rethook *rh)
{
	return (rethook_handler_t)rcu_dereference_check(rh->handler, rcu_read_lock_any_held());
}

/* The pool is the hook's owner: it goes when its last node has come back. */
static int free_with_pool(struct objpool_head *pool, void *rh)
{
	kfree(rh);
	return 0;
}

static int tie_node(void *node, void *rh)
{
	((struct rethook_node *)node)->rethook = rh;
	return 0;
}

/**
 * rethook_alloc - make a hook
 * @data: passed to @handler
 * @handler: called at each return, with preemption off
 * @size: bytes of a node, with what the user keeps behind struct rethook_node
 * @num: how many returns can be pending at once; more are missed
 *
 * Context: process; may sleep.
 * Return: the hook, or an error pointer: -EINVAL for arguments that make no
 * sense, -ENOMEM.
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
	if (objpool_init(&rh->pool, num, size, GFP_KERNEL, rh, tie_node, free_with_pool))
		return ERR_PTR(-ENOMEM);

	return_ptr(rh);
}

/**
 * rethook_stop - call the handler no more
 * @rh: the hook
 *
 * A call that is under way may still be after this returns; synchronize_rcu()
 * waits for it. Pending returns find their way as before.
 *
 * Context: any.
 */
void rethook_stop(struct rethook *rh)
{
	rcu_assign_pointer(rh->handler, NULL);
}

static void drop_pool(struct rcu_head *head)
{
	struct rethook *rh = container_of(head, struct rethook, rcu);

	objpool_fini(&rh->pool);
}

/**
 * rethook_free - give a hook away
 * @rh: the hook, which the caller must not touch again
 *
 * Its memory stays until the last pending return has happened.
 *
 * Context: any.
 */
void rethook_free(struct rethook *rh)
{
	rethook_stop(rh);
	call_rcu(&rh->rcu, drop_pool);
}

/**
 * rethook_try_get - take a node for one function call
 * @rh: the hook
 *
 * Context: any, preemption disabled.
 * Return: the node, to be given to rethook_hook() or rethook_recycle(), or NULL
 * when all are in use or the hook is stopped.
 */
struct rethook_node *rethook_try_get(struct rethook *rh)
{
	/* Else only what RCU watches is probed: it is what keeps the nodes. */
	if (IS_ENABLED(CONFIG_KPROBE_EVENTS_ON_NOTRACE) && !rcu_is_watching())
		return NULL;
	return likely(current_handler(rh)) ? objpool_pop(&rh->pool) : NULL;
}

NOKPROBE_SYMBOL(rethook_try_get);

static void drop_node(struct rcu_head *head)
{
	struct rethook_node *node = container_of(head, struct rethook_node, rcu);

	objpool_drop(node, &node->rethook->pool);
}

static __always_inline void recycle(struct rethook_node *node)
{
	/* A stopped hook's pool is on its way out, or will be. */
	if (unlikely(!current_handler(node->rethook)))
		call_rcu(&node->rcu, drop_node);
	else
		objpool_push(node, &node->rethook->pool);
}

/**
 * rethook_recycle - give a node back
 * @node: the node, on no shadow stack
 *
 * Context: any, preemption disabled.
 */
void rethook_recycle(struct rethook_node *node)
{
	recycle(node);
}

NOKPROBE_SYMBOL(rethook_recycle);

/**
 * rethook_hook - hook the return of the function that was just entered
 * @node: from rethook_try_get()
 * @regs: the registers at its entry
 * @mcount: they come from an ftrace callback, not from a breakpoint
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
 * rethook_flush_task - give back what a dead task never returned through
 * @tk: the task, whose last reference is going
 *
 * Context: any that call_rcu() may be called in.
 */
void rethook_flush_task(struct task_struct *tk)
{
	struct rethook_node *node, *next;

	guard(preempt)();
	llist_for_each_entry_safe(node, next, __llist_del_all(&tk->rethooks), llist)
		rethook_recycle(node);
}

/* The first node from @llist on whose address is the caller's. */
static struct rethook_node *node_with_caller(struct llist_node *llist)
{
	struct rethook_node *node;

	llist_for_each_entry(node, llist, llist)
		if (!is_rethook_trampoline(node->ret_addr))
			return node;

	return NULL;
}

NOKPROBE_SYMBOL(node_with_caller);

/**
 * rethook_find_ret_addr - what stands behind a trampoline's address on a stack
 * @tsk: whose stack: the running task itself, or one that does not run
 * @frame: where on the stack the address was found
 * @cur: how far the shadow stack has been searched; NULL in it at the first
 *	call for a stack, untouched between calls
 *
 * Context: any.
 * Return: the true return address, or 0 when there is none.
 */
unsigned long rethook_find_ret_addr(struct task_struct *tsk, unsigned long frame,
				    struct llist_node **cur)
{
	struct llist_node *from;
	struct rethook_node *node;

	if (WARN_ON_ONCE(!cur) || (task_is_running(tsk) && tsk != current))
		return 0;

	from = *cur ? (*cur)->next : tsk->rethooks.first;
	while ((node = node_with_caller(from))) {
		*cur = &node->llist;
		if (node->frame == frame)
			return node->ret_addr;
		from = node->llist.next;
	}

	return 0;
}

NOKPROBE_SYMBOL(rethook_find_ret_addr);

#ifndef arch_rethook_fixup_return
/* Most architectures find the address that the handler returns by themselves. */
void __weak arch_rethook_fixup_return(struct pt_regs *regs, unsigned long correct_ret_addr)
{
}
#endif

/*
 * The instruction pointer that handlers see is in the caller, though execution may go on at a
 * trampoline of graph/.
 */
static __always_inline void show_caller(struct pt_regs *regs, struct rethook_node *last,
					unsigned long frame)
{
	unsigned long ret = last->ret_addr;

	if (unlikely(ftrace_graph_is_handler(ret)) && find_caller)
		ret = find_caller(ret, (unsigned long *)frame, 0, &last->llist);
	instruction_pointer_set(regs, ret);
}

/* The nodes stay on the shadow stack meanwhile: a handler may dump the stack. */
static __always_inline void call_handlers(struct rethook_node *last, unsigned long frame,
					  struct pt_regs *regs)
{
	struct rethook_node *node;
	rethook_handler_t handler;

	llist_for_each_entry(node, current->rethooks.first, llist) {
		if (WARN_ON_ONCE(node->frame != frame))
			return;
		handler = current_handler(node->rethook);
		if (handler)
			handler(node, node->rethook->data, last->ret_addr, regs);
		if (node == last)
			return;
	}
}

static __always_inline void pop_nodes(struct rethook_node *last)
{
	struct llist_node *popped = current->rethooks.first;
	struct rethook_node *node, *next;

	current->rethooks.first = last->llist.next;
	last->llist.next = NULL;

	llist_for_each_entry_safe(node, next, popped, llist)
		recycle(node);
}

/* A return that serves several nodes, or that nobody knows of. */
static noinline unsigned long return_of_many(struct pt_regs *regs, unsigned long frame)
{
	struct rethook_node *last = node_with_caller(current->rethooks.first);
	unsigned long ret_addr;

	/* Nobody knows where to go on from here. */
	if (WARN_ONCE(!last, "no return address for %s at %lx\n", current->comm, frame))
		make_task_dead(SIGSEGV);
	ret_addr = last->ret_addr;

	/* Keeps the hooks of all the nodes: rethook_free() waits for RCU. */
	guard(preempt_notrace)();

	show_caller(regs, last, frame);
	call_handlers(last, frame, regs);
	arch_rethook_fixup_return(regs, ret_addr);
	pop_nodes(last);

	return ret_addr;
}

NOKPROBE_SYMBOL(return_of_many);

/* Does a return serve the newest node of a task, and that alone? */
static __always_inline bool serves_one(const struct rethook_node *newest, unsigned long frame)
{
	return newest->frame == frame && !is_rethook_trampoline(newest->ret_addr);
}

/* With preemption off, and the node on the shadow stack meanwhile, for the same reasons. */
static __always_inline unsigned long return_of_one(struct rethook_node *node,
						   struct pt_regs *regs)
{
	unsigned long ret_addr = node->ret_addr;
	rethook_handler_t handler;

	guard(preempt_notrace)();
	show_caller(regs, node, node->frame);
	handler = current_handler(node->rethook);
	if (handler)
		handler(node, node->rethook->data, ret_addr, regs);
	arch_rethook_fixup_return(regs, ret_addr);
	current->rethooks.first = node->llist.next;
	node->llist.next = NULL;
	recycle(node);
	return ret_addr;
}

/**
 * rethook_trampoline_handler - a hooked function has returned
 * @regs: the registers as the function left them
 * @frame: where on the stack its return address was
 *
 * Called by the architecture's trampoline.
 *
 * Context: that of the function.
 * Return: the address to go on at, of which @regs has the one in the caller.
 */
unsigned long rethook_trampoline_handler(struct pt_regs *regs, unsigned long frame)
{
	struct llist_node *first = current->rethooks.first;
	struct rethook_node *newest;

	if (unlikely(!first))
		return return_of_many(regs, frame);
	newest = llist_entry(first, struct rethook_node, llist);
	return likely(serves_one(newest, frame)) ? return_of_one(newest, regs) :
						   return_of_many(regs, frame);
}

NOKPROBE_SYMBOL(rethook_trampoline_handler);
