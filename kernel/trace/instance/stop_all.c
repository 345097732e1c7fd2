// SPDX-License-Identifier: GPL-2.0
/* Recording in all instances at once: for ftrace_kill(), and for kexec. */
#include <linux/cleanup.h>
#include <linux/ftrace.h>
#include <linux/preempt.h>

#include "instance.h"
#include "internal.h"

/**
 * tracing_off_all() - switch recording off in all instances, as tracing_off() does in the top
 * one
 *
 * Context: any, NMI included.
 */
void tracing_off_all(void)
{
	struct trace_array *tr;

	guard(preempt_notrace)();
	for_each_trace_array_rcu(tr)
		tracer_tracing_off(tr);
}

/**
 * tracing_stop_all() - suspend recording in all instances, as tracing_stop() does in the top
 * one
 *
 * The set of instances must not change before tracing_start_all().
 *
 * Context: any, NMI included.
 */
void tracing_stop_all(void)
{
	struct trace_array *tr;

	guard(preempt_notrace)();
	for_each_trace_array_rcu(tr)
		trace_array_stop(tr);
}

/**
 * tracing_start_all() - end one tracing_stop_all()
 *
 * Context: any, NMI included.
 */
void tracing_start_all(void)
{
	struct trace_array *tr;

	guard(preempt_notrace)();
	for_each_trace_array_rcu(tr)
		trace_array_start(tr);
}
