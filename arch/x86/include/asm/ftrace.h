/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Definitions of x86 for the function tracer.
 *
 * A call site is five bytes at the start of a function, behind the ENDBR if there is one: `call
 * __fentry__` as compiled, a five-byte nop while it is not traced, `call <trampoline>` while it is
 * traced.
 */
#ifndef _ASM_X86_FTRACE_H
#define _ASM_X86_FTRACE_H

#include <asm/ptrace.h>

#ifdef CONFIG_FUNCTION_TRACER

#ifndef CC_USING_FENTRY
#error The function tracer on x86 needs a compiler with -mfentry
#endif

#include <asm/ibt.h>

#define MCOUNT_ADDR			((unsigned long)__fentry__)
#define MCOUNT_INSN_SIZE		5

/* A site further into its symbol belongs to an overridden weak function. */
#define FTRACE_MCOUNT_MAX_OFFSET	ENDBR_INSN_SIZE

/*
 * The frame of an entry contains FTRACE_FRAME_EXTRA bytes between the registers of a callback and
 * the return address into the traced function.  In them, FTRACE_FRAME_PARENT is the offset of a
 * copy of the traced function's own return address, and on 32 bit FTRACE_FRAME_IP that of the
 * address of the site.  See ftrace_64.S and ftrace_32.S.
 */
#ifdef CONFIG_X86_64
#ifdef CONFIG_FRAME_POINTER
#define FTRACE_FRAME_EXTRA		40
#define FTRACE_FRAME_PARENT		24
#else
#define FTRACE_FRAME_EXTRA		8
#define FTRACE_FRAME_PARENT		0
#endif
#else /* !CONFIG_X86_64 */
#define FTRACE_FRAME_IP			0
#ifdef CONFIG_FRAME_POINTER
#define FTRACE_FRAME_EXTRA		24
#define FTRACE_FRAME_PARENT		16
#else
#define FTRACE_FRAME_EXTRA		8
#define FTRACE_FRAME_PARENT		4
#endif
#endif /* CONFIG_X86_64 */

#ifndef __ASSEMBLY__

void __fentry__(void);

/* Documented in linux/ftrace_arch.h.  The offset of a call has 32 bits. */
static __always_inline bool arch_site_reaches(unsigned long ip, unsigned long target)
{
	long offset = target - (ip + MCOUNT_INSN_SIZE);

	return offset == (int)offset;
}

/* Labels in ftrace_64.S and ftrace_32.S between the parts of the entries. */
extern u8 ftrace_caller_body[], ftrace_caller_tail[], ftrace_caller_end[];
extern u8 ftrace_args_caller[], ftrace_args_caller_body[], ftrace_args_caller_tail[],
	  ftrace_args_caller_end[];
extern u8 ftrace_regs_caller_body[], ftrace_regs_caller_tail[], ftrace_regs_caller_end[];

#ifdef CONFIG_HAVE_DYNAMIC_FTRACE_WITH_ARGS

#include <linux/ftrace_regs.h>

/*
 * ftrace_caller sets the code segment to 0 because it does not save all registers. Not for ops
 * with FTRACE_OPS_FL_ARGS_ONLY: ftrace_args_caller does not set the code segment.
 */
static __always_inline struct pt_regs *
arch_ftrace_get_regs(struct ftrace_regs *fregs)
{
	struct pt_regs *regs = &arch_ftrace_regs(fregs)->regs;

	return regs->cs ? regs : NULL;
}

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS
/* Documented in linux/ftrace_arch.h. */
static __always_inline void arch_ftrace_set_direct(struct ftrace_regs *fregs, unsigned long addr)
{
	arch_ftrace_regs(fregs)->regs.orig_ax = addr;
}
#endif

#define ftrace_regs_set_instruction_pointer(fregs, _ip)		\
	(arch_ftrace_regs(fregs)->regs.ip = (_ip))

#ifdef CONFIG_FUNCTION_GRAPH_TRACER
/**
 * struct ftrace_return - registers at a return, pushed by return_to_handler()
 * @value: the registers that can hold a return value: %rax and %rdx
 * @bp: %rbp: the frame pointer of the caller, or any value without frame pointers
 * @to: address at which return_to_handler() continues; on the stack, this is the location of the
 *	function's return address. return_to_handler() until graph_return() stores the true
 *	address
 */
struct ftrace_return {
	unsigned long	value[2];
	unsigned long	bp;
	unsigned long	to;
};

static __always_inline unsigned long *arch_return_retp(const struct ftrace_return *r)
{
	return (unsigned long *)&r->to;
}

/*
 * Documented in linux/ftrace_arch_return.h. X86_EFLAGS_FIXED is set because perf and unwinders
 * take registers without it for incomplete.
 */
static inline void arch_return_regs(const struct ftrace_return *r, struct pt_regs *regs)
{
	*regs = (struct pt_regs) {
		.ax	= r->value[0],
		.dx	= r->value[1],
		.bp	= r->bp,
		.sp	= (unsigned long)(r + 1),
		.cs	= __KERNEL_CS,
		.flags	= X86_EFLAGS_FIXED,
		.ss	= __KERNEL_DS,
	};
}

/* Documented in linux/ftrace_arch_return.h. At the entry %sp points to the return address. */
static __always_inline unsigned long *arch_graph_retp(struct ftrace_regs *fregs)
{
	return (unsigned long *)arch_ftrace_regs(fregs)->regs.sp;
}

static __always_inline unsigned long *arch_graph_ret(struct ftrace_regs *fregs)
{
	return arch_graph_retp(fregs);
}
#endif

#endif /* CONFIG_HAVE_DYNAMIC_FTRACE_WITH_ARGS */

#endif /* !__ASSEMBLY__ */

#endif /* CONFIG_FUNCTION_TRACER */

#ifndef __ASSEMBLY__

#ifdef CONFIG_PERF_EVENTS
/* Let the stacks that perf records begin above this address. */
#define arch_perf_frames_above(regs, addr)	((regs)->sp = (addr))

/*
 * Set the registers that perf_arch_fetch_caller_regs() sets, with the stack pointer at @addr. Reads
 * no frame pointer, so that the calling function needs no frame.
 */
#define arch_perf_caller_regs arch_perf_caller_regs
static __always_inline void arch_perf_caller_regs(struct pt_regs *regs, unsigned long ip,
						  unsigned long addr)
{
	regs->ip = ip;
	regs->sp = addr;
	regs->cs = __KERNEL_CS;
	regs->flags = 0;
}

/* Address of the two frames that MAKE_FRAMES of the entry builds for unwinders. */
#if defined(CONFIG_FUNCTION_TRACER) && defined(CONFIG_FRAME_POINTER)
#define arch_perf_frame_of_call(fregs)	\
	(ftrace_regs_get_stack_pointer(fregs) - sizeof(long) - FTRACE_FRAME_EXTRA)
#endif
#endif

#if defined(CONFIG_FTRACE_SYSCALLS) && defined(CONFIG_IA32_EMULATION)
#include <linux/compat.h>

/* In 32-bit programs, system calls have other numbers. */
#define ARCH_TRACE_IGNORE_COMPAT_SYSCALLS 1
static inline bool arch_trace_is_compat_syscall(struct pt_regs *regs)
{
	return in_32bit_syscall();
}
#endif

#ifdef CONFIG_DYNAMIC_FTRACE
/**
 * ftrace_int3_handler - continue after a breakpoint at a site that is being written
 * @regs: registers at the breakpoint; changed as by the new instruction of the site
 *
 * Called by traps.c for each breakpoint.
 *
 * Context: any, NMI included; noinstr.
 * Return: true if the breakpoint was one of the tracer, or was removed meanwhile.
 */
bool ftrace_int3_handler(struct pt_regs *regs);
#else
static inline bool ftrace_int3_handler(struct pt_regs *regs)
{
	return false;
}
#endif

/* Nothing to do: trampolines are read-only from the beginning. */
static inline void set_ftrace_ops_ro(void) { }

#endif /* !__ASSEMBLY__ */

#endif /* _ASM_X86_FTRACE_H */
