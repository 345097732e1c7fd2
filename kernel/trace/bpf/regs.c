// SPDX-License-Identifier: GPL-2.0
/*
 * Memory for the registers that helpers of raw tracepoints hand to perf. A program of a raw
 * tracepoint has no registers in its context. A helper for it takes this memory, fills it in by
 * perf_fetch_caller_regs(), and gives it back.
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
 * struct raw_regs - registers of the nested programs of a CPU
 * @depth: number of elements of @regs in use. An interrupt leaves it as it was, so changing it
 *	need not be atomic
 * @regs: registers by depth
 */
struct raw_regs {
	unsigned int	depth;
	struct pt_regs	regs[3];
};

static DEFINE_PER_CPU(struct raw_regs, raw_regs);

struct pt_regs *trace_bpf_get_raw_regs(void)
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

void trace_bpf_put_raw_regs(void)
{
	/* The registers must have been read before an interrupt can see the old depth. */
	barrier();
	this_cpu_ptr(&raw_regs)->depth--;
	preempt_enable_notrace();
}
