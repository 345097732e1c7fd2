/* SPDX-License-Identifier: GPL-2.0 */
/* Functions that the tests of direct calls trace, and those that are called directly. */
#ifndef _KERNEL_TRACE_OPS_DIRECT_TARGETS_H
#define _KERNEL_TRACE_OPS_DIRECT_TARGETS_H

#include <linux/compiler.h>

/*
 * Return: a number that differs if one of the arguments does.  Context: any.
 */
long ftrace_direct_target(long a, long b, long c);
long ftrace_direct_target_too(long a, long b, long c);

/* Number of calls of each of the two functions below. */
extern unsigned int direct_kunit_hits, direct_kunit_hits_too;

/* Code in direct_kunit.c; only its address is used. */
void direct_kunit_count(void);
void direct_kunit_count_too(void);

#endif /* _KERNEL_TRACE_OPS_DIRECT_TARGETS_H */
