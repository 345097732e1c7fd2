// SPDX-License-Identifier: GPL-2.0
/*
 * Events that perf has open: what its PMU of tracepoints asks for (SPEC E4).
 */
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/init.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/trace_events.h>
#include <linux/tracepoint.h>

#include "attach.h"
#include "internal.h"

/* The struct perf_tp that there are; events_lock. */
static LIST_HEAD(open_events);

static struct perf_tp *tp_of(const struct perf_event *event)
{
	return event->pmu_private;
}

/* ------------------------------------------------------------------ */
/* Who may								*/

/* Of TRACE_EVENT_PERF_PERM(); likewise. */
static LIST_HEAD(perms);

void __init __trace_event_perf_perm(struct trace_event_perf_perm *perm)
{
	guard(mutex)(&events_lock);
	list_add_tail(&perm->node, &perms);
}

static int ask(struct trace_event_call *call, struct perf_event *event)
{
	struct trace_event_perf_perm *perm;
	int err = 0;

	list_for_each_entry(perm, &perms, node)
		if (perm->call == call)
			err = err ?: perm->check(call, event);
	return err;
}

/* Records may tell of other tasks, and of the kernel; a count of one's own tells little. */
static int may_have(struct trace_event_call *call, struct perf_event *event)
{
	int err = ask(call, event);

	/* A child has what its parent was allowed to. */
	if (err || event->parent || !(event->attr.sample_type & PERF_SAMPLE_RAW))
		return err;
	if (event->attach_state == PERF_ATTACH_TASK && call->flags & TRACE_EVENT_FL_CAP_ANY)
		return 0;
	return perf_allow_tracepoint();
}

/* ------------------------------------------------------------------ */
/* Open and closed							*/

static void tp_free(struct perf_tp *tp)
{
	free_percpu(tp->cpus);
	kfree(tp);
}

static struct perf_tp *tp_alloc(struct event *event)
{
	struct perf_tp *tp = kzalloc(sizeof(*tp), GFP_KERNEL);

	if (!tp)
		return NULL;
	tp->cpus = alloc_percpu(struct perf_tp_cpu);
	if (!tp->cpus) {
		kfree(tp);
		return NULL;
	}
	spin_lock_init(&tp->tasks_lock);
	INIT_LIST_HEAD(&tp->tasks);
	tp->file.head.stopped = &tp->cpus->stopped;
	tp->file.type = event->type.id;
	tp->file.event = event;
	tp->file.how = EVENT_HOW_ELSEWHERE;
	tp->file.elsewhere = &perf_records;
	return tp;
}

static int tp_start(struct perf_tp *tp)
{
	int err = perf_records_get();

	if (err)
		return err;
	err = event_probe_add(&tp->file, TRACE_REG_PERF_REGISTER);
	if (!err)
		return 0;
	/* A probe may have been started before another one could not be. */
	tracepoint_synchronize_unregister();
	perf_records_put();
	return err;
}

/* In which tasks it counts is known before it is. */
static void task_add(struct perf_tp *tp, struct perf_event *event)
{
	spin_lock(&tp->tasks_lock);
	tp->users++;
	if (event->hw.target)
		list_add(&event->hw.tp_list, &tp->tasks);
	else
		WRITE_ONCE(tp->nr_all, tp->nr_all + 1);
	spin_unlock(&tp->tasks_lock);
}

static void task_del(struct perf_tp *tp, struct perf_event *event)
{
	spin_lock(&tp->tasks_lock);
	tp->users--;
	if (event->hw.target)
		list_del(&event->hw.tp_list);
	else
		WRITE_ONCE(tp->nr_all, tp->nr_all - 1);
	spin_unlock(&tp->tasks_lock);
}

static bool has_task_with(struct perf_tp *tp, const struct mm_struct *mm)
{
	struct perf_event *event;
	bool found = false;

	spin_lock(&tp->tasks_lock);
	list_for_each_entry(event, &tp->tasks, hw.tp_list)
		found |= READ_ONCE(event->hw.target->mm) == mm;
	spin_unlock(&tp->tasks_lock);
	return found;
}

bool perf_wants(const struct trace_event_file *file, const struct mm_struct *mm)
{
	struct perf_tp *tp = container_of(file, struct perf_tp, file);

	return READ_ONCE(tp->nr_all) || has_task_with(tp, mm);
}

/* Without @event, is there none in its task? */
static bool is_alone(struct perf_tp *tp, const struct perf_event *event)
{
	const struct mm_struct *mm = event->hw.target ? event->hw.target->mm : NULL;

	return !mm || !perf_wants(&tp->file, mm);
}

/* What a task inherits is in the memory that was copied for it, and goes with that. */
static int tell(struct perf_tp *tp, const struct perf_event *event, bool more)
{
	struct trace_event_call *call = tp->file.event->call;
	const struct trace_event_class_ops *ops = call->class->ops;

	if (!ops || !ops->others_want || READ_ONCE(tp->nr_all) > (more && !event->hw.target))
		return 0;
	if (more && event->parent)
		return 0;
	if (!more && event->hw.target && event->hw.target->flags & PF_EXITING)
		return 0;
	return ops->others_want(call, more);
}

static struct perf_tp *tp_open(struct event *of, struct perf_event *event)
{
	struct perf_tp *tp = tp_alloc(of);
	int err;

	if (!tp)
		return ERR_PTR(-ENOMEM);
	task_add(tp, event);
	err = tp_start(tp);
	if (err) {
		tp_free(tp);
		return ERR_PTR(err);
	}
	list_add(&tp->node, &open_events);
	return tp;
}

static int tp_join(struct perf_tp *tp, struct perf_event *event)
{
	bool alone = is_alone(tp, event);
	int err;

	task_add(tp, event);
	err = alone ? tell(tp, event, true) : 0;
	if (!err)
		return 0;
	task_del(tp, event);
	tell(tp, event, false);
	return err;
}

static struct perf_tp *tp_get(struct event *of, struct perf_event *event)
{
	struct perf_tp *tp;
	int err;

	list_for_each_entry(tp, &open_events, node) {
		if (tp->file.event != of)
			continue;
		err = tp_join(tp, event);
		return err ? ERR_PTR(err) : tp;
	}
	return tp_open(of, event);
}

static void tp_put(struct perf_tp *tp, struct perf_event *event)
{
	task_del(tp, event);
	if (tp->users) {
		if (is_alone(tp, event))
			tell(tp, event, false);
		return;
	}
	list_del(&tp->node);
	event_probe_remove(&tp->file, TRACE_REG_PERF_UNREGISTER);
	tracepoint_synchronize_unregister();
	perf_records_put();
	tp_free(tp);
}

static struct event *find(u64 id)
{
	struct event *event;

	list_for_each_entry(event, &all_events, node)
		if (event->type.id == id)
			return event;
	return NULL;
}

static int attach(struct perf_event *event, struct event *of)
{
	struct perf_tp *tp = tp_get(of, event);

	if (IS_ERR(tp))
		return PTR_ERR(tp);
	event->pmu_private = tp;
	event->tp_event = of->call;
	return 0;
}

/**
 * perf_trace_init - perf opens an event
 * @event: attr.config is the id of the event
 *
 * The module that has the event stays until perf_trace_destroy().
 *
 * Context: may sleep; in fork() with perf's ctx->mutex held; takes events_lock, or what
 * perf_function_init() takes.
 * Return: 0; -EINVAL if there is no such event; -EPERM or -EACCES for who may not have it;
 * -ENOMEM, or why its maker refuses.
 */
int perf_trace_init(struct perf_event *event)
{
	struct event *of;
	int err;

	if (event->attr.config == TRACE_FN)
		return perf_function_init(event);
	guard(mutex)(&events_lock);
	of = find(event->attr.config);
	if (!of || !event_get(of))
		return -EINVAL;
	err = may_have(of->call, event) ?: attach(event, of);
	if (err)
		event_put(of);
	return err;
}

int perf_attach(struct perf_event *event, struct event *of)
{
	guard(mutex)(&events_lock);
	return may_have(of->call, event) ?: attach(event, of);
}

struct event *perf_attached(const struct perf_event *event)
{
	return tp_of(event)->file.event;
}

void perf_detach(struct perf_event *event)
{
	guard(mutex)(&events_lock);
	tp_put(tp_of(event), event);
}

/**
 * perf_trace_destroy - the end of a perf_trace_init() that succeeded
 * @event: which counts nowhere any more
 *
 * Context: may sleep, and waits for probes that run; takes events_lock, or what
 * perf_function_destroy() takes.
 */
void perf_trace_destroy(struct perf_event *event)
{
	struct perf_tp *tp = tp_of(event);
	struct event *of;

	if (perf_has_functions(event))
		return perf_function_destroy(event);
	guard(mutex)(&events_lock);
	of = tp->file.event;
	tp_put(tp, event);
	event_put(of);
}

/* ------------------------------------------------------------------ */
/* On a CPU								*/

static void begin(struct perf_event *event, struct perf_tp_cpu *cpu)
{
	hlist_add_head_rcu(&event->hlist_entry, &cpu->events);
	/* The list first: rest() in an NMI sets @stopped only while it finds that empty. */
	barrier();
	WRITE_ONCE(cpu->stopped, 0);
}

/**
 * perf_trace_add - an event counts on this CPU
 * @event: the event
 * @flags: PERF_EF_START if it counts at once
 *
 * Context: interrupts disabled.
 * Return: 0.
 */
int perf_trace_add(struct perf_event *event, int flags)
{
	struct hw_perf_event *hw = &event->hw;

	hw->state = flags & PERF_EF_START ? 0 : PERF_HES_STOPPED;
	if (is_sampling_event(event)) {
		hw->last_period = hw->sample_period;
		perf_swevent_set_period(event);
	}
	if (perf_has_functions(event))
		perf_function_add(event);
	else
		begin(event, this_cpu_ptr(tp_of(event)->cpus));
	return 0;
}

/**
 * perf_trace_del - an event counts on this CPU no more
 * @event: the event
 * @flags: unused
 *
 * The next record that is of no use sets &perf_tp_cpu.stopped.
 *
 * Context: interrupts disabled, on the CPU of perf_trace_add().
 */
void perf_trace_del(struct perf_event *event, int flags)
{
	if (perf_has_functions(event))
		perf_function_del(event);
	else
		hlist_del_rcu(&event->hlist_entry);
}

/* ------------------------------------------------------------------ */
/* Filters								*/

static int set_filter(struct perf_event *event, const char *text)
{
	struct predicate_error why;
	struct event_filter *filter;

	/* Records are being asked about by the one that there is. */
	if (event->filter)
		return -EEXIST;
	filter = event_filter_make(tp_of(event)->file.event, text, &why);
	if (IS_ERR(filter))
		return PTR_ERR(filter);
	/* Who finds it finds it complete: pairs with the dependency in perf_tp_filter_match(). */
	smp_store_release(&event->filter, filter);
	return 0;
}

/**
 * ftrace_profile_set_filter - choose what a perf event counts
 * @event: the event
 * @event_id: its attr.config
 * @filter_str: what is asked of a record; of functions see perf_function_limit()
 *
 * Context: may sleep; takes events_lock, or functions_lock.
 * Return: 0; -EINVAL for a text that makes no sense; -EEXIST if it has a filter; -ENOMEM.
 */
int ftrace_profile_set_filter(struct perf_event *event, int event_id, char *filter_str)
{
	if (perf_has_functions(event))
		return perf_function_limit(event, filter_str);
	guard(mutex)(&events_lock);
	return set_filter(event, filter_str);
}

/**
 * ftrace_profile_free_filter - the end of a filter
 * @event: which counts no more
 *
 * Context: any but NMI.
 */
void ftrace_profile_free_filter(struct perf_event *event)
{
	if (event->filter)
		event_filter_free(event->filter);
	event->filter = NULL;
}

/**
 * filter_match_preds - does a record fit
 * @filter: of a perf event
 * @rec: the record
 *
 * Context: any, NMI included; preemption off.
 * Return: 1 if it does, or 0.
 */
int filter_match_preds(struct event_filter *filter, void *rec)
{
	return event_filter_asks(filter, rec);
}

/* To the end of the last field. */
int trace_event_get_offsets(struct trace_event_call *call)
{
	const struct trace_event_fields *f;
	unsigned int at, end = 0;
	struct event *event;

	guard(mutex)(&events_lock);
	event = find(call->event.type);
	if (!event)
		return 0;
	for (f = record_fields_begin(event->type.fields, &at); f->type;
	     f = record_field_next(f, &at))
		end = at + f->size;
	return end;
}
