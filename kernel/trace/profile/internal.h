/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declarations shared by the files of profile/.
 */
#ifndef _KERNEL_TRACE_PROFILE_INTERNAL_H
#define _KERNEL_TRACE_PROFILE_INTERNAL_H

#include <linux/types.h>

/**
 * profile_clear_text() - reset the numbers of all functions in a range of text
 * @start: first address of the range
 * @size: size of the range in bytes
 *
 * Context: may sleep; takes profile_lock. No function in the range is running.
 */
void profile_clear_text(unsigned long start, size_t size);

#endif /* _KERNEL_TRACE_PROFILE_INTERNAL_H */
