/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of profile/ have in common.
 */
#ifndef _KERNEL_TRACE_PROFILE_INTERNAL_H
#define _KERNEL_TRACE_PROFILE_INTERNAL_H

#include <linux/types.h>

/**
 * profile_forget_text - nothing that was counted in a stretch of text is shown any more
 * @start: where that begins
 * @size: its bytes
 *
 * Context: may sleep; takes profile_lock. No function in there is running.
 */
void profile_forget_text(unsigned long start, size_t size);

#endif /* _KERNEL_TRACE_PROFILE_INTERNAL_H */
