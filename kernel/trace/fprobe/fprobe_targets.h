/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the tests of fprobe/ probe. Only for this room.
 */
#ifndef _KERNEL_TRACE_FPROBE_TARGETS_H
#define _KERNEL_TRACE_FPROBE_TARGETS_H

/* Calls ftrace_fprobe_namesake() once: the one that can be traced. */
void ftrace_fprobe_call_namesake(void);

#endif /* _KERNEL_TRACE_FPROBE_TARGETS_H */
