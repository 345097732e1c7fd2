/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The registers that a function callback sees.  An architecture whose
 * struct ftrace_regs is a struct pt_regs, wholly or partly filled in, uses
 * what is here; another one defines HAVE_ARCH_FTRACE_REGS and all of it.
 *
 * The accessors are for the callback, while it has not returned, and must not
 * be given NULL.
 */
#ifndef _LINUX_FTRACE_REGS_H
#define _LINUX_FTRACE_REGS_H

struct ftrace_regs;

#ifndef HAVE_ARCH_FTRACE_REGS

/**
 * struct __arch_ftrace_regs - what a struct ftrace_regs really is
 * @regs: the registers; see the architecture for which of them are filled in
 *
 * For the architecture, and for who makes one; others use the accessors.
 */
struct __arch_ftrace_regs {
	struct pt_regs regs;
};

/* How many of a function's arguments can be read, at least. */
#define FTRACE_NR_ARGS		6

#define arch_ftrace_regs(fregs)	((struct __arch_ftrace_regs *)(fregs))
#define __ftrace_pt_regs(fregs)	(&arch_ftrace_regs(fregs)->regs)

/**
 * ftrace_regs_get_argument - an argument of the traced function
 * @fregs: registers at its entry, with ftrace_regs_has_args()
 * @n: which one, from 0; less than FTRACE_NR_ARGS
 *
 * Return: its value.
 */
#define ftrace_regs_get_argument(fregs, n) \
		regs_get_kernel_argument(__ftrace_pt_regs(fregs), n)
/**
 * ftrace_regs_get_frame_pointer - the frame pointer of the caller
 * @fregs: registers at the traced function's entry; not with FTRACE_OPS_FL_ARGS_ONLY
 */
#define ftrace_regs_get_frame_pointer(fregs) \
		frame_pointer(__ftrace_pt_regs(fregs))
/**
 * ftrace_regs_get_instruction_pointer - where execution will go on
 * @fregs: registers at the traced function's entry, or at its exit; not with
 *	FTRACE_OPS_FL_ARGS_ONLY
 */
#define ftrace_regs_get_instruction_pointer(fregs) \
		instruction_pointer(__ftrace_pt_regs(fregs))
/**
 * ftrace_regs_get_return_value - what the function returns
 * @fregs: registers at its exit
 */
#define ftrace_regs_get_return_value(fregs) \
		regs_return_value(__ftrace_pt_regs(fregs))
/**
 * ftrace_regs_get_stack_pointer - the stack pointer
 * @fregs: registers at the traced function's entry, or at its exit
 */
#define ftrace_regs_get_stack_pointer(fregs) \
		kernel_stack_pointer(__ftrace_pt_regs(fregs))
/**
 * ftrace_regs_set_return_value - have the function return something else
 * @fregs: registers at its exit
 * @value: what
 */
#define ftrace_regs_set_return_value(fregs, value) \
		regs_set_return_value(__ftrace_pt_regs(fregs), value)
/**
 * ftrace_override_function_with_return - have the function return at once
 * @fregs: registers at its entry, of an ops with FTRACE_OPS_FL_IPMODIFY
 */
#define ftrace_override_function_with_return(fregs) \
		override_function_with_return(__ftrace_pt_regs(fregs))
/**
 * ftrace_regs_query_register_offset - where a register is kept
 * @name: of the register
 *
 * Return: its offset in the registers, -EINVAL for an unknown name.
 */
#define ftrace_regs_query_register_offset(name) \
		regs_query_register_offset(name)

#endif /* HAVE_ARCH_FTRACE_REGS */

#endif /* _LINUX_FTRACE_REGS_H */
