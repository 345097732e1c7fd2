/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Room: patch - moves call sites from what they call to what they should call.
 *
 * Changes are collected in a batch of fixed size and written under
 * stop_machine(), a slice at a time, so that no CPU is held longer than the
 * budget however many sites change (SPEC D3).  An NMI is the one thing that
 * runs meanwhile; whatever site it meets executes as before or as after.
 *
 * A site whose bytes are not what they should be is reported once, marked
 * failed, and the tracer turns itself off (SPEC D8).
 */
#ifndef _KERNEL_TRACE_PATCH_H
#define _KERNEL_TRACE_PATCH_H

#include <linux/ftrace_arch.h>
#include <linux/time64.h>
#include <linux/types.h>

struct site;

/* How long one stop may take. */
#define PATCH_BUDGET_NS	(50 * NSEC_PER_USEC)

/* Numbers for dyn_ftrace_total_info (SPEC D6). */
struct patch_stats {
	unsigned long	stops;		/* times the machine was stopped */
	unsigned long	patched;	/* sites written */
	u64		worst_ns;	/* the longest stop */
};

/**
 * patch_add - queue a change; runs the batch when it is full
 * @site: the record
 * @ip: its address
 * @set: the dispatch set it shall have
 *
 * Context: ftrace_lock held, may sleep.
 *
 * Return: 0 or the error of a batch that was run.
 */
int patch_add(struct site *site, unsigned long ip, u32 set);

/**
 * patch_run - write what is queued
 *
 * Context: ftrace_lock held, may sleep.
 *
 * Return: 0; -EINVAL, -EFAULT if a site was not as expected: the tracer is
 * dead then.
 */
int patch_run(void);

/**
 * patch_drop - forget what is queued
 *
 * For callers that fail half-way.  Context: ftrace_lock held.
 */
void patch_drop(void);

/* The numbers so far.  Context: ftrace_lock held. */
const struct patch_stats *patch_stats(void);

#endif /* _KERNEL_TRACE_PATCH_H */
