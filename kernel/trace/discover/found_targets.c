// SPDX-License-Identifier: GPL-2.0
/*
 * Functions for the tests. They call the tracer, but the build makes no table of their call sites
 * (see the Makefile).
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
