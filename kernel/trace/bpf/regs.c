// SPDX-License-Identifier: GPL-2.0
/*
 * Memory for the registers that helpers of raw tracepoints pass to perf. The context of a program
 * of a raw tracepoint has no registers. A helper for it takes this memory, sets the registers by
 * perf_fetch_caller_regs(), and gives the memory back.
 *
 * Only the helper itself may call perf_fetch_caller_regs(): the registers point to the frame of
 * the function that calls it, which must still be there when perf unwinds the stack.
 */
#include <linux/array_size.h>
#include <linux/compiler.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>

#include "helpers.h"

/**
 * struct raw_regs - the registers that the helpers of a CPU use
 * @depth: number of helpers that use registers, each of which has interrupted the one before. When
 *	an interrupt ends, @depth is what it was before, so changing it need not be atomic
 * @regs: the registers of each of these helpers; not on the stack, to keep that small
 */
struct raw_regs {
	unsigned int	depth;
	struct pt_regs	regs[3];
};

static DEFINE_PER_CPU(struct raw_regs, raw_regs);

struct pt_regs *trace_bpf_get_raw_tp_regs(void)
{
	struct raw_regs *cpu;

	preempt_disable_notrace();
	cpu = this_cpu_ptr(&raw_regs);
	if (cpu->depth < ARRAY_SIZE(cpu->regs)) {
		struct pt_regs *regs = &cpu->regs[cpu->depth++];

		/* An interrupt must see the new depth before the registers are written. */
		barrier();
		return regs;
	}
	preempt_enable_notrace();
	return NULL;
}

void trace_bpf_put_raw_tp_regs(void)
{
	/* The registers must have been read before an interrupt can see the old depth. */
	barrier();
	this_cpu_ptr(&raw_regs)->depth--;
	preempt_enable_notrace();
}
