/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The stack tracer: records the deepest kernel stack that a traced function has been called on
 * (SPEC T6).
 *
 * <linux/ftrace_stack.h> is its interface for the rest of the kernel.
 */
#ifndef _KERNEL_TRACE_STACK_TRACER_H
#define _KERNEL_TRACE_STACK_TRACER_H

#include <linux/types.h>

struct ftrace_ops;

/* Maximum number of functions in a recorded stack. */
#define STACK_ENTRIES_MAX	512

/**
 * struct deepest_stack - a recorded stack, innermost function first
 * @nr: number of functions; the outermost ones are left out if there are more than
 *	STACK_ENTRIES_MAX
 * @depths: for each function, bytes from the top of the stack to the end of its frame
 * @ips: an address in each function: the traced call site in the innermost one, and in all others
 *	the address to which the callee returns
 */
struct deepest_stack {
	unsigned int	nr;
	unsigned int	depths[STACK_ENTRIES_MAX];
	unsigned long	ips[STACK_ENTRIES_MAX];
};

/**
 * deepest_stack_size() - size of a function's frame on a recorded stack
 * @stack: the stack
 * @i: index of the function
 *
 * Context: any.
 * Return: size in bytes. The size of the outermost function includes the rest of the stack,
 * such as the registers that the entry code saves there.
 */
static inline unsigned int deepest_stack_size(const struct deepest_stack *stack,
					      unsigned int i)
{
	return stack->depths[i] - (i + 1 < stack->nr ? stack->depths[i + 1] : 0);
}

/* The ops of the stack tracer. The file stack_trace_filter reads and writes its filter. */
extern struct ftrace_ops stack_tracer_ops;

/**
 * stack_tracer_max() - depth of the deepest stack
 *
 * Context: any.
 * Return: depth in bytes. While no stack was deeper than the argument of stack_tracer_set_max(),
 * that argument.
 */
unsigned long stack_tracer_max(void);

/**
 * stack_tracer_set_max() - discard the recorded stack and set the depth to exceed
 * @max: depth in bytes; only deeper stacks are recorded from now on
 *
 * Context: process.
 * Return: 0; -ENODEV, with nothing changed, if a stack has been overrun: its record is kept.
 */
int stack_tracer_set_max(unsigned long max);

/**
 * stack_tracer_copy() - copy the deepest stack
 * @to: destination
 *
 * Context: process.
 */
void stack_tracer_copy(struct deepest_stack *to);

#endif /* _KERNEL_TRACE_STACK_TRACER_H */
