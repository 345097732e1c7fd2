/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A function that the tests of fprobe/ call, in order to probe what it calls. Only for fprobe/.
 */
#ifndef _KERNEL_TRACE_FPROBE_TARGETS_H
#define _KERNEL_TRACE_FPROBE_TARGETS_H

/**
 * ftrace_fprobe_call_namesake() - call ftrace_fprobe_namesake() of fprobe_targets.c
 *
 * Context: any.
 */
void ftrace_fprobe_call_namesake(void);

#endif /* _KERNEL_TRACE_FPROBE_TARGETS_H */
