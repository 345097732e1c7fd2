// SPDX-License-Identifier: GPL-2.0
/*
 * wakeup, wakeup_rt and wakeup_dl: the longest time from the moment when a task is woken
 * until it runs (SPEC T5).
 *
 * One task is watched at a time: the one of the highest priority that was woken. Another
 * of a higher one takes its place, and a task with a deadline keeps its place until it
 * runs. What the CPU records where the watched task waits is kept if it waited the
 * longest: see instance/latency.h.
 *
 * The three tracers differ in which tasks they look at. Tracepoints of the scheduler tell;
 * they come with the lock of a run queue held: nothing here may sleep, wait for such a
 * lock, allocate or print, but for the control functions at the end.
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

#include "entries.h"
#include "function_graph.h"
#include "graph_lines.h"
#include "instance/instance.h"
#include "instance/latency.h"
#include "latency.h"
#include "record/record.h"
#include "record/stack.h"
#include "tasks/cmdlines.h"
#include "tracers.h"
#include "types/types.h"

/**
 * enum wakeup_kind - the tasks that a tracer looks at
 * @ALL_TASKS: any
 * @RT_TASKS: real-time tasks, those with a deadline among them
 * @DL_TASKS: tasks with a deadline
 */
enum wakeup_kind {
	ALL_TASKS,
	RT_TASKS,
	DL_TASKS,
};

/* Whose tracer it is; NULL while none of these records. */
static struct trace_array *wakeup_tr;
static enum wakeup_kind wakeup_kind;

/*
 * Protects the watched task. Taken with interrupts off inside the lock of a run queue,
 * never in an NMI: not one that lockdep follows. latency_lock is inside.
 */
static arch_spinlock_t watch_lock = __ARCH_SPIN_LOCK_UNLOCKED;

/**
 * struct watch - the task that was woken
 * @task: the task, only compared and described while it is on its way to a CPU; NULL for
 *	none. Read without the lock.
 * @prio: its priority. Read without the lock.
 * @cpu: where it waits. Read without the lock.
 * @woken_on: where it was when it was woken
 * @deadline: it has a deadline. Read without the lock.
 * @since: when it was woken
 */
static struct watch {
	struct task_struct	*task;
	int			prio;
	int			cpu;
	int			woken_on;
	bool			deadline;
	u64			since;
} watch;

/* This CPU is at work on the above: what is called meanwhile is not recorded. */
static DEFINE_PER_CPU(bool, wakeup_busy);

/* Returns false if this CPU is at work already.  Inlined: for each task that is woken. */
static __always_inline bool lock_watch(unsigned long *flags)
{
	raw_local_irq_save(*flags);
	if (raw_cpu_read(wakeup_busy)) {
		raw_local_irq_restore(*flags);
		return false;
	}
	raw_cpu_write(wakeup_busy, true);
	barrier();
	arch_spin_lock(&watch_lock);
	return true;
}

static void unlock_watch(unsigned long flags)
{
	arch_spin_unlock(&watch_lock);
	barrier();
	raw_cpu_write(wakeup_busy, false);
	raw_local_irq_restore(flags);
}

/* With the lock. */
static void watch_nobody(void)
{
	WRITE_ONCE(watch.task, NULL);
	WRITE_ONCE(watch.prio, MAX_PRIO);
	WRITE_ONCE(watch.deadline, false);
}

/* One that is woken before it has left the CPU goes on, and waits for nothing. */
static bool is_waiting(struct task_struct *p)
{
	return !task_curr(p);
}

static bool is_of_kind(struct task_struct *p)
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

/* With the lock, or to be asked again with it.  Inlined likewise. */
static __always_inline bool takes_precedence(struct task_struct *p)
{
	const struct task_struct *watched = READ_ONCE(watch.task);

	if (watched && READ_ONCE(watch.deadline))
		return false;
	if (dl_task(p))
		return true;
	return p->prio < current->prio && (!watched || p->prio < READ_ONCE(watch.prio));
}

static void record_task(struct trace_array *tr, enum trace_type type,
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

/* @from is where the scheduler called. */
static void watch_task(struct trace_array *tr, struct task_struct *p, unsigned int ctx,
		       unsigned long from)
{
	WRITE_ONCE(watch.prio, p->prio);
	WRITE_ONCE(watch.deadline, dl_task(p));
	watch.woken_on = task_cpu(p);
	WRITE_ONCE(watch.cpu, watch.woken_on);
	watch.since = ring_buffer_time_stamp(READ_ONCE(tr->buffer));
	WRITE_ONCE(watch.task, p);
	record_task(tr, TRACE_WAKE, current, p, ctx);
	trace_stack_record(tr, ctx, from, NULL);
	latency_record_place(tr, from, 0, ctx);
}

static void at_wakeup(void *data, struct task_struct *p)
{
	struct trace_array *tr = READ_ONCE(wakeup_tr);
	unsigned int word = trace_callers_word();
	unsigned long flags;

	if (!tr || trace_is_off_here(tr) || !is_of_kind(p) || !takes_precedence(p) ||
	    !is_waiting(p))
		return;
	if (!lock_watch(&flags))
		return;
	if (READ_ONCE(wakeup_tr) == tr && takes_precedence(p))
		watch_task(tr, p, trace_ctx_full(word), CALLER_ADDR0);
	unlock_watch(flags);
}

static void at_migration(void *data, struct task_struct *p, int cpu)
{
	unsigned long flags;

	if (p != READ_ONCE(watch.task) || !lock_watch(&flags))
		return;
	/* Another one may be watched by now, and waits elsewhere. */
	if (p == watch.task)
		WRITE_ONCE(watch.cpu, cpu);
	unlock_watch(flags);
}

/* Negative if the clocks of two CPUs differ by more than it took. */
static u64 time_since(struct trace_array *tr, u64 since)
{
	s64 ns = ring_buffer_time_stamp(READ_ONCE(tr->buffer)) - since;

	return max_t(s64, ns, 0);
}

static void task_runs(struct trace_array *tr, struct task_struct *prev,
		      struct task_struct *next, unsigned int ctx, unsigned long from)
{
	u64 ns = time_since(tr, watch.since);
	struct trace_latency new = {
		.ns = ns, .since = watch.since, .cpu = watch.woken_on,
	};

	latency_record_place(tr, from, 0, ctx);
	record_task(tr, TRACE_CTX, prev, next, ctx);
	if (latency_is_worth(tr, ns)) {
		/* Unwinding takes longer than all the rest: only where it will be read. */
		trace_stack_record(tr, ctx, from, NULL);
		latency_keep_all(tr, &new, next);
	}
	watch_nobody();
}

static void at_switch(void *data, bool preempt, struct task_struct *prev,
		      struct task_struct *next, unsigned int prev_state)
{
	struct trace_array *tr = READ_ONCE(wakeup_tr);
	unsigned int word = trace_callers_word();
	unsigned long flags;

	if (next != READ_ONCE(watch.task) || !tr || !lock_watch(&flags))
		return;
	if (READ_ONCE(wakeup_tr) == tr && next == watch.task)
		task_runs(tr, prev, next, trace_ctx_full(word), CALLER_ADDR0);
	unlock_watch(flags);
}

/* A task that dies without having run, as one that was woken by a fork and is killed. */
static void at_exit(void *data, struct task_struct *p)
{
	unsigned long flags;

	if (p != READ_ONCE(watch.task) || !lock_watch(&flags))
		return;
	if (p == watch.task)
		watch_nobody();
	unlock_watch(flags);
}

/* The first may be asked before preemption is off. */

static __always_inline bool watches_any(const struct trace_array *tr)
{
	return READ_ONCE(watch.task) && !raw_cpu_read(tr->cpus->skip);
}

static __always_inline bool watches_here(void)
{
	return READ_ONCE(watch.cpu) == raw_smp_processor_id() && !raw_cpu_read(wakeup_busy);
}

static void wakeup_function_call(unsigned long ip, unsigned long parent_ip,
				 struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	if (watches_any(op->private))
		latency_call(op->private, ip, parent_ip, trace_preempt_word(), watches_here);
}

static void wakeup_function_entered(unsigned long ip, unsigned long parent_ip,
				    struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	if (watches_any(op->private))
		latency_enter(op->private, ip, fregs, watches_here);
}

static void wakeup_function_returned(struct fgraph_ops *gops,
				     const struct ftrace_ret_stack *call,
				     const struct ftrace_return *r, u64 now)
{
	struct trace_array *tr = gops->ops.private;

	if (watches_any(tr) && watches_here())
		function_graph_return(tr, call, r, now);
}

/* ------------------------------------------------------------------ */
/* Control								*/

static void wakeup_unhook(void)
{
	unregister_trace_sched_process_free(at_exit, NULL);
	unregister_trace_sched_migrate_task(at_migration, NULL);
	unregister_trace_sched_switch(at_switch, NULL);
	unregister_trace_sched_wakeup_new(at_wakeup, NULL);
	unregister_trace_sched_wakeup(at_wakeup, NULL);
	/* The last of them is done. */
	tracepoint_synchronize_unregister();
}

/* Taking away what is not there would be warned of. */
static int wakeup_hook(void)
{
	int ret = register_trace_sched_wakeup(at_wakeup, NULL);

	if (ret)
		return ret;
	ret = register_trace_sched_wakeup_new(at_wakeup, NULL);
	if (ret)
		goto no_wakeup_new;
	ret = register_trace_sched_switch(at_switch, NULL);
	if (ret)
		goto no_switch;
	ret = register_trace_sched_migrate_task(at_migration, NULL);
	if (ret)
		goto no_migration;
	ret = register_trace_sched_process_free(at_exit, NULL);
	if (!ret)
		return 0;

	unregister_trace_sched_migrate_task(at_migration, NULL);
no_migration:
	unregister_trace_sched_switch(at_switch, NULL);
no_switch:
	unregister_trace_sched_wakeup_new(at_wakeup, NULL);
no_wakeup_new:
	unregister_trace_sched_wakeup(at_wakeup, NULL);
	return ret;
}

static void forget_task(void)
{
	unsigned long flags;

	if (WARN_ON_ONCE(!lock_watch(&flags)))
		return;
	watch_nobody();
	unlock_watch(flags);
}

static void wakeup_start(struct trace_array *tr)
{
	forget_task();
	WRITE_ONCE(wakeup_tr, tr);
}

static void wakeup_stop(struct trace_array *tr)
{
	WRITE_ONCE(wakeup_tr, NULL);
	forget_task();
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
	forget_task();
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
	.may_begin		= wakeup_may_begin,	\
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
