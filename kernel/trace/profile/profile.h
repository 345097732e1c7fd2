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
 * profile_exclude_callees() - request that times of calls exclude callees, or end a request
 * @unwanted: true to make a request, false to end one
 *
 * While there is a request, the time of a call excludes that of its callees, as far as these are
 * profiled themselves. Otherwise it includes the time of all callees.
 *
 * Context: may sleep.
 */
void profile_exclude_callees(bool unwanted);

/**
 * profile_lost() - number of entries and returns of functions that could not be counted
 *
 * Context: may sleep; takes profile_lock.
 * Return: number, since the last start, of those for which a table had no room.
 */
u64 profile_lost(void);

#else

static inline void profile_exclude_callees(bool unwanted) { }
static inline u64 profile_lost(void) { return 0; }

#endif

#endif /* _KERNEL_TRACE_PROFILE_H */
