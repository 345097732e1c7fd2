// SPDX-License-Identifier: GPL-2.0
/*
 * The sysctl and boot parameter traceoff_on_warning: stops recording at the first warning of the
 * kernel, so that the trace shows what led to the warning.
 */
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/trace.h>

#include "instance/instance.h"

/* True if recording stops at a warning: the sysctl kernel.traceoff_on_warning. */
int __disable_trace_on_warning;

static int __init traceoff_on_warning_setup(char *str)
{
	if (strcmp(str, "=0") && strcmp(str, "=off"))
		__disable_trace_on_warning = 1;
	return 1;
}
__setup("traceoff_on_warning", traceoff_on_warning_setup);

/**
 * disable_trace_on_warning() - stop recording before a warning, if traceoff_on_warning is set
 *
 * Context: any, NMI included.
 */
void disable_trace_on_warning(void)
{
	if (!__disable_trace_on_warning || !tracing_is_on())
		return;
	__trace_array_puts(&global_trace, _THIS_IP_,
			   "Disabling tracing due to warning\n",
			   strlen("Disabling tracing due to warning\n"));
	tracing_off();
}
