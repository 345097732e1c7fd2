/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The function profiler (SPEC T6): how often functions are called on each CPU, and how
 * long that takes.
 *
 * A call is a hit of the CPU on which it begins. Its time is counted when it returns, on
 * the CPU where that is; so a function can have time on a CPU where it never began. A call for
 * which its task's return stack has no room is a hit without a return.
 */
#ifndef _KERNEL_TRACE_PROFILE_H
#define _KERNEL_TRACE_PROFILE_H

#include <linux/types.h>

/**
 * struct profile_wide - a number of 128 bits
 * @high: its upper half
 * @low: its lower half
 */
struct profile_wide {
	u64	high;
	u64	low;
};

/**
 * struct profile_numbers - what is known of a function on one CPU
 * @ip: address of its call site
 * @hits: how often it was called
 * @returns: how many calls have returned
 * @time: how long these took together, in ns
 * @squares: the sum of the squares of the times that they took, in square ns
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
 * @nr: how many
 * @at: those with a hit or a return, the longest time first
 */
struct profile_list {
	unsigned int		nr;
	struct profile_numbers	at[];
};

/**
 * profile_switch - begin to count, or end it
 * @on: which of the two
 *
 * What is counted is what the top-level set_ftrace_filter and set_ftrace_notrace let
 * through. All numbers are 0 when it begins. When it has ended no number changes any
 * more, and they stay until it begins again. Without a change nothing happens.
 *
 * Context: sleeps, for long (see dispatch_synchronize()); takes profile_lock, graph_lock
 * and ftrace_lock.
 * Return: 0; else as register_ftrace_graph(), or -ENOMEM: then all is as it was, the
 * numbers too.
 */
int profile_switch(bool on);

/**
 * profile_is_on - did profile_switch() begin to count
 *
 * Context: any.
 */
bool profile_is_on(void);

/**
 * profile_read - a copy of the numbers of a CPU
 * @cpu: a possible one
 *
 * Each function's numbers are those of one moment, but for its hits, which may be of a
 * later one. Empty if nothing was ever counted.
 *
 * Context: may sleep; takes profile_lock.
 * Return: a list to be freed with kvfree(); ERR_PTR(-ENOMEM).
 */
struct profile_list *profile_read(int cpu);

/**
 * profile_average - how long a call takes, of those that have returned
 * @n: the numbers
 *
 * Context: any.
 * Return: in ns; 0 if none has.
 */
u64 profile_average(const struct profile_numbers *n);

/**
 * profile_variance - how far calls are from the average
 * @n: the numbers
 *
 * The variance of a sample: n - 1 is what is divided by, and the result rounded down.
 *
 * Context: any.
 * Return: in 1000 square ns; 0 for less than two calls that have returned, U64_MAX if it
 * is more than that.
 */
u64 profile_variance(const struct profile_numbers *n);

#ifdef CONFIG_FUNCTION_PROFILER

/**
 * profile_callees_unwanted - is a call's time to be without that of the calls in it
 * @unwanted: true if it is to be, for one who asks; false when he does no more
 *
 * As far as those are counted themselves. They belong to it while nobody asks.
 *
 * Context: may sleep.
 */
void profile_callees_unwanted(bool unwanted);

/**
 * profile_lost - how much was not counted
 *
 * Entries and returns that found no room, since profile_switch() began to count.
 *
 * Context: may sleep; takes profile_lock.
 */
u64 profile_lost(void);

#else

static inline void profile_callees_unwanted(bool unwanted) { }
static inline u64 profile_lost(void) { return 0; }

#endif

#endif /* _KERNEL_TRACE_PROFILE_H */
