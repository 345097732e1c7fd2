/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writing kernel text on x86, between the files that do: where text can be
 * written while the mapping of ftrace_alias.c is open, and the stores.
 */
#ifndef _ARCH_X86_KERNEL_FTRACE_ALIAS_H
#define _ARCH_X86_KERNEL_FTRACE_ALIAS_H

#include <linux/types.h>

/**
 * ftrace_alias_of - where a site of a batch can be written
 * @ip: the site; it may reach the next page
 * @i: its index in the batch that is open
 *
 * Context: between arch_patch_open() and arch_patch_close().
 *
 * Return: that address in the second mapping, or @ip while text is writable.
 */
void *ftrace_alias_of(unsigned long ip, unsigned int i);

/**
 * ftrace_alias_open - load the mapping on this CPU
 *
 * Context: inside a stop, interrupts off, until ftrace_alias_close().
 */
void ftrace_alias_open(void);

/**
 * ftrace_alias_close - load again what was loaded before ftrace_alias_open()
 *
 * Context: as ftrace_alias_open(), on the same CPU, in the same stop.
 */
void ftrace_alias_close(void);

/**
 * ftrace_alias_flush - have this CPU's TLB forget the mapping
 *
 * Context: as ftrace_alias_of().
 */
void ftrace_alias_flush(void);

/**
 * ftrace_group_end - no breakpoint of the sites under way is left anywhere
 *
 * Context: process, text_mutex held; the stop in which they were written is over.
 */
void ftrace_group_end(void);

/*
 * The stores are assembly: they go to a user address, which KASAN must not
 * look up, and each has to be one instruction.
 */
static inline void store_1(u8 *where, u8 value)
{
	asm volatile("movb %1, %0" : "=m" (*where) : "q" (value));
}

static inline void store_4(void *where, u32 value)
{
	asm volatile("movl %1, %0" : "=m" (*(u32 *)where) : "r" (value));
}

#endif /* _ARCH_X86_KERNEL_FTRACE_ALIAS_H */
