/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Private to record/: the entries that hold stacks, the number of scratch records, and waiting for
 * exporters.
 */
#ifndef _KERNEL_TRACE_RECORD_INTERNAL_H
#define _KERNEL_TRACE_RECORD_INTERNAL_H

#include <linux/limits.h>
#include <linux/rcupdate.h>
#include <linux/trace_events.h>

#include "scratch.h"
#include "sites/lockless.h"

/* Length of the array @caller in the entries below, according to their format files. */
#define STACK_ENTRY_CALLERS	8

/*
 * Takes the place of an address inside a dispatch trampoline, whose memory may hold other code
 * when the entry is read.
 */
#define STACK_ENTRY_TRAMPOLINE	((unsigned long)INT_MAX)

/* A kernel stack: @size return addresses, the innermost one first. */
struct stack_entry {
	struct trace_entry	ent;
	int			size;
	unsigned long		caller[];
};

/* A user stack: return addresses, up to the first 0, or all if there is none. */
struct user_stack_entry {
	struct trace_entry	ent;
	unsigned int		tgid;
	unsigned long		caller[STACK_ENTRY_CALLERS];
};

/*
 * Number of scratch records that an event and an eprobe on it have in use at once: the record of
 * the event, which the eprobe reads, and that of the eprobe, which a filter may read.
 */
#define TRACE_SCRATCH_RECORDS	2U

/* For each enum trace_scratch_use: how many scratch records a CPU may have in use at once. */
#define TRACE_SCRATCH_PLACES_READ	(TRACE_SCRATCH_CONTEXTS + TRACE_SCRATCH_EARLY)
#define TRACE_SCRATCH_PLACES_PROBE	(TRACE_SCRATCH_RECORDS * TRACE_SCRATCH_PLACES_READ)
#define TRACE_SCRATCH_PLACES_SYNTH	\
	(TRACE_SCRATCH_PLACES_PROBE + TRACE_SCRATCH_RECORDS * TRACE_SCRATCH_DEPTHS)

/**
 * trace_export_synchronize - wait for calls of exporters that are running
 *
 * Functions are traced, and their records exported, also where RCU is not watching. There, an
 * RCU grace period does not wait for them, but one that waits for a context switch of every CPU
 * does. Without the function tracer, no records are made there.
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
