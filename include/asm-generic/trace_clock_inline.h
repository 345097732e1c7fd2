/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The function tracer's clock where the architecture has none that can be read in
 * place: sched_clock(), by a call.
 */
#ifndef _ASM_GENERIC_TRACE_CLOCK_INLINE_H
#define _ASM_GENERIC_TRACE_CLOCK_INLINE_H

#include <linux/sched/clock.h>
#include <linux/types.h>

/**
 * arch_trace_clock - sched_clock() of this CPU
 *
 * Only while arch_trace_clock_usable().
 *
 * Context: any, NMI included; preemption off.
 * Return: nanoseconds.
 */
static __always_inline u64 arch_trace_clock(void)
{
	return sched_clock_noinstr();
}

/**
 * arch_trace_clock_usable - is sched_clock() what is done here?
 *
 * Return: true; once so, it stays so.
 */
static inline bool arch_trace_clock_usable(void)
{
	return true;
}

#endif /* _ASM_GENERIC_TRACE_CLOCK_INLINE_H */
