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

/**
 * ftrace_alias_exists - has the mapping been used yet
 *
 * It has been before any site was written.
 *
 * Context: text_mutex held.
 *
 * Return: true from then on.
 */
bool ftrace_alias_exists(void);

/**
 * ftrace_alias_map_one - map the page of one address, outside of batches
 * @addr: in kernel text, or in code that was generated
 *
 * Context: process; text_mutex held, ftrace_alias_exists().
 *
 * Return: 0, and ftrace_alias_unmap() undoes it; -EFAULT if it is not in memory;
 * -ENOMEM.
 */
int ftrace_alias_map_one(unsigned long addr);

/**
 * ftrace_alias_of_one - where what ftrace_alias_map_one() has mapped can be written
 * @addr: the same
 *
 * Context: between ftrace_alias_open() and ftrace_alias_close().
 *
 * Return: that address in the second mapping.
 */
void *ftrace_alias_of_one(unsigned long addr);

/**
 * ftrace_alias_unmap - take away what is mapped
 *
 * Context: process; text_mutex held.
 */
void ftrace_alias_unmap(void);

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
