/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Private to record/: the entries of stacks, the number of scratch records, and waiting for
 * exporters.
 */
#ifndef _KERNEL_TRACE_RECORD_INTERNAL_H
#define _KERNEL_TRACE_RECORD_INTERNAL_H

#include <linux/limits.h>
#include <linux/rcupdate.h>
#include <linux/trace_events.h>

#include "scratch.h"
#include "sites/lockless.h"

/* Number of callers in a stack entry according to its format file. */
#define STACK_ENTRY_CALLERS	8

/*
 * Takes the place of an address inside a dispatch trampoline, whose memory may hold other code
 * when the entry is read.
 */
#define STACK_ENTRY_TRAMPOLINE	((unsigned long)INT_MAX)

/* A kernel stack: @size addresses, the innermost caller first. */
struct stack_entry {
	struct trace_entry	ent;
	int			size;
	unsigned long		caller[];
};

/* A user stack; ends at the first 0, or at the end of the array. */
struct user_stack_entry {
	struct trace_entry	ent;
	unsigned int		tgid;
	unsigned long		caller[STACK_ENTRY_CALLERS];
};

/* An eprobe has two records in use: the one that it reads, and its own, which a filter may read. */
#define TRACE_SCRATCH_RECORDS	2U

/* Number of places of a CPU: the number of scratch records that can be in use at a time. */
#define TRACE_SCRATCH_PLACES_READ	(TRACE_SCRATCH_CONTEXTS + TRACE_SCRATCH_EARLY)
#define TRACE_SCRATCH_PLACES_PROBE	(TRACE_SCRATCH_RECORDS * TRACE_SCRATCH_PLACES_READ)
#define TRACE_SCRATCH_PLACES_SYNTH	\
	(TRACE_SCRATCH_PLACES_PROBE + TRACE_SCRATCH_RECORDS * TRACE_SCRATCH_DEPTHS)

/**
 * trace_export_synchronize - wait for calls of exporters in flight
 *
 * Functions are traced, and so exported, where RCU does not watch: only a grace period based on
 * context switches of every CPU covers them. Without the function tracer there are no such
 * places.
 *
 * Context: process, sleeps.
 */
#ifdef CONFIG_FUNCTION_TRACER
static inline void trace_export_synchronize(void)
{
	lockless_synchronize();
}
#else
static inline void trace_export_synchronize(void)
{
	synchronize_rcu();
}
#endif

#endif /* _KERNEL_TRACE_RECORD_INTERNAL_H */
