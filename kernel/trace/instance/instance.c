// SPDX-License-Identifier: GPL-2.0
/*
 * Instances: what they are made of, and every change of their state.
 *
 * The files call in here with what they have parsed, and so does the boot.
 * Nothing here knows how a tracer traces or how a file looks.
 */
#include <linux/cleanup.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/lockdep.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace.h>

#include "clock/clock.h"
#include "instance.h"
#include "ring_buffer/alike.h"
#include "ring_buffer/consume.h"
#include "snapshot.h"

/*
 * Protects the list of instances and all they hold, the list of tracers, and
 * makes switching one atomic.  Outermost lock of the tracer: see instance.h.
 */
DEFINE_MUTEX(trace_lock);

LIST_HEAD(trace_arrays);
LIST_HEAD(tracers);

struct trace_array global_trace;

unsigned long trace_buf_size = TRACE_BUF_SIZE_DEFAULT;

unsigned long tracing_thresh __read_mostly;

bool tracing_initialized(void)
{
	/* Made while there is only one CPU. */
	return global_trace.buffer;
}

/* ------------------------------------------------------------------ */
/* Instances come and go						*/

/* Current where nothing is traced: nop. */
static struct tracer *idle_tracer(void)
{
	return list_first_entry(&tracers, struct tracer, list);
}

/* The options of the top instance, without what its tracer has brought along. */
static u32 top_options(void)
{
	u32 bound = global_trace.current_tracer->uses_snapshot ? TRACE_OPT_KEEPERS : 0;

	return (global_trace.flags & ~bound) | (global_trace.saved_flags & bound);
}

/*
 * A new instance begins with the options of the top one as they are, but for
 * those that only one instance has at a time, that are about its pid lists, or
 * that take more than a bit: see make_instance().
 */
static void initial_options(struct trace_array *tr)
{
	struct tracer *t;

	tr->flags = TRACE_OPT_DEFAULTS;
	if (!trace_array_is_top(tr))
		tr->flags = top_options() &
			    ~(TRACE_OPT_PRINTK_DEST | TRACE_OPT_RECORD_TGID |
			      TRACE_OPT_EVENT_FORK | TRACE_OPT_FUNC_FORK);
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

int trace_array_init(struct trace_array *tr)
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

	cpumask_setall(tr->tracing_cpumask);
	tr->current_tracer = idle_tracer();
	tr->buf_size = trace_buf_size;
	tr->buffer_percent = 50;
	tr->buffer = tr->buffers[0];
	return 0;

no_buffer:
	free_percpu(tr->cpus);
no_cpus:
	free_cpumask_var(tr->tracing_cpumask);
	return -ENOMEM;
}

void trace_array_publish(struct trace_array *tr)
{
	guard(mutex)(&trace_lock);
	list_add_rcu(&tr->list, &trace_arrays);
}

void trace_array_exit(struct trace_array *tr)
{
	free_buffers(tr);
	free_percpu(tr->cpus);
	free_cpumask_var(tr->tracing_cpumask);
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

/* ------------------------------------------------------------------ */
/* Tracers								*/

static struct tracer *find_tracer(const char *name)
{
	struct tracer *t;

	for_each_tracer(t) {
		if (!strcmp(t->name, name))
			return t;
	}
	return NULL;
}

int __init register_tracer(struct tracer *t)
{
	static unsigned int nr_tracers;
	struct trace_array *tr;

	guard(mutex)(&trace_lock);
	if (find_tracer(t->name))
		return -EEXIST;
	if (nr_tracers == TRACERS_MAX)
		return -ENOSPC;

	t->index = nr_tracers++;
	list_add_tail(&t->list, &tracers);
	if (t->setup)
		t->setup();
	for_each_trace_array(tr)
		tr->tracer_opts[t->index] = t->default_options;
	return 0;
}

int tracing_stop_tracer(struct trace_array *tr)
{
	int ret = 0;

	lockdep_assert_held(&trace_lock);

	if (tr->current_tracer->reset)
		ret = tr->current_tracer->reset(tr);
	if (!ret)
		tr->current_tracer = idle_tracer();
	return ret;
}

/* What is just being recorded may come after it. */
static void empty_buffer(struct trace_array *tr, int cpu)
{
	struct trace_buffer *buffer = READ_ONCE(tr->buffer);

	tr->time_start = ring_buffer_time_stamp(buffer);
	consume_reset(buffer, cpu);
	left_out_forget(tr, cpu);
}

/*
 * A tracer that records begins with an empty buffer, and one that keeps records in the
 * snapshot with an empty one of those.  nop leaves it alone: who
 * stops tracing wants to read what was recorded, and so does who finds that a
 * tracer cannot be started.
 */
static int start_tracer(struct trace_array *tr, struct tracer *to)
{
	int ret;

	if (!to->init)
		return 0;
	/* What it keeps must not be emptied after it. */
	if (to->uses_snapshot)
		trace_array_stop(tr);
	ret = to->init(tr);
	if (!ret)
		empty_buffer(tr, RING_BUFFER_ALL_CPUS);
	if (!ret && to->uses_snapshot)
		snapshot_clear(tr, RING_BUFFER_ALL_CPUS);
	if (to->uses_snapshot)
		trace_array_start(tr);
	/* The beginning of what it measures by now was not recorded. */
	if (!ret && to->uses_snapshot && tracer_tracing_is_on(tr)) {
		to->stop(tr);
		to->start(tr);
	}
	return ret;
}

/* What can be found out, or had, while the tracer goes on that is current. */
static int prepare_tracer(struct trace_array *tr, struct tracer *to)
{
	int ret = to->may_begin ? to->may_begin(tr) : 0;

	if (ret || !to->uses_snapshot)
		return ret;
	return tr->condition ? -EBUSY : snapshot_alloc(tr);
}

/* The memory of a tracer's snapshot goes with the tracer, or comes in vain. */
static int switch_tracer(struct trace_array *tr, struct tracer *to)
{
	bool users_snapshot = tr->has_snapshot && !tr->current_tracer->uses_snapshot;
	int ret = prepare_tracer(tr, to);

	if (!ret)
		ret = tracing_stop_tracer(tr);
	if (!ret) {
		ret = start_tracer(tr, to);
		if (!ret)
			tr->current_tracer = to;
	}
	if (!users_snapshot && !tr->current_tracer->uses_snapshot)
		snapshot_free(tr);
	return ret;
}

int tracing_set_tracer(struct trace_array *tr, const char *name)
{
	struct tracer *t;
	int ret;

	guard(mutex)(&trace_lock);

	t = find_tracer(name);
	if (!t)
		return -EINVAL;
	ret = tracing_expand(tr);
	if (ret)
		return ret;
	if (t == tr->current_tracer)
		return 0;
	if (!t->allow_instances && !trace_array_is_top(tr))
		return -EINVAL;
	if (tr->trace_ref)
		return -EBUSY;

	return switch_tracer(tr, t);
}

/* ------------------------------------------------------------------ */
/* On and off								*/

static void set_cpus_off(struct trace_array *tr, bool off)
{
	int cpu;

	for_each_possible_cpu(cpu)
		WRITE_ONCE(per_cpu_ptr(tr->cpus, cpu)->off, off);
}

/*
 * Two of these may run at once.  A CPU may end up not "off" while the buffer is
 * off, which only makes calls slower, but never "off" while the buffer is on:
 * the CPUs go off before the buffer does, and on after it.
 */
void tracer_tracing_on(struct trace_array *tr)
{
	for (int i = 0; i < NR_TRACE_BUFFERS; i++)
		ring_buffer_record_on(tr->buffers[i]);
	/* Pairs with the smp_mb() in tracer_tracing_off(). */
	smp_mb();
	set_cpus_off(tr, false);
}

void tracer_tracing_off(struct trace_array *tr)
{
	set_cpus_off(tr, true);
	/* Pairs with the smp_mb() in tracer_tracing_on(). */
	smp_mb();
	for (int i = 0; i < NR_TRACE_BUFFERS; i++)
		ring_buffer_record_off(tr->buffers[i]);
}

/* Tell the tracer that recording was switched on or off, or is to begin anew. */
static void tracer_start(struct trace_array *tr)
{
	if (tr->current_tracer->start)
		tr->current_tracer->start(tr);
}

static void tracer_stop(struct trace_array *tr)
{
	if (tr->current_tracer->stop)
		tr->current_tracer->stop(tr);
}

void tracing_set_on(struct trace_array *tr, bool on)
{
	guard(mutex)(&trace_lock);
	if (tracer_tracing_is_on(tr) == on)
		return;

	if (on) {
		tracer_tracing_on(tr);
		tracer_start(tr);
		return;
	}
	tracer_tracing_off(tr);
	tracer_stop(tr);
	ring_buffer_wake_waiters(READ_ONCE(tr->buffer), RING_BUFFER_ALL_CPUS);
}

/* ------------------------------------------------------------------ */
/* The buffer								*/

void tracing_reset(struct trace_array *tr, int cpu)
{
	if (READ_ONCE(tr->current_tracer)->uses_snapshot)
		snapshot_clear(tr, cpu);
	trace_array_stop(tr);
	/* Entries that are being written get finished. */
	synchronize_rcu();
	empty_buffer(tr, cpu);
	trace_array_start(tr);
}

int tracing_set_clock(struct trace_array *tr, const char *name)
{
	int id = trace_clock_find(name);
	bool on;

	if (id < 0)
		return id;

	guard(mutex)(&trace_lock);
	on = tracer_tracing_is_on(tr);
	/* No entry may be stamped by one clock relative to another, and no time be measured. */
	trace_array_stop(tr);
	if (on)
		tracer_stop(tr);
	tr->clock_id = id;
	tracing_use_clock(tr);
	tracing_reset(tr, RING_BUFFER_ALL_CPUS);
	snapshot_clear(tr, RING_BUFFER_ALL_CPUS);
	trace_array_start(tr);
	if (on)
		tracer_start(tr);
	return 0;
}

void tracing_use_clock(struct trace_array *tr)
{
	lockdep_assert_held(&trace_lock);
	for (int i = 0; i < NR_TRACE_BUFFERS; i++)
		ring_buffer_set_clock(tr->buffers[i], trace_clocks[tr->clock_id].func);
}

static void set_cpu_masked(struct trace_array *tr, int cpu, bool masked)
{
	WRITE_ONCE(per_cpu_ptr(tr->cpus, cpu)->masked, masked);
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
	left_out_forget(tr, RING_BUFFER_ALL_CPUS);
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
