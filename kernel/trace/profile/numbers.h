/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The numbers that the function profiler keeps of a function on a CPU. Only for profile/.
 *
 * A call is counted as a hit on the CPU where it begins. Its time is counted on the CPU where it
 * returns, so a function can have time on a CPU where it has no hit. If the task's stack of traced
 * calls has no room for a call, the call is a hit without a return.
 */
#ifndef _KERNEL_TRACE_PROFILE_NUMBERS_H
#define _KERNEL_TRACE_PROFILE_NUMBERS_H

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

#endif /* _KERNEL_TRACE_PROFILE_NUMBERS_H */
