// SPDX-License-Identifier: GPL-2.0
/*
 * The tracepoint at the end of an error report. KASAN, KFENCE and others share it, so it is
 * defined here rather than in one of them.
 */
#define CREATE_TRACE_POINTS
#include <trace/events/error_report.h>

EXPORT_TRACEPOINT_SYMBOL_GPL(error_report_end);
