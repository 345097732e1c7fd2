// SPDX-License-Identifier: GPL-2.0
/*
 * Making records of events for perf. perf samples a record at once, so each CPU has a buffer for
 * one record in each context that can nest.
 */
#include <linux/build_bug.h>
#include <linux/ftrace.h>
#include <linux/irqflags.h>
#include <linux/lockdep.h>
#include <linux/once_lite.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/printk.h>
#include <linux/ptrace.h>
#include <linux/rculist.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/trace_events.h>

#include "guard/guard.h"
#include "internal.h"
#include "record/record.h"
#include "record/stack.h"
#ifdef CONFIG_BPF_EVENTS
#include "run.h"
#endif

/* Number of perf's recursion contexts: task, softirq, interrupt, NMI. */
#define NR_PERF_CONTEXTS	ARRAY_SIZE(((typeof(__perf_regs) *)NULL)[0])

/* Buffer of a record. */
struct perf_record_buf {
	u64	words[PERF_MAX_TRACE_SIZE / sizeof(u64)];
};

/* Buffers by recursion context, and the number of their users. Changed under events_lock. */
static struct perf_record_buf __percpu *perf_record_bufs[NR_PERF_CONTEXTS];
static unsigned int perf_record_bufs_users;

static void perf_record_bufs_free(void)
{
	for (unsigned int i = 0; i < NR_PERF_CONTEXTS; i++) {
		free_percpu(perf_record_bufs[i]);
		perf_record_bufs[i] = NULL;
	}
}

int perf_records_get(void)
{
	lockdep_assert_held(&events_lock);
	for (unsigned int i = 0; !perf_record_bufs_users && i < NR_PERF_CONTEXTS; i++) {
		perf_record_bufs[i] = alloc_percpu(struct perf_record_buf);
		if (!perf_record_bufs[i]) {
			perf_record_bufs_free();
			return -ENOMEM;
		}
	}
	perf_record_bufs_users++;
	return 0;
}

void perf_records_put(void)
{
	lockdep_assert_held(&events_lock);
	if (!--perf_record_bufs_users)
		perf_record_bufs_free();
}

/* ------------------------------------------------------------------ */
/* Demand for records							*/

/*
 * If a parent and its child have inherited the same events, the scheduler exchanges their contexts
 * instead of the events. So besides the task for which @event was opened, it may count in that of
 * its context. Neither task is freed meanwhile: perf holds the first, and RCU the second.
 */
static bool perf_event_counts_in(const struct perf_event *event, const struct mm_struct *mm)
{
	const struct perf_event_context *ctx = READ_ONCE(event->ctx);
	const struct task_struct *task = ctx ? READ_ONCE(ctx->task) : NULL;

	if (READ_ONCE(event->hw.target->mm) == mm)
		return true;
	/* perf sets -1 when the task of a context ends. */
	return task && task != (void *)-1L && READ_ONCE(task->mm) == mm;
}

static bool perf_tp_counts_in(struct perf_tp *tp, const struct mm_struct *mm)
{
	struct perf_event *event;
	bool found = false;

	guard(rcu)();
	spin_lock(&tp->tasks_lock);
	list_for_each_entry(event, &tp->tasks, hw.tp_list)
		found |= perf_event_counts_in(event, mm);
	spin_unlock(&tp->tasks_lock);
	return found;
}

bool perf_wants(const struct trace_event_file *file, const struct mm_struct *mm)
{
	struct perf_tp *tp = container_of(file, struct perf_tp, file);

	return READ_ONCE(tp->nr_all) || perf_tp_counts_in(tp, mm);
}

/* ------------------------------------------------------------------ */
/* Probes								*/

/*
 * Set ->stopped, if no perf event counts on this CPU, so that the probe asks for no more records.
 * An interrupt may add a perf event, so interrupts are off; an NMI cannot, and may at most set
 * ->stopped, too. raw_local_irq_save() avoids the hooks of irq tracing, which would be traced.
 * Another CPU may attach a program at any time.
 */
static void perf_tp_stop_cpu(struct perf_tp *tp, struct perf_tp_cpu *cpu)
{
	unsigned long flags;

	raw_local_irq_save(flags);
	if (hlist_empty(&cpu->events))
		WRITE_ONCE(cpu->stopped, 1);
	/* Store ->stopped before the list is read: smp_mb() in perf_tp_start_all_cpus(). */
	smp_mb();
	if (perf_tp_has_program_list(tp))
		WRITE_ONCE(cpu->stopped, 0);
	raw_local_irq_restore(flags);
}

/*
 * Flag in &trace_event_buffer.consumer_data, above the recursion context: the record is made for
 * BPF programs. Programs cannot read the header, so it is filled in only if perf gets the record.
 */
#define PERF_FOR_PROGRAMS	4
static_assert(PERF_FOR_PROGRAMS >= PERF_NR_CONTEXTS);

static noinline void perf_warn_too_long(const struct trace_event_buffer *b)
{
	struct trace_own own;

	trace_own_begin(&own);
	DO_ONCE_LITE(printk_deferred, KERN_WARNING "trace: %s is too long for perf\n",
		     b->trace_file->event->type.name);
	trace_own_end(&own);
}

static bool perf_record_fits(const struct trace_event_buffer *b)
{
	if (likely(b->len <= sizeof(struct perf_record_buf)))
		return true;
	perf_warn_too_long(b);
	return false;
}

/* @flags are stored together with the recursion context. Return: the record, or NULL. */
static __always_inline void *perf_record_start(struct trace_event_buffer *b, int flags)
{
	int context;

	if (unlikely(!perf_record_fits(b)))
		return NULL;
	context = perf_swevent_get_recursion_context();
	if (context < 0)
		return NULL;
	b->consumer_data = context | flags;
	b->event = this_cpu_ptr(perf_record_bufs[context]);
	return b->event;
}

static __always_inline void perf_record_fill_header(struct trace_event_buffer *b)
{
	trace_entry_fill(b->event, b->trace_file->type, trace_ctx_full(trace_callers_word()),
			 current);
}

static void *perf_record_start_with_header(struct trace_event_buffer *b)
{
	void *rec = perf_record_start(b, 0);

	if (rec)
		perf_record_fill_header(b);
	return rec;
}

/* A record is made for @tp on a CPU where a perf event counts, or for the task of another one. */
static __always_inline bool perf_tp_counts(struct perf_tp *tp, const struct trace_event_buffer *b)
{
	return !hlist_empty(&this_cpu_ptr(tp->cpus)->events) || b->task;
}

static __always_inline void *perf_reserve_if_counted(struct trace_event_buffer *b)
{
	struct perf_tp *tp = container_of(b->trace_file, struct perf_tp, file);

	if (perf_tp_counts(tp, b))
		return perf_record_start_with_header(b);
	perf_tp_stop_cpu(tp, this_cpu_ptr(tp->cpus));
	return NULL;
}

static void *perf_reserve(struct trace_event_buffer *b)
{
	/* The probe sets it if it has registers. */
	b->hit.regs = NULL;
	return perf_reserve_if_counted(b);
}

/*
 * True if a perf event takes samples, which need the registers of the caller: finding them costs
 * more than counting. A perf event of another task is not active here, and perf_swevent_event()
 * only counts it.
 */
static bool perf_any_is_sampling(const struct hlist_head *events)
{
	struct perf_event *event;

	hlist_for_each_entry_rcu(event, events, hlist_entry, true)
		if (is_sampling_event(event))
			return true;
	return false;
}

/* Return: registers in the caller of the probe at @ip, where the stack begins. */
static struct pt_regs *perf_caller_regs(struct trace_event_buffer *b, int context,
					unsigned long ip)
{
	struct pt_regs *regs = this_cpu_ptr(&__perf_regs[context]);

	/* @b is in the frame of the probe. */
	arch_perf_caller_regs(regs, ip, (unsigned long)b);
	return regs;
}

/* Return: registers for a sample: where the event is, or those of the user for a system call. */
static struct pt_regs *perf_record_regs(struct trace_event_buffer *b,
					const struct hlist_head *events, unsigned long probe)
{
	if (b->hit.regs)
		return b->hit.regs;
	if (perf_any_is_sampling(events))
		probe = trace_stack_caller(probe);
	return perf_caller_regs(b, b->consumer_data, probe);
}

static __always_inline void perf_submit(struct trace_event_buffer *b, struct pt_regs *regs,
					struct hlist_head *events)
{
	perf_tp_event(b->trace_file->type, b->count, b->event, b->len, regs, events,
		      b->consumer_data, b->task);
}

/*
 * Make a record for perf of one that was made for programs. Return: false if no perf event counts;
 * then the record is given up.
 */
static noinline bool perf_record_take_over(struct trace_event_buffer *b, struct perf_tp *tp)
{
	b->consumer_data -= PERF_FOR_PROGRAMS;
	if (perf_tp_counts(tp, b)) {
		perf_record_fill_header(b);
		return true;
	}
	perf_swevent_put_recursion_context(b->consumer_data);
	return false;
}

/* The record may have been made for programs: they have run, or were detached meanwhile. */
static void perf_commit(struct trace_event_buffer *b, unsigned long probe)
{
	struct perf_tp *tp = container_of(b->trace_file, struct perf_tp, file);
	struct hlist_head *events = &this_cpu_ptr(tp->cpus)->events;

	if (unlikely(b->consumer_data & PERF_FOR_PROGRAMS) && !perf_record_take_over(b, tp))
		return;
	perf_submit(b, perf_record_regs(b, events, probe), events);
}

const struct event_other_consumers perf_records = {
	.reserve	= perf_reserve,
	.commit		= perf_commit,
	.wants		= perf_wants,
	.is_perf	= true,
};

/* ------------------------------------------------------------------ */
/* Probes of events with programs					*/

#ifdef CONFIG_BPF_EVENTS

static void *perf_reserve_for_programs(struct trace_event_buffer *b)
{
	/* The probe sets it if it has registers. */
	b->hit.regs = NULL;
	return perf_record_start(b, PERF_FOR_PROGRAMS);
}

/*
 * Run the programs with the record, whose first word is a pointer to the registers meanwhile: those
 * of the kernel also for a system call, or a program would not see the kernel's stack.
 */
static __no_stack_protector void perf_commit_to_programs(struct trace_event_buffer *b,
							 unsigned long probe)
{
	struct perf_tp *tp = container_of(b->trace_file, struct perf_tp, file);
	int context = b->consumer_data - PERF_FOR_PROGRAMS;
	struct pt_regs **rec = b->event;

	/* The programs were attached between the reservation and the commit. */
	if (unlikely(context < 0))
		return perf_commit(b, probe);
	*rec = perf_caller_regs(b, context, probe);
	if (unlikely(perf_programs_run(&tp->programs, rec)))
		perf_commit(b, probe);
	else
		perf_swevent_put_recursion_context(context);
}

const struct event_other_consumers perf_program_records = {
	.reserve	= perf_reserve_for_programs,
	.commit		= perf_commit_to_programs,
	.wants		= perf_wants,
	.is_perf	= true,
};

#endif

/* ------------------------------------------------------------------ */
/* Probes of code: they have run their programs before			*/

/* The probe has set @b->hit.regs. */
static void *perf_probe_reserve(struct trace_event_buffer *b)
{
	return perf_reserve_if_counted(b);
}

static void perf_probe_commit(struct trace_event_buffer *b, unsigned long probe)
{
	struct perf_tp *tp = container_of(b->trace_file, struct perf_tp, file);

	perf_submit(b, b->hit.regs, &this_cpu_ptr(tp->cpus)->events);
}

const struct event_other_consumers perf_probe_records = {
	.reserve	= perf_probe_reserve,
	.commit		= perf_probe_commit,
	.wants		= perf_wants,
	.is_perf	= true,
};
