/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Copies of records for the exporters of <linux/trace.h>, on their way into the
 * ring buffer. With no exporter, each of the calls is a nop.
 *
 * Whoever records calls one of these between filling a record and committing
 * it. An exporter may do there only what an NMI may.
 */
#ifndef _KERNEL_TRACE_EXPORT_H
#define _KERNEL_TRACE_EXPORT_H

#include <linux/jump_label.h>
#include <linux/rcupdate.h>
#include <linux/trace.h>

#include "sites/lockless.h"

/* Somebody wants records of this kind. Changed by export.c, tested below. */
DECLARE_STATIC_KEY_FALSE(trace_export_function_key);
DECLARE_STATIC_KEY_FALSE(trace_export_event_key);
DECLARE_STATIC_KEY_FALSE(trace_export_marker_key);

/**
 * trace_export_record - give a record to all who want its kind
 * @record: the record, filled in, not committed yet
 * @len: its length in bytes
 * @kind: the one TRACE_EXPORT_* flag that it goes by
 *
 * The way out of line of the three below, which test first.
 *
 * Context: any, NMI included; preemption disabled. RCU need not be watching.
 */
void trace_export_record(const void *record, unsigned int len, int kind);

/**
 * trace_export_function - a call has been recorded
 * @record: the record, filled in, not committed yet
 * @len: its length in bytes
 *
 * Context: any, NMI included; preemption disabled.
 */
static __always_inline void trace_export_function(const void *record, unsigned int len)
{
	if (static_branch_unlikely(&trace_export_function_key))
		trace_export_record(record, len, TRACE_EXPORT_FUNCTION);
}

/**
 * trace_export_event - a trace event has been recorded
 * @record: the record, filled in, not committed yet
 * @len: its length in bytes
 *
 * Context: any, NMI included; preemption disabled.
 */
static __always_inline void trace_export_event(const void *record, unsigned int len)
{
	if (static_branch_unlikely(&trace_export_event_key))
		trace_export_record(record, len, TRACE_EXPORT_EVENT);
}

/**
 * trace_export_marker - user space has written to trace_marker, or _marker_raw
 * @record: the record, filled in, not committed yet
 * @len: its length in bytes
 *
 * Context: preemption disabled.
 */
static __always_inline void trace_export_marker(const void *record, unsigned int len)
{
	if (static_branch_unlikely(&trace_export_marker_key))
		trace_export_record(record, len, TRACE_EXPORT_MARKER);
}

/**
 * trace_export_follow_events - be told when somebody wants events, and when nobody does any more
 * @changed: called after trace_export_wants_events() has changed, perhaps, by several at once. It
 *	may sleep, and no lock is held
 *
 * Context: boot.
 */
void trace_export_follow_events(void (*changed)(void));

/* Does anybody want events? Context: any. */
static inline bool trace_export_wants_events(void)
{
	return static_key_enabled(&trace_export_event_key);
}

/**
 * trace_export_synchronize - wait for the exporters that are being called
 *
 * Functions are traced, and so exported, where RCU does not look: only a grace
 * period that goes by context switches on every CPU covers them. Without the
 * function tracer there is no such place.
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

#endif /* _KERNEL_TRACE_EXPORT_H */
