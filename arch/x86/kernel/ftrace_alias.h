/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface of ftrace_alias.c, the writable mapping of kernel text, for the other x86 files of the
 * function tracer; and the stores that write text.
 */
#ifndef _ARCH_X86_KERNEL_FTRACE_ALIAS_H
#define _ARCH_X86_KERNEL_FTRACE_ALIAS_H

#include <linux/types.h>

/**
 * ftrace_alias_of - get the address at which a site of a batch can be written
 * @ip: address of the site, which may extend into the next page
 * @i: index of the site in the opened batch
 *
 * Context: between arch_patch_open() and arch_patch_close().
 *
 * Return: the address of the site in the second mapping, or @ip while text is writable.
 */
void *ftrace_alias_of(unsigned long ip, unsigned int i);

/**
 * ftrace_alias_open - load the mapping on this CPU
 *
 * Context: inside a stop, interrupts off, until ftrace_alias_close().
 */
void ftrace_alias_open(void);

/**
 * ftrace_alias_close - restore the address space from before ftrace_alias_open()
 *
 * Context: as for ftrace_alias_open(), on the same CPU, in the same stop.
 */
void ftrace_alias_close(void);

/**
 * ftrace_alias_flush - remove the mapping from the TLB of this CPU
 *
 * Context: as for ftrace_alias_of().
 */
void ftrace_alias_flush(void);

/**
 * ftrace_group_end - stop handling breakpoints at the sites that were being written
 *
 * Context: process, text_mutex held; the stop in which the sites were written is over, and no CPU
 * can hit one of their breakpoints.
 */
void ftrace_group_end(void);

/*
 * The stores are in assembly because each has to be one instruction, and because they write to a
 * user address, which KASAN must not check.
 */
static inline void text_store_u8(u8 *where, u8 value)
{
	asm volatile("movb %1, %0" : "=m" (*where) : "q" (value));
}

static inline void text_store_u32(void *where, u32 value)
{
	asm volatile("movl %1, %0" : "=m" (*(u32 *)where) : "r" (value));
}

#endif /* _ARCH_X86_KERNEL_FTRACE_ALIAS_H */
