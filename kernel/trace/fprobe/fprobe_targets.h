/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions that the tests of fprobe/ probe. Only for this directory.
 */
#ifndef _KERNEL_TRACE_FPROBE_TARGETS_H
#define _KERNEL_TRACE_FPROBE_TARGETS_H

/**
 * ftrace_fprobe_call_namesake() - call the traceable ftrace_fprobe_namesake() once
 *
 * Context: any.
 */
void ftrace_fprobe_call_namesake(void);

#endif /* _KERNEL_TRACE_FPROBE_TARGETS_H */
