/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A guard that keeps a tracing callback from running inside itself.
 *
 * A callback that calls a traced function would be called again, without end.  Each task has one
 * word, current->trace_recursion, with a bit for each user and context.  A callback that is
 * interrupted by an interrupt whose handler is traced is not recursion; the same callback twice in
 * one context is.  The word needs no atomic operations: only current accesses it, and a nested
 * context restores it before it returns.
 */
#ifndef _LINUX_TRACE_RECURSION_H
#define _LINUX_TRACE_RECURSION_H

#include <linux/interrupt.h>
#include <linux/sched.h>

#ifdef CONFIG_TRACING

/*
 * A context is recognized as an interrupt only once preempt_count() says so.  A function traced
 * between the first instruction of the interrupt and that moment seems to be called in the
 * interrupted context.  This additional context allows one such call.
 */
#define TRACE_CTX_EARLY_IRQ		4
#define TRACE_CTX_NR			5

/**
 * enum trace_recursion_user - the first bit of each user of the recursion word
 * @TRACE_RECURSION_FTRACE: callbacks that guard themselves
 * @TRACE_RECURSION_ASSIST: callbacks that the tracer guards
 *	(FTRACE_OPS_FL_RECURSION)
 * @TRACE_RECURSION_EVENT: recording of events
 * @TRACE_RECURSION_USER_NR: number of bits in use
 *
 * All code with the same user counts as one callback: in one context, none of it
 * runs inside another part of it.
 */
enum trace_recursion_user {
	TRACE_RECURSION_FTRACE	= 0,
	TRACE_RECURSION_ASSIST	= TRACE_RECURSION_FTRACE + TRACE_CTX_NR,
	TRACE_RECURSION_EVENT	= TRACE_RECURSION_ASSIST + TRACE_CTX_NR,
	TRACE_RECURSION_USER_NR	= TRACE_RECURSION_EVENT + TRACE_CTX_NR,
};

static_assert(TRACE_RECURSION_USER_NR < 32);

/**
 * trace_recursion_mark - begin code that must not run inside itself
 * @user: selects the bits
 *
 * Context: any, NMI included; preemption is off until trace_recursion_unmark(), unless the guard
 * is meant for the task as a whole.
 *
 * Return: the bit for trace_recursion_unmark(), or -1 on recursion.
 */
static __always_inline int trace_recursion_mark(enum trace_recursion_user user)
{
	unsigned int word = READ_ONCE(current->trace_recursion);
	int bit = user + interrupt_context_level();

	if (unlikely(word & BIT(bit))) {
		bit = user + TRACE_CTX_EARLY_IRQ;
		if (word & BIT(bit))
			return -1;
	}
	current->trace_recursion = word | BIT(bit);
	barrier();
	return bit;
}

/**
 * trace_recursion_unmark - end code that trace_recursion_mark() began
 * @bit: from trace_recursion_mark(), not -1
 *
 * Context: that of trace_recursion_mark().
 */
static __always_inline void trace_recursion_unmark(int bit)
{
	barrier();
	current->trace_recursion &= ~BIT(bit);
}

/**
 * trace_recursion_enter - begin code that must not run inside itself, and disable preemption
 * @user: selects the bits
 *
 * Preemption stays disabled until trace_recursion_exit().
 *
 * Context: any, NMI included.
 *
 * Return: the bit for trace_recursion_exit(); or -1 on recursion, with preemption unchanged.
 */
static __always_inline int trace_recursion_enter(enum trace_recursion_user user)
{
	int bit = trace_recursion_mark(user);

	if (likely(bit >= 0))
		preempt_disable_notrace();
	return bit;
}

/**
 * trace_recursion_exit - end code that trace_recursion_enter() began
 * @bit: from trace_recursion_enter(), not -1
 *
 * Context: that of trace_recursion_enter().
 */
static __always_inline void trace_recursion_exit(int bit)
{
	preempt_enable_notrace();
	trace_recursion_unmark(bit);
}

/**
 * ftrace_test_recursion_trylock - recursion guard for a function callback
 * @ip: the traced function
 * @parent_ip: its caller
 *
 * For callbacks that do not use FTRACE_OPS_FL_RECURSION.  Preemption is off
 * until ftrace_test_recursion_unlock().
 *
 * Context: any, NMI included.
 *
 * Return: a value for ftrace_test_recursion_unlock(); negative on recursion:
 * the callback has to return, and preemption is unchanged.
 */
static __always_inline int
ftrace_test_recursion_trylock(unsigned long ip, unsigned long parent_ip)
{
	return trace_recursion_enter(TRACE_RECURSION_FTRACE);
}

/**
 * ftrace_test_recursion_unlock - end code that ftrace_test_recursion_trylock() began
 * @bit: from ftrace_test_recursion_trylock(), not negative
 *
 * Context: that of ftrace_test_recursion_trylock().
 */
static __always_inline void ftrace_test_recursion_unlock(int bit)
{
	trace_recursion_exit(bit);
}

#endif /* CONFIG_TRACING */
#endif /* _LINUX_TRACE_RECURSION_H */
