// SPDX-License-Identifier: GPL-2.0
/*
 * Functions of <linux/kernel.h> that control recording in the top instance, for the rest of
 * the kernel and for modules.
 *
 * Any of them may be called from early boot on and in any context: kernel developers put such
 * calls anywhere in the code that they debug.
 */
#include <linux/export.h>
#include <linux/ftrace.h>
#include <linux/kernel.h>

#include "instance.h"

/**
 * tracing_on() - switch recording on in the top instance
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
 * tracing_off() - switch recording off in the top instance, and keep what was recorded
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
 * tracing_is_on() - true if the top instance is switched on
 *
 * Context: any, NMI included.
 * Return: 1 or 0; a pending tracing_stop() makes no difference.
 */
int tracing_is_on(void)
{
	return tracing_initialized() && tracer_tracing_is_on(&global_trace);
}
EXPORT_SYMBOL_GPL(tracing_is_on);

/**
 * tracing_stop() - suspend recording in the top instance until the matching tracing_start()
 *
 * The file tracing_on does not show the suspension.
 *
 * Context: any, NMI included.
 */
void tracing_stop(void)
{
	if (tracing_initialized())
		trace_array_stop(&global_trace);
}

/**
 * tracing_start() - end one tracing_stop()
 *
 * Context: any, NMI included.
 */
void tracing_start(void)
{
	if (tracing_initialized())
		trace_array_start(&global_trace);
}
