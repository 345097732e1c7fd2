/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Keeping a tracing callback from running inside itself.
 *
 * A callback that calls something traceable would be called again, and again.
 * Each task carries one word, current->trace_recursion, with a bit per user
 * and context: a callback interrupted by an interrupt whose handler is traced
 * is not recursion, the same callback twice in one context is.  Only current
 * touches its word, and nested contexts undo what they did, so no atomics.
 */
#ifndef _LINUX_TRACE_RECURSION_H
#define _LINUX_TRACE_RECURSION_H

#include <linux/interrupt.h>
#include <linux/sched.h>

#ifdef CONFIG_TRACING

/*
 * An interrupt counts as one only once preempt_count says so.  What is traced
 * between its first instruction and that moment still looks like the context
 * below it; the spare context lets one such call through.
 */
#define TRACE_CTX_EARLY_IRQ		4
#define TRACE_CTX_NR			5

/**
 * enum trace_recursion_user - the first bit of each user of the word
 * @TRACE_RECURSION_FTRACE: callbacks that guard themselves
 * @TRACE_RECURSION_ASSIST: callbacks that the tracer guards
 *	(FTRACE_OPS_FL_RECURSION)
 * @TRACE_RECURSION_EVENT: recording of events
 * @TRACE_RECURSION_USER_NR: behind the last bit
 *
 * All that has the same user counts as one: none of it runs inside another one
 * in the same context.
 */
enum trace_recursion_user {
	TRACE_RECURSION_FTRACE	= 0,
	TRACE_RECURSION_ASSIST	= TRACE_RECURSION_FTRACE + TRACE_CTX_NR,
	TRACE_RECURSION_EVENT	= TRACE_RECURSION_ASSIST + TRACE_CTX_NR,
	TRACE_RECURSION_USER_NR	= TRACE_RECURSION_EVENT + TRACE_CTX_NR,
};

static_assert(TRACE_RECURSION_USER_NR < 32);

/**
 * trace_recursion_mark - begin what must not run inside itself
 * @user: whose bits to use
 *
 * Context: any, NMI included; preemption is off until trace_recursion_unmark(), or the task
 * itself is what must not.
 *
 * Return: what trace_recursion_unmark() wants, or -1 on recursion.
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
 * trace_recursion_unmark - the end of what trace_recursion_mark() began
 * @bit: what that returned, not -1
 *
 * Context: the same as there.
 */
static __always_inline void trace_recursion_unmark(int bit)
{
	barrier();
	current->trace_recursion &= ~BIT(bit);
}

/**
 * trace_recursion_enter - likewise, with preemption disabled until trace_recursion_exit()
 * @user: whose bits to use
 *
 * Context: any, NMI included.
 *
 * Return: what trace_recursion_exit() wants, or -1 on recursion.
 */
static __always_inline int trace_recursion_enter(enum trace_recursion_user user)
{
	int bit = trace_recursion_mark(user);

	if (likely(bit >= 0))
		preempt_disable_notrace();
	return bit;
}

/**
 * trace_recursion_exit - the end of what trace_recursion_enter() began
 * @bit: what that returned, not -1
 *
 * Context: the same as there.
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
 * the callback has to return, and preemption is as it was.
 */
static __always_inline int
ftrace_test_recursion_trylock(unsigned long ip, unsigned long parent_ip)
{
	return trace_recursion_enter(TRACE_RECURSION_FTRACE);
}

/**
 * ftrace_test_recursion_unlock - counterpart of ftrace_test_recursion_trylock()
 * @bit: what that returned, not negative
 *
 * Context: the same as there.
 */
static __always_inline void ftrace_test_recursion_unlock(int bit)
{
	trace_recursion_exit(bit);
}

#endif /* CONFIG_TRACING */
#endif /* _LINUX_TRACE_RECURSION_H */
