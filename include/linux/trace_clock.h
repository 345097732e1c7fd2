/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The trace clocks that the rest of the kernel may read, too. They are safe in any context, NMI
 * included, and are not traced.
 */
#ifndef _LINUX_TRACE_CLOCK_H
#define _LINUX_TRACE_CLOCK_H

#include <linux/types.h>
#include <linux/compiler.h>

/* Defines ARCH_TRACE_CLOCKS: the architecture's own rows of trace_clocks[]. */
#include <asm/trace_clock.h>

/*
 * Three clocks, in the order of the cost of a reading:
 *
 * trace_clock_local()   nanoseconds of this CPU's scheduler clock; not comparable between CPUs;
 * trace_clock()         nanoseconds; times of different CPUs differ slightly;
 * trace_clock_global()  nanoseconds that never go backwards, even between CPUs.
 */
u64 notrace trace_clock_local(void);
u64 notrace trace_clock(void);
u64 notrace trace_clock_global(void);

/* Time since boot in user space's clock ticks (USER_HZ). */
u64 notrace trace_clock_jiffies(void);

/* A counter for all CPUs that each reading increments by one. */
u64 notrace trace_clock_counter(void);

#endif /* _LINUX_TRACE_CLOCK_H */
