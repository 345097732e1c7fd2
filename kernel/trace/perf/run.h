/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Running BPF programs at hits of events, probes and functions. These are hot paths, so the code is
 * inlined, and what is rarely needed is out of line (programs.c). It may only be included where
 * CONFIG_BPF_EVENTS is set.
 */
#ifndef _KERNEL_TRACE_PERF_RUN_H
#define _KERNEL_TRACE_PERF_RUN_H

#include <linux/bpf.h>
#include <linux/compiler.h>
#include <linux/filter.h>
#include <linux/jump_label.h>
#include <linux/kernel.h>
#include <linux/lockdep.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/types.h>

/**
 * perf_program_run_timed - run a program, and add its time to what kernel.bpf_stats_enabled shows
 * @prog: the program
 * @ctx: its context
 *
 * Context: any, NMI included; preemption off.
 * Return: what the program returns.
 */
u32 perf_program_run_timed(const struct bpf_prog *prog, const void *ctx);

/**
 * perf_program_run - run a program
 * @prog: the program
 * @ctx: its context
 *
 * Does the same as bpf_prog_run(). Statistics are taken out of line, so the inlined code needs
 * fewer registers.
 *
 * Context: any, NMI included; preemption off.
 * Return: what the program returns.
 */
static __always_inline u32 perf_program_run(const struct bpf_prog *prog, const void *ctx)
{
	if (static_branch_unlikely(&bpf_stats_enabled_key))
		return perf_program_run_timed(prog, ctx);
	return bpf_dispatcher_nop_func(ctx, prog->insnsi, prog->bpf_func);
}

/**
 * perf_program_enter - begin to run programs that must not be interrupted by others
 *
 * On a CPU, programs of tracepoints, system calls, kprobes, kprobe_multi links and overflows of
 * perf events exclude each other. Code of BPF that must not be interrupted by such a program, as
 * that might need the same lock, excludes them, too.
 *
 * Calls nothing that can be traced, so a hit in here cannot recurse.
 *
 * Context: any, NMI included; preemption off until perf_program_exit().
 * Return: false if the programs must not run, and are to be counted as missed. In either case
 * perf_program_exit() has to follow.
 */
static __always_inline bool perf_program_enter(void)
{
	return likely(__this_cpu_inc_return(bpf_prog_active) == 1);
}

/* End what perf_program_enter() has begun. Preemption is still off. */
static __always_inline void perf_program_exit(void)
{
	__this_cpu_dec(bpf_prog_active);
}

/**
 * perf_programs_run_further - run the programs of a list behind the first one
 * @item: the second item of the list
 * @run: run context
 * @ctx: context of the programs
 *
 * Context: any, NMI included; preemption off.
 * Return: 1, or 0 if one of them returns 0.
 */
u32 perf_programs_run_further(const struct bpf_prog_array_item *item,
			      struct bpf_trace_run_ctx *run, void *ctx);

/*
 * Run each program of a list. It has one, usually not more: bpf_prog_array_copy() makes no empty
 * list. Return: 1, or 0 if one of them returns 0.
 */
static __always_inline u32 perf_programs_run_all(const struct bpf_prog_array *programs, void *ctx)
{
	const struct bpf_prog_array_item *item = programs->items;
	struct bpf_trace_run_ctx run __uninitialized;
	struct bpf_run_ctx *outer;
	u32 wanted;

	cant_sleep();
	outer = bpf_set_run_ctx(&run.run_ctx);
	run.is_uprobe = false;
	run.bpf_cookie = item->bpf_cookie;
	wanted = perf_program_run(READ_ONCE(item->prog), ctx);
	/* Another program may replace it, even one that does nothing, but NULL ends each list. */
	if (unlikely(data_race(item[1].prog)))
		wanted &= perf_programs_run_further(item + 1, &run, ctx);
	bpf_reset_run_ctx(outer);
	return wanted & 1;
}

/**
 * perf_programs_run - run the programs of an event or a kprobe
 * @list: where the list of programs is; it may have been detached meanwhile
 * @ctx: context of the programs
 *
 * A program that cannot run counts a miss. Preemption off is a read section of RCU, too: only
 * lockdep has to be notified.
 *
 * Context: any, NMI included; preemption off. The caller has no stack protector: the only variable
 * on its stack is the run context, which only helpers of programs access.
 * Return: true if each program wants perf to have a record of the hit.
 */
static __always_inline bool perf_programs_run(struct bpf_prog_array __rcu *const *list, void *ctx)
{
	const struct bpf_prog_array *programs;
	u32 wanted = 0;

	rcu_lock_acquire(&rcu_lock_map);
	programs = rcu_dereference(*list);
	if (unlikely(!programs)) {
		wanted = 1;
	} else {
		if (perf_program_enter())
			wanted = perf_programs_run_all(programs, ctx);
		else
			bpf_prog_inc_misses_counters(programs);
		perf_program_exit();
	}
	rcu_lock_release(&rcu_lock_map);
	return wanted;
}

#endif /* _KERNEL_TRACE_PERF_RUN_H */
