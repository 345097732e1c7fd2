// SPDX-License-Identifier: GPL-2.0
/*
 * A function that can be traced, and has the name of one in fprobe_kunit.c that cannot.
 */
#include <linux/compiler.h>

#include "fprobe_targets.h"

static noinline void ftrace_fprobe_namesake(void)
{
	barrier();
}

void ftrace_fprobe_call_namesake(void)
{
	ftrace_fprobe_namesake();
	/* So that it is a call, not a jump. */
	barrier();
}
