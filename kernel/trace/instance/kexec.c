// SPDX-License-Identifier: GPL-2.0
/*
 * Stops recording before another kernel takes over (SPEC D13). Code cannot be patched any more
 * at that time, so only recording stops.
 */
#include <linux/ftrace.h>

/**
 * __ftrace_enabled_save() - stop recording in all instances before kexec
 *
 * Context: any, NMI included; interrupts may be off.
 * Return: a value for __ftrace_enabled_restore().
 */
int __ftrace_enabled_save(void)
{
	tracing_stop_all();
	return 1;
}

/**
 * __ftrace_enabled_restore() - resume recording after this kernel has come back
 * @enabled: return value of __ftrace_enabled_save()
 *
 * Context: any, NMI included; interrupts may be off.
 */
void __ftrace_enabled_restore(int enabled)
{
	if (enabled)
		tracing_start_all();
}
