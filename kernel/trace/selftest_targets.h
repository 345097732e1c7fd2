/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions for the self-tests to trace: the only ones in here that are.
 */
#ifndef _KERNEL_TRACE_SELFTEST_TARGETS_H
#define _KERNEL_TRACE_SELFTEST_TARGETS_H

long ftrace_selftest_one(long a, long b, long c, long d, long e, long f);
long ftrace_selftest_two(void);

#endif /* _KERNEL_TRACE_SELFTEST_TARGETS_H */
