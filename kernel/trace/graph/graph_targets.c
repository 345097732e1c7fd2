// SPDX-License-Identifier: GPL-2.0
/*
 * Functions for the tests of graph/. Compiled so that they can be traced, unlike the rest of
 * this room.
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

noinline unsigned long ftrace_graph_target_jump(void (*inside)(void), unsigned long value)
{
	return ftrace_graph_target(inside, value + 1);
}

/*
 * A pointer hides from the compiler that the function calls itself. Otherwise the compiler would
 * make a loop of the tail call, behind the call of the tracer: only the first call would be traced.
 */
static unsigned long (*graph_target_again)(unsigned long times, unsigned long done) =
	ftrace_graph_target_again;

noinline unsigned long ftrace_graph_target_again(unsigned long times, unsigned long done)
{
	return done < times ? READ_ONCE(graph_target_again)(times, done + 1) : done;
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
