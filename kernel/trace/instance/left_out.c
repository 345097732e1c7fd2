// SPDX-License-Identifier: GPL-2.0
/*
 * Calls that were too short to be recorded: see left_out.h.
 */
#include <linux/cpumask.h>
#include <linux/percpu.h>
#include <linux/ring_buffer.h>

#include "instance.h"
#include "left_out.h"

void left_out_add(struct trace_array *tr)
{
	struct trace_cpu *here = this_cpu_ptr(tr->cpus);

	if (!READ_ONCE(here->masked) && ring_buffer_record_is_on(READ_ONCE(tr->buffer)))
		local_inc(&here->left_out.count);
}

static void forget_cpu(struct left_out *calls)
{
	/* Pairs with calls_of(): who finds this finds the count that it was read from. */
	smp_store_release(&calls->before, local_read(&calls->count));
}

void left_out_forget(struct trace_array *tr, int cpu)
{
	if (cpu != RING_BUFFER_ALL_CPUS) {
		forget_cpu(&per_cpu_ptr(tr->cpus, cpu)->left_out);
		return;
	}
	for_each_possible_cpu(cpu)
		forget_cpu(&per_cpu_ptr(tr->cpus, cpu)->left_out);
}

static unsigned long calls_of(const struct left_out *calls)
{
	/* Pairs with forget_cpu(): the count is no older than that. */
	unsigned long before = smp_load_acquire(&calls->before);

	return local_read(&calls->count) - before;
}

unsigned long left_out_calls(struct trace_array *tr, int cpu)
{
	unsigned long sum = 0;

	if (cpu != RING_BUFFER_ALL_CPUS)
		return calls_of(&per_cpu_ptr(tr->cpus, cpu)->left_out);
	for_each_possible_cpu(cpu)
		sum += calls_of(&per_cpu_ptr(tr->cpus, cpu)->left_out);
	return sum;
}
