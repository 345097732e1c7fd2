// SPDX-License-Identifier: GPL-2.0
/*
 * Counts the calls that were too short to be recorded: see left_out.h.
 */
#include <linux/cpumask.h>
#include <linux/percpu.h>
#include <linux/ring_buffer.h>

#include "instance/instance.h"
#include "instance/part.h"
#include "left_out.h"
#include "left_out_count.h"

#ifdef CONFIG_64BIT

static void left_out_count(struct left_out *calls)
{
	local_inc(&calls->count);
}

static u64 left_out_counted(const struct left_out *calls)
{
	return local_read(&calls->count);
}

#else

/* A plain 32-bit counter could wrap within a quarter of an hour. */
static void left_out_count(struct left_out *calls)
{
	narrow_counter_next(&calls->count);
}

static u64 left_out_counted(const struct left_out *calls)
{
	return narrow_counter_read(&calls->count);
}

#endif

static struct left_out __percpu **left_out_counts(const struct trace_array *tr)
{
	return instance_part(tr, &left_out_part);
}

struct left_out *left_out_of(const struct trace_array *tr, int cpu)
{
	return per_cpu_ptr(*left_out_counts(tr), cpu);
}

void left_out_add(struct trace_array *tr)
{
	if (!raw_cpu_read(tr->cpus->masked) &&
	    ring_buffer_record_is_on(READ_ONCE(tr->buffer)))
		left_out_count(this_cpu_ptr(*left_out_counts(tr)));
}

static void left_out_reset_cpu(struct left_out *calls)
{
	u64 now = left_out_counted(calls);

	/*
	 * Pairs with smp_rmb() in left_out_calls_on(): a reader of the new @before reads a count
	 * that is no older than it.
	 */
	smp_mb();
	WRITE_ONCE(calls->before, now);
}

static void left_out_reset(struct trace_array *tr, int cpu)
{
	if (cpu != RING_BUFFER_ALL_CPUS) {
		left_out_reset_cpu(left_out_of(tr, cpu));
		return;
	}
	for_each_possible_cpu(cpu)
		left_out_reset_cpu(left_out_of(tr, cpu));
}

/* On 32-bit @before is stored in two halves: read until two consecutive values are equal. */
static u64 left_out_read_before(const struct left_out *calls)
{
	u64 before = READ_ONCE(calls->before), again;

	while ((again = READ_ONCE(calls->before)) != before)
		before = again;
	return before;
}

static u64 left_out_calls_on(const struct left_out *calls)
{
	u64 before = left_out_read_before(calls);

	/* Pairs with smp_mb() in left_out_reset_cpu(): the count is no older than @before. */
	smp_rmb();
	return left_out_counted(calls) - before;
}

u64 left_out_calls(struct trace_array *tr, int cpu)
{
	u64 sum = 0;

	if (cpu != RING_BUFFER_ALL_CPUS)
		return left_out_calls_on(left_out_of(tr, cpu));
	for_each_possible_cpu(cpu)
		sum += left_out_calls_on(left_out_of(tr, cpu));
	return sum;
}

static int left_out_alloc(struct trace_array *tr)
{
	*left_out_counts(tr) = alloc_percpu(struct left_out);
	return *left_out_counts(tr) ? 0 : -ENOMEM;
}

static void left_out_free(struct trace_array *tr)
{
	free_percpu(*left_out_counts(tr));
}

struct instance_part left_out_part = {
	.size		= sizeof(struct left_out __percpu *),
	.init		= left_out_alloc,
	.exit		= left_out_free,
	.emptied	= left_out_reset,
};
