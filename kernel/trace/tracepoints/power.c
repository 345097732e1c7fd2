// SPDX-License-Identifier: GPL-2.0
/*
 * The tracepoints of power management. Code all over the kernel calls them, drivers in modules
 * included, so they are defined here rather than in one of the callers.
 */
#include <linux/types.h>

#define CREATE_TRACE_POINTS
#include <trace/events/power.h>

EXPORT_TRACEPOINT_SYMBOL_GPL(cpu_frequency);
EXPORT_TRACEPOINT_SYMBOL_GPL(cpu_idle);
EXPORT_TRACEPOINT_SYMBOL_GPL(powernv_throttle);
EXPORT_TRACEPOINT_SYMBOL_GPL(suspend_resume);
