/* SPDX-License-Identifier: GPL-2.0 */
/* Functions that the tests of graph/ trace. */
#ifndef _KERNEL_TRACE_GRAPH_TARGETS_H
#define _KERNEL_TRACE_GRAPH_TARGETS_H

/**
 * ftrace_graph_target() - call a function
 * @inside: the function; NULL for none
 * @value: the value to return
 *
 * Context: any in which @inside may be called.
 * Return: @value.
 */
unsigned long ftrace_graph_target(void (*inside)(void), unsigned long value);

/**
 * ftrace_graph_target_outer() - call ftrace_graph_target()
 * @inside: passed to ftrace_graph_target()
 * @value: passed to ftrace_graph_target()
 *
 * Context: any in which @inside may be called.
 * Return: @value.
 */
unsigned long ftrace_graph_target_outer(void (*inside)(void), unsigned long value);

/**
 * ftrace_graph_target_deep() - make nested calls
 * @depth: number of calls below this one, each of the function itself
 *
 * Context: any with enough stack.
 * Return: @depth.
 */
unsigned int ftrace_graph_target_deep(unsigned int depth);

/**
 * ftrace_graph_target_tail_call() - end with a tail call of ftrace_graph_target()
 * @inside: passed to ftrace_graph_target()
 * @value: one less than what is passed to ftrace_graph_target()
 *
 * Context: any in which @inside may be called.
 * Return: @value + 1.
 */
unsigned long ftrace_graph_target_tail_call(void (*inside)(void), unsigned long value);

/**
 * ftrace_graph_target_tail_recursion() - make tail calls of the function itself
 * @times: number of tail calls
 * @done: 0; the function passes the number of tail calls so far
 *
 * Context: any.
 * Return: @times.
 */
unsigned long ftrace_graph_target_tail_recursion(unsigned long times, unsigned long done);

/**
 * struct graph_pair - a structure that functions return in two registers
 * @a: value of the first register
 * @b: value of the second register
 */
struct graph_pair {
	unsigned long a, b;
};

/**
 * ftrace_graph_target_pair() - return two registers
 * @a: value of the first one
 * @b: value of the second one
 *
 * Context: any.
 * Return: both values.
 */
struct graph_pair ftrace_graph_target_pair(unsigned long a, unsigned long b);

#endif /* _KERNEL_TRACE_GRAPH_TARGETS_H */
