/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Patching call sites.
 *
 * Changes are collected in a batch of fixed size and written under
 * stop_machine(), a slice at a time, so that a stop does not hold the CPUs
 * longer than the budget however many sites change (SPEC D3).  In a guest where stopping
 * the CPUs alone takes longer than the budget, a slice may take as long as that did:
 * see patch.c.  Only NMIs run during a stop; a site that an NMI
 * executes behaves as before or as after the change (SPEC D4).
 *
 * A site with unexpected bytes is reported once and marked
 * failed, and the tracer turns itself off (SPEC D8).
 */
#ifndef _KERNEL_TRACE_PATCH_H
#define _KERNEL_TRACE_PATCH_H

#include <linux/ftrace_arch.h>
#include <linux/time64.h>
#include <linux/types.h>

struct site;

/* Limit for the time to write sites in one stop, by local_clock(). */
#define PATCH_BUDGET_NS	(50 * NSEC_PER_USEC)

/**
 * struct patch_stats - numbers for dyn_ftrace_total_info (SPEC D6)
 * @stops: number of stops of the machine since boot
 * @patched: number of writes of a site since boot
 * @worst_ns: the longest stop in nanoseconds, from when all CPUs had stopped
 *	until the sites were written; 0 if the clock has never advanced during a
 *	stop
 */
struct patch_stats {
	unsigned long	stops;
	unsigned long	patched;
	u64		worst_ns;
};

/**
 * patch_add() - queue the change of a site; write the batch when it is full
 * @site: record of the site, usable or NEW, in a live region, not queued already
 * @ip: address of the site
 * @set: id of the new dispatch set: DISPATCH_EMPTY, or a set that is in use
 *
 * The site and its record do not change before the batch is written.  A NEW site
 * that is not as the compiler left it is marked failed, without an error.
 *
 * Context: ftrace_lock held, may sleep.
 *
 * Return: 0, or an error of patch_run() if the batch was full.
 */
int patch_add(struct site *site, unsigned long ip, u32 set);

/**
 * patch_run() - write the queued changes
 *
 * Changes sites, their records and the number of sites of each set.  The
 * batch is empty afterwards, also after an error.
 *
 * Context: ftrace_lock held, may sleep; takes the CPU hotplug lock and
 * text_mutex.
 *
 * Return: 0; -ENOMEM: no site was written, now or ever before; -EINVAL,
 * -EFAULT: a site was not as expected, and the tracer has died of it (SPEC D8).
 */
int patch_run(void);

/**
 * patch_drop() - discard the queued changes
 *
 * For callers that fail half-way.  Changes that were written already stay.
 *
 * Context: ftrace_lock held.
 */
void patch_drop(void);

/**
 * patch_stats() - get the statistics of stops and patched sites
 *
 * Context: any; the statistics change under ftrace_lock.
 *
 * Return: pointer to the statistics, valid for ever.
 */
const struct patch_stats *patch_stats(void);

/**
 * patch_stops_measured() - check whether the clock was able to measure stops
 * @stats: the statistics
 *
 * A clock that counts ticks does not advance while interrupts are off.
 *
 * Context: any.
 *
 * Return: false if &patch_stats.worst_ns is meaningless.
 */
static inline bool patch_stops_measured(const struct patch_stats *stats)
{
	return !stats->stops || stats->worst_ns;
}

#endif /* _KERNEL_TRACE_PATCH_H */
