/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions for the self-tests to trace: the only ones in here that are.
 */
#ifndef _KERNEL_TRACE_SELFTEST_TARGETS_H
#define _KERNEL_TRACE_SELFTEST_TARGETS_H

/**
 * ftrace_selftest_one - takes as many arguments as there are registers
 * @a: counts once
 * @b: twice
 * @c: three times
 * @d: four times
 * @e: five times
 * @f: six times
 *
 * Context: any.
 * Return: the sum, so that none can get lost unnoticed.
 */
long ftrace_selftest_one(long a, long b, long c, long d, long e, long f);
/**
 * ftrace_selftest_two - takes none
 *
 * Context: any.
 * Return: 2.
 */
long ftrace_selftest_two(void);

#endif /* _KERNEL_TRACE_SELFTEST_TARGETS_H */
