/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The registers that a function callback gets.  An architecture whose struct ftrace_regs is a
 * struct pt_regs, completely or partly filled in, uses the definitions of this file; any other
 * architecture defines HAVE_ARCH_FTRACE_REGS and all of these names itself.
 *
 * The accessors are for the callback, until it returns.  @fregs must not be NULL.
 */
#ifndef _LINUX_FTRACE_REGS_H
#define _LINUX_FTRACE_REGS_H

struct ftrace_regs;

#ifndef HAVE_ARCH_FTRACE_REGS

/**
 * struct __arch_ftrace_regs - content of a struct ftrace_regs
 * @regs: the registers; the architecture documents which of them are filled in
 *
 * For the architecture, and for code that fills in a struct ftrace_regs.  Callbacks use the
 * accessors.
 */
struct __arch_ftrace_regs {
	struct pt_regs regs;
};

/* Minimum number of arguments of a function that can be read. */
#define FTRACE_NR_ARGS		6

#define arch_ftrace_regs(fregs)	((struct __arch_ftrace_regs *)(fregs))
#define __ftrace_pt_regs(fregs)	(&arch_ftrace_regs(fregs)->regs)

/**
 * ftrace_regs_get_argument - get an argument of the traced function
 * @fregs: registers at its entry, with ftrace_regs_has_args()
 * @n: index of the argument, less than FTRACE_NR_ARGS
 *
 * Return: the value of the argument.
 */
#define ftrace_regs_get_argument(fregs, n) \
		regs_get_kernel_argument(__ftrace_pt_regs(fregs), n)
/**
 * ftrace_regs_get_frame_pointer - get the frame pointer of the caller
 * @fregs: registers at the traced function's entry; not with FTRACE_OPS_FL_ARGS_ONLY
 */
#define ftrace_regs_get_frame_pointer(fregs) \
		frame_pointer(__ftrace_pt_regs(fregs))
/**
 * ftrace_regs_get_instruction_pointer - get the address at which execution continues
 * @fregs: registers at the traced function's entry, or at its exit; not with
 *	FTRACE_OPS_FL_ARGS_ONLY
 */
#define ftrace_regs_get_instruction_pointer(fregs) \
		instruction_pointer(__ftrace_pt_regs(fregs))
/**
 * ftrace_regs_get_return_value - get the return value of the function
 * @fregs: registers at its exit
 */
#define ftrace_regs_get_return_value(fregs) \
		regs_return_value(__ftrace_pt_regs(fregs))
/**
 * ftrace_regs_get_stack_pointer - get the stack pointer
 * @fregs: registers at the traced function's entry, or at its exit
 */
#define ftrace_regs_get_stack_pointer(fregs) \
		kernel_stack_pointer(__ftrace_pt_regs(fregs))
/**
 * ftrace_regs_set_return_value - change the return value of the function
 * @fregs: registers at its exit
 * @value: new return value
 */
#define ftrace_regs_set_return_value(fregs, value) \
		regs_set_return_value(__ftrace_pt_regs(fregs), value)
/**
 * ftrace_override_function_with_return - make the function return without executing its body
 * @fregs: registers at its entry, of an ops with FTRACE_OPS_FL_IPMODIFY
 */
#define ftrace_override_function_with_return(fregs) \
		override_function_with_return(__ftrace_pt_regs(fregs))
/**
 * ftrace_regs_query_register_offset - find a register by name
 * @name: name of the register
 *
 * Return: its offset in the registers, -EINVAL for an unknown name.
 */
#define ftrace_regs_query_register_offset(name) \
		regs_query_register_offset(name)

#endif /* HAVE_ARCH_FTRACE_REGS */

#endif /* _LINUX_FTRACE_REGS_H */
