/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reading what a dying kernel has recorded.
 */
#ifndef _KERNEL_TRACE_DYING_H
#define _KERNEL_TRACE_DYING_H

#include <linux/types.h>

/*
 * Set while a dying kernel prints its buffers: who holds a lock that is needed for that
 * may never run again, so nobody waits for one for long. Not oops_in_progress, which
 * MIPS sets behind its die notifiers, and never clears.
 */
extern bool ring_buffer_dying;

#endif /* _KERNEL_TRACE_DYING_H */
