/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions for the tests of graph/, which can be traced.
 */
#ifndef _KERNEL_TRACE_GRAPH_TARGETS_H
#define _KERNEL_TRACE_GRAPH_TARGETS_H

/* Calls @inside, if there is one. Return: @value. */
unsigned long ftrace_graph_target(void (*inside)(void), unsigned long value);

/* Calls ftrace_graph_target() with what it is given. */
unsigned long ftrace_graph_target_outer(void (*inside)(void), unsigned long value);

/* Calls itself until @depth is 0. Return: @depth. */
unsigned int ftrace_graph_target_deep(unsigned int depth);

/* Ends with it: a jump in place of a call, if the compiler makes such. */
unsigned long ftrace_graph_target_jump(void (*inside)(void), unsigned long value);

/*
 * Ends with itself, until @done is @times: a jump to its own beginning, if the compiler makes
 * such. Return: @times.
 */
unsigned long ftrace_graph_target_again(unsigned long times, unsigned long done);

/* As much as is returned in registers. */
struct graph_pair {
	unsigned long a, b;
};

struct graph_pair ftrace_graph_target_pair(unsigned long a, unsigned long b);

#endif /* _KERNEL_TRACE_GRAPH_TARGETS_H */
