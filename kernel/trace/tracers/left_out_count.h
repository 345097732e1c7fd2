/* SPDX-License-Identifier: GPL-2.0 */
/* The count of calls left out on one CPU, see left_out.h. */
#ifndef _KERNEL_TRACE_LEFT_OUT_COUNT_H
#define _KERNEL_TRACE_LEFT_OUT_COUNT_H

#include <asm/local.h>
#include <linux/types.h>

#include "clock/narrow.h"

struct trace_array;

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

#endif /* _KERNEL_TRACE_LEFT_OUT_COUNT_H */
