/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The event of ftrace_grow_00000.c.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM ftrace_grow

#if !defined(_FTRACE_GROW_EVENTS_H) || defined(TRACE_HEADER_MULTI_READ)
#define _FTRACE_GROW_EVENTS_H

#include <linux/tracepoint.h>

TRACE_EVENT(grow_00000,
	TP_PROTO(int number),
	TP_ARGS(number),
	TP_STRUCT__entry(__field(int, number)),
	TP_fast_assign(__entry->number = number;),
	TP_printk("number=%d", __entry->number)
);

#endif /* _FTRACE_GROW_EVENTS_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#define TRACE_INCLUDE_FILE ftrace_grow_events
#include <trace/define_trace.h>
