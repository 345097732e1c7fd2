/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What boot and modules have in common: text that comes, and text that goes.
 * Only for this room.
 */
#ifndef _KERNEL_TRACE_HOOKS_H
#define _KERNEL_TRACE_HOOKS_H

#include <linux/types.h>

struct site_region;

/**
 * hooks_nop_region - make the sites of new text nops
 * @r: its region; the text is writable, and nothing of it runs
 *
 * What is not a call site is said once, and marked as failed.
 *
 * Context: ftrace_lock held.
 */
void hooks_nop_region(struct site_region *r);

/**
 * hooks_forget_sites - sites that nothing will execute any more call nobody
 * @start: first byte of the text
 * @end: the byte after its last
 *
 * And no filter names them. Nothing is patched.
 *
 * Context: ftrace_lock held.
 */
void hooks_forget_sites(unsigned long start, unsigned long end);

/**
 * hooks_forget_text - the same, and the records of the sites are given back
 * @start: first byte of the text
 * @end: the byte after its last
 *
 * Context: may sleep; takes ftrace_lock.
 */
void hooks_forget_text(unsigned long start, unsigned long end);

/**
 * module_may_come - may a word wait for this module?
 * @name: the module's name
 *
 * Return: false if it is there with a table of its call sites, or no module ever comes
 * to this kernel.
 */
#ifdef CONFIG_MODULES
bool module_may_come(const char *name);
#else
static inline bool module_may_come(const char *name)
{
	return false;
}
#endif

#endif /* _KERNEL_TRACE_HOOKS_H */
