/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What every entry says of preemption, in one word here.
 */
#ifndef _ASM_X86_TRACE_PREEMPT_H
#define _ASM_X86_TRACE_PREEMPT_H

#include <linux/percpu.h>
#include <linux/preempt.h>
#include <asm/current.h>

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

#endif /* _ASM_X86_TRACE_PREEMPT_H */
