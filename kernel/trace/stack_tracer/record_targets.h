/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions that the tests of the stack tracer trace.
 */
#ifndef _KERNEL_TRACE_STACK_TRACER_RECORD_TARGETS_H
#define _KERNEL_TRACE_STACK_TRACER_RECORD_TARGETS_H

/* Minimum size in bytes of the frame of ftrace_stack_target_deep(). */
#define STACK_TARGET_ROOM	256

/**
 * ftrace_stack_target() - do nothing
 *
 * Context: any.
 */
void ftrace_stack_target(void);

/**
 * ftrace_stack_target_deep() - recurse, and call ftrace_stack_target() at the innermost level
 * @depth: how often the function calls itself
 *
 * Context: any.
 */
void ftrace_stack_target_deep(unsigned int depth);

#endif
