// SPDX-License-Identifier: GPL-2.0
/*
 * Boot parameters that start tracing. The rooms that own such parameters report them here. The
 * self-tests at boot, which empty the buffer of the top instance, ask here whether they may
 * run (SPEC D16).
 */
#include <linux/init.h>
#include <linux/ring_buffer.h>
#include <linux/string.h>

#include "instance.h"

static char tracing_first_parameter[32] __initdata;

void __init tracing_note_boot_parameter(const char *name)
{
	if (!*tracing_first_parameter)
		strscpy(tracing_first_parameter, name);
}

const char * __init tracing_boot_user(void)
{
	if (*tracing_first_parameter)
		return tracing_first_parameter;
	if (!ring_buffer_empty(global_trace.buffer))
		return "what has been recorded";
	return NULL;
}
