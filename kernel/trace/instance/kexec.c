// SPDX-License-Identifier: GPL-2.0
/*
 * What the tracer does before another kernel takes over (SPEC D13): it is too
 * late to patch, so nothing is recorded any more.
 */
#include <linux/ftrace.h>

/**
 * __ftrace_enabled_save - stop recording before another kernel takes over
 *
 * For kexec: all instances stop recording.
 *
 * Context: any, NMI included; interrupts may be off.
 *
 * Return: for __ftrace_enabled_restore().
 */
int __ftrace_enabled_save(void)
{
	tracing_stop_all();
	return 1;
}

/**
 * __ftrace_enabled_restore - the kernel has come back
 * @enabled: what __ftrace_enabled_save() returned
 *
 * Context: as there.
 */
void __ftrace_enabled_restore(int enabled)
{
	if (enabled)
		tracing_start_all();
}
