// SPDX-License-Identifier: GPL-2.0
/*
 * Tracing of changes of the interrupt and preemption state.
 *
 * With CONFIG_TRACE_IRQFLAGS, local_irq_disable() and its relatives and the entry code call the
 * trace_hardirqs_*() functions at each change. These notify lockdep, and call the tracepoints
 * irq_disable and irq_enable. With CONFIG_TRACE_PREEMPT_TOGGLE, the scheduler calls the
 * trace_preempt_*() functions, which call the tracepoints for preemption.
 *
 * The entry code must update RCU and lockdep in a certain order, so it notifies lockdep itself,
 * and uses the functions that do not (_finish, _prepare). On architectures whose entry code does
 * not follow that order, RCU may not be watching here; then the tracepoints are not called.
 */
#include <linux/export.h>
#include <linux/ftrace.h>
#include <linux/irqflags.h>
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>

#define CREATE_TRACE_POINTS
#include <trace/events/preemptirq.h>

/*
 * True if the last tracepoint called on this CPU was irq_disable. Nested calls, for example by an
 * exception inside a section with interrupts off, do not call a tracepoint again.
 */
static DEFINE_PER_CPU(bool, irqs_traced_off);

static __always_inline bool preemptirq_can_trace(void)
{
	return IS_ENABLED(CONFIG_ARCH_WANTS_NO_INSTR) || (rcu_is_watching() && !in_nmi());
}

static __always_inline void preemptirq_trace_off(unsigned long ip, unsigned long parent_ip)
{
	if (this_cpu_read(irqs_traced_off))
		return;

	this_cpu_write(irqs_traced_off, true);
	if (preemptirq_can_trace())
		trace_irq_disable(ip, parent_ip);
}

static __always_inline void preemptirq_trace_on(unsigned long ip, unsigned long parent_ip)
{
	if (!this_cpu_read(irqs_traced_off))
		return;

	if (preemptirq_can_trace())
		trace_irq_enable(ip, parent_ip);
	this_cpu_write(irqs_traced_off, false);
}

/**
 * trace_hardirqs_off() - notify lockdep and the tracepoint that interrupts have been disabled
 *
 * Context: any, interrupts disabled.
 */
void trace_hardirqs_off(void)
{
	lockdep_hardirqs_off(CALLER_ADDR0);
	preemptirq_trace_off(CALLER_ADDR0, CALLER_ADDR1);
}
EXPORT_SYMBOL(trace_hardirqs_off);
NOKPROBE_SYMBOL(trace_hardirqs_off);

/**
 * trace_hardirqs_off_finish() - notify the tracepoint that interrupts have been disabled
 *
 * For callers that have notified lockdep already.
 *
 * Context: any, interrupts disabled.
 */
void trace_hardirqs_off_finish(void)
{
	preemptirq_trace_off(CALLER_ADDR0, CALLER_ADDR1);
}
EXPORT_SYMBOL(trace_hardirqs_off_finish);
NOKPROBE_SYMBOL(trace_hardirqs_off_finish);

/**
 * trace_hardirqs_on() - notify the tracepoint and lockdep that interrupts are about to be enabled
 *
 * Context: any, interrupts disabled.
 */
void trace_hardirqs_on(void)
{
	preemptirq_trace_on(CALLER_ADDR0, CALLER_ADDR1);

	lockdep_hardirqs_on_prepare();
	lockdep_hardirqs_on(CALLER_ADDR0);
}
EXPORT_SYMBOL(trace_hardirqs_on);
NOKPROBE_SYMBOL(trace_hardirqs_on);

#ifdef CONFIG_TRACE_PREEMPT_TOGGLE

/**
 * trace_preempt_off() - notify the tracepoint that preemption has been disabled
 * @ip: address of the code that has disabled preemption
 * @parent_ip: address of the caller of that code
 *
 * Context: any; preemption was not disabled before.
 */
void trace_preempt_off(unsigned long ip, unsigned long parent_ip)
{
	if (preemptirq_can_trace())
		trace_preempt_disable(ip, parent_ip);
}

/**
 * trace_preempt_on() - notify the tracepoint that preemption is about to be enabled
 * @ip: address of the code that enables preemption
 * @parent_ip: address of the caller of that code
 *
 * Context: any, preemption disabled once.
 */
void trace_preempt_on(unsigned long ip, unsigned long parent_ip)
{
	if (preemptirq_can_trace())
		trace_preempt_enable(ip, parent_ip);
}

#endif

/**
 * trace_hardirqs_on_prepare() - notify the tracepoint that interrupts are about to be enabled
 *
 * For callers that notify lockdep themselves afterwards.
 *
 * Context: any, interrupts disabled.
 */
void trace_hardirqs_on_prepare(void)
{
	preemptirq_trace_on(CALLER_ADDR0, CALLER_ADDR1);
}
EXPORT_SYMBOL(trace_hardirqs_on_prepare);
NOKPROBE_SYMBOL(trace_hardirqs_on_prepare);
