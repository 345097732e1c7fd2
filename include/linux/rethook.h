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
 * The architecture brings what is called arch_rethook_*. What the other
 * functions promise is told where they are defined, in
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
 * @data: as given to rethook_alloc()
 * @ret_addr: where execution will go on
 * @regs: the registers as the function left them; what is changed in them takes
 *	effect as far as the architecture's trampoline restores them
 *
 * Context: that of the function, with preemption off; must not sleep.
 */
typedef void (*rethook_handler_t)(struct rethook_node *node, void *data,
				  unsigned long ret_addr, struct pt_regs *regs);

/**
 * struct rethook - a hook that any number of functions may share
 * @data: passed to the handler
 * @pool: the nodes that are free; owns the struct, which is freed with the
 *	last node
 * @rcu: defers the end of the pool until nobody can be taking a node from it
 *
 * Comes from rethook_alloc() only; do not embed it.
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
 * @frame: where the stack was, to match a return with its call
 *
 * Users put it first in a larger struct and give that one's size to
 * rethook_alloc().
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
 * arch_rethook_trampoline - where hooked functions return to
 *
 * By the architecture, in assembly, never called: saves the registers, calls
 * rethook_trampoline_handler() and goes on at what that returns.
 */
void arch_rethook_trampoline(void);

/* Where an architecture has the next two inline. */
#include <asm/rethook_inline.h>

#ifndef arch_rethook_prepare
/**
 * arch_rethook_prepare - have the function that was just entered return to us
 * @node: keeps the true return address in ret_addr, and in frame where it was
 * @regs: the registers at the entry
 * @mcount: they come from an ftrace callback, not from a breakpoint
 *
 * By the architecture: puts the address of arch_rethook_trampoline() in place
 * of the return address.
 *
 * Context: any, preemption disabled.
 */
void arch_rethook_prepare(struct rethook_node *node, struct pt_regs *regs, bool mcount);
#endif

#ifndef arch_rethook_fixup_return
/**
 * arch_rethook_fixup_return - the handlers have been called
 * @regs: the registers as they left them
 * @correct_ret_addr: the true return address
 *
 * By the architecture whose trampoline finds the address to go on at elsewhere
 * than in the return value of rethook_trampoline_handler(): puts it there.
 *
 * Context: that of the function, with preemption off.
 */
void arch_rethook_fixup_return(struct pt_regs *regs, unsigned long correct_ret_addr);
#endif

/**
 * is_rethook_trampoline - is this the address that hooked functions return to?
 * @addr: a return address found on a stack
 *
 * Context: any, NMI included.
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
