/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The clocks that time stamps may come from, by name.
 *
 * The clocks themselves are declared in <linux/trace_clock.h>; any of them may
 * be read in any context, NMI included.
 */
#ifndef _KERNEL_TRACE_CLOCK_H
#define _KERNEL_TRACE_CLOCK_H

#include <linux/sched/clock.h>
#include <linux/trace_clock.h>
#include <linux/types.h>

/**
 * struct trace_named_clock - a row of the table of clocks
 * @func: reads it, in any context, NMI included
 * @name: in the file trace_clock and the parameter trace_clock=
 * @in_ns: counts nanoseconds: readers show seconds, else the bare number
 */
struct trace_named_clock {
	u64		(*func)(void);
	const char	*name;
	bool		in_ns;
};

/* The table, in the order the file trace_clock lists it; [0] is the default. */
extern const struct trace_named_clock trace_clocks[];
extern const unsigned int nr_trace_clocks;

/**
 * trace_clock_find - look up a clock by name
 * @name: exact name
 *
 * Context: any.
 * Return: its index in trace_clocks[], -EINVAL when there is none.
 */
int trace_clock_find(const char *name);

/**
 * trace_clocks_agree - can the local times of different CPUs be compared
 *
 * Context: any.
 * Return: true if so, once all CPUs have been up.
 */
#ifdef CONFIG_HAVE_UNSTABLE_SCHED_CLOCK
static inline bool trace_clocks_agree(void)
{
	return sched_clock_stable();
}
#else
static inline bool trace_clocks_agree(void)
{
	return true;
}
#endif

#endif /* _KERNEL_TRACE_CLOCK_H */
