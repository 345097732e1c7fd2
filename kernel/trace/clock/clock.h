/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The table of the clocks for time stamps, by name.
 *
 * The clocks themselves are declared in <linux/trace_clock.h>. All of them may be read in any
 * context, NMI included.
 */
#ifndef _KERNEL_TRACE_CLOCK_H
#define _KERNEL_TRACE_CLOCK_H

#include <linux/sched/clock.h>
#include <linux/trace_clock.h>
#include <linux/types.h>

/**
 * struct trace_named_clock - a row of the table of clocks
 * @func: function that reads the clock, in any context, NMI included
 * @name: name in the file trace_clock and in the boot parameter trace_clock=
 * @in_ns: true if the clock counts nanoseconds, so that times are shown in seconds; false if they
 *	are shown as plain numbers
 */
struct trace_named_clock {
	u64		(*func)(void);
	const char	*name;
	bool		in_ns;
};

/* The table of clocks, in the order of the file trace_clock; [0] is the default. */
extern const struct trace_named_clock trace_clocks[];
extern const unsigned int nr_trace_clocks;

/**
 * trace_clock_find() - look up a clock by name
 * @name: exact name of the clock
 *
 * Context: any.
 * Return: index of the clock in trace_clocks[]; -EINVAL if there is no such clock.
 */
int trace_clock_find(const char *name);

/**
 * trace_clocks_agree() - true if the local clocks of different CPUs are comparable
 *
 * Context: any. The result is reliable only once all CPUs have been online.
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
