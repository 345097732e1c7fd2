/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The events that ftrace_bench.c measures: one with two fields, and one with a string.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM ftrace_bench

#if !defined(_FTRACE_BENCH_EVENTS_H) || defined(TRACE_HEADER_MULTI_READ)
#define _FTRACE_BENCH_EVENTS_H

#include <linux/tracepoint.h>

TRACE_EVENT(bench_numbers,
	TP_PROTO(unsigned long one, int two),
	TP_ARGS(one, two),
	TP_STRUCT__entry(
		__field(unsigned long, one)
		__field(int, two)
	),
	TP_fast_assign(
		__entry->one = one;
		__entry->two = two;
	),
	TP_printk("one=%lu two=%d", __entry->one, __entry->two)
);

TRACE_EVENT(bench_string,
	TP_PROTO(const char *text),
	TP_ARGS(text),
	TP_STRUCT__entry(
		__string(text, text)
	),
	TP_fast_assign(
		__assign_str(text);
	),
	TP_printk("text=%s", __get_str(text))
);

#endif /* _FTRACE_BENCH_EVENTS_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#define TRACE_INCLUDE_FILE ftrace_bench_events
#include <trace/define_trace.h>
