/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The function profiler (SPEC T6): how often functions are called on each CPU, and how long the
 * calls take.
 */
#ifndef _KERNEL_TRACE_PROFILE_H
#define _KERNEL_TRACE_PROFILE_H

#include <linux/types.h>

#ifdef CONFIG_FUNCTION_PROFILER

/**
 * profile_exclude_callees() - exclude the time of callees from the times of calls, or end that
 * @unwanted: true for one more request to exclude callees, false to withdraw one
 *
 * Requests are counted. Only the time of callees that are counted themselves is excluded. Without
 * a request, the time of a call includes its callees.
 *
 * Context: may sleep.
 */
void profile_exclude_callees(bool unwanted);

/**
 * profile_lost() - number of entries and returns that could not be counted
 *
 * Context: may sleep; takes profile_lock.
 * Return: entries and returns that found no room in a table since the last start.
 */
u64 profile_lost(void);

#else

static inline void profile_exclude_callees(bool unwanted) { }
static inline u64 profile_lost(void) { return 0; }

#endif

#endif /* _KERNEL_TRACE_PROFILE_H */
