// SPDX-License-Identifier: GPL-2.0
/*
 * Functions for unwinders about generated trampolines.
 */
#include <linux/ftrace.h>
#include <linux/ftrace_arch.h>
#include <linux/preempt.h>

#include "internal.h"

/**
 * is_ftrace_trampoline() - check whether an address is in a generated trampoline
 * @addr: any address
 *
 * Context: any, NMI too.
 *
 * Return: true if it is; false also for the static entries such as ftrace_caller().
 */
bool is_ftrace_trampoline(unsigned long addr)
{
	return ftrace_trampoline_static_ip(addr);
}

/**
 * ftrace_trampoline_static_ip() - find static code with the same stack frame, for unwinders
 * @ip: any address
 *
 * Context: any, NMI too.
 *
 * Return: an address in a static entry where the stack frame is laid out as at @ip; 0 if
 * @ip is in no generated trampoline.
 */
unsigned long ftrace_trampoline_static_ip(unsigned long ip)
{
	struct dispatch_set *set;
	unsigned long static_ip;

	preempt_disable_notrace();
	set = dispatch_trampoline_at(ip);
	static_ip = set ? arch_trampoline_static_ip(set, ip) : 0;
	preempt_enable_notrace();
	return static_ip;
}
