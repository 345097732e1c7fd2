// SPDX-License-Identifier: GPL-2.0
/*
 * Instances: what they are made of, the list of them, and whether they record.
 */
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
#include "straight.h"

/*
 * Protects the list of instances and all they hold, the list of tracers, and
 * makes switching one atomic.  Outside of nearly all other locks of the tracer.
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
	/* Made while there is only one CPU. */
	return global_trace.buffer;
}

/* The options of the top instance, without what its tracer has brought along. */
static u32 top_options(void)
{
	u32 bound = snapshot_is_kept(&global_trace) ? TRACE_OPT_KEEPERS : 0;

	return (global_trace.flags & ~bound) | (global_trace.saved_flags & bound);
}

/*
 * A new instance begins with the options of the top one as they are, but for
 * those that stand for something outside of an instance.
 */
static void initial_options(struct trace_array *tr)
{
	struct tracer *t;

	tr->flags = TRACE_OPT_DEFAULTS;
	if (!trace_array_is_top(tr))
		tr->flags = top_options() & ~trace_options_bound();
	for_each_tracer(t)
		tr->tracer_opts[t->index] = t->default_options;
}

static void free_buffers(struct trace_array *tr)
{
	for (int i = 0; i < NR_TRACE_BUFFERS; i++) {
		if (tr->buffers[i])
			ring_buffer_free(tr->buffers[i]);
	}
}

static int alloc_buffers(struct trace_array *tr)
{
	for (int i = 0; i < NR_TRACE_BUFFERS; i++) {
		tr->buffers[i] = ring_buffer_alloc(TRACE_BUF_SIZE_BOOT, RB_FL_OVERWRITE);
		if (!tr->buffers[i]) {
			free_buffers(tr);
			return -ENOMEM;
		}
		ring_buffer_change_overwrite(tr->buffers[i],
					     trace_array_opt(tr, TRACE_OPT_OVERWRITE));
	}
	return 0;
}

/* What triggers ask for; see tracer_tracing_on(). */
static void set_cpus_is_on(struct trace_array *tr, bool on)
{
	int cpu;

	for_each_possible_cpu(cpu)
		WRITE_ONCE(per_cpu_ptr(tr->cpus, cpu)->is_on, on);
}

static void set_cpus_is_off(struct trace_array *tr, bool off)
{
	int cpu;

	for_each_possible_cpu(cpu)
		WRITE_ONCE(per_cpu_ptr(tr->cpus, cpu)->is_off, off);
}

static int alloc_core(struct trace_array *tr)
{
	if (!alloc_cpumask_var(&tr->tracing_cpumask, GFP_KERNEL))
		return -ENOMEM;
	tr->cpus = alloc_percpu(struct trace_cpu);
	if (!tr->cpus)
		goto no_cpus;
	scoped_guard(mutex, &trace_lock)
		initial_options(tr);
	if (alloc_buffers(tr))
		goto no_buffer;
	set_cpus_is_on(tr, true);
	return 0;

no_buffer:
	free_percpu(tr->cpus);
no_cpus:
	free_cpumask_var(tr->tracing_cpumask);
	return -ENOMEM;
}

static void free_core(struct trace_array *tr)
{
	free_buffers(tr);
	free_percpu(tr->cpus);
	free_cpumask_var(tr->tracing_cpumask);
}

int trace_array_init(struct trace_array *tr)
{
	int ret = alloc_core(tr);

	if (ret)
		return ret;
	cpumask_setall(tr->tracing_cpumask);
	tr->current_tracer = instance_idle_tracer();
	tr->buf_size = trace_buf_size;
	tr->buffer_percent = 50;
	ret = instance_parts_init(tr);
	if (ret) {
		free_core(tr);
		return ret;
	}
	/* Last: see tracing_initialized(). */
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
	instance_parts_gone(tr);
	ftrace_free_filter(&tr->gops.ops);
	/* Walkers of the list, and trace_printk() on its way into it. */
	synchronize_rcu();
	instance_parts_exit(tr);
	free_core(tr);
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
 * trace_array_put - end the use of an instance
 * @tr: from trace_array_get() or trace_array_get_by_name(), or NULL
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

static void set_cpus_off(struct trace_array *tr, bool off)
{
	struct trace_cpu *c;
	int cpu;

	for_each_possible_cpu(cpu) {
		c = per_cpu_ptr(tr->cpus, cpu);
		WRITE_ONCE(c->off, off);
		WRITE_ONCE(c->events.off, off);
		WRITE_ONCE(c->events_of_two.off, off);
	}
}

/*
 * What the first buffer is decides: the second one follows it.  So whoever was the last to
 * change it has both be the same, also if this is interrupted by such a one anywhere.
 */
static void second_follows(struct trace_array *tr)
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
		/* The second one has changed before anybody looks whether the first one has. */
		smp_mb();
	} while (on != ring_buffer_record_is_set_on(tr->buffers[0]));
}

/*
 * Two of these may run at once.  A CPU may end up not "off" while the buffer is
 * off, which only makes calls slower, but never "off" while the buffer is on:
 * the CPUs go off before the buffer does, and on after it.  "On" is the mirror image:
 * before the buffer goes on, and after it has gone off.
 *
 * Triggers rely on is_on and is_off (triggers/kind.h).  One that wants the same as we do
 * while we are at it has nothing to do, so no other task comes in between here.  For one that
 * wants the opposite, in an interrupt or on another CPU, the word that would keep it from
 * that is 0 before anything else changes.
 */
void tracer_tracing_on(struct trace_array *tr)
{
	guard(preempt_notrace)();
	set_cpus_is_off(tr, false);
	set_cpus_is_on(tr, true);
	/* Pairs with the second smp_mb() in tracer_tracing_off(). */
	smp_mb();
	ring_buffer_record_on(tr->buffers[0]);
	second_follows(tr);
	/* Pairs with the first smp_mb() in tracer_tracing_off(). */
	smp_mb();
	set_cpus_off(tr, false);
	set_cpus_is_off(tr, false);
}

void tracer_tracing_off(struct trace_array *tr)
{
	guard(preempt_notrace)();
	set_cpus_is_on(tr, false);
	set_cpus_is_off(tr, true);
	set_cpus_off(tr, true);
	/* Pairs with the second smp_mb() in tracer_tracing_on(). */
	smp_mb();
	ring_buffer_record_off(tr->buffers[0]);
	second_follows(tr);
	/* Pairs with the first one there. */
	smp_mb();
	set_cpus_is_on(tr, false);
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
