/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What x86 tells the function tracer.
 *
 * A call site is the five bytes that the compiler puts at the very start of a
 * function (after the ENDBR, if there is one): `call __fentry__` as compiled,
 * a five-byte nop when not traced, `call <trampoline>` when traced.
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
 * What the entries have between a callback's registers and the return address
 * into the traced function: how many bytes, and where in them a copy of that
 * function's own return address has its place, and on 32 bit the address of the
 * site.  See ftrace_64.S and ftrace_32.S.
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

/* See linux/ftrace_arch.h.  A call has 32 bits of offset. */
static __always_inline bool arch_site_reaches(unsigned long ip, unsigned long target)
{
	long offset = target - (ip + MCOUNT_INSN_SIZE);

	return offset == (int)offset;
}

/* Where the parts of the entries begin and end. */
extern u8 ftrace_caller_body[], ftrace_caller_tail[], ftrace_caller_end[];
extern u8 ftrace_args_caller[], ftrace_args_caller_body[], ftrace_args_caller_tail[],
	  ftrace_args_caller_end[];
extern u8 ftrace_regs_caller_body[], ftrace_regs_caller_tail[], ftrace_regs_caller_end[];

#ifdef CONFIG_HAVE_DYNAMIC_FTRACE_WITH_ARGS

#include <linux/ftrace_regs.h>

/* 0 in the code segment says that not all are there; ftrace_args_caller says nothing. */
static __always_inline struct pt_regs *
arch_ftrace_get_regs(struct ftrace_regs *fregs)
{
	struct pt_regs *regs = &arch_ftrace_regs(fregs)->regs;

	return regs->cs ? regs : NULL;
}

#define ftrace_regs_set_instruction_pointer(fregs, _ip)		\
	(arch_ftrace_regs(fregs)->regs.ip = (_ip))

#ifdef CONFIG_FUNCTION_GRAPH_TRACER
/**
 * struct ftrace_return - what return_to_handler has put on the stack
 * @value: the registers that a function returns something in
 * @bp: the caller's frame pointer, or whatever it has in that register
 * @to: in place of the function's return address: return_to_handler, then the true one
 */
struct ftrace_return {
	unsigned long	value[2];
	unsigned long	bp;
	unsigned long	to;
};

static __always_inline unsigned long *arch_return_at(const struct ftrace_return *r)
{
	return (unsigned long *)&r->to;
}

/* See linux/ftrace_arch.h. Perf and unwinders take registers without that flag for incomplete. */
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

/* See linux/ftrace_arch.h: the stack pointer at the entry, the place of the address. */
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
/* What perf shows of a stack begins above this address. */
#define arch_perf_frames_above(regs, addr)	((regs)->sp = (addr))

/* The frames that the entry makes of the function and its caller are below its own words. */
#if defined(CONFIG_FUNCTION_TRACER) && defined(CONFIG_FRAME_POINTER)
#define arch_perf_frame_of_call(fregs)	\
	(ftrace_regs_get_stack_pointer(fregs) - sizeof(long) - FTRACE_FRAME_EXTRA)
#endif
#endif

#if defined(CONFIG_FTRACE_SYSCALLS) && defined(CONFIG_IA32_EMULATION)
#include <linux/compat.h>

/* The numbers of a program of 32 bit mean other system calls. */
#define ARCH_TRACE_IGNORE_COMPAT_SYSCALLS 1
static inline bool arch_trace_is_compat_syscall(struct pt_regs *regs)
{
	return in_32bit_syscall();
}
#endif

#ifdef CONFIG_DYNAMIC_FTRACE
/* The tracer writes to sites with breakpoints in between; see traps.c. */
bool ftrace_int3_handler(struct pt_regs *regs);
#else
static inline bool ftrace_int3_handler(struct pt_regs *regs)
{
	return false;
}
#endif

/* Trampolines are read-only from the moment they exist. */
static inline void set_ftrace_ops_ro(void) { }

#endif /* !__ASSEMBLY__ */

#endif /* _ASM_X86_FTRACE_H */
