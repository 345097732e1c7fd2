/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Scratch memory of hits that other histograms have made come: where synthetic events come
 * several deep, what each of them needs while it is counted is not on the stack.
 */
#ifndef _KERNEL_TRACE_HIST_PAD_H
#define _KERNEL_TRACE_HIST_PAD_H

#include <linux/sched.h>
#include <linux/types.h>

#include "action.h"
#include "internal.h"
#include "record/beside.h"
#include "synth/synth.h"

/**
 * struct hist_pad - scratch memory of a hit
 * @key: the key, with the name of the task
 * @now: what is known
 * @told: what a synthetic event with many fields is told
 */
struct hist_pad {
	u64			key[(HIST_KEY_MAX + TASK_COMM_LEN) / sizeof(u64)];
	struct hist_now		now;
	struct hist_told	told;
};

/* As many as synthetic events can be deep on a CPU, and early interrupts of these. */
#define HIST_PADS (TRACE_BESIDE_DEPTHS + TRACE_BESIDE_EARLY)

/**
 * hist_pads_get - have scratch memory on each CPU
 *
 * Context: may sleep; events_lock held.
 * Return: 0 or -ENOMEM.
 */
int hist_pads_get(void);

/**
 * hist_pads_put - end of a hist_pads_get()
 *
 * No histogram that got it is hit any more.
 *
 * Context: may sleep; events_lock held.
 */
void hist_pads_put(void);

/**
 * hist_pad_take - scratch memory for a hit
 *
 * Context: any, NMI included; preemption off until hist_pad_return().
 * Return: the memory; NULL if all is taken: then there is no hist_pad_return().
 */
struct hist_pad *hist_pad_take(void);

/**
 * hist_pad_return - the hit has been counted
 *
 * Hits that have interrupted this one have returned theirs.
 *
 * Context: that of hist_pad_take(), on the same CPU.
 */
void hist_pad_return(void);

#endif /* _KERNEL_TRACE_HIST_PAD_H */
