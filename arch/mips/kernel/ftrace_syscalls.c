// SPDX-License-Identifier: GPL-2.0
/*
 * Addresses of system calls on MIPS: each ABI has its own table and range of numbers.
 */
#include <linux/ftrace.h>
#include <linux/init.h>
#include <asm/syscall.h>
#include <asm/unistd.h>

/* Return: 0 for a number between the ranges, or of an ABI that this kernel does not support. */
unsigned long __init arch_syscall_addr(int nr)
{
#ifdef CONFIG_MIPS32_N32
	if (nr >= __NR_N32_Linux && nr < __NR_N32_Linux + __NR_N32_Linux_syscalls)
		return sysn32_call_table[nr - __NR_N32_Linux];
#endif
#ifdef CONFIG_64BIT
	if (nr >= __NR_64_Linux && nr < __NR_64_Linux + __NR_64_Linux_syscalls)
		return sys_call_table[nr - __NR_64_Linux];
#ifdef CONFIG_MIPS32_O32
	if (nr >= __NR_O32_Linux && nr < __NR_O32_Linux + __NR_O32_Linux_syscalls)
		return sys32_call_table[nr - __NR_O32_Linux];
#endif
#else
	if (nr >= __NR_O32_Linux && nr < __NR_O32_Linux + __NR_O32_Linux_syscalls)
		return sys_call_table[nr - __NR_O32_Linux];
#endif
	return 0;
}
