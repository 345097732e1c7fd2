/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Static keys that take calls off the fast path. The fast path of the function tracers handles
 * only the common case. A user of a rare feature switches the key of that tracer here, for all
 * instances, and calls are recorded by the general code.
 */
#ifndef _KERNEL_TRACE_FAST_PATH_H
#define _KERNEL_TRACE_FAST_PATH_H

#include <linux/jump_label.h>

/* The function tracer has exporters or pid lists. Counted. */
DECLARE_STATIC_KEY_FALSE(trace_function_general_key);

/* function_graph may not record every call: limits or pid lists. Counted. */
DECLARE_STATIC_KEY_FALSE(trace_graph_limited_key);

#endif /* _KERNEL_TRACE_FAST_PATH_H */
