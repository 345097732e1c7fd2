/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An inline version of sched_clock() for the function tracer, which reads the clock for every
 * traced call: a function call there would also have to save the live registers.
 *
 * The counter is read and converted as in native_sched_clock(), with equal results.
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

/* Number of bits by which the counter is shifted to the left before it is multiplied. */
#define TRACE_CLOCK_SHIFT	2

/* Number of conversions kept for a CPU: the one in use, and those used before. */
#define TRACE_CLOCK_SCALES	3

/**
 * struct trace_clock_scale - conversion of cycles to nanoseconds
 * @mul: factor for the shifted cycles; the upper 64 bits of the product are used
 * @offset: nanoseconds to be added to the product
 */
struct trace_clock_scale {
	u64	mul;
	u64	offset;
};

/**
 * struct trace_clock_scales - conversions of a CPU, in one cache line
 * @now: the conversion in use; NULL until one is known
 * @changes: number of conversions that were stored
 * @kept: the latest conversions; the oldest is overwritten
 *
 * A reader that is interrupted between reading @now and reading the conversion finds the
 * conversion unchanged, unless %TRACE_CLOCK_SCALES new ones were stored meanwhile.  A new one is
 * stored when the frequency is known more precisely, a second after the boot has begun; after a
 * suspend, while no other code runs; and, where the counter follows the CPU's frequency, when that
 * changes: milliseconds apart.
 *
 * @now is a per-CPU offset, equal on all CPUs.  Early in the boot the per-CPU section is copied,
 * which would invalidate a pointer into it.
 */
struct trace_clock_scales {
	struct trace_clock_scale __percpu	*now;
	unsigned int				changes;
	struct trace_clock_scale		kept[TRACE_CLOCK_SCALES];
};

static_assert(sizeof(struct trace_clock_scales) <= 64);

DECLARE_PER_CPU_ALIGNED(struct trace_clock_scales, trace_clock_scales);

/* Return: rdtsc() << TRACE_CLOCK_SHIFT. */
static __always_inline u64 trace_clock_cycles(void)
{
	unsigned long low, high;

	/* Not rdtsc(): gcc would use three shifts instead of two. */
	asm volatile("rdtsc" : "=a" (low), "=d" (high));
	return (low << TRACE_CLOCK_SHIFT) + (high << (32 + TRACE_CLOCK_SHIFT));
}

/**
 * arch_trace_clock - read sched_clock() of this CPU
 *
 * May be called only if arch_trace_clock_usable() has returned true.
 *
 * Context: any, NMI included; preemption off.
 * Return: nanoseconds.
 */
static __always_inline u64 arch_trace_clock(void)
{
	/*
	 * Read once. The address dependency on this pairs with the release in
	 * trace_clock_rescale().
	 */
	struct trace_clock_scale __percpu *scale = this_cpu_read(trace_clock_scales.now);
	u64 ns, low = trace_clock_cycles();

	/* Not in C: gcc would allocate stack for a product of 128 bits. */
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

/* Read sched_clock() of this CPU, as the version for 64 bit does. Return: nanoseconds. */
static __always_inline u64 arch_trace_clock(void)
{
	unsigned int seq, now;
	u64 ns;

	/*
	 * Plain reads between barriers, because gcc can use them as operands of instructions, but
	 * not volatile reads.
	 */
	do {
		seq = raw_cpu_read(cyc2ns.seq.seqcount.sequence);
		barrier();
		/* Index of the copy that is not being written. */
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
 * arch_trace_clock_usable - test whether arch_trace_clock() equals sched_clock()
 *
 * Context: any.
 * Return: false under a hypervisor with a clock of its own, and before the frequency of the
 * time-stamp counter is known.  A clock that is usable stays usable.
 */
static inline bool arch_trace_clock_usable(void)
{
	return using_native_sched_clock() && trace_clock_known();
}

#endif /* _ASM_X86_TRACE_CLOCK_INLINE_H */
