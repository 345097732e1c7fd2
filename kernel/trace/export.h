/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Copies of records for the exporters of <linux/trace.h>, on their way into the
 * ring buffer. With no exporter, each of the calls is a nop.
 */
#ifndef _KERNEL_TRACE_EXPORT_H
#define _KERNEL_TRACE_EXPORT_H

#include <linux/jump_label.h>
#include <linux/rcupdate.h>
#include <linux/trace.h>

DECLARE_STATIC_KEY_FALSE(trace_export_function_key);
DECLARE_STATIC_KEY_FALSE(trace_export_event_key);
DECLARE_STATIC_KEY_FALSE(trace_export_marker_key);

/* The way to the exporters, out of line. */
void trace_export_record(const void *record, unsigned int len, int kind);

/* Does anybody want a copy of each call? */
static __always_inline bool trace_exports_functions(void)
{
	return static_branch_unlikely(&trace_export_function_key);
}

/**
 * trace_export_function - a call has been recorded
 * @record: the record, filled in, not committed yet
 * @len: its length
 *
 * Context: any, preemption disabled.
 */
static __always_inline void trace_export_function(const void *record, unsigned int len)
{
	if (static_branch_unlikely(&trace_export_function_key))
		trace_export_record(record, len, TRACE_EXPORT_FUNCTION);
}

/* The same for a trace event. */
static __always_inline void trace_export_event(const void *record, unsigned int len)
{
	if (static_branch_unlikely(&trace_export_event_key))
		trace_export_record(record, len, TRACE_EXPORT_EVENT);
}

/* The same for what user space wrote to trace_marker. */
static __always_inline void trace_export_marker(const void *record, unsigned int len)
{
	if (static_branch_unlikely(&trace_export_marker_key))
		trace_export_record(record, len, TRACE_EXPORT_MARKER);
}

/*
 * Functions are traced, and so exported, where RCU does not look: only a grace
 * period that goes by context switches on every CPU covers them. Without the
 * function tracer there is no such place.
 */
static inline void trace_export_synchronize(void)
{
	synchronize_rcu();
#ifdef CONFIG_TASKS_RUDE_RCU
	synchronize_rcu_tasks_rude();
#endif
}

#endif /* _KERNEL_TRACE_EXPORT_H */
