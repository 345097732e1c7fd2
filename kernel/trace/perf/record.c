// SPDX-License-Identifier: GPL-2.0
/*
 * Making records of events for perf. perf samples a record at once, so each CPU has a buffer for
 * one record in each context that can nest.
 */
#include <linux/bpf.h>
#include <linux/build_bug.h>
#include <linux/filter.h>
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

static bool perf_tp_counts_in(struct perf_tp *tp, const struct mm_struct *mm)
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

	return READ_ONCE(tp->nr_all) || perf_tp_counts_in(tp, mm);
}

/* ------------------------------------------------------------------ */
/* Programs								*/

#ifdef CONFIG_BPF_EVENTS

/*
 * Run the programs of an event. All programs of perf events exclude each other on a CPU: those that
 * cannot run count a miss. Return: true if each of them wants the record that perf is to make.
 */
static noinline bool perf_programs_run(struct perf_tp *tp, void *ctx)
{
	u32 wanted = 0;

	guard(rcu)();
	/* An interrupt or a probe inside of a program does not run programs of its own. */
	if (likely(__this_cpu_inc_return(bpf_prog_active) == 1))
		wanted = bpf_prog_run_array(rcu_dereference(tp->programs), ctx, bpf_prog_run);
	else
		bpf_prog_inc_misses_counters(rcu_dereference(tp->programs));
	__this_cpu_dec(bpf_prog_active);
	return wanted;
}

#else

static bool perf_programs_run(struct perf_tp *tp, void *ctx) { return true; }

#endif

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
	if (perf_tp_has_programs(tp))
		WRITE_ONCE(cpu->stopped, 0);
	raw_local_irq_restore(flags);
}

static void *perf_record_start(struct trace_event_buffer *b)
{
	int context = perf_swevent_get_recursion_context();
	void *buf;

	if (context < 0)
		return NULL;
	buf = this_cpu_ptr(perf_record_bufs[context]);
	trace_entry_fill(buf, b->trace_file->type, trace_ctx_full(trace_callers_word()),
			 current);
	b->consumer_data = context;
	b->event = buf;
	return buf;
}

static noinline void perf_warn_too_long(const struct perf_tp *tp)
{
	struct trace_own own;

	trace_own_begin(&own);
	DO_ONCE_LITE(printk_deferred, KERN_WARNING "trace: %s is too long for perf\n",
		     tp->file.event->type.name);
	trace_own_end(&own);
}

static void *perf_record_start_if_fits(struct trace_event_buffer *b, struct perf_tp *tp)
{
	if (unlikely(b->len > sizeof(struct perf_record_buf))) {
		perf_warn_too_long(tp);
		return NULL;
	}
	return perf_record_start(b);
}

/* A record is made for @tp on a CPU where a perf event counts, or for the task of another one. */
static __always_inline bool perf_tp_counts(struct perf_tp *tp, const struct trace_event_buffer *b)
{
	return !hlist_empty(&this_cpu_ptr(tp->cpus)->events) || b->task;
}

static void *perf_reserve(struct trace_event_buffer *b)
{
	struct perf_tp *tp = container_of(b->trace_file, struct perf_tp, file);

	/* The probe sets it if it has registers. */
	b->hit.regs = NULL;
	if (!perf_tp_counts(tp, b) && !perf_tp_has_programs(tp)) {
		perf_tp_stop_cpu(tp, this_cpu_ptr(tp->cpus));
		return NULL;
	}
	return perf_record_start_if_fits(b, tp);
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

/* Return: registers of the caller of the probe, where the event is and the stack begins. */
static struct pt_regs *perf_record_regs(struct trace_event_buffer *b,
					const struct hlist_head *events, unsigned long probe)
{
	struct pt_regs *regs = this_cpu_ptr(&__perf_regs[b->consumer_data]);
	unsigned long ip;

	if (b->hit.regs)
		return b->hit.regs;
	ip = perf_any_is_sampling(events) ? trace_stack_caller(probe) : probe;

	perf_arch_fetch_caller_regs(regs, ip);
	/* @b is in the frame of the probe. */
	arch_perf_frames_above(regs, (unsigned long)b);
	return regs;
}

/*
 * Run the programs with the record, whose first word is a pointer to the registers meanwhile.
 * Return: true if perf is to have the record.
 */
static noinline bool perf_record_is_wanted(struct perf_tp *tp, struct trace_event_buffer *b,
					   struct pt_regs *regs)
{
	struct trace_entry head = *(struct trace_entry *)b->event;
	bool wanted;

	*(struct pt_regs **)b->event = regs;
	wanted = perf_programs_run(tp, b->event);
	*(struct trace_entry *)b->event = head;
	return wanted && perf_tp_counts(tp, b);
}

static __always_inline void perf_submit(struct trace_event_buffer *b, struct pt_regs *regs,
					struct hlist_head *events)
{
	perf_tp_event(b->trace_file->type, b->count, b->event, b->len, regs, events,
		      b->consumer_data, b->task);
}

static void perf_commit(struct trace_event_buffer *b, unsigned long probe)
{
	struct perf_tp *tp = container_of(b->trace_file, struct perf_tp, file);
	struct hlist_head *events = &this_cpu_ptr(tp->cpus)->events;
	struct pt_regs *regs = perf_record_regs(b, events, probe);

	if (unlikely(perf_tp_has_programs(tp)) && !perf_record_is_wanted(tp, b, regs))
		perf_swevent_put_recursion_context(b->consumer_data);
	else
		perf_submit(b, regs, events);
}

const struct event_other_consumers perf_records = {
	.reserve	= perf_reserve,
	.commit		= perf_commit,
	.wants		= perf_wants,
	.is_perf	= true,
};

/* ------------------------------------------------------------------ */
/* Probes of code: their programs run before anything is recorded	*/

/* The probe has set @b->hit.regs. */
static void *perf_probe_reserve(struct trace_event_buffer *b, struct perf_tp *tp)
{
	if (perf_tp_counts(tp, b))
		return perf_record_start_if_fits(b, tp);
	perf_tp_stop_cpu(tp, this_cpu_ptr(tp->cpus));
	return NULL;
}

static void *perf_kprobe_reserve(struct trace_event_buffer *b)
{
	struct perf_tp *tp = container_of(b->trace_file, struct perf_tp, file);

	if (unlikely(perf_tp_has_programs(tp)) && !perf_programs_run(tp, b->hit.regs))
		return NULL;
	return perf_probe_reserve(b, tp);
}

static void *perf_uprobe_reserve(struct trace_event_buffer *b)
{
	return perf_probe_reserve(b, container_of(b->trace_file, struct perf_tp, file));
}

static void perf_probe_commit(struct trace_event_buffer *b, unsigned long probe)
{
	struct perf_tp *tp = container_of(b->trace_file, struct perf_tp, file);

	perf_submit(b, b->hit.regs, &this_cpu_ptr(tp->cpus)->events);
}

const struct event_other_consumers perf_kprobe_records = {
	.reserve	= perf_kprobe_reserve,
	.commit		= perf_probe_commit,
	.wants		= perf_wants,
	.is_perf	= true,
};

const struct event_other_consumers perf_uprobe_records = {
	.reserve	= perf_uprobe_reserve,
	.commit		= perf_probe_commit,
	.wants		= perf_wants,
	.is_perf	= true,
};
