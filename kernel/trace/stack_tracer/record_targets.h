/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions for the tests of the stack tracer, which can be traced.
 */
#ifndef _KERNEL_TRACE_STACK_TRACER_RECORD_TARGETS_H
#define _KERNEL_TRACE_STACK_TRACER_RECORD_TARGETS_H

/* Bytes of the stack that each ftrace_stack_target_deep() needs at least. */
#define STACK_TARGET_ROOM	256

/* Does nothing, but be called. */
void ftrace_stack_target(void);

/* Calls itself @depth times, one inside of the other, and the last ftrace_stack_target(). */
void ftrace_stack_target_deep(unsigned int depth);

#endif
