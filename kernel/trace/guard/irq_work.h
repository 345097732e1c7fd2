/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An irq_work does later what cannot be done where something is traced: in an interrupt, or
 * with PREEMPT_RT in a thread.
 */
#ifndef _KERNEL_TRACE_GUARD_IRQ_WORK_H
#define _KERNEL_TRACE_GUARD_IRQ_WORK_H

#include <linux/types.h>

struct irq_work;

/**
 * trace_irq_work_runs - will this CPU run what it queues?
 * @work: what that would be
 *
 * When a CPU goes down, what is queued too late stays queued: nobody else can queue it
 * meanwhile, and it keeps all later irq_works of that CPU from being run.
 *
 * Context: any, NMI included; preemption is off from here until it is queued.
 */
bool trace_irq_work_runs(struct irq_work *work);

/**
 * trace_irq_work_queue - irq_work_queue(), if this CPU will run it
 * @work: what is put off
 *
 * Context: any, NMI included.
 * Return: false if the CPU is going down, and nothing has been queued.
 */
bool trace_irq_work_queue(struct irq_work *work);

#endif /* _KERNEL_TRACE_GUARD_IRQ_WORK_H */
