/* SPDX-License-Identifier: GPL-2.0 */
/*
 * sched_clock() where a call of it is too much: the function tracer reads the
 * clock for every traced call, and calling a function there would also mean to
 * save the registers that live across it.
 *
 * Same counter, same conversion, same result as native_sched_clock().
 */
#ifndef _ASM_X86_TRACE_CLOCK_INLINE_H
#define _ASM_X86_TRACE_CLOCK_INLINE_H

#include <linux/percpu.h>
#include <linux/types.h>

#include <asm/msr.h>
#include <asm/timer.h>

/* The conversion's parameters for this CPU, all of one moment. */
static __always_inline struct cyc2ns_data trace_clock_scale(void)
{
	struct cyc2ns_data scale;
	unsigned int seq, now;

	do {
		seq = this_cpu_read(cyc2ns.seq.seqcount.sequence);
		/* Of the two copies, the one that is not being written. */
		now = seq & 1;
		scale.cyc2ns_mul = this_cpu_read(cyc2ns.data[now].cyc2ns_mul);
		scale.cyc2ns_shift = this_cpu_read(cyc2ns.data[now].cyc2ns_shift);
		scale.cyc2ns_offset = this_cpu_read(cyc2ns.data[now].cyc2ns_offset);
	} while (unlikely(seq != this_cpu_read(cyc2ns.seq.seqcount.sequence)));

	return scale;
}

/**
 * arch_trace_clock - sched_clock() of this CPU
 *
 * Only while arch_trace_clock_usable().
 *
 * Context: any, NMI included; preemption off.
 * Return: nanoseconds.
 */
static __always_inline u64 arch_trace_clock(void)
{
	u64 tsc = rdtsc();
	struct cyc2ns_data scale = trace_clock_scale();

#ifdef CONFIG_X86_64
	/* The shift is below 32; knowing that spares the code for 64 and up. */
	return scale.cyc2ns_offset +
	       (u64)(((u128)tsc * scale.cyc2ns_mul) >>
		     (scale.cyc2ns_shift & 63));
#else
	return scale.cyc2ns_offset +
	       mul_u64_u32_shr(tsc, scale.cyc2ns_mul, scale.cyc2ns_shift);
#endif
}

/**
 * arch_trace_clock_usable - is sched_clock() what is done here?
 *
 * Not under a hypervisor that has a clock of its own, and not before the
 * time-stamp counter's frequency is known.  Once true, it stays so.
 */
static inline bool arch_trace_clock_usable(void)
{
	return using_native_sched_clock() &&
	       raw_cpu_read(cyc2ns.data[0].cyc2ns_mul);
}

#endif /* _ASM_X86_TRACE_CLOCK_INLINE_H */
