/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What MIPS tells the function tracer.
 *
 * A call site stands behind a function's prologue.  In the kernel it is the `jal` of
 *
 *	move	at, ra
 *	jal	_mcount
 *	addiu	sp, sp, -8	(o32; on n64 a nop)
 *
 * and in modules, which are too far away for that, the `lui` of
 *
 *	lui	v1, %hi(_mcount)
 *	addiu	v1, v1, %lo(_mcount)
 *	move	at, ra
 *	jalr	v1
 *	addiu	sp, sp, -8	(the same)
 *
 * With -mmcount-ra-address, which function_graph takes, register 12 tells where the
 * prologue has put ra, or is 0: it is set in front of the jump on o32, and behind it, in
 * place of the nop, on n64.
 *
 * See arch/mips/kernel/ftrace.c for what becomes of it.
 */
#ifndef _ASM_MIPS_FTRACE_H
#define _ASM_MIPS_FTRACE_H

#ifdef CONFIG_FUNCTION_TRACER

#if defined(CONFIG_64BIT) && !defined(KBUILD_64BIT_SYM32)
#error The function tracer on 64-bit MIPS needs a kernel with 32-bit symbols
#endif

#define MCOUNT_ADDR		((unsigned long)_mcount)
#define MCOUNT_INSN_SIZE	4

/*
 * How far a site may be behind its function's symbol.  In between is the prologue, which
 * nothing is moved into: it saves eleven registers at the most, and 21 words are left
 * for a large frame, arguments of which the number varies, `move at, ra`, and
 * register 12.
 */
#define FTRACE_MCOUNT_MAX_OFFSET	128

/* How far in front of where it returns to a site is, in the kernel and in a module. */
#define FTRACE_SHORT_BACK	8
#if defined(CONFIG_32BIT) && defined(KBUILD_MCOUNT_RA_ADDRESS)
#define FTRACE_LONG_BACK	24
#else
#define FTRACE_LONG_BACK	20
#endif

/*
 * What the entry has on the stack: struct __arch_ftrace_regs, at the bottom of it the
 * room that o32 wants for the arguments of functions that are called; and above it, what
 * the delay slot of a site has taken off.
 */
#ifdef CONFIG_32BIT
#define FTRACE_NR_ARGS		4
#define FTRACE_REG_SIZE		4
#define FTRACE_REGS_ARGS	16
#define FTRACE_SLOT_SIZE	8
#else
#define FTRACE_NR_ARGS		8
#define FTRACE_REG_SIZE		8
#define FTRACE_REGS_ARGS	0
#define FTRACE_SLOT_SIZE	0
#endif
#define FTRACE_REGS_ARG(n)	(FTRACE_REGS_ARGS + (n) * FTRACE_REG_SIZE)
#define FTRACE_REGS_SITE	FTRACE_REGS_ARG(FTRACE_NR_ARGS)
#define FTRACE_REGS_IP		(FTRACE_REGS_SITE + FTRACE_REG_SIZE)
#define FTRACE_REGS_RA		(FTRACE_REGS_IP + FTRACE_REG_SIZE)
#ifdef CONFIG_FUNCTION_GRAPH_TRACER
#define FTRACE_REGS_RA_AT	(FTRACE_REGS_RA + FTRACE_REG_SIZE)
#define FTRACE_REGS_BACK	(FTRACE_REGS_RA_AT + FTRACE_REG_SIZE)
#else
#define FTRACE_REGS_BACK	FTRACE_REGS_RA
#endif
/* The stack pointer is a multiple of two words. */
#define FTRACE_REGS_SIZE	(FTRACE_REGS_BACK + 2 * FTRACE_REG_SIZE)

/* The same of return_to_handler: a struct ftrace_return. */
#define FTRACE_RETURN_VALUE(n)	(FTRACE_REGS_ARGS + (n) * FTRACE_REG_SIZE)
#define FTRACE_RETURN_TO	FTRACE_RETURN_VALUE(2)
#define FTRACE_RETURN_SIZE	FTRACE_RETURN_VALUE(4)

#ifndef __ASSEMBLY__

#include <linux/compiler.h>
#include <linux/thread_info.h>
#include <linux/types.h>

struct ftrace_ret_stack;
struct pt_regs;
struct ftrace_regs;
struct task_struct;

/* As compiled, every function calls this; it is ftrace_caller as well. */
void _mcount(void);

/* Where the parts of ftrace_caller begin and end: see mcount.S. */
extern u32 ftrace_caller_main[], ftrace_caller_saved[], ftrace_caller_body[];
extern u32 ftrace_caller_tail[], ftrace_caller_end[];

/* See linux/ftrace_arch.h.  All that is generated is within the kernel's own reach. */
static __always_inline bool arch_site_reaches(unsigned long ip, unsigned long target)
{
	return true;
}

#define HAVE_ARCH_FTRACE_REGS

/**
 * struct __arch_ftrace_regs - what a struct ftrace_regs really is
 * @home: for the functions that are called, to keep their arguments in
 * @args: the traced function's arguments, as far as they are in registers
 * @site: the address of the site
 * @ip: where execution will go on
 * @ra: where the traced function will return to
 * @ra_at: where its prologue has put that, NULL if it has not
 * @back: what the register ra will hold in it; function_graph may change that
 * @room: for the size to be right
 */
struct __arch_ftrace_regs {
#ifdef CONFIG_32BIT
	unsigned long home[4];
#endif
	unsigned long args[FTRACE_NR_ARGS];
	unsigned long site;
	unsigned long ip;
	unsigned long ra;
#ifdef CONFIG_FUNCTION_GRAPH_TRACER
	unsigned long *ra_at;
	unsigned long back;
#endif
	unsigned long room;
};

#define arch_ftrace_regs(fregs)	((struct __arch_ftrace_regs *)(fregs))

static __always_inline unsigned long
ftrace_regs_get_argument(const struct ftrace_regs *fregs, unsigned int n)
{
	return n < FTRACE_NR_ARGS ? arch_ftrace_regs(fregs)->args[n] : 0;
}

#define ftrace_regs_get_instruction_pointer(fregs)	(arch_ftrace_regs(fregs)->ip)
/* That of the traced function, behind its prologue. */
#define ftrace_regs_get_stack_pointer(fregs) \
	((unsigned long)(fregs) + FTRACE_REGS_SIZE + FTRACE_SLOT_SIZE)
#define ftrace_regs_set_instruction_pointer(fregs, _ip)	\
	(arch_ftrace_regs(fregs)->ip = (_ip))

/* Registers that nobody may change are not saved. */
static __always_inline struct pt_regs *arch_ftrace_get_regs(struct ftrace_regs *fregs)
{
	return NULL;
}

#ifdef CONFIG_FUNCTION_GRAPH_TRACER

/* The parts of return_to_handler: see mcount.S. */
extern u32 return_to_handler_room[], return_to_handler_saved[], return_to_handler_end[];

/**
 * struct ftrace_return - what return_to_handler has put on the stack
 * @home: for the functions that are called, to keep their arguments in
 * @value: the registers that a function returns something in
 * @to: where it goes on: return_to_handler, then where the function truly returns to
 * @room: for the size to be right
 */
struct ftrace_return {
#ifdef CONFIG_32BIT
	unsigned long	home[4];
#endif
	unsigned long	value[2];
	unsigned long	to;
	unsigned long	room;
};

/* The stack pointer that the function has left behind. */
static __always_inline unsigned long *arch_return_at(const struct ftrace_return *r)
{
	return (unsigned long *)(r + 1);
}

/* See linux/ftrace_arch.h. */
void arch_return_regs(const struct ftrace_return *r, struct pt_regs *regs);

/*
 * What tells calls apart (&ftrace_ret_stack.retp): the place of the return address or,
 * where that stays in ra, the word below the stack pointer.  It is always below the stack
 * pointer that the function leaves behind when it returns, and never below that of a
 * function that it calls; see arch/mips/kernel/ftrace_graph.c.
 */
static __always_inline unsigned long *arch_graph_retp(struct ftrace_regs *fregs)
{
	unsigned long *ra_at = arch_ftrace_regs(fregs)->ra_at;

	return ra_at ?: (unsigned long *)ftrace_regs_get_stack_pointer(fregs) - 1;
}

/* See linux/ftrace_arch.h. */
static __always_inline unsigned long *arch_graph_ret(struct ftrace_regs *fregs)
{
	struct __arch_ftrace_regs *regs = arch_ftrace_regs(fregs);

	return regs->ra_at ?: &regs->back;
}

/* A task has a stack of its own, and interrupts have another one. */
static __always_inline bool arch_graph_same_stack(const unsigned long *a,
						  const unsigned long *b)
{
	return ((unsigned long)a ^ (unsigned long)b) < THREAD_SIZE;
}

static __always_inline bool arch_graph_is_below(const unsigned long *retp,
						const unsigned long *sp)
{
	return retp < sp && arch_graph_same_stack(retp, sp);
}

/* See linux/ftrace_arch.h. */
#define HAVE_ARCH_GRAPH_RETURNS

static __always_inline bool arch_graph_may_be_over(const unsigned long *older,
						   const unsigned long *retp)
{
	return older <= retp && arch_graph_same_stack(older, retp);
}

bool arch_graph_is_over(const struct ftrace_ret_stack *older, unsigned long func,
			const unsigned long *retp);

static __always_inline bool arch_graph_returns(const unsigned long *newest,
					       const unsigned long *older,
					       const unsigned long *sp)
{
	return arch_graph_is_below(newest, sp) && !arch_graph_is_below(older, sp);
}

bool arch_graph_is_returning(const struct ftrace_ret_stack *call,
			     const unsigned long *sp);

/**
 * ftrace_unwind_return - for unwinders: where a function that is waited for returns to
 * @task: whose stack it is
 * @from: an address in the function
 * @low: the stack pointer there
 * @sp: that of its caller
 * @pc: where it returns to, as it was found
 *
 * Context: any.
 *
 * Return: where it truly returns to; @pc if that is not known, or 0 if that is @from.
 */
unsigned long ftrace_unwind_return(struct task_struct *task, unsigned long from,
				   unsigned long low, unsigned long sp, unsigned long pc);

#endif /* CONFIG_FUNCTION_GRAPH_TRACER */

/**
 * ftrace_unwind - for unwinders: from the tracer's entry to the traced function
 * @low: the lowest address that the stack has
 * @high: behind the highest one
 * @sp: the stack pointer at @pc; set to that of the traced function
 * @pc: any address
 * @ra: the register ra at @pc, 0 if unknown; set to that of the traced function
 *
 * Context: any.
 *
 * Return: the address of the call site, 1 if it cannot be told; 0 if @pc is neither in
 * the static entry nor in a trampoline, and nothing has changed.
 */
unsigned long ftrace_unwind(unsigned long low, unsigned long high, unsigned long *sp,
			    unsigned long pc, unsigned long *ra);

/**
 * ftrace_is_slot - for unwinders: is an instruction the delay slot of a call site?
 * @insn: the instruction; not a function's first, as the one in front of it is read
 *
 * On o32 it moves the stack pointer for the callee, and is no part of a prologue.
 *
 * Context: any.
 *
 * Return: true if so; never on 64 bit, where the slot is harmless.
 */
bool ftrace_is_slot(const u32 *insn);

/**
 * ftrace_leave_slot - undo the jump of a call site for a task preempted in its slot
 * @regs: of a task in the delay slot of some jump, which will be executed once more
 *
 * The site may be a nop by then (SPEC D3): see arch/mips/kernel/ftrace.c.  Called by
 * entry.S on the way back from an interrupt, the only place where a task can be preempted
 * between any two instructions.
 *
 * Context: interrupts off.
 */
void ftrace_leave_slot(struct pt_regs *regs);

#endif /* !__ASSEMBLY__ */

#else /* !CONFIG_FUNCTION_TRACER */

#ifndef __ASSEMBLY__

#include <linux/types.h>

static inline unsigned long
ftrace_unwind(unsigned long low, unsigned long high, unsigned long *sp,
	      unsigned long pc, unsigned long *ra)
{
	return 0;
}

static inline bool ftrace_is_slot(const u32 *insn)
{
	return false;
}

#endif /* !__ASSEMBLY__ */

#endif /* CONFIG_FUNCTION_TRACER */

#if !defined(__ASSEMBLY__) && !defined(CONFIG_FUNCTION_GRAPH_TRACER)
struct task_struct;

static inline unsigned long
ftrace_unwind_return(struct task_struct *task, unsigned long from, unsigned long low,
		     unsigned long sp, unsigned long pc)
{
	return pc;
}
#endif

#endif /* _ASM_MIPS_FTRACE_H */
