// SPDX-License-Identifier: GPL-2.0
/*
 * Functions that the tests of direct calls trace.  This file is traced, unlike the rest of the
 * tracer.
 */
#include "direct_targets.h"

noinline long ftrace_direct_target(long a, long b, long c)
{
	barrier();
	return a + 2 * b + 3 * c;
}

noinline long ftrace_direct_target_too(long a, long b, long c)
{
	barrier();
	return 4 * a + 5 * b + 6 * c;
}
