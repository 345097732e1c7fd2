// SPDX-License-Identifier: GPL-2.0
/*
 * Events that perf has open: the functions that perf's PMU of tracepoints calls (SPEC E4).
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

/* Each struct perf_tp. Protected by events_lock. */
static LIST_HEAD(perf_tps);

/* ------------------------------------------------------------------ */
/* Permissions								*/

/* The checks of TRACE_EVENT_PERF_PERM(). Protected by events_lock. */
static LIST_HEAD(perf_perms);

/**
 * __trace_event_perf_perm - register a check of TRACE_EVENT_PERF_PERM()
 * @perm: the check, which stays registered
 *
 * Context: boot; takes events_lock.
 */
void __init __trace_event_perf_perm(struct trace_event_perf_perm *perm)
{
	guard(mutex)(&events_lock);
	list_add_tail(&perm->node, &perf_perms);
}

static int perf_check_perms(struct trace_event_call *call, struct perf_event *event)
{
	struct trace_event_perf_perm *perm;
	int err = 0;

	list_for_each_entry(perm, &perf_perms, node)
		if (perm->call == call)
			err = err ?: perm->check(call, event);
	return err;
}

/*
 * Raw records may reveal data of other tasks and of the kernel, so they need permission, unless
 * the event is TRACE_EVENT_FL_CAP_ANY and counts in a task. Counting alone reveals little.
 */
static int perf_check_permission(struct trace_event_call *call, struct perf_event *event)
{
	int err = perf_check_perms(call, event);

	/* An inherited event has the permission of its parent. */
	if (err || event->parent || !(event->attr.sample_type & PERF_SAMPLE_RAW))
		return err;
	if (event->attach_state == PERF_ATTACH_TASK && call->flags & TRACE_EVENT_FL_CAP_ANY)
		return 0;
	return perf_allow_tracepoint();
}

/* ------------------------------------------------------------------ */
/* Opening and closing							*/

static void perf_tp_free(struct perf_tp *tp)
{
	perf_programs_free(tp);
	free_percpu(tp->cpus);
	kfree(tp);
}

static const struct event_other_consumers *perf_records_of(const struct event *event)
{
	return event->call->flags & (TRACE_EVENT_FL_KPROBE | TRACE_EVENT_FL_UPROBE) ?
	       &perf_probe_records : &perf_records;
}

static struct perf_tp *perf_tp_alloc(struct event *event)
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
	tp->file.how = EVENT_HOW_OTHER_CONSUMERS;
	tp->file.other_consumers = perf_records_of(event);
	return tp;
}

static int perf_tp_start(struct perf_tp *tp)
{
	int err = perf_records_get();

	if (err)
		return err;
	err = event_probe_add(&tp->file, TRACE_REG_PERF_REGISTER);
	if (!err)
		return 0;
	/* One probe may have run before registering another one failed: wait for it. */
	tracepoint_synchronize_unregister();
	perf_records_put();
	return err;
}

/* Add @event to the tasks of @tp; called before the probe can need them. */
static void perf_tp_add_task(struct perf_tp *tp, struct perf_event *event)
{
	spin_lock(&tp->tasks_lock);
	tp->users++;
	if (event->hw.target)
		list_add(&event->hw.tp_list, &tp->tasks);
	else
		WRITE_ONCE(tp->nr_all, tp->nr_all + 1);
	spin_unlock(&tp->tasks_lock);
}

static void perf_tp_del_task(struct perf_tp *tp, struct perf_event *event)
{
	spin_lock(&tp->tasks_lock);
	tp->users--;
	if (event->hw.target)
		list_del(&event->hw.tp_list);
	else
		WRITE_ONCE(tp->nr_all, tp->nr_all - 1);
	spin_unlock(&tp->tasks_lock);
}

/*
 * True if no perf event counts in the address space of @event's task, or if that has none.
 * Called while @event itself is not among the tasks of @tp.
 */
static bool perf_tp_is_alone(struct perf_tp *tp, const struct perf_event *event)
{
	const struct mm_struct *mm = event->hw.target ? event->hw.target->mm : NULL;

	return !mm || !perf_wants(&tp->file, mm);
}

/*
 * Notify the class of the event that @event counts in more tasks, or in fewer. An inherited event
 * needs no notification: breakpoints in user memory are copied at fork(), and freed at exit.
 */
static int perf_tp_notify_class(struct perf_tp *tp, const struct perf_event *event, bool more)
{
	struct trace_event_call *call = tp->file.event->call;
	const struct trace_event_class_ops *ops = call->class->ops;

	if (!ops || !ops->update_tasks || READ_ONCE(tp->nr_all) > (more && !event->hw.target))
		return 0;
	if (more && event->parent)
		return 0;
	if (!more && event->hw.target && event->hw.target->flags & PF_EXITING)
		return 0;
	return ops->update_tasks(call, more);
}

static struct perf_tp *perf_tp_open(struct event *of, struct perf_event *event)
{
	struct perf_tp *tp = perf_tp_alloc(of);
	int err;

	if (!tp)
		return ERR_PTR(-ENOMEM);
	perf_tp_add_task(tp, event);
	err = perf_tp_start(tp);
	if (err) {
		perf_tp_free(tp);
		return ERR_PTR(err);
	}
	list_add(&tp->node, &perf_tps);
	return tp;
}

static int perf_tp_join(struct perf_tp *tp, struct perf_event *event)
{
	bool alone = perf_tp_is_alone(tp, event);
	int err;

	perf_tp_add_task(tp, event);
	err = alone ? perf_tp_notify_class(tp, event, true) : 0;
	if (!err)
		return 0;
	perf_tp_del_task(tp, event);
	perf_tp_notify_class(tp, event, false);
	return err;
}

static struct perf_tp *perf_tp_get(struct event *of, struct perf_event *event)
{
	struct perf_tp *tp;
	int err;

	list_for_each_entry(tp, &perf_tps, node) {
		if (tp->file.event != of)
			continue;
		err = perf_tp_join(tp, event);
		return err ? ERR_PTR(err) : tp;
	}
	return perf_tp_open(of, event);
}

static void perf_tp_put(struct perf_tp *tp, struct perf_event *event)
{
	perf_tp_del_task(tp, event);
	if (tp->users) {
		if (perf_tp_is_alone(tp, event))
			perf_tp_notify_class(tp, event, false);
		return;
	}
	list_del(&tp->node);
	event_probe_remove(&tp->file, TRACE_REG_PERF_UNREGISTER);
	tracepoint_synchronize_unregister();
	perf_records_put();
	perf_tp_free(tp);
}

static struct event *perf_find_event(u64 id)
{
	struct event *event;

	list_for_each_entry(event, &all_events, node)
		if (event->type.id == id)
			return event;
	return NULL;
}

static int perf_tp_attach(struct perf_event *event, struct event *of)
{
	struct perf_tp *tp = perf_tp_get(of, event);

	if (IS_ERR(tp))
		return PTR_ERR(tp);
	event->pmu_private = tp;
	event->tp_event = of->call;
	return 0;
}

/**
 * perf_trace_init - open a perf event
 * @event: the perf event; its attr.config is the id of the event to count
 *
 * The module of the event is held until perf_trace_destroy().
 *
 * Context: may sleep; in fork() with perf's ctx->mutex held; takes events_lock, or for
 * ftrace:function the locks of perf_function_init().
 * Return: 0; -EINVAL if there is no such event; -EPERM or -EACCES without permission; -ENOMEM; or
 * an errno of the probe of the event.
 */
int perf_trace_init(struct perf_event *event)
{
	struct event *of;
	int err;

	if (event->attr.config == TRACE_FN)
		return perf_function_init(event);
	guard(mutex)(&events_lock);
	of = perf_find_event(event->attr.config);
	if (!of || !event_get(of))
		return -EINVAL;
	err = perf_check_permission(of->call, event) ?: perf_tp_attach(event, of);
	if (err)
		event_put(of);
	return err;
}

int perf_attach(struct perf_event *event, struct event *of)
{
	guard(mutex)(&events_lock);
	return perf_check_permission(of->call, event) ?: perf_tp_attach(event, of);
}

struct event *perf_attached(const struct perf_event *event)
{
	return perf_tp_of(event)->file.event;
}

void perf_detach(struct perf_event *event)
{
	guard(mutex)(&events_lock);
	perf_tp_put(perf_tp_of(event), event);
}

/**
 * perf_trace_destroy - undo perf_trace_init()
 * @event: the perf event, which does not count on any CPU any more
 *
 * Context: may sleep; waits for running probes; takes events_lock, or for ftrace:function the locks
 * of perf_function_destroy().
 */
void perf_trace_destroy(struct perf_event *event)
{
	struct perf_tp *tp = perf_tp_of(event);
	struct event *of;

	if (perf_has_functions(event))
		return perf_function_destroy(event);
	guard(mutex)(&events_lock);
	of = tp->file.event;
	perf_tp_put(tp, event);
	event_put(of);
}

/* ------------------------------------------------------------------ */
/* Counting on a CPU							*/

static void perf_tp_start_cpu(struct perf_event *event, struct perf_tp_cpu *cpu)
{
	hlist_add_head_rcu(&event->hlist_entry, &cpu->events);
	/* Add first: perf_tp_stop_cpu() in an NMI sets ->stopped only if the list is empty. */
	barrier();
	WRITE_ONCE(cpu->stopped, 0);
}

/**
 * perf_trace_add - start counting an event on this CPU
 * @event: the perf event
 * @flags: PERF_EF_START to count at once
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
		perf_tp_start_cpu(event, this_cpu_ptr(perf_tp_of(event)->cpus));
	return 0;
}

/**
 * perf_trace_del - stop counting an event on this CPU
 * @event: the perf event
 * @flags: unused
 *
 * &perf_tp_cpu.stopped is set by the next hit of the event, if nobody would use its record.
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

static int perf_set_filter(struct perf_event *event, const char *text)
{
	struct predicate_error why;
	struct event_filter *filter;

	/* Probes may be evaluating the existing filter, so it cannot be replaced. */
	if (event->filter)
		return -EEXIST;
	filter = event_filter_make(perf_tp_of(event)->file.event, text, &why);
	if (IS_ERR(filter))
		return PTR_ERR(filter);
	/*
	 * Publish the filter when it is complete; pairs with the address dependency in
	 * perf_tp_filter_match().
	 */
	smp_store_release(&event->filter, filter);
	return 0;
}

/**
 * ftrace_profile_set_filter - set the filter of a perf event
 * @event: the perf event
 * @event_id: unused; the attr.config of @event
 * @filter_str: text of the filter; for ftrace:function as for perf_function_limit()
 *
 * Context: may sleep; takes events_lock, or functions_lock.
 * Return: 0; -EINVAL for a bad text; -EEXIST if the event has a filter; -ENOMEM.
 */
int ftrace_profile_set_filter(struct perf_event *event, int event_id, char *filter_str)
{
	if (perf_has_functions(event))
		return perf_function_limit(event, filter_str);
	guard(mutex)(&events_lock);
	return perf_set_filter(event, filter_str);
}

/**
 * ftrace_profile_free_filter - free the filter of a perf event
 * @event: the perf event, which does not count any more
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
 * filter_match_preds - evaluate the filter of a perf event
 * @filter: the filter
 * @rec: the record
 *
 * Context: any, NMI included; preemption off.
 * Return: 1 if the record matches, or 0.
 */
int filter_match_preds(struct event_filter *filter, void *rec)
{
	return event_filter_match(filter, rec);
}

/*
 * Return: the largest size of a record. perf compares it with what a program reads, with ctx->mutex
 * held, inside of which events_lock cannot be taken: perf_programs_add() compares the real size.
 */
int trace_event_get_offsets(struct trace_event_call *call)
{
	return PERF_MAX_TRACE_SIZE;
}
