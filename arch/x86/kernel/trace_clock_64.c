// SPDX-License-Identifier: GPL-2.0
/*
 * What arch_trace_clock() multiplies the time-stamp counter by: asm/trace_clock_inline.h.
 */
#include <linux/bits.h>
#include <linux/percpu.h>
#include <linux/types.h>
#include <asm/barrier.h>
#include <asm/msr.h>
#include <asm/timer.h>
#include <asm/trace_clock_inline.h>

DEFINE_PER_CPU_ALIGNED(struct trace_clock_scales, trace_clock_scales);

/* A counter with its highest bits set would lose them, and so would a factor. */
static bool fits(const struct cyc2ns_data *data)
{
	return !(rdtsc() >> (64 - TRACE_CLOCK_SHIFT)) &&
	       (u64)data->cyc2ns_mul >> data->cyc2ns_shift < BIT(TRACE_CLOCK_SHIFT);
}

/**
 * trace_clock_rescale - follow the conversion of sched_clock()
 * @cpu: whose has changed
 *
 * One that does not fit is not followed: that of a counter of less than 250 MHz, or of one
 * that has counted for decades.  Such a machine reads sched_clock(), by a call.  If the
 * first one did fit, the last one that does stays in use.
 *
 * Context: any, early boot too; nobody else changes the conversion of @cpu.
 */
void trace_clock_rescale(int cpu)
{
	struct trace_clock_scales *scales = per_cpu_ptr(&trace_clock_scales, cpu);
	const struct cyc2ns_data *data = &per_cpu(cyc2ns, cpu).data[0];
	unsigned int next;

	if (!fits(data))
		return;
	next = scales->changes++ % TRACE_CLOCK_SCALES;
	scales->kept[next].mul = (u64)data->cyc2ns_mul <<
				 (64 - TRACE_CLOCK_SHIFT - data->cyc2ns_shift);
	scales->kept[next].offset = data->cyc2ns_offset;
	/* Pairs with the address dependency of arch_trace_clock(). */
	smp_store_release(&scales->now, &trace_clock_scales.kept[next]);
}
