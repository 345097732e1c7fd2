// SPDX-License-Identifier: GPL-2.0
/*
 * Compiled so that they call the tracer, but that the build does not see it.
 */
#include <linux/compiler.h>

#include "found_targets.h"

noinline void ftrace_found_one(void)
{
	barrier();
}

noinline void ftrace_found_two(void)
{
	barrier();
}

noinline void ftrace_found_three(void)
{
	barrier();
}

noinline void ftrace_found_four(void)
{
	barrier();
}

noinline void ftrace_found_five(void)
{
	barrier();
}
