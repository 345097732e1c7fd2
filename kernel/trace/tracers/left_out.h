/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How many calls function_graph has left out because they were too short (SPEC T3).
 *
 * Each CPU counts for itself, and nobody else ever writes to its count: no call is lost
 * and none counted twice. What the count was when the buffer was emptied is kept beside
 * it, and taken off when it is read. A part of each instance (instance/part.h).
 */
#ifndef _KERNEL_TRACE_LEFT_OUT_H
#define _KERNEL_TRACE_LEFT_OUT_H

#include <asm/local.h>
#include <linux/types.h>

#include "clock/narrow.h"

struct instance_part;
struct trace_array;

#ifdef CONFIG_FUNCTION_GRAPH_TRACER

extern struct instance_part left_out_part;

/**
 * struct left_out - the calls of one CPU
 * @count: since the instance was made
 * @before: of these, up to when the buffer was last emptied
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
 * left_out_of - the calls of one CPU
 * @tr: the instance
 * @cpu: where; only that CPU may count
 *
 * Context: any.
 */
struct left_out *left_out_of(const struct trace_array *tr, int cpu);

/**
 * left_out_add - this CPU leaves out a call
 * @tr: the instance
 *
 * Not counted while the instance does not record here: what would have been dropped
 * was not left out for being short.
 *
 * Context: any, NMI included; preemption off.
 */
void left_out_add(struct trace_array *tr);

/**
 * left_out_calls - how many calls were left out since the buffer was emptied
 * @tr: the instance
 * @cpu: where, or RING_BUFFER_ALL_CPUS
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
