/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Definitions of MIPS for the function tracer.
 *
 * A call site is behind the prologue of a function.  In the kernel it is the `jal` of
 *
 *	move	at, ra
 *	jal	_mcount
 *	addiu	sp, sp, -8	(o32; on n64 a nop)
 *
 * and in modules, which are too far away for `jal`, the `lui` of
 *
 *	lui	v1, %hi(_mcount)
 *	addiu	v1, v1, %lo(_mcount)
 *	move	at, ra
 *	jalr	v1
 *	addiu	sp, sp, -8	(o32; on n64 a nop)
 *
 * With -mmcount-ra-address, which function_graph uses, register 12 is the address at which the
 * prologue has saved ra, or 0.  It is set in front of the jump on o32, and behind the jump, in
 * place of the nop, on n64.
 *
 * arch/mips/kernel/ftrace.c describes how a site is changed.
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
 * Maximum distance in bytes of a site from its function's symbol.  In between is the prologue, into
 * which the compiler moves no other code.  It saves eleven registers at most; 21 words are left for
 * setting up a large frame, storing variable arguments, `move at, ra`, and setting register 12.
 */
#define FTRACE_MCOUNT_MAX_OFFSET	128

/* Distance in bytes from a site to its return address: in the kernel (short), in modules (long). */
#define FTRACE_SHORT_BACK	8
#if defined(CONFIG_32BIT) && defined(KBUILD_MCOUNT_RA_ADDRESS)
#define FTRACE_LONG_BACK	24
#else
#define FTRACE_LONG_BACK	20
#endif

/*
 * The frame of the entry: a struct __arch_ftrace_regs, which on o32 begins with the room for the
 * arguments of called functions.  Above the frame are the bytes that the delay slot of a site has
 * subtracted from the stack pointer.
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
/* Rounded up, because the stack pointer is a multiple of two words. */
#define FTRACE_REGS_SIZE	(FTRACE_REGS_BACK + 2 * FTRACE_REG_SIZE)

/* The frame of return_to_handler: a struct ftrace_return. */
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

/* As compiled, every traceable function calls this.  The same address as ftrace_caller(). */
void _mcount(void);

/* Labels between the parts of ftrace_caller: see mcount.S. */
extern u32 ftrace_caller_main[], ftrace_caller_saved[], ftrace_caller_body[];
extern u32 ftrace_caller_tail[], ftrace_caller_end[];

/* Always true: all trampolines are in the window, see ftrace_trampoline.c. */
static __always_inline bool arch_site_reaches(unsigned long ip, unsigned long target)
{
	return true;
}

#define HAVE_ARCH_FTRACE_REGS

/**
 * struct __arch_ftrace_regs - content of a struct ftrace_regs
 * @home: room for called functions to save their arguments
 * @args: arguments of the traced function that are in registers
 * @site: address of the site
 * @ip: address at which execution continues
 * @ra: return address of the traced function
 * @ra_at: address at which the prologue has saved @ra; NULL if it has not
 * @back: value of the register ra when execution continues; function_graph may change it
 * @room: padding to the size of the frame
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
/* The stack pointer of the traced function behind its prologue. */
#define ftrace_regs_get_stack_pointer(fregs) \
	((unsigned long)(fregs) + FTRACE_REGS_SIZE + FTRACE_SLOT_SIZE)
#define ftrace_regs_set_instruction_pointer(fregs, _ip)	\
	(arch_ftrace_regs(fregs)->ip = (_ip))

/* Always NULL: the entry saves arguments and ra only, so there is no complete struct pt_regs. */
static __always_inline struct pt_regs *arch_ftrace_get_regs(struct ftrace_regs *fregs)
{
	return NULL;
}

#ifdef CONFIG_FUNCTION_GRAPH_TRACER

/* Labels between the parts of return_to_handler: see mcount.S. */
extern u32 return_to_handler_room[], return_to_handler_saved[], return_to_handler_end[];

/**
 * struct ftrace_return - registers at a return, pushed by return_to_handler()
 * @home: room for called functions to save their arguments
 * @value: the registers that can hold a return value: v0 and v1
 * @to: address at which return_to_handler() continues: return_to_handler() until graph_return()
 *	stores the true return address
 * @room: padding to the size of the frame
 */
struct ftrace_return {
#ifdef CONFIG_32BIT
	unsigned long	home[4];
#endif
	unsigned long	value[2];
	unsigned long	to;
	unsigned long	room;
};

/* The stack pointer at the return: the location of the return address is not known there. */
static __always_inline unsigned long *arch_return_retp(const struct ftrace_return *r)
{
	return (unsigned long *)(r + 1);
}

/* Documented in linux/ftrace_arch_return.h. */
void arch_return_regs(const struct ftrace_return *r, struct pt_regs *regs);

/*
 * A call is identified (&ftrace_ret_stack.retp) by the location of its return address or, where
 * that stays in ra, by the word below the stack pointer.  Either is below the stack pointer with
 * which the function returns, and never below the stack pointer with which a function that it
 * calls returns; see arch/mips/kernel/ftrace_graph.c.
 */
static __always_inline unsigned long *arch_graph_retp(struct ftrace_regs *fregs)
{
	unsigned long *ra_at = arch_ftrace_regs(fregs)->ra_at;

	return ra_at ?: (unsigned long *)ftrace_regs_get_stack_pointer(fregs) - 1;
}

/* Documented in linux/ftrace_arch_return.h. */
static __always_inline unsigned long *arch_graph_ret(struct ftrace_regs *fregs)
{
	struct __arch_ftrace_regs *regs = arch_ftrace_regs(fregs);

	return regs->ra_at ?: &regs->back;
}

/* True if both addresses are on one stack: that of a task, or that of interrupts. */
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

/* The following functions are documented in linux/ftrace_arch_return.h. */
#define HAVE_ARCH_GRAPH_RETURNS

static __always_inline bool arch_graph_may_be_abandoned(const unsigned long *older,
							const unsigned long *retp)
{
	return older <= retp && arch_graph_same_stack(older, retp);
}

bool arch_graph_is_abandoned(const struct ftrace_ret_stack *older, unsigned long func,
			     const unsigned long *retp);

static __always_inline bool arch_graph_newest_returns(const unsigned long *newest,
						      const unsigned long *older,
						      const unsigned long *sp)
{
	return arch_graph_is_below(newest, sp) && !arch_graph_is_below(older, sp);
}

bool arch_graph_is_returning(const struct ftrace_ret_stack *call,
			     const unsigned long *sp);

/**
 * ftrace_unwind_return - get the true return address of a function, for unwinders
 * @task: the task whose stack is unwound
 * @from: an address in the function
 * @low: the stack pointer in the function
 * @sp: the stack pointer of its caller
 * @pc: the return address as found on the stack
 *
 * Context: any.
 *
 * Return: the true return address; @pc if the return is not traced or the true address is not
 * known; 0 if both @from and the result are in return_to_handler().
 */
unsigned long ftrace_unwind_return(struct task_struct *task, unsigned long from,
				   unsigned long low, unsigned long sp, unsigned long pc);

#endif /* CONFIG_FUNCTION_GRAPH_TRACER */

/**
 * ftrace_unwind - unwind from code of the tracer to the traced function, for unwinders
 * @low: lowest address of the stack
 * @high: address behind the stack
 * @sp: the stack pointer at @pc; set to that of the traced function
 * @pc: any address
 * @ra: the register ra at @pc, 0 if unknown; set to that of the traced function
 *
 * Context: any.
 *
 * Return: the address of the call site, or in return_to_handler() the return address; 1 if it is
 * not known; 0 if @pc is not in the static entry, in a trampoline or in return_to_handler(): then
 * nothing has changed.
 */
unsigned long ftrace_unwind(unsigned long low, unsigned long high, unsigned long *sp,
			    unsigned long pc, unsigned long *ra);

/**
 * ftrace_is_slot - test whether an instruction is the delay slot of a call site, for unwinders
 * @insn: the instruction; not the first of a function, because the one in front of it is read
 *
 * On o32 the slot moves the stack pointer for the callee, and is not part of the prologue.
 *
 * Context: any.
 *
 * Return: true for a slot; always false on 64 bit, where the slot does not move the stack pointer.
 */
bool ftrace_is_slot(const u32 *insn);

/**
 * ftrace_leave_slot - undo the jump of a call site for a task preempted in its slot
 * @regs: registers of a task in the delay slot of any jump; the jump will be executed again
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
