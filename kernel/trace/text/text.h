/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Handling of new and freed text, shared by boot and modules. Only for text/, which the rest of
 * the kernel calls, and which calls the other parts of the tracer.
 */
#ifndef _KERNEL_TRACE_TEXT_H
#define _KERNEL_TRACE_TEXT_H

#include <linux/types.h>

struct site_region;

/**
 * text_nop_region() - make the call sites of new text nops
 * @r: region of the text, which is writable and not running
 *
 * Records that are no call site are marked SITE_FAILED; the first one is logged.
 *
 * Context: ftrace_lock held.
 */
void text_nop_region(struct site_region *r);

/**
 * text_forget_sites() - detach call sites that will not be executed any more
 * @start: first byte of the text
 * @end: byte after the last one of the text
 *
 * Updates the records of the sites, and removes the sites from all filters. Nothing is patched.
 *
 * Context: ftrace_lock held.
 */
void text_forget_sites(unsigned long start, unsigned long end);

/**
 * text_forget_text() - detach the call sites of text that is about to be freed, and retire them
 * @start: first byte of the text
 * @end: byte after the last one of the text
 *
 * Calls text_forget_sites(), and marks the records of the sites SITE_RETIRED.
 *
 * Context: may sleep; takes ftrace_lock.
 */
void text_forget_text(unsigned long start, unsigned long end);

#endif /* _KERNEL_TRACE_TEXT_H */
