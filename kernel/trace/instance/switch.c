// SPDX-License-Identifier: GPL-2.0
/*
 * The tracers that there are, and which of them is current in an instance.
 *
 * Nothing here knows how a tracer traces.
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
		tr->current_tracer = instance_idle_tracer();
	return ret;
}

static void set_begins(struct trace_array *tr, bool begins)
{
	int cpu;

	for_each_possible_cpu(cpu)
		WRITE_ONCE(per_cpu_ptr(tr->cpus, cpu)->begins, begins);
}

/*
 * A tracer that records begins with an empty buffer. So what is called while it begins need
 * not be recorded: thousands of calls, until the last function is traced. Events are, for
 * they stay if it cannot begin.
 */
static int begin_recording(struct trace_array *tr, struct tracer *to)
{
	int ret;

	set_begins(tr, true);
	ret = to->init(tr);
	if (!ret)
		instance_empty_buffer(tr, RING_BUFFER_ALL_CPUS);
	set_begins(tr, false);
	return ret;
}

/* The beginning of what it measures by now was not recorded. */
static void measure_anew(struct trace_array *tr, struct tracer *to)
{
	if (!tracer_tracing_is_on(tr))
		return;
	to->stop(tr);
	to->start(tr);
}

/* One that keeps records in the snapshot begins with an empty one of those, too. */
static int begin_keeping(struct trace_array *tr, struct tracer *to)
{
	int ret;

	/* What it keeps must not be emptied after it. */
	trace_array_stop(tr);
	ret = begin_recording(tr, to);
	if (!ret)
		snapshot_clear(tr, RING_BUFFER_ALL_CPUS);
	trace_array_start(tr);
	if (!ret)
		measure_anew(tr, to);
	return ret;
}

/*
 * nop leaves the buffer alone: who stops tracing wants to read what was recorded, and so
 * does who finds that a tracer cannot be begun.
 */
static int begin_tracer(struct trace_array *tr, struct tracer *to)
{
	if (!to->init)
		return 0;
	return to->uses_snapshot ? begin_keeping(tr, to) : begin_recording(tr, to);
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
	bool kept = snapshot_is_kept(tr);
	/* Also while a tracer has it: who is going to take snapshots has not let go of it. */
	bool users_snapshot = tr->has_snapshot && (!kept || READ_ONCE(tr->snapshot_users));
	int ret = prepare_tracer(tr, to);

	if (!ret)
		ret = tracing_stop_tracer(tr);
	if (!ret) {
		ret = begin_tracer(tr, to);
		if (!ret)
			tr->current_tracer = to;
	}
	if (snapshot_is_kept(tr))
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

void instance_tracer_start(struct trace_array *tr)
{
	if (tr->current_tracer->start)
		tr->current_tracer->start(tr);
}

void instance_tracer_stop(struct trace_array *tr)
{
	if (tr->current_tracer->stop)
		tr->current_tracer->stop(tr);
}
