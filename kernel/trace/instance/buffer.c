// SPDX-License-Identifier: GPL-2.0
/*
 * The buffers of an instance: emptying and resizing them, and setting their clock and their
 * CPUs.
 */
#include <linux/cleanup.h>
#include <linux/kernel.h>
#include <linux/lockdep.h>

#include "clock/clock.h"
#include "instance.h"
#include "internal.h"
#include "ring_buffer/resize_like.h"
#include "ring_buffer/consume.h"
#include "snapshot.h"
#include "snapshot_size.h"

/* A record that is being written now may still appear in the emptied buffer. */
void instance_empty_buffer(struct trace_array *tr, int cpu)
{
	struct trace_buffer *buffer = READ_ONCE(tr->buffer);

	tr->time_start = ring_buffer_time_stamp(buffer);
	consume_reset(buffer, cpu);
	instance_parts_emptied(tr, cpu);
}

void tracing_reset(struct trace_array *tr, int cpu)
{
	if (snapshot_is_owned(tr))
		snapshot_clear(tr, cpu);
	trace_array_stop(tr);
	/* Wait until entries that are being written are complete. */
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
	/*
	 * Recording is suspended, and the tracer stopped: no entry may be stamped relative to
	 * another clock, and no duration be measured with two clocks.
	 */
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

static void instance_mask_cpu(struct trace_array *tr, int cpu, bool masked)
{
	struct trace_cpu *c = per_cpu_ptr(tr->cpus, cpu);

	WRITE_ONCE(c->masked, masked);
	WRITE_ONCE(c->events.masked, masked);
	WRITE_ONCE(c->events_two_tasks.masked, masked);
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
			instance_mask_cpu(tr, cpu, !has);
	}
	cpumask_copy(tr->tracing_cpumask, mask);
}

static int instance_resize_locked(struct trace_array *tr, unsigned long size, int cpu)
{
	struct trace_buffer *live = READ_ONCE(tr->buffer);
	struct trace_buffer *other = snapshot_of(tr, live);
	int ret;

	lockdep_assert_held(&trace_lock);
	/* Check first: a resize that is refused must not cost the snapshot. */
	ret = ring_buffer_may_resize(live, size, cpu);
	if (ret)
		return ret;
	ret = ring_buffer_resize(other, size, cpu) ?:
	      ring_buffer_resize(live, size, cpu);
	if (ret < 0) {
		snapshot_restore_size(tr, other, live);
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
	return instance_resize_locked(tr, size, cpu);
}

static int instance_set_orders(struct trace_buffer *live, struct trace_buffer *other, int order)
{
	int ret = 0;

	/* A consuming reader would keep a page that is freed here. */
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

	/* trace_lock also keeps new readers of the buffers out. */
	guard(mutex)(&trace_lock);
	live = READ_ONCE(tr->buffer);
	other = snapshot_of(tr, live);
	if (order == ring_buffer_subbuf_order_get(live))
		return 0;
	ret = ring_buffer_may_set_order(live);
	if (ret)
		return ret;
	ret = instance_set_orders(live, other, order);
	if (ret) {
		snapshot_restore_size(tr, other, live);
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
	/*
	 * Set the clock again: a faster way to read it may have become available since early
	 * boot.
	 */
	tracing_use_clock(tr);
	return instance_resize_locked(tr, tr->buf_size, RING_BUFFER_ALL_CPUS);
}

void __init tracing_shrink(struct trace_array *tr)
{
	guard(mutex)(&trace_lock);
	instance_resize_locked(tr, TRACE_BUF_SIZE_BOOT, RING_BUFFER_ALL_CPUS);
	tr->expanded = false;
}
