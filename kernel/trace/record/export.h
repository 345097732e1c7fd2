/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Passing copies of records to the exporters of <linux/trace.h>. While there is no exporter, each
 * of the calls is a nop.
 *
 * Code that makes a record calls one of these functions after it has filled in the record, and
 * before it commits the record. An exporter may do only what is allowed in an NMI.
 */
#ifndef _KERNEL_TRACE_EXPORT_H
#define _KERNEL_TRACE_EXPORT_H

#include <linux/jump_label.h>
#include <linux/trace.h>

/* Each key is enabled while an exporter wants records of that kind. */
DECLARE_STATIC_KEY_FALSE(trace_export_function_key);
DECLARE_STATIC_KEY_FALSE(trace_export_event_key);
DECLARE_STATIC_KEY_FALSE(trace_export_marker_key);

/**
 * trace_export_record - pass a record to all exporters that want its kind
 * @record: the record, filled in, not committed yet
 * @len: bytes of the record
 * @kind: the kind: one TRACE_EXPORT_* flag
 *
 * The slow path of the three functions below, which test their static keys first.
 *
 * Context: any, NMI included; preemption disabled. RCU need not be watching.
 */
void trace_export_record(const void *record, unsigned int len, int kind);

/**
 * trace_export_function - export the record of a function call
 * @record: the record, filled in, not committed yet
 * @len: bytes of the record
 *
 * Context: any, NMI included; preemption disabled.
 */
static __always_inline void trace_export_function(const void *record, unsigned int len)
{
	if (static_branch_unlikely(&trace_export_function_key))
		trace_export_record(record, len, TRACE_EXPORT_FUNCTION);
}

/**
 * trace_export_event - export the record of an event
 * @record: the record, filled in, not committed yet
 * @len: bytes of the record
 *
 * Context: any, NMI included; preemption disabled.
 */
static __always_inline void trace_export_event(const void *record, unsigned int len)
{
	if (static_branch_unlikely(&trace_export_event_key))
		trace_export_record(record, len, TRACE_EXPORT_EVENT);
}

/**
 * trace_export_marker - export the record of a write to trace_marker or trace_marker_raw
 * @record: the record, filled in, not committed yet
 * @len: bytes of the record
 *
 * Context: preemption disabled.
 */
static __always_inline void trace_export_marker(const void *record, unsigned int len)
{
	if (static_branch_unlikely(&trace_export_marker_key))
		trace_export_record(record, len, TRACE_EXPORT_MARKER);
}

/**
 * trace_export_follow_events - set the function that counts the exporters of events
 * @count: the function, called with true when there is one more, with false when there is one
 *	less; several calls may run at once; it may sleep, and no lock is held
 *
 * Context: boot, before there are exporters.
 */
void trace_export_follow_events(void (*count)(bool more));

#endif /* _KERNEL_TRACE_EXPORT_H */
