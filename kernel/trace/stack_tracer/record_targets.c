// SPDX-License-Identifier: GPL-2.0
/*
 * Functions that the tests of the stack tracer trace. Unlike the rest of stack_tracer/, this file
 * is compiled so that its functions can be traced.
 */
#include <linux/compiler.h>
#include <linux/string.h>

#include "record_targets.h"

noinline void ftrace_stack_target(void)
{
	barrier();
}

noinline void ftrace_stack_target_deep(unsigned int depth)
{
	char room[STACK_TARGET_ROOM];

	/* Overwrite stale return addresses in the frame. */
	memset(room, depth, sizeof(room));
	barrier_data(room);
	if (depth)
		ftrace_stack_target_deep(depth - 1);
	else
		ftrace_stack_target();
	/* Keep the compiler from making tail calls, before which it would free the frame. */
	barrier_data(room);
}
