/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The interface of the stack tracer for the rest of the kernel (SPEC T6).  Include
 * <linux/ftrace.h>.
 */
#ifndef _LINUX_FTRACE_STACK_H
#define _LINUX_FTRACE_STACK_H

#include <linux/bug.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/types.h>

struct ctl_table;

#ifdef CONFIG_STACK_TRACER

/* Mirrors the sysctl kernel.stack_tracer_enabled. */
extern int stack_tracer_enabled;

int stack_trace_sysctl(const struct ctl_table *table, int write, void *buffer,
		       size_t *lenp, loff_t *ppos);

/* For stack_tracer_disable() and stack_tracer_enable() only. */
DECLARE_PER_CPU(int, disable_stack_tracer);

/**
 * stack_tracer_disable - stop recording stacks on this CPU
 *
 * For code in which the stack must not be unwound, and for code that recording a stack depends
 * on.  Calls of this function nest.
 *
 * Context: any; preemption off, until stack_tracer_enable().
 */
static inline void stack_tracer_disable(void)
{
	if (IS_ENABLED(CONFIG_DEBUG_PREEMPT))
		WARN_ON_ONCE(preemptible());
	this_cpu_inc(disable_stack_tracer);
}

/**
 * stack_tracer_enable - undo one stack_tracer_disable()
 *
 * Context: any; preemption off since stack_tracer_disable().
 */
static inline void stack_tracer_enable(void)
{
	if (IS_ENABLED(CONFIG_DEBUG_PREEMPT))
		WARN_ON_ONCE(preemptible());
	this_cpu_dec(disable_stack_tracer);
}

#else /* !CONFIG_STACK_TRACER */

static inline void stack_tracer_disable(void) { }
static inline void stack_tracer_enable(void) { }

#endif /* CONFIG_STACK_TRACER */

#endif /* _LINUX_FTRACE_STACK_H */
