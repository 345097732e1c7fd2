/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The preemption and interrupt state that each record contains, for architectures that keep
 * preempt_count() and the resched request in two words.
 */
#ifndef _ASM_GENERIC_TRACE_PREEMPT_H
#define _ASM_GENERIC_TRACE_PREEMPT_H

#include <linux/irqflags.h>
#include <linux/preempt.h>

/**
 * trace_preempt_word - get preempt_count() and the resched request in one word
 *
 * Context: any, NMI included.
 * Return: preempt_count(), with the highest bit set if the request was folded into it.
 */
static __always_inline unsigned int trace_preempt_word(void)
{
	return preempt_count() | (unsigned int)test_preempt_need_resched() << 31;
}

/**
 * trace_irqs_off_bit - test whether interrupts are off on this CPU
 * @nr: number of a bit
 *
 * Context: any, NMI included.
 * Return: BIT(@nr) if interrupts are off, otherwise 0.
 */
static __always_inline unsigned int trace_irqs_off_bit(unsigned int nr)
{
	unsigned long flags;

	raw_local_save_flags(flags);
	return (unsigned int)raw_irqs_disabled_flags(flags) << nr;
}

#endif /* _ASM_GENERIC_TRACE_PREEMPT_H */
