// SPDX-License-Identifier: GPL-2.0
/*
 * Interrupts or preemption went off, or went on: who wants to know?
 *
 * With CONFIG_TRACE_IRQFLAGS, local_irq_disable() and its relatives and the
 * entry code call here at each change. What is called here tells lockdep, and
 * hits the tracepoints irq_disable and irq_enable. With CONFIG_TRACE_PREEMPT_TOGGLE
 * so does the scheduler for preemption.
 *
 * The entry code brackets RCU's and lockdep's own states between two steps, so
 * it uses the forms that leave lockdep to it (_finish, _prepare). On
 * architectures without that order RCU may not be watching, and the
 * tracepoints are left out there.
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
 * What the tracepoints were told last on this CPU. Nested calls, as an
 * interrupt inside a section with interrupts off, tell nothing new.
 */
static DEFINE_PER_CPU(bool, irqs_told_off);

static __always_inline bool tracepoints_possible(void)
{
	return IS_ENABLED(CONFIG_ARCH_WANTS_NO_INSTR) || (rcu_is_watching() && !in_nmi());
}

static __always_inline void tell_off(unsigned long ip, unsigned long parent_ip)
{
	if (this_cpu_read(irqs_told_off))
		return;

	this_cpu_write(irqs_told_off, true);
	if (tracepoints_possible())
		trace_irq_disable(ip, parent_ip);
}

static __always_inline void tell_on(unsigned long ip, unsigned long parent_ip)
{
	if (!this_cpu_read(irqs_told_off))
		return;

	if (tracepoints_possible())
		trace_irq_enable(ip, parent_ip);
	this_cpu_write(irqs_told_off, false);
}

/**
 * trace_hardirqs_off - interrupts are disabled now
 *
 * Context: any, interrupts disabled.
 */
void trace_hardirqs_off(void)
{
	lockdep_hardirqs_off(CALLER_ADDR0);
	tell_off(CALLER_ADDR0, CALLER_ADDR1);
}
EXPORT_SYMBOL(trace_hardirqs_off);
NOKPROBE_SYMBOL(trace_hardirqs_off);

/**
 * trace_hardirqs_off_finish - the same, after lockdep has been told
 *
 * Context: any, interrupts disabled.
 */
void trace_hardirqs_off_finish(void)
{
	tell_off(CALLER_ADDR0, CALLER_ADDR1);
}
EXPORT_SYMBOL(trace_hardirqs_off_finish);
NOKPROBE_SYMBOL(trace_hardirqs_off_finish);

/**
 * trace_hardirqs_on - interrupts will be enabled next
 *
 * Context: any, interrupts disabled.
 */
void trace_hardirqs_on(void)
{
	tell_on(CALLER_ADDR0, CALLER_ADDR1);

	lockdep_hardirqs_on_prepare();
	lockdep_hardirqs_on(CALLER_ADDR0);
}
EXPORT_SYMBOL(trace_hardirqs_on);
NOKPROBE_SYMBOL(trace_hardirqs_on);

#ifdef CONFIG_TRACE_PREEMPT_TOGGLE

/**
 * trace_preempt_off - preemption is disabled now
 * @ip: by what
 * @parent_ip: called by whom
 *
 * Context: any; preemption was not disabled before.
 */
void trace_preempt_off(unsigned long ip, unsigned long parent_ip)
{
	if (tracepoints_possible())
		trace_preempt_disable(ip, parent_ip);
}

/**
 * trace_preempt_on - preemption will be enabled next
 * @ip: by what
 * @parent_ip: called by whom
 *
 * Context: any, preemption disabled once.
 */
void trace_preempt_on(unsigned long ip, unsigned long parent_ip)
{
	if (tracepoints_possible())
		trace_preempt_enable(ip, parent_ip);
}

#endif

/**
 * trace_hardirqs_on_prepare - the same, before lockdep will be told
 *
 * Context: any, interrupts disabled.
 */
void trace_hardirqs_on_prepare(void)
{
	tell_on(CALLER_ADDR0, CALLER_ADDR1);
}
EXPORT_SYMBOL(trace_hardirqs_on_prepare);
NOKPROBE_SYMBOL(trace_hardirqs_on_prepare);
