/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counts the calls that function_graph leaves out because they are shorter than tracing_thresh
 * (SPEC T3).
 *
 * Each CPU has a count that only this CPU writes to: no call is lost and none is counted
 * twice. When the buffer is emptied the current value of the count is saved; reading subtracts
 * the saved value. The counts are a part of each instance (instance/part.h).
 */
#ifndef _KERNEL_TRACE_LEFT_OUT_H
#define _KERNEL_TRACE_LEFT_OUT_H

#include <asm/local.h>
#include <linux/types.h>

#include "clock/narrow.h"

struct instance_part;
struct trace_array;

#ifdef CONFIG_FUNCTION_GRAPH_TRACER

/* The counts of each instance. */
extern struct instance_part left_out_part;

/**
 * struct left_out - number of calls left out on one CPU
 * @count: calls since the instance was created
 * @before: value of @count when the buffer of the CPU was last emptied
 */
struct left_out {
#ifdef CONFIG_64BIT
	local_t			count;
#else
	struct narrow_counter	count;
#endif
	u64			before;
};

/**
 * left_out_of() - get the count of one CPU
 * @tr: the instance
 * @cpu: the CPU; no other CPU may increment the count
 *
 * Context: any.
 */
struct left_out *left_out_of(const struct trace_array *tr, int cpu);

/**
 * left_out_add() - count a call that is left out on this CPU
 * @tr: the instance
 *
 * Does nothing while the instance does not record on this CPU: the call would not have been
 * recorded anyway.
 *
 * Context: any, NMI included; preemption off.
 */
void left_out_add(struct trace_array *tr);

/**
 * left_out_calls() - get the number of calls left out since the buffer was emptied
 * @tr: the instance
 * @cpu: the CPU, or RING_BUFFER_ALL_CPUS for the sum over all CPUs
 *
 * Context: any.
 */
u64 left_out_calls(struct trace_array *tr, int cpu);

#else

static inline u64 left_out_calls(struct trace_array *tr, int cpu)
{
	return 0;
}

#endif /* CONFIG_FUNCTION_GRAPH_TRACER */

#endif /* _KERNEL_TRACE_LEFT_OUT_H */
