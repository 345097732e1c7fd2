// SPDX-License-Identifier: GPL-2.0
/*
 * BPF programs of perf events: the list of programs of each event, and running those of uprobes
 * (run.h runs others).
 *
 * Tools open a tracepoint on one CPU only, and expect their program to run on all CPUs. So programs
 * belong to the event that perf has open (&struct perf_tp), not to a perf event, and the probe asks
 * for a record also on CPUs where no perf event counts.
 */
#include <linux/bpf.h>
#include <linux/cleanup.h>
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/filter.h>
#include <linux/lockdep.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/rcupdate.h>
#include <linux/rcupdate_trace.h>
#include <linux/sched.h>
#include <linux/trace_events.h>
#include <linux/uprobes.h>

#include "internal.h"
#include "programs.h"
#include "run.h"

/* ------------------------------------------------------------------ */
/* Running								*/

u32 perf_program_run_timed(const struct bpf_prog *prog, const void *ctx)
{
	return bpf_prog_run(prog, ctx);
}

u32 perf_programs_run_further(const struct bpf_prog_array_item *item,
			      struct bpf_trace_run_ctx *run, void *ctx)
{
	const struct bpf_prog *prog;
	u32 wanted = 1;

	for (; (prog = READ_ONCE(item->prog)); item++) {
		run->bpf_cookie = item->bpf_cookie;
		wanted &= perf_program_run(prog, ctx);
	}
	return wanted;
}

int perf_programs_run_user(struct bpf_prog_array __rcu *const *list, struct pt_regs *regs)
{
	struct perf_tp *tp = container_of(list, struct perf_tp, programs);
	const struct bpf_prog_array *programs;

	if (!perf_wants(&tp->file, current->mm))
		return -ENOENT;
	programs = rcu_dereference_check(*list, rcu_read_lock_trace_held());
	return bpf_prog_run_array_uprobe(programs, regs, bpf_prog_run);
}

/* ------------------------------------------------------------------ */
/* Attaching and detaching						*/

/* The list of programs, for its only writer: the holder of events_lock. */
static struct bpf_prog_array *perf_programs_of(struct perf_tp *tp)
{
	return rcu_dereference_protected(tp->programs, lockdep_is_held(&events_lock));
}

/*
 * Let the probe ask for records on all CPUs. perf_tp_stop_cpu() may be about to set ->stopped on
 * one of them: it looks for programs after that, and clears ->stopped again.
 */
static void perf_tp_start_all_cpus(struct perf_tp *tp)
{
	int cpu;

	/* Store the list before ->stopped; pairs with smp_mb() in perf_tp_stop_cpu(). */
	smp_mb();
	for_each_possible_cpu(cpu)
		WRITE_ONCE(per_cpu_ptr(tp->cpus, cpu)->stopped, 0);
}

/*
 * Replace the list of programs. The old list is freed after grace periods of RCU tasks trace and of
 * RCU: a uprobe uses it in a read section of the former, as its programs may sleep.
 */
static void perf_programs_replace(struct perf_tp *tp, struct bpf_prog_array *new)
{
	struct bpf_prog_array *old = perf_programs_of(tp);

	rcu_assign_pointer(tp->programs, new);
	bpf_prog_array_free_sleepable(old);
}

/* True if a program is attached. The list may also have entries of detached programs. */
static bool perf_tp_has_attached_programs(struct perf_tp *tp)
{
	struct bpf_prog_array *programs = perf_programs_of(tp);

	return programs && bpf_prog_array_length(programs);
}

/*
 * Choose who runs the programs: the probes of the event, if they get other contexts than records,
 * or else the functions that make the records.
 */
static void perf_programs_choose_runner(struct perf_tp *tp)
{
	struct trace_event_call *call = tp->file.event->call;
	const struct trace_event_class_ops *ops = call->class->ops;
	bool run = perf_tp_has_attached_programs(tp);

	if (ops && ops->set_programs)
		ops->set_programs(call, run ? &tp->programs : NULL);
	else
		WRITE_ONCE(tp->file.other_consumers, run ? &perf_program_records : &perf_records);
}

static int perf_programs_add_locked(struct perf_event *event, struct bpf_prog *prog, u64 cookie)
{
	struct perf_tp *tp = perf_tp_of(event);
	struct bpf_prog_array *old = perf_programs_of(tp), *new;
	int err;

	if (event->prog)
		return -EEXIST;
	/* The verifier knows only how long a record can be at most. */
	if (prog->type == BPF_PROG_TYPE_TRACEPOINT &&
	    prog->aux->max_ctx_offset > tp->file.event->type.size)
		return -EACCES;
	if (old && bpf_prog_array_length(old) >= PERF_PROGRAMS_MAX)
		return -E2BIG;
	err = bpf_prog_array_copy(old, NULL, prog, cookie, &new);
	if (err)
		return err;
	event->prog = prog;
	event->bpf_cookie = cookie;
	perf_programs_replace(tp, new);
	perf_programs_choose_runner(tp);
	perf_tp_start_all_cpus(tp);
	return 0;
}

int perf_programs_add(struct perf_event *event, struct bpf_prog *prog, u64 cookie)
{
	guard(mutex)(&events_lock);
	return perf_programs_add_locked(event, prog, cookie);
}

static void perf_programs_remove_locked(struct perf_tp *tp, struct bpf_prog *prog)
{
	struct bpf_prog_array *old = perf_programs_of(tp), *new;

	if (!old)
		return;
	if (bpf_prog_array_copy(old, prog, NULL, 0, &new))
		bpf_prog_array_delete_safe(old, prog);
	else
		perf_programs_replace(tp, new);
	perf_programs_choose_runner(tp);
}

static void perf_programs_detach(struct perf_event *event)
{
	scoped_guard(mutex, &events_lock)
		perf_programs_remove_locked(perf_tp_of(event), event->prog);
	/*
	 * bpf_prog_put() frees a program that cannot sleep after a grace period of RCU. A uprobe
	 * runs all programs under RCU tasks trace, so that is waited for here. That protects the
	 * &struct perf_tp with the list, too.
	 */
	if (event->tp_event->flags & TRACE_EVENT_FL_UPROBE)
		synchronize_rcu_tasks_trace();
}

void perf_programs_remove(struct perf_event *event)
{
	struct bpf_prog *prog = event->prog;

	if (!prog)
		return;
	/* perf has given an inherited event only a reference: the list has the parent's program. */
	if (!event->parent)
		perf_programs_detach(event);
	event->prog = NULL;
	bpf_prog_put(prog);
}

void perf_programs_free(struct perf_tp *tp)
{
	lockdep_assert_held(&events_lock);
	perf_programs_replace(tp, NULL);
}

int perf_programs_get_ids(struct perf_event *event, u32 *ids, u32 nr, u32 *count)
{
	*count = 0;
	if (perf_has_functions(event))
		return 0;
	guard(mutex)(&events_lock);
	return bpf_prog_array_copy_info(perf_programs_of(perf_tp_of(event)), ids, nr, count);
}
