// SPDX-License-Identifier: GPL-2.0
/*
 * Functions for the self-tests to trace. Unlike the rest of this directory, this file is compiled
 * with call sites.
 */
#include <linux/compiler.h>
#include <linux/export.h>

#include "targets.h"

/* Uses all registers for arguments, so that the result is wrong if tracing changes one of them. */
noinline __noclone long ftrace_selftest_one(long a, long b, long c, long d, long e, long f)
{
	return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f;
}

noinline __noclone long ftrace_selftest_two(void)
{
	barrier();
	return 2;
}
