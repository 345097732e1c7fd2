// SPDX-License-Identifier: GPL-2.0
/*
 * trace_dump_stack(): records the current call stack in the trace, for debugging.
 */
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/preempt.h>

#include "instance/instance.h"
#include "internal.h"
#include "record/record.h"
#include "record/stack.h"

/**
 * trace_dump_stack() - record the call stack
 * @skip: number of functions to leave out, beginning with the caller of this function
 *
 * The stack is recorded in the instance in which trace_printk() records.
 *
 * Context: any, NMI included.
 */
void trace_dump_stack(int skip)
{
	unsigned int ctx = trace_ctx();

	if (!tracing_initialized())
		return;
	/* While preemption is off, the instance is not freed. */
	guard(preempt_notrace)();
	trace_stack_record_above(trace_printk_dest(), ctx, _RET_IP_, max(skip, 0), NULL);
}
EXPORT_SYMBOL_GPL(trace_dump_stack);
