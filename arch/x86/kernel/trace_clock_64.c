// SPDX-License-Identifier: GPL-2.0
/*
 * The factors by which arch_trace_clock() in asm/trace_clock_inline.h converts the time-stamp
 * counter to nanoseconds.
 */
#include <linux/bits.h>
#include <linux/percpu.h>
#include <linux/types.h>
#include <asm/barrier.h>
#include <asm/msr.h>
#include <asm/timer.h>
#include <asm/trace_clock_inline.h>

DEFINE_PER_CPU_ALIGNED(struct trace_clock_scales, trace_clock_scales);

/*
 * True if neither the counter nor the factor of the conversion loses its highest bits when it is
 * shifted.
 */
static bool trace_clock_scale_fits(const struct cyc2ns_data *data)
{
	return !(rdtsc() >> (64 - TRACE_CLOCK_SHIFT)) &&
	       (u64)data->cyc2ns_mul >> data->cyc2ns_shift < BIT(TRACE_CLOCK_SHIFT);
}

/**
 * trace_clock_rescale - adopt a changed conversion of sched_clock()
 * @cpu: CPU whose conversion has changed
 *
 * A conversion that does not fit is not adopted: that of a counter of less than 250 MHz, or of a
 * counter that has counted for decades.  A machine whose first conversion does not fit calls
 * sched_clock().  Otherwise the last conversion that fits stays in use.
 *
 * Context: any, also early in the boot; no other context changes the conversion of @cpu.
 */
void trace_clock_rescale(int cpu)
{
	struct trace_clock_scales *scales = per_cpu_ptr(&trace_clock_scales, cpu);
	const struct cyc2ns_data *data = &per_cpu(cyc2ns, cpu).data[0];
	unsigned int next;

	if (!trace_clock_scale_fits(data))
		return;
	next = scales->changes++ % TRACE_CLOCK_SCALES;
	scales->kept[next].mul = (u64)data->cyc2ns_mul <<
				 (64 - TRACE_CLOCK_SHIFT - data->cyc2ns_shift);
	scales->kept[next].offset = data->cyc2ns_offset;
	/* Pairs with the address dependency in arch_trace_clock(). */
	smp_store_release(&scales->now, &trace_clock_scales.kept[next]);
}
