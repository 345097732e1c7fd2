// SPDX-License-Identifier: GPL-2.0
/*
 * trace_dump_stack(): where the kernel is, said in a trace.
 */
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/preempt.h>

#include "instance/instance.h"
#include "record/record.h"
#include "record/stack.h"
#include "trace_printk.h"

/**
 * trace_dump_stack - record where the kernel is
 * @skip: leave out so many callers, counted from the caller of this function
 *
 * It goes where trace_printk() goes.
 *
 * Context: any, NMI included.
 */
void trace_dump_stack(int skip)
{
	unsigned int ctx = trace_ctx();

	if (!tracing_initialized())
		return;
	/* An instance is there until preemption is on again. */
	guard(preempt_notrace)();
	trace_stack_record_above(trace_printk_dest(), ctx, _RET_IP_, max(skip, 0), NULL);
}
EXPORT_SYMBOL_GPL(trace_dump_stack);
