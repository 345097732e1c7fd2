/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The event of ftrace_counted.c.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM ftrace_counted

#if !defined(_FTRACE_COUNTED_EVENTS_H) || defined(TRACE_HEADER_MULTI_READ)
#define _FTRACE_COUNTED_EVENTS_H

#include <linux/tracepoint.h>

TRACE_EVENT(counted,
	TP_PROTO(unsigned int number),
	TP_ARGS(number),
	TP_STRUCT__entry(
		__field(unsigned int, number)
		__field(u8, same)
		__field(u64, weight)
	),
	TP_fast_assign(
		__entry->number = number;
		__entry->same = 7;
		__entry->weight = 3;
	),
	TP_printk("number=%u", __entry->number)
);

#endif /* _FTRACE_COUNTED_EVENTS_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#define TRACE_INCLUDE_FILE ftrace_counted_events
#include <trace/define_trace.h>
