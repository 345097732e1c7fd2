// SPDX-License-Identifier: GPL-2.0
/*
 * The tracers wakeup, wakeup_rt and wakeup_dl keep the trace of the longest time from the
 * wakeup of a task until it runs (SPEC T5). They differ in which tasks they consider.
 *
 * One task is watched at a time: the woken task of the highest priority. A task of higher
 * priority replaces it, except that a deadline task is watched until it runs. Functions are
 * recorded on the CPU where the watched task waits. If the latency is the longest one so far,
 * the trace is kept: see instance/latency.h.
 *
 * The probes of scheduler tracepoints run with a run queue lock held. Nothing here may sleep,
 * wait for such a lock, allocate or print, except the control functions at the end.
 */
#include <linux/ftrace.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/sched/deadline.h>
#include <linux/sched/rt.h>
#include <linux/sched/task.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <trace/events/sched.h>

#include "function_graph.h"
#include "graph_lines.h"
#include "instance/instance.h"
#include "instance/latency.h"
#include "latency.h"
#include "record/record.h"
#include "record/stack.h"
#include "switch_entry.h"
#include "tasks/cmdlines.h"
#include "tracer_list.h"
#include "types/types.h"

/**
 * enum wakeup_kind - the tasks that a tracer considers
 * @ALL_TASKS: all tasks
 * @RT_TASKS: real-time and deadline tasks
 * @DL_TASKS: deadline tasks
 */
enum wakeup_kind {
	ALL_TASKS,
	RT_TASKS,
	DL_TASKS,
};

/* Instance whose tracer measures; NULL while no tracer of this file does. */
static struct trace_array *wakeup_tr;
/* The tasks that the tracer considers; constant while @wakeup_tr is set. */
static enum wakeup_kind wakeup_kind;

/*
 * Protects the watched task. Taken with interrupts off, possibly inside a run queue lock, never
 * in an NMI; not visible to lockdep. latency_lock is taken inside.
 */
static arch_spinlock_t wakeup_watch_lock = __ARCH_SPIN_LOCK_UNLOCKED;

/**
 * struct wakeup_watch - the watched task
 * @task: the task; NULL for none. Holds no reference: the pointer is only compared, and
 *	dereferenced only while the task is about to run. Also read without the lock.
 * @prio: priority of the task. Also read without the lock.
 * @cpu: CPU on which the task waits. Also read without the lock.
 * @woken_on: CPU of the task at its wakeup
 * @deadline: true for a deadline task. Also read without the lock.
 * @since: time of the wakeup
 */
static struct wakeup_watch {
	struct task_struct	*task;
	int			prio;
	int			cpu;
	int			woken_on;
	bool			deadline;
	u64			since;
} wakeup_watch;

/* True while this CPU holds the lock: functions that are called meanwhile are not recorded. */
static DEFINE_PER_CPU(bool, wakeup_busy);

/* Returns false if this CPU holds the lock already.  Inlined, as it runs for each wakeup. */
static __always_inline bool wakeup_lock_watch(unsigned long *flags)
{
	raw_local_irq_save(*flags);
	if (raw_cpu_read(wakeup_busy)) {
		raw_local_irq_restore(*flags);
		return false;
	}
	raw_cpu_write(wakeup_busy, true);
	barrier();
	arch_spin_lock(&wakeup_watch_lock);
	return true;
}

static void wakeup_unlock_watch(unsigned long flags)
{
	arch_spin_unlock(&wakeup_watch_lock);
	barrier();
	raw_cpu_write(wakeup_busy, false);
	raw_local_irq_restore(flags);
}

/* Stop watching a task. Context: lock held. */
static void wakeup_watch_none(void)
{
	WRITE_ONCE(wakeup_watch.task, NULL);
	WRITE_ONCE(wakeup_watch.prio, MAX_PRIO);
	WRITE_ONCE(wakeup_watch.deadline, false);
}

/* False for a task that is woken while it still runs: it goes on without waiting. */
static bool wakeup_task_waits(struct task_struct *p)
{
	return !task_curr(p);
}

static bool wakeup_considers_task(struct task_struct *p)
{
	switch (wakeup_kind) {
	case RT_TASKS:
		return rt_or_dl_task(p);
	case DL_TASKS:
		return dl_task(p);
	default:
		return true;
	}
}

/*
 * True if @p is to be watched instead of the current choice.  A result without the lock must
 * be checked again with it.  Inlined, as it runs for each wakeup.
 */
static __always_inline bool wakeup_takes_precedence(struct task_struct *p)
{
	const struct task_struct *watched = READ_ONCE(wakeup_watch.task);

	if (watched && READ_ONCE(wakeup_watch.deadline))
		return false;
	if (dl_task(p))
		return true;
	return p->prio < current->prio && (!watched || p->prio < READ_ONCE(wakeup_watch.prio));
}

static void wakeup_record_task(struct trace_array *tr, enum trace_type type,
			       struct task_struct *from, struct task_struct *to, unsigned int ctx)
{
	struct ctx_switch_entry *entry;
	struct trace_record rec;

	entry = trace_record_start(&rec, READ_ONCE(tr->buffer), type, sizeof(*entry), ctx);
	if (!entry)
		return;
	entry->prev_pid = from->pid;
	entry->prev_prio = from->prio;
	entry->prev_state = task_state_index(from);
	entry->next_pid = to->pid;
	entry->next_prio = to->prio;
	entry->next_state = task_state_index(to);
	entry->next_cpu = task_cpu(to);
	trace_record_end(&rec);
}

/* Watch @p from now on. @from is the code address of the wakeup. */
static void wakeup_watch_task(struct trace_array *tr, struct task_struct *p, unsigned int ctx,
			      unsigned long from)
{
	WRITE_ONCE(wakeup_watch.prio, p->prio);
	WRITE_ONCE(wakeup_watch.deadline, dl_task(p));
	wakeup_watch.woken_on = task_cpu(p);
	WRITE_ONCE(wakeup_watch.cpu, wakeup_watch.woken_on);
	wakeup_watch.since = ring_buffer_time_stamp(READ_ONCE(tr->buffer));
	WRITE_ONCE(wakeup_watch.task, p);
	wakeup_record_task(tr, TRACE_WAKE, current, p, ctx);
	trace_stack_record(tr, ctx, from, NULL);
	latency_record_place(tr, from, 0, ctx);
}

static void wakeup_probe_wakeup(void *data, struct task_struct *p)
{
	struct trace_array *tr = READ_ONCE(wakeup_tr);
	unsigned int word = trace_callers_word();
	unsigned long flags;

	if (!tr || trace_is_off_here(tr) || !wakeup_considers_task(p) ||
	    !wakeup_takes_precedence(p) || !wakeup_task_waits(p))
		return;
	if (!wakeup_lock_watch(&flags))
		return;
	if (READ_ONCE(wakeup_tr) == tr && wakeup_takes_precedence(p))
		wakeup_watch_task(tr, p, trace_ctx_full(word), CALLER_ADDR0);
	wakeup_unlock_watch(flags);
}

static void wakeup_probe_migrate(void *data, struct task_struct *p, int cpu)
{
	unsigned long flags;

	if (p != READ_ONCE(wakeup_watch.task) || !wakeup_lock_watch(&flags))
		return;
	/* Another task may be watched by now. */
	if (p == wakeup_watch.task)
		WRITE_ONCE(wakeup_watch.cpu, cpu);
	wakeup_unlock_watch(flags);
}

/* The clocks of two CPUs may differ: a negative duration becomes 0. */
static u64 wakeup_time_since(struct trace_array *tr, u64 since)
{
	s64 ns = ring_buffer_time_stamp(READ_ONCE(tr->buffer)) - since;

	return max_t(s64, ns, 0);
}

/* The watched task, @next, runs: record that, and keep the trace if the latency is worth it. */
static void wakeup_task_runs(struct trace_array *tr, struct task_struct *prev,
			     struct task_struct *next, unsigned int ctx, unsigned long from)
{
	u64 ns = wakeup_time_since(tr, wakeup_watch.since);
	struct trace_latency new = {
		.ns = ns, .since = wakeup_watch.since, .cpu = wakeup_watch.woken_on,
	};

	latency_record_place(tr, from, 0, ctx);
	wakeup_record_task(tr, TRACE_CTX, prev, next, ctx);
	if (latency_should_keep(tr, ns)) {
		/* Unwinding takes longer than all the rest: only do it for a trace that is kept. */
		trace_stack_record(tr, ctx, from, NULL);
		latency_keep_all(tr, &new, next);
	}
	wakeup_watch_none();
}

static void wakeup_probe_switch(void *data, bool preempt, struct task_struct *prev,
				struct task_struct *next, unsigned int prev_state)
{
	struct trace_array *tr = READ_ONCE(wakeup_tr);
	unsigned int word = trace_callers_word();
	unsigned long flags;

	if (next != READ_ONCE(wakeup_watch.task) || !tr || !wakeup_lock_watch(&flags))
		return;
	if (READ_ONCE(wakeup_tr) == tr && next == wakeup_watch.task)
		wakeup_task_runs(tr, prev, next, trace_ctx_full(word), CALLER_ADDR0);
	wakeup_unlock_watch(flags);
}

/* The watched task may end without having run, such as a new task that is killed. */
static void wakeup_probe_free(void *data, struct task_struct *p)
{
	unsigned long flags;

	if (p != READ_ONCE(wakeup_watch.task) || !wakeup_lock_watch(&flags))
		return;
	if (p == wakeup_watch.task)
		wakeup_watch_none();
	wakeup_unlock_watch(flags);
}

/* True if a task is watched and this CPU records. May be called with preemption on. */
static __always_inline bool wakeup_watches_any(const struct trace_array *tr)
{
	return READ_ONCE(wakeup_watch.task) && !raw_cpu_read(tr->cpus->skip);
}

/* True if the watched task waits on this CPU and this CPU does not hold the lock. */
static __always_inline bool wakeup_watches_here(void)
{
	return READ_ONCE(wakeup_watch.cpu) == raw_smp_processor_id() && !raw_cpu_read(wakeup_busy);
}

static void wakeup_function_call(unsigned long ip, unsigned long parent_ip,
				 struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	if (wakeup_watches_any(op->private))
		latency_call(op->private, ip, parent_ip, trace_preempt_word(), wakeup_watches_here);
}

static void wakeup_function_entered(unsigned long ip, unsigned long parent_ip,
				    struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	if (wakeup_watches_any(op->private))
		latency_enter(op->private, ip, fregs, wakeup_watches_here);
}

static void wakeup_function_returned(struct fgraph_ops *gops,
				     const struct ftrace_ret_stack *call,
				     const struct ftrace_return *r, u64 now)
{
	struct trace_array *tr = gops->ops.private;

	if (wakeup_watches_any(tr) && wakeup_watches_here())
		function_graph_return(tr, call, r, now);
}

/* ------------------------------------------------------------------ */
/* Control								*/

static void wakeup_unhook(void)
{
	unregister_trace_sched_process_free(wakeup_probe_free, NULL);
	unregister_trace_sched_migrate_task(wakeup_probe_migrate, NULL);
	unregister_trace_sched_switch(wakeup_probe_switch, NULL);
	unregister_trace_sched_wakeup_new(wakeup_probe_wakeup, NULL);
	unregister_trace_sched_wakeup(wakeup_probe_wakeup, NULL);
	/* Wait for running probes. */
	tracepoint_synchronize_unregister();
}

/* Unregistering a probe that is not registered causes a warning: undo exactly what was done. */
static int wakeup_hook(void)
{
	int ret = register_trace_sched_wakeup(wakeup_probe_wakeup, NULL);

	if (ret)
		return ret;
	ret = register_trace_sched_wakeup_new(wakeup_probe_wakeup, NULL);
	if (ret)
		goto no_wakeup_new;
	ret = register_trace_sched_switch(wakeup_probe_switch, NULL);
	if (ret)
		goto no_switch;
	ret = register_trace_sched_migrate_task(wakeup_probe_migrate, NULL);
	if (ret)
		goto no_migration;
	ret = register_trace_sched_process_free(wakeup_probe_free, NULL);
	if (!ret)
		return 0;

	unregister_trace_sched_migrate_task(wakeup_probe_migrate, NULL);
no_migration:
	unregister_trace_sched_switch(wakeup_probe_switch, NULL);
no_switch:
	unregister_trace_sched_wakeup_new(wakeup_probe_wakeup, NULL);
no_wakeup_new:
	unregister_trace_sched_wakeup(wakeup_probe_wakeup, NULL);
	return ret;
}

static void wakeup_forget_task(void)
{
	unsigned long flags;

	if (WARN_ON_ONCE(!wakeup_lock_watch(&flags)))
		return;
	wakeup_watch_none();
	wakeup_unlock_watch(flags);
}

static void wakeup_start(struct trace_array *tr)
{
	wakeup_forget_task();
	WRITE_ONCE(wakeup_tr, tr);
}

static void wakeup_stop(struct trace_array *tr)
{
	WRITE_ONCE(wakeup_tr, NULL);
	wakeup_forget_task();
}

static struct latency_kind wakeup_tracers = {
	.called		= wakeup_function_call,
	.entered	= wakeup_function_entered,
	.returned	= wakeup_function_returned,
	.hook		= wakeup_hook,
	.unhook		= wakeup_unhook,
	.start		= wakeup_start,
	.halt		= wakeup_stop,
};

static int wakeup_flag_changing(struct trace_array *tr, u32 mask, bool on)
{
	return latency_flag_changing(tr, &wakeup_tracers, mask, on);
}

static int wakeup_may_begin(struct trace_array *tr)
{
	return latency_may_begin(tr, &wakeup_tracers);
}

static int wakeup_begin(struct trace_array *tr, enum wakeup_kind kind)
{
	wakeup_forget_task();
	wakeup_kind = kind;
	return latency_begin(tr, &wakeup_tracers);
}

static int wakeup_reset(struct trace_array *tr)
{
	return latency_end(tr, &wakeup_tracers);
}

static int wakeup_init(struct trace_array *tr)
{
	return wakeup_begin(tr, ALL_TASKS);
}

static int wakeup_rt_init(struct trace_array *tr)
{
	return wakeup_begin(tr, RT_TASKS);
}

static int wakeup_dl_init(struct trace_array *tr)
{
	return wakeup_begin(tr, DL_TASKS);
}

#define WAKEUP_TRACER(_name)				\
struct tracer _name##_tracer = {			\
	.name			= #_name,		\
	.can_start		= wakeup_may_begin,	\
	.init			= _name##_init,		\
	.reset			= wakeup_reset,		\
	.flag_changing		= wakeup_flag_changing,	\
	.start			= wakeup_start,		\
	.stop			= wakeup_stop,		\
	.print_line		= graph_line_if_wanted,	\
	.print_header		= graph_header_if_wanted, \
	.graph_opts		= LATENCY_GRAPH_OPTS | GRAPH_OPT_OVERHEAD, \
	.allow_instances	= true,			\
	.uses_snapshot		= true,			\
}

WAKEUP_TRACER(wakeup);
WAKEUP_TRACER(wakeup_rt);
WAKEUP_TRACER(wakeup_dl);
