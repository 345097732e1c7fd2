/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Measuring the stops of a test by a clock of its own, for patch_kunit.c only.
 */
#ifndef _KERNEL_TRACE_PATCH_TEST_H
#define _KERNEL_TRACE_PATCH_TEST_H

#include <linux/types.h>

struct patch_stats;

/**
 * patch_test_clock() - measure the stops of the calling task with another clock, for tests
 * @clock: notrace function, called during stops and before them; NULL for the usual clock
 *
 * Stops by other tasks, such as ftraced, use the usual clock. Ends a
 * patch_test_between(), as that ends this.
 *
 * Context: may sleep; takes ftrace_lock.
 */
void patch_test_clock(u64 (*clock)(void));

/**
 * patch_test_stats() - get the statistics of the caller's stops since patch_test_clock()
 *
 * patch_stats() counts these stops and sites as well, but not their longest stop.
 *
 * Context: the task that has called patch_test_clock().
 *
 * Return: pointer to the statistics.
 */
const struct patch_stats *patch_test_stats(void);

#endif /* _KERNEL_TRACE_PATCH_TEST_H */
