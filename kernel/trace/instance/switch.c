// SPDX-License-Identifier: GPL-2.0
/*
 * Registered tracers, and the current tracer of each instance.
 *
 * Nothing here depends on how a tracer traces.
 */
#include <linux/cleanup.h>
#include <linux/kernel.h>
#include <linux/lockdep.h>
#include <linux/string.h>

#include "instance.h"
#include "internal.h"
#include "snapshot.h"

LIST_HEAD(tracers);

struct tracer *instance_idle_tracer(void)
{
	return list_first_entry(&tracers, struct tracer, list);
}

static struct tracer *tracer_find(const char *name)
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
	if (tracer_find(t->name))
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
		tr->current_tracer = instance_idle_tracer();
	return ret;
}

static void instance_set_begins(struct trace_array *tr, bool begins)
{
	int cpu;

	for_each_possible_cpu(cpu)
		WRITE_ONCE(per_cpu_ptr(tr->cpus, cpu)->begins, begins);
}

/*
 * Start a tracer that records, with an empty buffer. Calls need not be recorded while the
 * tracer starts: these are thousands, until the last function is traced. Events are recorded,
 * as they stay in the buffer if the tracer cannot start.
 */
static int instance_init_recording(struct trace_array *tr, struct tracer *to)
{
	int ret;

	instance_set_begins(tr, true);
	ret = to->init(tr);
	if (!ret)
		instance_empty_buffer(tr, RING_BUFFER_ALL_CPUS);
	instance_set_begins(tr, false);
	return ret;
}

/* Restart the measurement of a tracer: the start of what it measures by now was not recorded. */
static void instance_restart_tracer(struct trace_array *tr, struct tracer *to)
{
	if (!tracer_tracing_is_on(tr))
		return;
	to->stop(tr);
	to->start(tr);
}

/* Start a tracer that keeps records in the snapshot. The snapshot is empty then as well. */
static int instance_init_snapshot_tracer(struct trace_array *tr, struct tracer *to)
{
	int ret;

	/*
	 * Recording is suspended until the snapshot is empty: nothing kept later may be
	 * discarded.
	 */
	trace_array_stop(tr);
	ret = instance_init_recording(tr, to);
	if (!ret)
		snapshot_clear(tr, RING_BUFFER_ALL_CPUS);
	trace_array_start(tr);
	if (!ret)
		instance_restart_tracer(tr, to);
	return ret;
}

/*
 * nop leaves the buffer alone: a user that stops tracing wants to read the records, as does
 * one whose new tracer cannot start.
 */
static int instance_init_tracer(struct trace_array *tr, struct tracer *to)
{
	if (!to->init)
		return 0;
	return to->uses_snapshot ? instance_init_snapshot_tracer(tr, to) :
				   instance_init_recording(tr, to);
}

/* Check and allocate what a new tracer needs, while the current tracer is still tracing. */
static int instance_prepare_tracer(struct trace_array *tr, struct tracer *to)
{
	int ret = to->can_start ? to->can_start(tr) : 0;

	if (ret || !to->uses_snapshot)
		return ret;
	return tr->condition ? -EBUSY : snapshot_alloc(tr);
}

/*
 * Switch to tracer @to. Memory for the snapshot that only a tracer needs is freed with that
 * tracer, also if that tracer could not be started.
 */
static int instance_switch_tracer(struct trace_array *tr, struct tracer *to)
{
	bool kept = snapshot_is_owned(tr);
	/*
	 * Also true during a tracer with a snapshot: other users of snapshots still rely on
	 * the memory.
	 */
	bool users_snapshot = tr->has_snapshot && (!kept || READ_ONCE(tr->snapshot_users));
	int ret = instance_prepare_tracer(tr, to);

	if (!ret)
		ret = tracing_stop_tracer(tr);
	if (!ret) {
		ret = instance_init_tracer(tr, to);
		if (!ret)
			tr->current_tracer = to;
	}
	if (snapshot_is_owned(tr))
		return ret;
	if (!users_snapshot)
		snapshot_free(tr);
	else if (kept)
		snapshot_clear(tr, RING_BUFFER_ALL_CPUS);
	return ret;
}

int tracing_set_tracer(struct trace_array *tr, const char *name)
{
	struct tracer *t;
	int ret;

	guard(mutex)(&trace_lock);

	t = tracer_find(name);
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

	return instance_switch_tracer(tr, t);
}
