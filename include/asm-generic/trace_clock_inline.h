/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The clock of the function tracer on architectures without a clock that can be read inline:
 * sched_clock().
 */
#ifndef _ASM_GENERIC_TRACE_CLOCK_INLINE_H
#define _ASM_GENERIC_TRACE_CLOCK_INLINE_H

#include <linux/sched/clock.h>
#include <linux/types.h>

/**
 * arch_trace_clock - read sched_clock() of this CPU
 *
 * May be called only if arch_trace_clock_usable() has returned true.
 *
 * Context: any, NMI included; preemption off.
 * Return: nanoseconds.
 */
static __always_inline u64 arch_trace_clock(void)
{
	return sched_clock_noinstr();
}

/**
 * arch_trace_clock_usable - test whether arch_trace_clock() equals sched_clock()
 *
 * Context: any.
 * Return: true. A clock that is usable stays usable.
 */
static inline bool arch_trace_clock_usable(void)
{
	return true;
}

#endif /* _ASM_GENERIC_TRACE_CLOCK_INLINE_H */
