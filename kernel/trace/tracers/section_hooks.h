/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Registers probes of the tracepoints for disabling and enabling interrupts and preemption, as
 * far as the kernel is configured with them. For sections.c.
 */
#ifndef _KERNEL_TRACE_SECTION_HOOKS_H
#define _KERNEL_TRACE_SECTION_HOOKS_H

#include <linux/errno.h>
#include <trace/events/preemptirq.h>

/* A probe: @data is NULL, @ip is the code that disables or enables, @parent_ip is its caller. */
typedef void (*section_hook_fn)(void *data, unsigned long ip, unsigned long parent_ip);

#ifdef CONFIG_IRQSOFF_TRACER

static inline void unhook_irqs(section_hook_fn off, section_hook_fn on)
{
	unregister_trace_irq_disable(off, NULL);
	unregister_trace_irq_enable(on, NULL);
}

static inline int hook_irqs(section_hook_fn off, section_hook_fn on)
{
	int ret = register_trace_irq_disable(off, NULL);

	if (ret)
		return ret;
	ret = register_trace_irq_enable(on, NULL);
	if (ret)
		unregister_trace_irq_disable(off, NULL);
	return ret;
}

#else

static inline void unhook_irqs(section_hook_fn off, section_hook_fn on) { }

static inline int hook_irqs(section_hook_fn off, section_hook_fn on)
{
	return -EOPNOTSUPP;
}

#endif

#ifdef CONFIG_PREEMPT_TRACER

static inline void unhook_preempt(section_hook_fn off, section_hook_fn on)
{
	unregister_trace_preempt_disable(off, NULL);
	unregister_trace_preempt_enable(on, NULL);
}

static inline int hook_preempt(section_hook_fn off, section_hook_fn on)
{
	int ret = register_trace_preempt_disable(off, NULL);

	if (ret)
		return ret;
	ret = register_trace_preempt_enable(on, NULL);
	if (ret)
		unregister_trace_preempt_disable(off, NULL);
	return ret;
}

#else

static inline void unhook_preempt(section_hook_fn off, section_hook_fn on) { }

static inline int hook_preempt(section_hook_fn off, section_hook_fn on)
{
	return -EOPNOTSUPP;
}

#endif

#endif /* _KERNEL_TRACE_SECTION_HOOKS_H */
