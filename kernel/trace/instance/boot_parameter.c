// SPDX-License-Identifier: GPL-2.0
/*
 * Parameters of the command line that have the boot traced.  The rooms whose parameters
 * they are report them here; self-tests at boot, which empty the top buffer, ask here
 * whether they may run (SPEC D16).
 */
#include <linux/init.h>
#include <linux/ring_buffer.h>
#include <linux/string.h>

#include "instance.h"

static char first_parameter[32] __initdata;

void __init tracing_note_boot_parameter(const char *name)
{
	if (!*first_parameter)
		strscpy(first_parameter, name);
}

const char * __init tracing_boot_user(void)
{
	if (*first_parameter)
		return first_parameter;
	if (!ring_buffer_empty(global_trace.buffer))
		return "what has been recorded";
	return NULL;
}
