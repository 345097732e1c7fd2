/* SPDX-License-Identifier: GPL-2.0 */
/* Traceable functions for the tests of graph/. */
#ifndef _KERNEL_TRACE_GRAPH_TARGETS_H
#define _KERNEL_TRACE_GRAPH_TARGETS_H

/* Calls @inside, if it is not NULL. Return: @value. */
unsigned long ftrace_graph_target(void (*inside)(void), unsigned long value);

/* Calls ftrace_graph_target() with its own arguments. Return: @value. */
unsigned long ftrace_graph_target_outer(void (*inside)(void), unsigned long value);

/* Calls itself until @depth is 0. Return: @depth. */
unsigned int ftrace_graph_target_deep(unsigned int depth);

/* Ends with a tail call of ftrace_graph_target(), if optimized. Return: @value + 1. */
unsigned long ftrace_graph_target_jump(void (*inside)(void), unsigned long value);

/* Ends with a tail call of itself, if optimized, until @done is @times. Return: @times. */
unsigned long ftrace_graph_target_again(unsigned long times, unsigned long done);

/* A value that is returned in two registers. */
struct graph_pair {
	unsigned long a, b;
};

/* Return: @a and @b. */
struct graph_pair ftrace_graph_target_pair(unsigned long a, unsigned long b);

#endif /* _KERNEL_TRACE_GRAPH_TARGETS_H */
