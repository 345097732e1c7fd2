// SPDX-License-Identifier: GPL-2.0
/*
 * What the rest of the kernel and modules may do with the top instance: the
 * functions that <linux/kernel.h> declares.
 *
 * Any of them may be called at any moment from early boot on, and from any
 * context, which is what people do who hunt a bug with them.
 */
#include <linux/export.h>
#include <linux/ftrace.h>
#include <linux/kernel.h>

#include "instance.h"

/**
 * tracing_on - let the top instance record
 *
 * Context: any, NMI included.
 */
void tracing_on(void)
{
	if (tracing_initialized())
		tracer_tracing_on(&global_trace);
}
EXPORT_SYMBOL_GPL(tracing_on);

/**
 * tracing_off - keep what the top instance has recorded: nothing is added
 *
 * Context: any, NMI included.
 */
void tracing_off(void)
{
	if (tracing_initialized())
		tracer_tracing_off(&global_trace);
}
EXPORT_SYMBOL_GPL(tracing_off);

/**
 * tracing_is_on - whether the top instance records
 *
 * Context: any, NMI included.
 * Return: 1 or 0; tracing_stop() does not count.
 */
int tracing_is_on(void)
{
	return tracing_initialized() && tracer_tracing_is_on(&global_trace);
}
EXPORT_SYMBOL_GPL(tracing_is_on);

/**
 * tracing_stop - suspend recording until the matching tracing_start()
 *
 * Of the top instance; tracing_on does not show it.
 *
 * Context: any, NMI included.
 */
void tracing_stop(void)
{
	if (tracing_initialized())
		trace_array_stop(&global_trace);
}

/**
 * tracing_start - end a tracing_stop()
 *
 * Context: any, NMI included.
 */
void tracing_start(void)
{
	if (tracing_initialized())
		trace_array_start(&global_trace);
}
