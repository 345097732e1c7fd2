/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions for the tests whose call sites are in no table. Each of them does nothing.
 */
#ifndef _KERNEL_TRACE_FOUND_TARGETS_H
#define _KERNEL_TRACE_FOUND_TARGETS_H

void ftrace_found_one(void);
void ftrace_found_two(void);
void ftrace_found_three(void);
void ftrace_found_four(void);
void ftrace_found_five(void);

#endif /* _KERNEL_TRACE_FOUND_TARGETS_H */
