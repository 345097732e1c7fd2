// SPDX-License-Identifier: GPL-2.0
/*
 * Hits of probes of kernel code to whose events BPF programs are attached. These probes have
 * handlers of their own, so that others need not look for programs.
 *
 * A handler has no stack protector: see perf_programs_run().
 */
#include <linux/compiler.h>
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/ptrace.h>

#include "guard/guard.h"
#include "kprobe.h"
#include "perf/run.h"

/* How records of a hit are to be made after the programs have run. */
enum kernel_probe_records {
	NO_RECORDS,		/* only perf has enabled the event, and a program refuses */
	RECORDS_BUT_PERF,	/* instances get records; a program refuses those of perf */
	ALL_RECORDS,
};

/* Run the programs of a hit. Return: which records are to be made; usually none. */
static __always_inline enum kernel_probe_records
kernel_probe_run_programs(const struct probe_event *event, struct pt_regs *regs)
{
	/*
	 * Kprobes read which handler to call without a barrier, and that must come before the read
	 * of &probe_event.programs. Pairs with smp_wmb() in kprobe_set_handlers().
	 */
	smp_rmb();
	if (unlikely(!trace_rcu_is_watching() ||
		     perf_programs_run(READ_ONCE(event->programs), regs)))
		return ALL_RECORDS;
	return likely(probe_event_has_one_link(event)) ? NO_RECORDS : RECORDS_BUT_PERF;
}

static noinline void kernel_probe_record(const struct kernel_probe *k,
					 enum kernel_probe_records records, struct pt_regs *regs,
					 const void *data, unsigned long to)
{
	unsigned long at = (unsigned long)k->rp.kp.addr;

	if (records == ALL_RECORDS)
		probe_hit(&k->probe, regs, data, at, to);
	else
		probe_hit_without_perf(&k->probe, regs, data, at, to);
}

__no_stack_protector int kprobe_entry_programs(struct kprobe *kp, struct pt_regs *regs)
{
	const struct kernel_probe *k = container_of(kp, struct kernel_probe, rp.kp);
	enum kernel_probe_records records = kernel_probe_run_programs(k->probe.event, regs);

	if (likely(records == NO_RECORDS))
		this_cpu_inc(*k->probe.hits);
	else
		kernel_probe_record(k, records, regs, NULL, 0);
	return 0;
}

NOKPROBE_SYMBOL(kprobe_entry_programs);

/* If a program has changed where the task goes on, the probed instruction must not be executed. */
int kprobe_entry_overridable(struct kprobe *kp, struct pt_regs *regs)
{
	unsigned long ip = instruction_pointer(regs);

	kprobe_entry_programs(kp, regs);
	return instruction_pointer(regs) != ip;
}

NOKPROBE_SYMBOL(kprobe_entry_overridable);

__no_stack_protector int kretprobe_return_programs(struct kretprobe_instance *ri,
						   struct pt_regs *regs)
{
	const struct kretprobe *rp = get_kretprobe(ri);
	unsigned long to = instruction_pointer(regs);
	enum kernel_probe_records records;
	const struct kernel_probe *k;

	/* The kretprobe is being unregistered. */
	if (!rp)
		return 0;
	k = kernel_probe_of(rp);
	records = kernel_probe_run_programs(k->probe.event, regs);
	/* bpf_override_return() sets it, but the task goes on in the caller in any case. */
	instruction_pointer_set(regs, to);
	if (likely(records == NO_RECORDS))
		this_cpu_inc(*k->probe.hits);
	else
		kernel_probe_record(k, records, regs, ri->data, to);
	return 0;
}

NOKPROBE_SYMBOL(kretprobe_return_programs);
