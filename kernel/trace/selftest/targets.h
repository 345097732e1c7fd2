/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions for the self-tests to trace: the only ones in this directory that can be traced.
 */
#ifndef _KERNEL_TRACE_SELFTEST_TARGETS_H
#define _KERNEL_TRACE_SELFTEST_TARGETS_H

/**
 * ftrace_selftest_one() - compute a weighted sum of arguments that use all argument registers
 * @a: added once
 * @b: added twice
 * @c: added three times
 * @d: added four times
 * @e: added five times
 * @f: added six times
 *
 * Context: any.
 * Return: the sum, which is wrong if tracing changes an argument.
 */
long ftrace_selftest_one(long a, long b, long c, long d, long e, long f);

/**
 * ftrace_selftest_two() - a function without arguments
 *
 * Context: any.
 * Return: 2.
 */
long ftrace_selftest_two(void);

#endif /* _KERNEL_TRACE_SELFTEST_TARGETS_H */
