/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What every entry says of preemption, in one word here, and of interrupts.
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
 * trace_preempt_word - preempt_count() and the resched request, in one read
 *
 * Context: any, NMI included.
 * Return: preempt_count(), with the highest bit set when the request was folded
 * into it.
 */
static __always_inline unsigned int trace_preempt_word(void)
{
	return raw_cpu_read_4(pcpu_hot.preempt_count) ^ PREEMPT_NEED_RESCHED;
}

/**
 * trace_irqs_off_bit - are interrupts off on this CPU?
 * @nr: a bit above that of the interrupt flag
 *
 * Context: any, NMI included.
 * Return: BIT(@nr) if they are, else 0.
 */
static __always_inline unsigned int trace_irqs_off_bit(unsigned int nr)
{
	unsigned int flags = arch_local_save_flags();

	/* To its place in one shift, without a stop at bit 0. */
	return (~flags << (nr - X86_EFLAGS_IF_BIT)) & BIT(nr);
}

#endif /* _ASM_X86_TRACE_PREEMPT_H */
