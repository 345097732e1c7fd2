// SPDX-License-Identifier: GPL-2.0
/*
 * Functions that the tests of graph/ trace. Unlike the rest of graph/, this file is compiled so
 * that its functions can be traced.
 */
#include <linux/compiler.h>

#include "graph_targets.h"

noinline unsigned long ftrace_graph_target(void (*inside)(void), unsigned long value)
{
	if (inside)
		inside();
	barrier();
	return value;
}

noinline unsigned long ftrace_graph_target_outer(void (*inside)(void), unsigned long value)
{
	unsigned long ret = ftrace_graph_target(inside, value);

	barrier();
	return ret;
}

noinline unsigned long ftrace_graph_target_tail_call(void (*inside)(void), unsigned long value)
{
	return ftrace_graph_target(inside, value + 1);
}

/*
 * Pointer to the function that calls itself by a tail call. If the compiler saw that the function
 * calls itself, it would make a loop of the call, which does not include the function's call site:
 * only the first call would be traced.
 */
static unsigned long (*graph_target_tail_recursion)(unsigned long times, unsigned long done) =
	ftrace_graph_target_tail_recursion;

noinline unsigned long ftrace_graph_target_tail_recursion(unsigned long times, unsigned long done)
{
	return done < times ? READ_ONCE(graph_target_tail_recursion)(times, done + 1) : done;
}

noinline unsigned int ftrace_graph_target_deep(unsigned int depth)
{
	unsigned int below = depth ? ftrace_graph_target_deep(depth - 1) : 0;

	barrier();
	return depth ? below + 1 : 0;
}

noinline struct graph_pair ftrace_graph_target_pair(unsigned long a, unsigned long b)
{
	barrier();
	return (struct graph_pair) { .a = a, .b = b };
}
