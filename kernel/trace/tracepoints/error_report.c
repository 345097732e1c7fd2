// SPDX-License-Identifier: GPL-2.0
/*
 * The tracepoint at the end of an error report of KASAN, KFENCE and the like.
 * Several of them share it, so none of their files can define it.
 */
#define CREATE_TRACE_POINTS
#include <trace/events/error_report.h>

EXPORT_TRACEPOINT_SYMBOL_GPL(error_report_end);
