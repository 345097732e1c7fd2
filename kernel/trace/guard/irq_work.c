// SPDX-License-Identifier: GPL-2.0
/*
 * Queuing irq_works from traced code, see irq_work.h.
 */
#include <linux/cleanup.h>
#include <linux/cpumask.h>
#include <linux/irq_work.h>
#include <linux/preempt.h>
#include <linux/smp.h>

#include "irq_work.h"

/* True if a thread of the CPU runs @work. The thread is parked long before the CPU is down. */
static bool trace_irq_work_is_threaded(struct irq_work *work)
{
	return IS_ENABLED(CONFIG_PREEMPT_RT) && !irq_work_is_hard(work);
}

bool trace_irq_work_runs(struct irq_work *work)
{
	int cpu = raw_smp_processor_id();

	if (likely(!cpu_dying(cpu)))
		return true;
	return trace_irq_work_is_threaded(work) ? cpu_active(cpu) : cpu_online(cpu);
}

bool trace_irq_work_queue(struct irq_work *work)
{
	guard(preempt_notrace)();
	if (!trace_irq_work_runs(work))
		return false;
	irq_work_queue(work);
	return true;
}
