/* SPDX-License-Identifier: GPL-2.0 */
/* Functions that the tests of graph/ trace. */
#ifndef _KERNEL_TRACE_GRAPH_TARGETS_H
#define _KERNEL_TRACE_GRAPH_TARGETS_H

/* Calls @inside, if it is not NULL. Return: @value. */
unsigned long ftrace_graph_target(void (*inside)(void), unsigned long value);

/* Calls ftrace_graph_target(@inside, @value). Return: @value. */
unsigned long ftrace_graph_target_outer(void (*inside)(void), unsigned long value);

/* Calls itself until @depth is 0. Return: @depth. */
unsigned int ftrace_graph_target_deep(unsigned int depth);

/* Calls ftrace_graph_target(@inside, @value + 1), by a tail call. Return: @value + 1. */
unsigned long ftrace_graph_target_tail_call(void (*inside)(void), unsigned long value);

/* Calls itself by a tail call, with @done + 1, until @done is @times. Return: @times. */
unsigned long ftrace_graph_target_tail_recursion(unsigned long times, unsigned long done);

/* A structure that functions return in two registers. */
struct graph_pair {
	unsigned long a, b;
};

/* Return: @a and @b. */
struct graph_pair ftrace_graph_target_pair(unsigned long a, unsigned long b);

#endif /* _KERNEL_TRACE_GRAPH_TARGETS_H */
