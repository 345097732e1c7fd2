/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Flag for reading ring buffers in a dying kernel.
 */
#ifndef _KERNEL_TRACE_PANIC_READ_H
#define _KERNEL_TRACE_PANIC_READ_H

#include <linux/types.h>

/*
 * True while a dying kernel prints its buffers. The holder of a lock that is needed for
 * printing may never run again, so readers wait for a lock only for a limited time.
 * oops_in_progress cannot be used instead: MIPS sets it only after calling the die notifiers,
 * which print the buffers, and never clears it.
 */
extern bool ring_buffer_panic_read;

#endif /* _KERNEL_TRACE_PANIC_READ_H */
