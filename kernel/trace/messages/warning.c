// SPDX-License-Identifier: GPL-2.0
/*
 * traceoff_on_warning: keep what led to the first warning of the kernel.
 */
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/trace.h>

#include "instance/instance.h"

/* The sysctl kernel.traceoff_on_warning and the parameter of that name. */
int __disable_trace_on_warning;

static int __init traceoff_on_warning_setup(char *str)
{
	if (strcmp(str, "=0") && strcmp(str, "=off"))
		__disable_trace_on_warning = 1;
	return 1;
}
__setup("traceoff_on_warning", traceoff_on_warning_setup);

/**
 * disable_trace_on_warning - a warning is about to be printed
 *
 * Keeps what led to it, when traceoff_on_warning asks for that.
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
