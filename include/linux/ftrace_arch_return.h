/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The interface between the tracing of returns, kernel/trace/graph/, and the architectures.
 *
 * A call whose return is traced returns to return_to_handler(), in assembly.  That pushes a
 * struct ftrace_return with all registers that can hold a return value, calls graph_return(), and
 * continues at the address that graph_return() has stored, with all other registers as the
 * function has left them.  An unwinder in the middle of this finds a frame of
 * return_to_handler(), as if the caller had called it with the same stack pointer: the return
 * address of that frame is return_to_handler() until graph_return() has replaced it with the true
 * one, and unwinders pass it to ftrace_graph_ret_addr().
 *
 * The architecture defines struct ftrace_return in asm/ftrace.h.  Generic code uses its members
 *
 *	value	array of the registers that can hold a return value
 *	to	address at which return_to_handler() continues
 */
#ifndef _LINUX_FTRACE_ARCH_RETURN_H
#define _LINUX_FTRACE_ARCH_RETURN_H

#include <linux/ftrace.h>
#include <linux/types.h>

struct ftrace_return;
struct pt_regs;

#ifdef CONFIG_FUNCTION_GRAPH_TRACER

/**
 * arch_return_retp - identify the call that returns
 * @r: the struct ftrace_return that return_to_handler() has pushed
 *
 * Context: graph_return().
 * Return: &ftrace_ret_stack.retp of the call: the location of the return address on the stack; or
 * an address that arch_graph_newest_returns() can compare with it.
 */
static __always_inline unsigned long *arch_return_retp(const struct ftrace_return *r);

/**
 * arch_return_regs - get the registers at a return
 * @r: the struct ftrace_return that return_to_handler() has pushed
 * @regs: filled in with the registers of the return value, the stack pointer and, if there is
 *	one, the frame pointer.  Other registers are 0, except for those that mark the
 *	registers as the kernel's.  A stack walk may begin with @regs once the instruction
 *	pointer has been set
 *
 * Context: graph_return().
 */
void arch_return_regs(const struct ftrace_return *r, struct pt_regs *regs);

/**
 * ftrace_return_set_value - replace the value that a function returns
 * @r: the struct ftrace_return that return_to_handler() has pushed; const for callbacks, but
 *	return_to_handler() restores the registers from it
 * @value: the new value; its lower half if the value takes two registers
 *
 * Context: graph_return().
 */
static __always_inline void ftrace_return_set_value(const struct ftrace_return *r,
						    unsigned long value)
{
	((struct ftrace_return *)r)->value[0] = value;
}

#endif

/**
 * arch_graph_ret - find the return address of a traced function, to replace it
 * @fregs: argument of a callback
 *
 * Defined in asm/ftrace.h with FUNCTION_GRAPH_TRACER.
 *
 * Context: the callback.
 *
 * Return: the location of the return address: on the stack, or in @fregs if the entry restores it
 * from there.
 */
#ifdef CONFIG_FUNCTION_GRAPH_TRACER
static __always_inline unsigned long *arch_graph_ret(struct ftrace_regs *fregs);
#endif

/**
 * arch_graph_retp - identify a call at its entry
 * @fregs: argument of a callback
 *
 * return_to_handler() at the return of the call, and unwinders at its frame, find the same
 * address.
 *
 * Context: the callback.
 *
 * Return: the location of the return address on the stack; or an address that
 * arch_graph_newest_returns() can compare.
 */
#ifdef CONFIG_FUNCTION_GRAPH_TRACER
static __always_inline unsigned long *arch_graph_retp(struct ftrace_regs *fregs);
#endif

#ifndef HAVE_ARCH_GRAPH_RETURNS
/**
 * arch_graph_newest_returns - test whether only the newest call can be the one that returns
 * @newest: &ftrace_ret_stack.retp of the newest call
 * @older: &ftrace_ret_stack.retp of the call below the newest
 * @at: arch_return_retp() of the return
 *
 * Called at each return.  If the result is false, arch_graph_is_returning() is called for each
 * call, from the newest to the oldest.
 *
 * An architecture that cannot find the location of the return address at the return defines
 * HAVE_ARCH_GRAPH_RETURNS and these four functions: arch_graph_newest_returns(),
 * arch_graph_is_returning(), arch_graph_may_be_abandoned() and arch_graph_is_abandoned().
 *
 * Context: any; preemption off.
 *
 * Return: true if the newest call returns.
 */
static __always_inline bool arch_graph_newest_returns(const unsigned long *newest,
						      const unsigned long *older,
						      const unsigned long *at)
{
	return newest == at;
}

/**
 * arch_graph_is_returning - test whether a call is the one that returns
 * @call: the call
 * @at: arch_return_retp() of the return
 *
 * Context: any; between trace_own_irqsave() and trace_own_irqrestore(), so calls are not traced.
 *
 * Return: true if @call returns.
 */
static inline bool arch_graph_is_returning(const struct ftrace_ret_stack *call,
					   const unsigned long *at)
{
	return call->retp == at;
}

/**
 * arch_graph_may_be_abandoned - test whether a call may have ended without a return
 * @older: &ftrace_ret_stack.retp of the newest call
 * @retp: &ftrace_ret_stack.retp of a call that begins
 *
 * If the result is true, arch_graph_is_abandoned() is called.  If it is always false, abandoned
 * calls are found when an older call returns.
 *
 * Context: any; preemption off.
 *
 * Return: true if the newest call may have been abandoned.
 */
static __always_inline bool arch_graph_may_be_abandoned(const unsigned long *older,
							const unsigned long *retp)
{
	return false;
}

/**
 * arch_graph_is_abandoned - test whether a call has ended without a return
 * @older: the newest call
 * @func: function that is being called, other than by a tail call from @older
 * @retp: &ftrace_ret_stack.retp of that call
 *
 * Context: any; between trace_own_irqsave() and trace_own_irqrestore(), so calls are not traced.
 *
 * Return: true if @older was abandoned.
 */
static inline bool arch_graph_is_abandoned(const struct ftrace_ret_stack *older,
					   unsigned long func, const unsigned long *retp)
{
	return false;
}
#endif

/* Called by return_to_handler(): see kernel/trace/graph/call.c. */
void graph_return(struct ftrace_return *r);

#endif /* _LINUX_FTRACE_ARCH_RETURN_H */
