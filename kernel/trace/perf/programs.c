// SPDX-License-Identifier: GPL-2.0
/*
 * BPF programs of perf events: the list of programs of each event, and running it.
 *
 * A tool opens a tracepoint for all tasks on one CPU only, and expects its program to run on all of
 * them. So programs belong to the event that perf has open (&struct perf_tp), not to a perf event,
 * and make the probe ask for a record also where no perf event counts.
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

#include "events/links.h"
#include "internal.h"
#include "programs.h"

/* ------------------------------------------------------------------ */
/* Running: of uprobes. Records (record.c) run the others		*/

#ifdef CONFIG_UPROBE_EVENTS

DEFINE_STATIC_KEY_FALSE(perf_user_programs);

/* Return: the programs, which RCU tasks trace keeps; NULL if perf does not count in the task. */
static const struct bpf_prog_array *perf_user_programs_of(const struct list_head *links)
{
	struct event_link *link;
	struct perf_tp *tp;

	/* The event may be closed while programs sleep. */
	guard(rcu)();
	for_each_event_link(link, links) {
		if (link->file->other_consumers != &perf_uprobe_records)
			continue;
		tp = container_of(link->file, struct perf_tp, file);
		return perf_wants(&tp->file, current->mm) ? rcu_dereference(tp->programs) : NULL;
	}
	return NULL;
}

bool __perf_programs_run_user(const struct list_head *links, unsigned long at,
			      struct pt_regs *regs)
{
	u32 wanted;

	/* For bpf_get_func_ip(). */
	current->utask->vaddr = at;
	rcu_read_lock_trace();
	wanted = bpf_prog_run_array_uprobe(perf_user_programs_of(links), regs, bpf_prog_run);
	rcu_read_unlock_trace();
	return wanted;
}

static void perf_user_programs_count(const struct perf_event *event, bool more)
{
	if (!(event->tp_event->flags & TRACE_EVENT_FL_UPROBE))
		return;
	if (more)
		static_branch_inc(&perf_user_programs);
	else
		static_branch_dec(&perf_user_programs);
}

#else

static void perf_user_programs_count(const struct perf_event *event, bool more) { }

#endif

/* ------------------------------------------------------------------ */
/* Attaching and detaching						*/

static struct bpf_prog_array *perf_programs_of(struct perf_tp *tp)
{
	return rcu_dereference_protected(tp->programs, lockdep_is_held(&events_lock));
}

/*
 * Let the probe ask for records on all CPUs. perf_tp_stop_cpu() may be about to set ->stopped on
 * one of them: see there.
 */
static void perf_tp_start_all_cpus(struct perf_tp *tp)
{
	int cpu;

	/* Store the list before ->stopped; pairs with smp_mb() in perf_tp_stop_cpu(). */
	smp_mb();
	for_each_possible_cpu(cpu)
		WRITE_ONCE(per_cpu_ptr(tp->cpus, cpu)->stopped, 0);
}

/* Programs may be running with the old list, and those of a uprobe may sleep. */
static void perf_programs_replace(struct perf_tp *tp, struct bpf_prog_array *new)
{
	struct bpf_prog_array *old = perf_programs_of(tp);

	rcu_assign_pointer(tp->programs, new);
	bpf_prog_array_free_sleepable(old);
}

static int perf_programs_add_locked(struct perf_event *event, struct bpf_prog *prog, u64 cookie)
{
	struct perf_tp *tp = perf_tp_of(event);
	struct bpf_prog_array *old = perf_programs_of(tp), *new;
	int err;

	if (event->prog)
		return -EEXIST;
	if (old && bpf_prog_array_length(old) >= PERF_PROGRAMS_MAX)
		return -E2BIG;
	err = bpf_prog_array_copy(old, NULL, prog, cookie, &new);
	if (err)
		return err;
	event->prog = prog;
	event->bpf_cookie = cookie;
	perf_programs_replace(tp, new);
	perf_tp_start_all_cpus(tp);
	return 0;
}

int perf_programs_add(struct perf_event *event, struct bpf_prog *prog, u64 cookie)
{
	int err;

	scoped_guard(mutex, &events_lock)
		err = perf_programs_add_locked(event, prog, cookie);
	if (!err)
		perf_user_programs_count(event, true);
	return err;
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
}

void perf_programs_remove(struct perf_event *event)
{
	struct bpf_prog *prog = event->prog;

	if (!prog)
		return;
	scoped_guard(mutex, &events_lock)
		perf_programs_remove_locked(perf_tp_of(event), prog);
	perf_user_programs_count(event, false);
	/* bpf_prog_put() waits for the RCU of the program; a uprobe runs all in that of tasks. */
	if (event->tp_event->flags & TRACE_EVENT_FL_UPROBE)
		synchronize_rcu_tasks_trace();
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
