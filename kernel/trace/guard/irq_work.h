/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Queuing irq_works from traced code. An irq_work does what traced code must not do, in an
 * interrupt or, with PREEMPT_RT, in a thread.
 */
#ifndef _KERNEL_TRACE_GUARD_IRQ_WORK_H
#define _KERNEL_TRACE_GUARD_IRQ_WORK_H

#include <linux/types.h>

struct irq_work;

/**
 * trace_irq_work_runs - test whether this CPU will run an irq_work that it queues
 * @work: the irq_work
 *
 * An irq_work that a CPU queues too late while it goes down stays queued. No other CPU can
 * queue it then, and it keeps later irq_works of the CPU from being run.
 *
 * Context: any, NMI included; preemption must be off until @work is queued.
 * Return: false if the CPU is going down and would not run @work any more.
 */
bool trace_irq_work_runs(struct irq_work *work);

/**
 * trace_irq_work_queue - irq_work_queue() if this CPU will run the irq_work
 * @work: the irq_work
 *
 * Context: any, NMI included.
 * Return: false if the CPU is going down and @work was not queued.
 */
bool trace_irq_work_queue(struct irq_work *work);

#endif /* _KERNEL_TRACE_GUARD_IRQ_WORK_H */
