/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Moves call sites from what they call to what they should call.
 *
 * Changes are collected in a batch of fixed size and written under
 * stop_machine(), a slice at a time, so that writing does not hold the CPUs
 * longer than the budget however many sites change (SPEC D3).  Where gathering
 * them has broken it already, in a guest, a slice may take as long as that did:
 * see patch.c.  An NMI is the one thing that runs meanwhile; whatever site it
 * meets executes as before or as after (SPEC D4).
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

/* How long the writing in one stop may take, by local_clock(). */
#define PATCH_BUDGET_NS	(50 * NSEC_PER_USEC)

/**
 * struct patch_stats - numbers for dyn_ftrace_total_info (SPEC D6)
 * @stops: times the machine was stopped since boot
 * @patched: sites written since boot, each time they were
 * @worst_ns: the longest stop, in nanoseconds: from when the CPUs had come
 *	together to when all was written; 0 as long as the clock never got on
 *	meanwhile
 */
struct patch_stats {
	unsigned long	stops;
	unsigned long	patched;
	u64		worst_ns;
};

/**
 * patch_add - queue a change; runs the batch when it is full
 * @site: the record, usable or NEW, in a live region, not queued already
 * @ip: its address
 * @set: the dispatch set it shall have: DISPATCH_EMPTY, or one that is in use
 *
 * Until patch_run() the site calls what it called, and its record says so.  A NEW one
 * that is not as the compiler left it is marked failed, and that is no error.
 *
 * Context: ftrace_lock held, may sleep.
 *
 * Return: 0, or the error of a batch that was run; see patch_run().
 */
int patch_add(struct site *site, unsigned long ip, u32 set);

/**
 * patch_run - write what is queued
 *
 * Sites, their records and the sets' numbers of sites change together.  The
 * batch is empty afterwards, whatever is returned.
 *
 * Context: ftrace_lock held, may sleep; takes the CPU hotplug lock and
 * text_mutex.
 *
 * Return: 0; -ENOMEM, with nothing written, before any site ever was; -EINVAL,
 * -EFAULT if a site was not as expected: the tracer is dead then (SPEC D8).
 */
int patch_run(void);

/**
 * patch_drop - forget what is queued
 *
 * For callers that fail half-way.  What was written already stays.
 *
 * Context: ftrace_lock held.
 */
void patch_drop(void);

/**
 * patch_stats - the numbers so far
 *
 * Context: any; what is pointed to changes under ftrace_lock.
 *
 * Return: the numbers themselves, there for good.
 */
const struct patch_stats *patch_stats(void);

/**
 * patch_stops_measured - does the longest stop mean anything
 * @stats: the numbers
 *
 * A clock that counts ticks stands still while interrupts are off.
 *
 * Context: as patch_stats().
 */
static inline bool patch_stops_measured(const struct patch_stats *stats)
{
	return !stats->stops || stats->worst_ns;
}

/**
 * patch_test_clock - have another clock measure the caller's stops, for tests
 * @clock: notrace, called inside the stops and around them; NULL for the usual one
 *
 * Others may write sites meanwhile, as ftraced does: that is measured as ever. Takes the
 * place of patch_test_between(), and the other way round.
 *
 * Context: may sleep; takes ftrace_lock.
 */
void patch_test_clock(u64 (*clock)(void));

/**
 * patch_test_stats - the numbers of the caller's stops since patch_test_clock()
 *
 * In those of patch_stats() the longest of them is left out.
 *
 * Context: the task that has called patch_test_clock().
 *
 * Return: the numbers themselves.
 */
const struct patch_stats *patch_test_stats(void);

#endif /* _KERNEL_TRACE_PATCH_H */
