// SPDX-License-Identifier: GPL-2.0
/*
 * Recording in all instances at once: for the function tracer, when it dies, and
 * for kexec, when the machine changes under it.
 */
#include <linux/cleanup.h>
#include <linux/ftrace.h>
#include <linux/preempt.h>

#include "instance.h"

/**
 * tracing_off_all - as tracing_off(), in all instances
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
 * tracing_stop_all - as tracing_stop(), in all instances
 *
 * Context: any, NMI included; no instance comes or goes before
 * tracing_start_all().
 */
void tracing_stop_all(void)
{
	struct trace_array *tr;

	guard(preempt_notrace)();
	for_each_trace_array_rcu(tr)
		trace_array_stop(tr);
}

/**
 * tracing_start_all - end a tracing_stop_all()
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
