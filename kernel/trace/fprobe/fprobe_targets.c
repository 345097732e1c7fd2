// SPDX-License-Identifier: GPL-2.0
/*
 * A function that can be traced, with the same name as one in fprobe_kunit.c that cannot.
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
	/* Keep the compiler from making the call a tail call. */
	barrier();
}
