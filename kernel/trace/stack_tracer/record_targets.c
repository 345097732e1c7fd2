// SPDX-License-Identifier: GPL-2.0
/*
 * Compiled so that it can be traced, unlike all else here.
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

	/* No old return address may be left in it. */
	memset(room, depth, sizeof(room));
	barrier_data(room);
	if (depth)
		ftrace_stack_target_deep(depth - 1);
	else
		ftrace_stack_target();
	/* So that both are calls, and the room is needed for as long. */
	barrier_data(room);
}
