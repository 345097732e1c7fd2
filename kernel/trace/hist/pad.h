/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Scratch memory for hits of synthetic events that an action of another histogram generates. Such
 * hits nest several levels deep, so that the key and the values of each level would need too much
 * of the stack.
 */
#ifndef _KERNEL_TRACE_HIST_PAD_H
#define _KERNEL_TRACE_HIST_PAD_H

#include <linux/sched.h>
#include <linux/types.h>

#include "action.h"
#include "internal.h"
#include "record/scratch.h"
#include "synth/synth.h"

/**
 * struct hist_pad - scratch memory of a hit
 * @key: the key, and the name of the task behind it
 * @now: state of the hit
 * @synth_vals: values for a synthetic event with many fields
 */
struct hist_pad {
	u64			key[(HIST_KEY_MAX + TASK_COMM_LEN) / sizeof(u64)];
	struct hist_now		now;
	struct hist_synth_vals	synth_vals;
};

/* Pads per CPU: nested synthetic events of all contexts, and early interrupts of these. */
#define HIST_PADS (TRACE_SCRATCH_DEPTHS + TRACE_SCRATCH_EARLY)

/**
 * hist_scratch_get - allocate scratch memory on each CPU, unless there is some already
 *
 * Each call that succeeds needs a hist_scratch_put().
 *
 * Context: may sleep; events_lock held.
 * Return: 0 or -ENOMEM.
 */
int hist_scratch_get(void);

/**
 * hist_scratch_put - undo hist_scratch_get(), and free the memory with the last call
 *
 * Hits of the histogram that called hist_scratch_get() are over.
 *
 * Context: may sleep; events_lock held.
 */
void hist_scratch_put(void);

/**
 * hist_pad_take - take scratch memory for a hit
 *
 * Context: any, NMI included; preemption off until hist_pad_return().
 * Return: the memory, for hist_pad_return(); NULL if all pads of the CPU are taken.
 */
struct hist_pad *hist_pad_take(void);

/**
 * hist_pad_return - return the pad of the latest hist_pad_take() on this CPU
 *
 * Hits that interrupted this one have already returned their pads.
 *
 * Context: that of hist_pad_take(), on the same CPU.
 */
void hist_pad_return(void);

#endif /* _KERNEL_TRACE_HIST_PAD_H */
