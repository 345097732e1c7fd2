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

#include <linux/types.h>

struct instance_part;
struct trace_array;

#ifdef CONFIG_FUNCTION_GRAPH_TRACER

/* The counts of each instance. */
extern struct instance_part left_out_part;

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
