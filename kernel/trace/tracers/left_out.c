// SPDX-License-Identifier: GPL-2.0
/*
 * Calls that were too short to be recorded: see left_out.h.
 */
#include <linux/cpumask.h>
#include <linux/percpu.h>
#include <linux/ring_buffer.h>

#include "instance/instance.h"
#include "instance/part.h"
#include "left_out.h"

#ifdef CONFIG_64BIT

static void count_call(struct left_out *calls)
{
	local_inc(&calls->count);
}

static u64 counted(const struct left_out *calls)
{
	return local_read(&calls->count);
}

#else

/* In 32 bits there would be room for a quarter of an hour. */
static void count_call(struct left_out *calls)
{
	narrow_counter_next(&calls->count);
}

static u64 counted(const struct left_out *calls)
{
	return narrow_counter_read(&calls->count);
}

#endif

static struct left_out __percpu **all_of(const struct trace_array *tr)
{
	return instance_part(tr, &left_out_part);
}

struct left_out *left_out_of(const struct trace_array *tr, int cpu)
{
	return per_cpu_ptr(*all_of(tr), cpu);
}

void left_out_add(struct trace_array *tr)
{
	if (!raw_cpu_read(tr->cpus->masked) &&
	    ring_buffer_record_is_on(READ_ONCE(tr->buffer)))
		count_call(this_cpu_ptr(*all_of(tr)));
}

static void forget_cpu(struct left_out *calls)
{
	u64 now = counted(calls);

	/* Pairs with calls_of(): who finds this finds the count that it was read from. */
	smp_mb();
	WRITE_ONCE(calls->before, now);
}

static void forget(struct trace_array *tr, int cpu)
{
	if (cpu != RING_BUFFER_ALL_CPUS) {
		forget_cpu(left_out_of(tr, cpu));
		return;
	}
	for_each_possible_cpu(cpu)
		forget_cpu(left_out_of(tr, cpu));
}

/* On 32 bits that is stored in halves: two of them are not found twice. */
static u64 forgotten(const struct left_out *calls)
{
	u64 before = READ_ONCE(calls->before), again;

	while ((again = READ_ONCE(calls->before)) != before)
		before = again;
	return before;
}

static u64 calls_of(const struct left_out *calls)
{
	u64 before = forgotten(calls);

	/* Pairs with forget_cpu(): the count is no older than that. */
	smp_rmb();
	return counted(calls) - before;
}

u64 left_out_calls(struct trace_array *tr, int cpu)
{
	u64 sum = 0;

	if (cpu != RING_BUFFER_ALL_CPUS)
		return calls_of(left_out_of(tr, cpu));
	for_each_possible_cpu(cpu)
		sum += calls_of(left_out_of(tr, cpu));
	return sum;
}

static int make(struct trace_array *tr)
{
	*all_of(tr) = alloc_percpu(struct left_out);
	return *all_of(tr) ? 0 : -ENOMEM;
}

static void unmake(struct trace_array *tr)
{
	free_percpu(*all_of(tr));
}

struct instance_part left_out_part = {
	.size		= sizeof(struct left_out __percpu *),
	.init		= make,
	.exit		= unmake,
	.emptied	= forget,
};
