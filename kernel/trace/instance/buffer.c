// SPDX-License-Identifier: GPL-2.0
/*
 * The buffers of an instance: when they are emptied, by which clock they are stamped, of
 * which CPUs, and how large they are.
 */
#include <linux/cleanup.h>
#include <linux/kernel.h>
#include <linux/lockdep.h>

#include "clock/clock.h"
#include "instance.h"
#include "internal.h"
#include "ring_buffer/alike.h"
#include "ring_buffer/consume.h"
#include "snapshot.h"

/* What is just being recorded may come after it. */
void instance_empty_buffer(struct trace_array *tr, int cpu)
{
	struct trace_buffer *buffer = READ_ONCE(tr->buffer);

	tr->time_start = ring_buffer_time_stamp(buffer);
	consume_reset(buffer, cpu);
	instance_parts_emptied(tr, cpu);
}

void tracing_reset(struct trace_array *tr, int cpu)
{
	if (snapshot_is_kept(tr))
		snapshot_clear(tr, cpu);
	trace_array_stop(tr);
	/* Entries that are being written get finished. */
	synchronize_rcu();
	instance_empty_buffer(tr, cpu);
	trace_array_start(tr);
}

int tracing_set_clock(struct trace_array *tr, const char *name)
{
	int id = trace_clock_find(name);

	if (id < 0)
		return id;
	guard(mutex)(&trace_lock);
	tracing_change_clock(tr, id);
	return 0;
}

void tracing_change_clock(struct trace_array *tr, int id)
{
	bool on = tracer_tracing_is_on(tr);

	lockdep_assert_held(&trace_lock);
	/* No entry may be stamped by one clock relative to another, and no time be measured. */
	trace_array_stop(tr);
	if (on)
		instance_tracer_stop(tr);
	tr->clock_id = id;
	tracing_use_clock(tr);
	tracing_reset(tr, RING_BUFFER_ALL_CPUS);
	snapshot_clear(tr, RING_BUFFER_ALL_CPUS);
	trace_array_start(tr);
	if (on)
		instance_tracer_start(tr);
}

void tracing_use_clock(struct trace_array *tr)
{
	lockdep_assert_held(&trace_lock);
	for (int i = 0; i < NR_TRACE_BUFFERS; i++)
		ring_buffer_set_clock(tr->buffers[i], trace_clocks[tr->clock_id].func);
}

static void set_cpu_masked(struct trace_array *tr, int cpu, bool masked)
{
	struct trace_cpu *c = per_cpu_ptr(tr->cpus, cpu);

	WRITE_ONCE(c->masked, masked);
	WRITE_ONCE(c->events.masked, masked);
	WRITE_ONCE(c->events_of_two.masked, masked);
	for (int i = 0; i < NR_TRACE_BUFFERS; i++) {
		if (masked)
			ring_buffer_record_disable_cpu(tr->buffers[i], cpu);
		else
			ring_buffer_record_enable_cpu(tr->buffers[i], cpu);
	}
}

void tracing_set_cpumask(struct trace_array *tr, const struct cpumask *mask)
{
	int cpu;

	guard(mutex)(&trace_lock);
	for_each_possible_cpu(cpu) {
		bool had = cpumask_test_cpu(cpu, tr->tracing_cpumask);
		bool has = cpumask_test_cpu(cpu, mask);

		if (had != has)
			set_cpu_masked(tr, cpu, !has);
	}
	cpumask_copy(tr->tracing_cpumask, mask);
}

static int resize_locked(struct trace_array *tr, unsigned long size, int cpu)
{
	struct trace_buffer *live = READ_ONCE(tr->buffer);
	struct trace_buffer *other = snapshot_of(tr, live);
	int ret;

	lockdep_assert_held(&trace_lock);
	/* What would be refused must not cost a snapshot. */
	ret = ring_buffer_may_resize(live, size, cpu);
	if (ret)
		return ret;
	ret = ring_buffer_resize(other, size, cpu) ?:
	      ring_buffer_resize(live, size, cpu);
	if (ret < 0) {
		snapshot_follow(tr, other, live);
		return ret;
	}
	tr->expanded = true;
	return 0;
}

int tracing_resize(struct trace_array *tr, unsigned long size, int cpu)
{
	guard(mutex)(&trace_lock);
	if (cpu != RING_BUFFER_ALL_CPUS &&
	    ((unsigned int)cpu >= nr_cpu_ids || !cpu_possible(cpu)))
		return -EINVAL;
	return resize_locked(tr, size, cpu);
}

static int set_orders(struct trace_buffer *live, struct trace_buffer *other, int order)
{
	int ret = 0;

	/* Those who consume would hold on to a page that goes. */
	consume_lock(RING_BUFFER_ALL_CPUS);
	if (other)
		ret = ring_buffer_subbuf_order_set(other, order);
	if (!ret)
		ret = ring_buffer_subbuf_order_set(live, order);
	consume_unlock(RING_BUFFER_ALL_CPUS);
	return ret;
}

int tracing_set_subbuf_order(struct trace_array *tr, int order)
{
	struct trace_buffer *live, *other;
	int ret;

	/* Also keeps others from beginning to look at the buffers. */
	guard(mutex)(&trace_lock);
	live = READ_ONCE(tr->buffer);
	other = snapshot_of(tr, live);
	if (order == ring_buffer_subbuf_order_get(live))
		return 0;
	ret = ring_buffer_may_set_order(live);
	if (ret)
		return ret;
	ret = set_orders(live, other, order);
	if (ret) {
		snapshot_follow(tr, other, live);
		return ret;
	}
	tr->time_start = ring_buffer_time_stamp(live);
	instance_parts_emptied(tr, RING_BUFFER_ALL_CPUS);
	return 0;
}

int tracing_expand(struct trace_array *tr)
{
	if (tr->expanded)
		return 0;
	/* Early in the boot the fastest way to read the clock is not there yet. */
	tracing_use_clock(tr);
	return resize_locked(tr, tr->buf_size, RING_BUFFER_ALL_CPUS);
}

void __init tracing_shrink(struct trace_array *tr)
{
	guard(mutex)(&trace_lock);
	resize_locked(tr, TRACE_BUF_SIZE_BOOT, RING_BUFFER_ALL_CPUS);
	tr->expanded = false;
}
