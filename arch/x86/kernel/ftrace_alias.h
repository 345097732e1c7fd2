/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writing kernel text on x86, between the files that do: where text can be
 * written while the mapping of ftrace_alias.c is open, and the stores.
 */
#ifndef _ARCH_X86_KERNEL_FTRACE_ALIAS_H
#define _ARCH_X86_KERNEL_FTRACE_ALIAS_H

#include <linux/types.h>

/**
 * ftrace_alias_of - where an address near a site of a batch can be written
 * @addr: on the page of @ip, or the next one if the site reaches it
 * @i: the index of the site in the batch that is open
 * @ip: the site
 *
 * Context: between arch_patch_open() and arch_patch_close().
 *
 * Return: that address in the second mapping, or @addr while text is writable.
 */
void *ftrace_alias_of(unsigned long addr, unsigned int i, unsigned long ip);

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

static inline void store_8(u64 *where, u64 value)
{
	asm volatile("movq %1, %0" : "=m" (*where) : "r" (value));
}

#endif /* _ARCH_X86_KERNEL_FTRACE_ALIAS_H */
