/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Limits of what function_graph records: set_graph_function, set_graph_notrace,
 * max_graph_depth and tracing_thresh.  The limits hold in all instances.
 */
#ifndef _KERNEL_TRACE_GRAPH_LIMITS_H
#define _KERNEL_TRACE_GRAPH_LIMITS_H

#include <linux/compiler.h>
#include <linux/init.h>

#include "instance/latency.h"

/**
 * graph_limits_set_thresh() - set tracing_thresh
 * @nsecs: threshold in nanoseconds; 0 for none
 *
 * Context: may sleep.
 */
#ifdef CONFIG_FUNCTION_GRAPH_TRACER
void graph_limits_set_thresh(unsigned long nsecs);
#else
static inline void graph_limits_set_thresh(unsigned long nsecs)
{
	WRITE_ONCE(tracing_thresh, nsecs);
}
#endif

/**
 * graph_limits_boot() - apply ftrace_graph_filter= and ftrace_graph_notrace=
 *
 * Prints a warning for each word that matches no function.
 *
 * Context: boot, once the call sites are recorded.
 */
#ifdef CONFIG_FUNCTION_GRAPH_TRACER
void __init graph_limits_boot(void);
#else
static inline void graph_limits_boot(void) { }
#endif

#endif /* _KERNEL_TRACE_GRAPH_LIMITS_H */
