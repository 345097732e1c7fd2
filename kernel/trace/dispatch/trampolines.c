// SPDX-License-Identifier: GPL-2.0
/*
 * What unwinders ask about generated trampolines.
 */
#include <linux/ftrace.h>
#include <linux/ftrace_arch.h>
#include <linux/preempt.h>

#include "dispatch.h"

/**
 * is_ftrace_trampoline - is an address in a generated trampoline
 * @addr: any address
 *
 * Context: any, NMI too.
 *
 * Return: true if it is; false for the static entries, ftrace_caller() and its like.
 */
bool is_ftrace_trampoline(unsigned long addr)
{
	return ftrace_trampoline_twin(addr);
}

/**
 * ftrace_trampoline_twin - for unwinders: static code with the same frame
 * @ip: any address
 *
 * Context: any, NMI too.
 *
 * Return: an address in a static entry at which the stack looks as it does at @ip; 0 if
 * @ip is in no trampoline.
 */
unsigned long ftrace_trampoline_twin(unsigned long ip)
{
	struct dispatch_set *set;
	unsigned long twin;

	preempt_disable_notrace();
	set = dispatch_trampoline_at(ip);
	twin = set ? arch_trampoline_twin(set, ip) : 0;
	preempt_enable_notrace();
	return twin;
}
