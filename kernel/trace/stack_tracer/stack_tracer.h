/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The stack tracer: the deepest that a kernel stack was when a function was called
 * (SPEC T6).
 *
 * What the rest of the kernel sees of it is in <linux/ftrace_stack.h>.
 */
#ifndef _KERNEL_TRACE_STACK_TRACER_H
#define _KERNEL_TRACE_STACK_TRACER_H

#include <linux/types.h>

struct ftrace_ops;

#define STACK_ENTRIES_MAX	512

/**
 * struct deepest_stack - a stack, the function called last first
 * @nr: how many functions; if there were more than STACK_ENTRIES_MAX, the first callers
 *	are left out
 * @depths: for each the bytes of the stack from its top to where the function keeps what
 *	it needs last; so its own are those beyond what its caller has
 * @ips: for each an address in it: where it has called the next one
 */
struct deepest_stack {
	unsigned int	nr;
	unsigned int	depths[STACK_ENTRIES_MAX];
	unsigned long	ips[STACK_ENTRIES_MAX];
};

/**
 * deepest_stack_size - how much of a stack is one function's
 * @stack: the stack
 * @i: which of its functions
 *
 * Context: any.
 * Return: bytes; those of the last one are all that is left, what the CPU and the entry
 * code keep there included.
 */
static inline unsigned int deepest_stack_size(const struct deepest_stack *stack,
					      unsigned int i)
{
	return stack->depths[i] - (i + 1 < stack->nr ? stack->depths[i + 1] : 0);
}

/* Its filter says which functions are looked at. */
extern struct ftrace_ops stack_tracer_ops;

/**
 * stack_tracer_max - the deepest stack
 *
 * Context: any.
 * Return: bytes, or what stack_tracer_set_max() has been given and nothing has exceeded.
 */
unsigned long stack_tracer_max(void);

/**
 * stack_tracer_set_max - begin anew
 * @max: only what is deeper is recorded, in bytes
 *
 * What has been recorded is forgotten.
 *
 * Context: process.
 * Return: 0; -ENODEV, and nothing has changed: a stack has been overrun, and what was
 * found then stays.
 */
int stack_tracer_set_max(unsigned long max);

/**
 * stack_tracer_copy - what the deepest stack was
 * @to: filled in
 *
 * Context: process.
 */
void stack_tracer_copy(struct deepest_stack *to);

#endif /* _KERNEL_TRACE_STACK_TRACER_H */
