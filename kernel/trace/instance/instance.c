// SPDX-License-Identifier: GPL-2.0
/* Instances: setup and cleanup, the list of instances, and switching recording on and off. */
#include <linux/cleanup.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/lockdep.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace.h>

#include "instance.h"
#include "internal.h"
#include "snapshot.h"
#include "fast_path.h"

/*
 * Protects the list of instances and the state of each, and the list of tracers. Makes a
 * switch of the tracer atomic. Taken outside of nearly all other locks of the tracer.
 */
DEFINE_MUTEX(trace_lock);

LIST_HEAD(trace_arrays);

struct trace_array global_trace;

unsigned long trace_buf_size = TRACE_BUF_SIZE_DEFAULT;

unsigned long tracing_thresh __read_mostly;

DEFINE_STATIC_KEY_FALSE(trace_function_general_key);
DEFINE_STATIC_KEY_FALSE(trace_graph_limited_key);

bool tracing_initialized(void)
{
	/* Set while there is only one CPU. */
	return global_trace.buffer;
}

/* Options of the top instance, without those that its tracer has set. */
static u32 instance_top_options(void)
{
	u32 bound = snapshot_is_owned(&global_trace) ? TRACE_OPT_LATENCY_TRACER : 0;

	return (global_trace.flags & ~bound) | (global_trace.saved_flags & bound);
}

/*
 * A new instance starts with the options of the top instance, except for those that stand for
 * something outside of an instance.
 */
static void instance_init_options(struct trace_array *tr)
{
	struct tracer *t;

	tr->flags = TRACE_OPT_DEFAULTS;
	if (!trace_array_is_top(tr))
		tr->flags = instance_top_options() & ~trace_options_bound();
	for_each_tracer(t)
		tr->tracer_opts[t->index] = t->default_options;
}

static void instance_free_buffers(struct trace_array *tr)
{
	for (int i = 0; i < NR_TRACE_BUFFERS; i++) {
		if (tr->buffers[i])
			ring_buffer_free(tr->buffers[i]);
	}
}

static int instance_alloc_buffers(struct trace_array *tr)
{
	for (int i = 0; i < NR_TRACE_BUFFERS; i++) {
		tr->buffers[i] = ring_buffer_alloc(TRACE_BUF_SIZE_BOOT, RB_FL_OVERWRITE);
		if (!tr->buffers[i]) {
			instance_free_buffers(tr);
			return -ENOMEM;
		}
		ring_buffer_change_overwrite(tr->buffers[i],
					     trace_array_opt(tr, TRACE_OPT_OVERWRITE));
	}
	return 0;
}

/* Set the word that lets traceon triggers do nothing; see tracer_tracing_on(). */
static void instance_set_cpus_is_on(struct trace_array *tr, bool on)
{
	int cpu;

	for_each_possible_cpu(cpu)
		WRITE_ONCE(per_cpu_ptr(tr->cpus, cpu)->is_on, on);
}

static void instance_set_cpus_is_off(struct trace_array *tr, bool off)
{
	int cpu;

	for_each_possible_cpu(cpu)
		WRITE_ONCE(per_cpu_ptr(tr->cpus, cpu)->is_off, off);
}

static int instance_alloc_core(struct trace_array *tr)
{
	if (!alloc_cpumask_var(&tr->tracing_cpumask, GFP_KERNEL))
		return -ENOMEM;
	tr->cpus = alloc_percpu(struct trace_cpu);
	if (!tr->cpus)
		goto no_cpus;
	scoped_guard(mutex, &trace_lock)
		instance_init_options(tr);
	if (instance_alloc_buffers(tr))
		goto no_buffer;
	instance_set_cpus_is_on(tr, true);
	return 0;

no_buffer:
	free_percpu(tr->cpus);
no_cpus:
	free_cpumask_var(tr->tracing_cpumask);
	return -ENOMEM;
}

static void instance_free_core(struct trace_array *tr)
{
	instance_free_buffers(tr);
	free_percpu(tr->cpus);
	free_cpumask_var(tr->tracing_cpumask);
}

int trace_array_init(struct trace_array *tr)
{
	int ret = instance_alloc_core(tr);

	if (ret)
		return ret;
	cpumask_setall(tr->tracing_cpumask);
	tr->current_tracer = instance_idle_tracer();
	tr->buf_size = trace_buf_size;
	tr->buffer_percent = 50;
	ret = instance_parts_init(tr);
	if (ret) {
		instance_free_core(tr);
		return ret;
	}
	/* Set last: tracing_initialized() tests this member. */
	tr->buffer = tr->buffers[0];
	return 0;
}

void trace_array_publish(struct trace_array *tr)
{
	guard(mutex)(&trace_lock);
	list_add_rcu(&tr->list, &trace_arrays);
}

void trace_array_exit(struct trace_array *tr)
{
	instance_parts_unlisted(tr);
	ftrace_free_filter(&tr->gops.ops);
	/* Wait for walkers of the list, and for trace_printk() on its way into the instance. */
	synchronize_rcu();
	instance_parts_exit(tr);
	instance_free_core(tr);
}

static bool is_instance(const struct trace_array *tr)
{
	struct trace_array *pos;

	for_each_trace_array(pos) {
		if (pos == tr)
			return true;
	}
	return false;
}

int trace_array_get(struct trace_array *tr)
{
	guard(mutex)(&trace_lock);
	if (!is_instance(tr))
		return -ENODEV;
	tr->ref++;
	return 0;
}

/**
 * trace_array_put() - release a reference to an instance
 * @tr: instance from trace_array_get() or trace_array_get_by_name(), or NULL
 *
 * Context: may sleep; takes trace_lock.
 */
void trace_array_put(struct trace_array *tr)
{
	if (!tr)
		return;

	guard(mutex)(&trace_lock);
	if (!WARN_ON_ONCE(!tr->ref))
		tr->ref--;
}
EXPORT_SYMBOL_GPL(trace_array_put);

static void instance_set_cpus_off(struct trace_array *tr, bool off)
{
	struct trace_cpu *c;
	int cpu;

	for_each_possible_cpu(cpu) {
		c = per_cpu_ptr(tr->cpus, cpu);
		WRITE_ONCE(c->off, off);
		WRITE_ONCE(c->events.off, off);
		WRITE_ONCE(c->events_two_tasks.off, off);
	}
}

/*
 * Switch the second buffer as the first one is. The last writer of the first buffer leaves
 * both in the same state, even if another writer interrupts this loop at any point.
 */
static void instance_sync_buffers(struct trace_array *tr)
{
	bool on;

	do {
		on = ring_buffer_record_is_set_on(tr->buffers[0]);
		for (int i = 1; i < NR_TRACE_BUFFERS; i++) {
			if (on)
				ring_buffer_record_on(tr->buffers[i]);
			else
				ring_buffer_record_off(tr->buffers[i]);
		}
		/* Orders the writes to the second buffer before the next read of the first one. */
		smp_mb();
	} while (on != ring_buffer_record_is_set_on(tr->buffers[0]));
}

/*
 * tracer_tracing_on() and tracer_tracing_off() may run at the same time. @off of a CPU may end
 * up clear while the buffer is off, which only makes calls slower, but never set while the
 * buffer is on: it is set before the buffer is switched off, and cleared after the buffer was
 * switched on. @is_on is handled the other way round: it is set before the buffer is switched
 * on, and cleared after the buffer was switched off.
 *
 * Triggers rely on @is_on and @is_off (triggers/kind.h): a trigger does nothing if the state
 * that it wants is being set. Preemption is off so that no other task runs in between. A
 * trigger for the opposite state, in an interrupt or on another CPU, must take effect: so the
 * word that would make it do nothing is cleared before anything else changes.
 */
void tracer_tracing_on(struct trace_array *tr)
{
	guard(preempt_notrace)();
	instance_set_cpus_is_off(tr, false);
	instance_set_cpus_is_on(tr, true);
	/* Pairs with the second smp_mb() in tracer_tracing_off(). */
	smp_mb();
	ring_buffer_record_on(tr->buffers[0]);
	instance_sync_buffers(tr);
	/* Pairs with the first smp_mb() in tracer_tracing_off(). */
	smp_mb();
	instance_set_cpus_off(tr, false);
	instance_set_cpus_is_off(tr, false);
}

void tracer_tracing_off(struct trace_array *tr)
{
	guard(preempt_notrace)();
	instance_set_cpus_is_on(tr, false);
	instance_set_cpus_is_off(tr, true);
	instance_set_cpus_off(tr, true);
	/* Pairs with the second smp_mb() in tracer_tracing_on(). */
	smp_mb();
	ring_buffer_record_off(tr->buffers[0]);
	instance_sync_buffers(tr);
	/* Pairs with the first smp_mb() in tracer_tracing_on(). */
	smp_mb();
	instance_set_cpus_is_on(tr, false);
}

void tracing_set_on(struct trace_array *tr, bool on)
{
	guard(mutex)(&trace_lock);
	if (tracer_tracing_is_on(tr) == on)
		return;

	if (on) {
		tracer_tracing_on(tr);
		instance_tracer_start(tr);
		return;
	}
	tracer_tracing_off(tr);
	instance_tracer_stop(tr);
	ring_buffer_wake_waiters(READ_ONCE(tr->buffer), RING_BUFFER_ALL_CPUS);
}
