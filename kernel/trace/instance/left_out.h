/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How many calls function_graph has left out because they were too short (SPEC T3).
 *
 * Each CPU counts for itself, and nobody else ever writes to its count: no call is lost
 * and none counted twice. What the count was when the buffer was emptied is kept beside
 * it, and taken off when it is read.
 */
#ifndef _KERNEL_TRACE_LEFT_OUT_H
#define _KERNEL_TRACE_LEFT_OUT_H

#include <asm/local.h>

#include "clock/narrow.h"

struct trace_array;

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
 * left_out_forget - the buffer is emptied
 * @tr: the instance
 * @cpu: whose, or RING_BUFFER_ALL_CPUS
 *
 * Context: one at a time.
 */
void left_out_forget(struct trace_array *tr, int cpu);

/**
 * left_out_calls - how many calls were left out since the buffer was emptied
 * @tr: the instance
 * @cpu: where, or RING_BUFFER_ALL_CPUS
 *
 * Context: any.
 */
u64 left_out_calls(struct trace_array *tr, int cpu);

#endif /* _KERNEL_TRACE_LEFT_OUT_H */
