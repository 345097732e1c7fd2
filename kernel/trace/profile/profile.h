/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The function profiler (SPEC T6): how often functions are called on each CPU, and how long the
 * calls take.
 *
 * A call is counted as a hit on the CPU where it begins. Its time is counted on the CPU where it
 * returns, so a function can have time on a CPU where it has no hit. A call for which the task's
 * return stack has no room is a hit without a return.
 */
#ifndef _KERNEL_TRACE_PROFILE_H
#define _KERNEL_TRACE_PROFILE_H

#include <linux/types.h>

/**
 * struct profile_wide - an unsigned number of 128 bits
 * @high: upper 64 bits
 * @low: lower 64 bits
 */
struct profile_wide {
	u64	high;
	u64	low;
};

/**
 * struct profile_numbers - the numbers of a function on one CPU
 * @ip: address of the function's call site
 * @hits: number of calls that began
 * @returns: number of calls that returned
 * @time: sum of the times of the calls that returned, in ns
 * @squares: sum of the squares of the times of the calls that returned, in square ns
 */
struct profile_numbers {
	unsigned long		ip;
	u64			hits;
	u64			returns;
	u64			time;
	struct profile_wide	squares;
};

/**
 * struct profile_list - the functions of one CPU
 * @nr: number of functions in @at
 * @at: the functions that have a hit or a return, sorted by descending time
 */
struct profile_list {
	unsigned int		nr;
	struct profile_numbers	at[];
};

/**
 * profile_switch() - start or stop the profiler
 * @on: true to start, false to stop
 *
 * The profiler counts the functions that the top-level set_ftrace_filter and set_ftrace_notrace
 * select. A start resets all numbers to 0. After a stop the numbers stay unchanged until the next
 * start. Starting a running profiler, or stopping a stopped one, does nothing.
 *
 * Context: sleeps, for long (see dispatch_synchronize()); takes profile_lock, graph_lock and
 * ftrace_lock.
 * Return: 0; -ENOMEM or an error of register_ftrace_graph(), with the state of the profiler and
 * the numbers unchanged.
 */
int profile_switch(bool on);

/**
 * profile_is_on() - true if the profiler is started
 *
 * Context: any.
 */
bool profile_is_on(void);

/**
 * profile_read() - copy the numbers of a CPU
 * @cpu: a possible CPU
 *
 * The numbers of each function are a consistent snapshot, except for its hits, which may be
 * newer. The list is empty if nothing was ever counted.
 *
 * Context: may sleep; takes profile_lock.
 * Return: a list to be freed with kvfree(), or ERR_PTR(-ENOMEM).
 */
struct profile_list *profile_read(int cpu);

/**
 * profile_average() - average time of the calls that have returned
 * @n: numbers of a function
 *
 * Context: any.
 * Return: the average in ns, rounded down; 0 if no call has returned.
 */
u64 profile_average(const struct profile_numbers *n);

/**
 * profile_variance() - variance of the times of the calls that have returned
 * @n: numbers of a function
 *
 * Computes the variance of a sample, which divides by n - 1. The result is rounded down.
 *
 * Context: any.
 * Return: the variance in 1000 square ns; 0 if fewer than two calls have returned; U64_MAX if
 * the variance is larger than that.
 */
u64 profile_variance(const struct profile_numbers *n);

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
