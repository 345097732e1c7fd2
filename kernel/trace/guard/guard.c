// SPDX-License-Identifier: GPL-2.0
/*
 * The recursion guard of the tracer, see guard.h: its state and the slow path.
 */
#include <linux/cpumask.h>

#include "guard.h"

DEFINE_PER_CPU(unsigned int, trace_guard) = TRACE_GUARD_IDLE;

/* Number of calls on a CPU that were not recorded because of recursion. */
static DEFINE_PER_CPU(unsigned long, guard_recursions);

void trace_recursion_count(void)
{
	__this_cpu_inc(guard_recursions);
}

bool trace_guard_enter_slow(unsigned int self, unsigned int old)
{
	if (old & TRACE_GUARD_EARLY) {
		trace_recursion_count();
		return false;
	}
	raw_cpu_write(trace_guard, self | TRACE_GUARD_EARLY);
	barrier();
	return true;
}

unsigned long trace_recursions(void)
{
	unsigned long sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(per_cpu(guard_recursions, cpu));
	return sum;
}
