/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What boot and modules have in common: text that comes, and text that goes. Only for this
 * room: the kernel calls it, and it calls the others.
 */
#ifndef _KERNEL_TRACE_TEXT_H
#define _KERNEL_TRACE_TEXT_H

#include <linux/types.h>

struct site_region;

/**
 * text_nop_region - make the sites of new text nops
 * @r: its region; the text is writable, and nothing of it runs
 *
 * What is not a call site is said once, and marked as failed.
 *
 * Context: ftrace_lock held.
 */
void text_nop_region(struct site_region *r);

/**
 * text_forget_sites - sites that nothing will execute any more call nobody
 * @start: first byte of the text
 * @end: the byte after its last
 *
 * And no filter names them. Nothing is patched.
 *
 * Context: ftrace_lock held.
 */
void text_forget_sites(unsigned long start, unsigned long end);

/**
 * text_forget_text - the same, and the records of the sites are given back
 * @start: first byte of the text
 * @end: the byte after its last
 *
 * Context: may sleep; takes ftrace_lock.
 */
void text_forget_text(unsigned long start, unsigned long end);

#endif /* _KERNEL_TRACE_TEXT_H */
