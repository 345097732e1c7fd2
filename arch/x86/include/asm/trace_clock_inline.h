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

#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/math64.h>
#include <linux/percpu.h>
#include <linux/types.h>

#include <asm/msr.h>
#include <asm/timer.h>

#ifdef CONFIG_X86_64

/* How many bits to the left the counter is shifted before it is multiplied. */
#define TRACE_CLOCK_SHIFT	2

/* How many conversions of a CPU are kept: the one in use, and those before. */
#define TRACE_CLOCK_SCALES	3

/**
 * struct trace_clock_scale - from cycles to nanoseconds
 * @mul: of the product with the shifted cycles, the upper 64 bits count
 * @offset: to be added
 */
struct trace_clock_scale {
	u64	mul;
	u64	offset;
};

/**
 * struct trace_clock_scales - what a CPU converts by, in a line of the cache
 * @now: the one in use: NULL until one is known
 * @changes: how often another one was
 * @kept: written in turn
 *
 * A reader that is interrupted between @now and what that points to finds it unchanged
 * unless this CPU's conversion has changed %TRACE_CLOCK_SCALES times meanwhile.  It does so when
 * the frequency is known better, a second after the boot began, after a suspension, when
 * all stands still, and, where the counter goes with the CPU's frequency, with that:
 * milliseconds apart.
 *
 * @now is an offset that is the same on all CPUs: early in the boot the per-CPU section is
 * copied, and pointers into it would not be right then.
 */
struct trace_clock_scales {
	struct trace_clock_scale __percpu	*now;
	unsigned int				changes;
	struct trace_clock_scale		kept[TRACE_CLOCK_SCALES];
};

static_assert(sizeof(struct trace_clock_scales) <= 64);

DECLARE_PER_CPU_ALIGNED(struct trace_clock_scales, trace_clock_scales);

/* rdtsc() << TRACE_CLOCK_SHIFT */
static __always_inline u64 trace_clock_cycles(void)
{
	unsigned long low, high;

	/* As rdtsc() in two shifts: gcc makes three of it. */
	asm volatile("rdtsc" : "=a" (low), "=d" (high));
	return (low << TRACE_CLOCK_SHIFT) + (high << (32 + TRACE_CLOCK_SHIFT));
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
	/* Read once; this dependency pairs with the release in trace_clock_rescale(). */
	struct trace_clock_scale __percpu *scale = this_cpu_read(trace_clock_scales.now);
	u64 ns, low = trace_clock_cycles();

	/* In C, gcc makes room on the stack for a product of 128 bits. */
	asm("mulq %[mul]"
	    : "+a" (low), "=d" (ns)
	    : [mul] "rm" (raw_cpu_read(scale->mul)) : "cc");
	return ns + raw_cpu_read(scale->offset);
}

static inline bool trace_clock_known(void)
{
	return raw_cpu_read(trace_clock_scales.now);
}

#else /* !CONFIG_X86_64 */

/* As on 64 bit. */
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
		ns = mul_u64_u32_shr(rdtsc(), raw_cpu_read(cyc2ns.data[now].cyc2ns_mul),
				     raw_cpu_read(cyc2ns.data[now].cyc2ns_shift)) +
		     raw_cpu_read(cyc2ns.data[now].cyc2ns_offset);
		barrier();
	} while (unlikely(seq != raw_cpu_read(cyc2ns.seq.seqcount.sequence)));

	return ns;
}

static inline bool trace_clock_known(void)
{
	return raw_cpu_read(cyc2ns.data[0].cyc2ns_mul);
}

#endif /* CONFIG_X86_64 */

/**
 * arch_trace_clock_usable - is sched_clock() what is done here?
 *
 * Not under a hypervisor that has a clock of its own, and not before the
 * time-stamp counter's frequency is known.  Once true, it stays so.
 */
static inline bool arch_trace_clock_usable(void)
{
	return using_native_sched_clock() && trace_clock_known();
}

#endif /* _ASM_X86_TRACE_CLOCK_INLINE_H */
