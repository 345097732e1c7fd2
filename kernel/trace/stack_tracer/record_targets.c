// SPDX-License-Identifier: GPL-2.0
/*
 * Functions for the tests of the stack tracer. This file is compiled so that it can be traced,
 * unlike the rest of the directory.
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
	/* Keep the compiler from making the calls jumps, and from freeing the frame before them. */
	barrier_data(room);
}
