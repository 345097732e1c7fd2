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

#include <linux/compiler.h>
#include <linux/math64.h>
#include <linux/percpu.h>
#include <linux/types.h>

#include <asm/msr.h>
#include <asm/timer.h>

/* (@cycles * @mul) >> @shift, for shifts below 64. */
#ifdef CONFIG_X86_64
static __always_inline u64 trace_clock_mul_shift(u64 cycles, u32 mul, u32 shift)
{
	u64 high, wide = mul;

	/* In C, gcc makes room on the stack for a product of 128 bits. */
	asm("mulq %[mul]\n\t"
	    "shrdq %%cl, %[high], %[low]"
	    : [low] "+a" (cycles), [high] "=d" (high)
	    : [mul] "r" (wide), "c" (shift) : "cc");
	return cycles;
}
#else
static __always_inline u64 trace_clock_mul_shift(u64 cycles, u32 mul, u32 shift)
{
	return mul_u64_u32_shr(cycles, mul, shift);
}
#endif

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
	unsigned int seq, now;
	u64 ns;

	/*
	 * Plain reads between barriers: gcc can make them operands, which it
	 * does not do with volatile ones.
	 */
	do {
		seq = raw_cpu_read(cyc2ns.seq.seqcount.sequence);
		barrier();
		/* Of the two copies, the one that is not being written. */
		now = seq & 1;
		ns = trace_clock_mul_shift(rdtsc(),
					   raw_cpu_read(cyc2ns.data[now].cyc2ns_mul),
					   raw_cpu_read(cyc2ns.data[now].cyc2ns_shift)) +
		     raw_cpu_read(cyc2ns.data[now].cyc2ns_offset);
		barrier();
	} while (unlikely(seq != raw_cpu_read(cyc2ns.seq.seqcount.sequence)));

	return ns;
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
