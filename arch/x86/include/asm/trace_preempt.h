/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The preemption and interrupt state that each record contains. x86 keeps preempt_count() and the
 * resched request in one word.
 */
#ifndef _ASM_X86_TRACE_PREEMPT_H
#define _ASM_X86_TRACE_PREEMPT_H

#include <linux/bits.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <asm/current.h>
#include <asm/irqflags.h>
#include <asm/processor-flags.h>

/**
 * trace_preempt_word - get preempt_count() and the resched request in one read
 *
 * Context: any, NMI included.
 * Return: preempt_count(), with the highest bit set if the request was folded into it.
 */
static __always_inline unsigned int trace_preempt_word(void)
{
	return raw_cpu_read_4(pcpu_hot.preempt_count) ^ PREEMPT_NEED_RESCHED;
}

/**
 * trace_irqs_off_bit - test whether interrupts are off on this CPU
 * @nr: number of a bit, higher than that of the interrupt flag
 *
 * Context: any, NMI included.
 * Return: BIT(@nr) if interrupts are off, otherwise 0.
 */
static __always_inline unsigned int trace_irqs_off_bit(unsigned int nr)
{
	unsigned int flags = arch_local_save_flags();

	/* One shift moves the flag from its bit to @nr, instead of two by way of bit 0. */
	return (~flags << (nr - X86_EFLAGS_IF_BIT)) & BIT(nr);
}

#endif /* _ASM_X86_TRACE_PREEMPT_H */
