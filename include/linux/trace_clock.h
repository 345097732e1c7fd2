/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The clocks that time stamps in a trace are taken from, those of them that
 * the rest of the kernel may read too. All are safe in any context, NMIs
 * included, and none is traced.
 */
#ifndef _LINUX_TRACE_CLOCK_H
#define _LINUX_TRACE_CLOCK_H

#include <linux/types.h>
#include <linux/compiler.h>

/* The architecture's own clocks: ARCH_TRACE_CLOCKS, rows of trace_clocks[]. */
#include <asm/trace_clock.h>

/*
 * In the order of what a reading costs, each more comparable between CPUs than
 * the one before:
 *
 * local    nanoseconds of this CPU's scheduler clock;
 * (plain)  nanoseconds, close to the same on all CPUs, but not exactly;
 * global   nanoseconds that never go backwards, whichever CPU reads them.
 */
u64 notrace trace_clock_local(void);
u64 notrace trace_clock(void);
u64 notrace trace_clock_global(void);

/* Time since boot in user space's clock ticks (USER_HZ). */
u64 notrace trace_clock_jiffies(void);

/* A number that is one higher at each reading, on whatever CPU. */
u64 notrace trace_clock_counter(void);

#endif /* _LINUX_TRACE_CLOCK_H */
