/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Calls are recorded in a straight line of code, without a look at what hardly anybody
 * asks for. Who asks for it switches the key here, for all instances, and a call takes the
 * general way.
 */
#ifndef _KERNEL_TRACE_STRAIGHT_H
#define _KERNEL_TRACE_STRAIGHT_H

#include <linux/jump_label.h>

/* Of the function tracer: exporters, pid lists. Counted. */
DECLARE_STATIC_KEY_FALSE(trace_function_general_key);

/* Of function_graph, not every call is to be recorded: limits, pid lists. Counted. */
DECLARE_STATIC_KEY_FALSE(trace_graph_limited_key);

#endif /* _KERNEL_TRACE_STRAIGHT_H */
