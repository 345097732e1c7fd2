/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Hooks on function returns.
 *
 * At the entry of a function, its user takes a node from the hook's pool and
 * hooks it: the return address is replaced by a trampoline's, and the true one
 * is kept in the node, on the task's shadow stack. When the function returns
 * into the trampoline, the hook's handler is called, the node goes back into
 * the pool and execution continues at the true return address.
 *
 * The architecture provides the functions named arch_rethook_*. The kernel-doc
 * of the other functions is at their definitions in
 * kernel/trace/rethook/rethook.c.
 */
#ifndef _LINUX_RETHOOK_H
#define _LINUX_RETHOOK_H

#include <linux/compiler.h>
#include <linux/kallsyms.h>
#include <linux/llist.h>
#include <linux/objpool.h>
#include <linux/rcupdate.h>

struct pt_regs;
struct rethook_node;
struct task_struct;

/**
 * typedef rethook_handler_t - called when a hooked function has returned
 * @node: the node of the call; given back to the pool afterwards
 * @data: the data passed to rethook_alloc()
 * @ret_addr: address at which execution will continue
 * @regs: the registers as the function left them; changes take effect for the
 *	registers that the architecture's trampoline restores
 *
 * Context: that of the function, with preemption off; must not sleep.
 */
typedef void (*rethook_handler_t)(struct rethook_node *node, void *data,
				  unsigned long ret_addr, struct pt_regs *regs);

/**
 * struct rethook - a hook that any number of functions may share
 * @data: passed to the handler
 * @pool: the free nodes; owns this struct, which is freed together with the
 *	last node
 * @rcu: defers the end of the pool until no CPU can be taking a node from it
 *
 * Allocated by rethook_alloc() only; must not be embedded.
 */
struct rethook {
	void			*data;
	/* private: a rethook_handler_t; NULL once the hook is stopped */
	void (__rcu *handler)(struct rethook_node *node, void *data,
			      unsigned long ret_addr, struct pt_regs *regs);
	/* public: */
	struct objpool_head	pool;
	struct rcu_head		rcu;
};

/**
 * struct rethook_node - one function call whose return is hooked
 * @rcu: for users that free nodes themselves
 * @llist: the link in the task's shadow stack, newest first
 * @rethook: the hook it belongs to
 * @ret_addr: the true return address
 * @frame: position of the stack at the entry, to match a return with its call
 *
 * Users make this the first member of a larger struct, and pass the size of
 * that struct to rethook_alloc().
 */
struct rethook_node {
	unsigned long		ret_addr;
	unsigned long		frame;
	struct rethook		*rethook;
	struct llist_node	llist;
	struct rcu_head		rcu;
};

struct rethook *rethook_alloc(void *data, rethook_handler_t handler, int size, int num);
void rethook_stop(struct rethook *rh);
void rethook_free(struct rethook *rh);

struct rethook_node *rethook_try_get(struct rethook *rh);
void rethook_hook(struct rethook_node *node, struct pt_regs *regs, bool mcount);
void rethook_recycle(struct rethook_node *node);

unsigned long rethook_find_ret_addr(struct task_struct *tsk, unsigned long frame,
				    struct llist_node **cur);
unsigned long rethook_trampoline_handler(struct pt_regs *regs, unsigned long frame);

/**
 * arch_rethook_trampoline - return address of hooked functions
 *
 * Provided by the architecture, in assembly, and never called: saves the
 * registers, calls rethook_trampoline_handler() and continues at the address
 * that it returns.
 */
void arch_rethook_trampoline(void);

/* May define arch_rethook_prepare() and arch_rethook_fixup_return() inline. */
#include <asm/rethook_inline.h>

#ifndef arch_rethook_prepare
/**
 * arch_rethook_prepare - hook the return of the function that was just entered
 * @node: @node->ret_addr is set to the true return address, @node->frame to its
 *	location
 * @regs: the registers at the entry
 * @mcount: true if @regs come from an ftrace callback, false if they come from
 *	a breakpoint
 *
 * Provided by the architecture: replaces the return address by the address of
 * arch_rethook_trampoline().
 *
 * Context: any, preemption disabled.
 */
void arch_rethook_prepare(struct rethook_node *node, struct pt_regs *regs, bool mcount);
#endif

#ifndef arch_rethook_fixup_return
/**
 * arch_rethook_fixup_return - store the address at which execution continues
 * @regs: the registers as the handlers left them
 * @correct_ret_addr: the true return address
 *
 * Called after the handlers. Provided by architectures whose trampoline does
 * not take the address from the return value of rethook_trampoline_handler():
 * stores the address where the trampoline reads it.
 *
 * Context: that of the function, with preemption off.
 */
void arch_rethook_fixup_return(struct pt_regs *regs, unsigned long correct_ret_addr);
#endif

/**
 * is_rethook_trampoline - test whether an address is that of the trampoline
 * @addr: a return address found on a stack
 *
 * Context: any, NMI included.
 * Return: true if the function that returns to @addr is hooked.
 */
static inline bool is_rethook_trampoline(unsigned long addr)
{
	return (unsigned long)dereference_symbol_descriptor(arch_rethook_trampoline) == addr;
}

#ifdef CONFIG_RETHOOK
void rethook_flush_task(struct task_struct *tk);
#else
static inline void rethook_flush_task(struct task_struct *tk) { }
#endif

#endif /* _LINUX_RETHOOK_H */
