// SPDX-License-Identifier: GPL-2.0
/*
 * Which call returns, on MIPS, where the tracer finds no place on the stack when a
 * function returns to it, but a stack pointer only.
 *
 * At its entry a call is known by the place to which the prologue saves ra, or by the
 * word below the frame where it saves none.  Both are in or below the frame, so they are
 * below the stack pointer that the function returns with; and what a caller is known by
 * is not, for its frame is still there.  So the newest call is the one that returns if it
 * is below, and the one before it is not: arch_graph_returns(), two comparisons.
 *
 * That is not enough where more calls than one are below:
 *
 *   a function has jumped to another in place of a call.  Its frame is gone, and both
 *   return with the same stack pointer, the newest one first;
 *   a call was left without a return, as that of sys_sigreturn() always is;
 *   an interrupt has come after the frame was taken down, and before the return was
 *   seen: what is called in it may be above what the older call is known by.
 *
 * Then the prologue tells.  It is read from the text, backwards from the call site.
 *
 * What is called for that is the tracer's own, and nothing of it is waited for.
 */
#include <linux/ftrace.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/uaccess.h>
#include <asm/inst.h>
#include <asm/regdef.h>

#include "ftrace.h"

#ifndef KBUILD_MCOUNT_RA_ADDRESS
#error function_graph on MIPS needs a compiler with -mmcount-ra-address
#endif

/* ------------------------------------------------------------------ */
/* Prologues								*/

static bool is_breakpoint(union mips_instruction insn)
{
	return insn.r_format.opcode == spec_op && insn.r_format.func == break_op;
}

/*
 * As it was compiled, where a probe has taken its place.  False if there is nothing: a
 * module that is gone.
 */
static bool read_insn(union mips_instruction *insn, unsigned long at)
{
	struct kprobe *probe;
	bool readable = false;

	pagefault_disable();
	__get_kernel_nofault(&insn->word, (u32 *)at, u32, fault);
	readable = true;
fault:
	pagefault_enable();
	probe = readable && is_breakpoint(*insn) ? get_kprobe((void *)at) : NULL;
	if (probe)
		*insn = probe->opcode;
	return readable;
}

/* addiu or daddiu rt, sp, imm */
static bool is_sp_plus(union mips_instruction insn, unsigned int rt)
{
	return (insn.i_format.opcode == addiu_op || insn.i_format.opcode == daddiu_op) &&
	       insn.i_format.rs == GPR_SP && insn.i_format.rt == rt;
}

/* Or, addu or daddu rt, zero, zero: `move`, as one assembler or another makes it. */
static bool is_cleared(union mips_instruction insn, unsigned int rt)
{
	return insn.r_format.opcode == spec_op && insn.r_format.rd == rt &&
	       insn.r_format.rs == GPR_ZERO && insn.r_format.rt == GPR_ZERO &&
	       (insn.r_format.func == or_op || insn.r_format.func == addu_op ||
		insn.r_format.func == daddu_op);
}

/* What no prologue has: the end of the function in front. */
static bool is_jump(union mips_instruction insn)
{
	switch (insn.j_format.opcode) {
	case spec_op:
		return insn.r_format.func == jr_op || insn.r_format.func == jalr_op ||
		       insn.r_format.func == break_op;
	case bcond_op ... bgtz_op:
	case beql_op ... bgtzl_op:
		return true;
	case pop10_op:
	case pop30_op:
	case bc6_op:
	case pop66_op:
	case balc6_op:
	case pop76_op:
		return IS_ENABLED(CONFIG_CPU_MIPSR6);
	default:
		return false;
	}
}

/* The size of the function's frame, 0 if it has none. */
static int find_frame(unsigned long site)
{
	union mips_instruction insn;

	for (unsigned long at = site - sizeof(u32);
	     site - at <= FTRACE_MCOUNT_MAX_OFFSET; at -= sizeof(u32)) {
		if (!read_insn(&insn, at) || is_jump(insn))
			break;
		if (is_sp_plus(insn, GPR_SP) && insn.i_format.simmediate < 0)
			return -insn.i_format.simmediate;
	}
	return 0;
}

/*
 * Where in its frame ra was saved, -1 if it was not.  Register 12 says so, which is set in
 * the word in front of a short site, or in its slot; in a long one in the fourth word, or
 * in its slot.
 */
static int find_ra_offset(unsigned long site)
{
	static const int words[] = { -1, 1, 3, 4 };
	union mips_instruction insn;

	for (unsigned int i = 0; i < ARRAY_SIZE(words); i++) {
		if (!read_insn(&insn, site + words[i] * (int)sizeof(u32)))
			continue;
		if (is_sp_plus(insn, GPR_RA_AT))
			return insn.i_format.simmediate;
		if (is_cleared(insn, GPR_RA_AT))
			break;
	}
	return -1;
}

/* The stack pointer that a call returns with. */
static unsigned long sp_at_return(unsigned long site, const unsigned long *retp)
{
	int ra_offset = find_ra_offset(site);
	unsigned long sp = (unsigned long)retp;

	if (ra_offset >= 0)
		sp -= ra_offset;
	else
		sp += sizeof(*retp);
	return sp + find_frame(site);
}

/* ------------------------------------------------------------------ */
/* Calls								*/

bool arch_graph_is_returning(const struct ftrace_ret_stack *call, const unsigned long *sp)
{
	return arch_graph_same_stack(call->retp, sp) &&
	       sp_at_return(call->func, call->retp) == (unsigned long)sp;
}

static_assert(offsetof(struct ftrace_return, value) == FTRACE_RETURN_VALUE(0));
static_assert(offsetof(struct ftrace_return, to) == FTRACE_RETURN_TO);
static_assert(sizeof(struct ftrace_return) == FTRACE_RETURN_SIZE);

void arch_return_regs(const struct ftrace_return *r, struct pt_regs *regs)
{
	*regs = (struct pt_regs) {
		.regs[GPR_V0]	= r->value[0],
		.regs[GPR_V1]	= r->value[1],
		.regs[GPR_SP]	= (unsigned long)arch_return_at(r),
	};
}

/* What it calls returns with a stack pointer in its frame, or below it. */
bool arch_graph_is_over(const struct ftrace_ret_stack *older, unsigned long func,
			const unsigned long *retp)
{
	return sp_at_return(older->func, older->retp) <= sp_at_return(func, retp);
}

/* ------------------------------------------------------------------ */
/* Unwinding								*/

/*
 * In return_to_handler() there is no frame of the function any more.  The newest call
 * is the one that returns, until that is found out.
 */
static bool is_in_return(unsigned long pc)
{
	return pc >= (unsigned long)return_to_handler &&
	       pc < (unsigned long)return_to_handler_end;
}

unsigned long ftrace_unwind_return(struct task_struct *task, unsigned long from,
				   unsigned long low, unsigned long sp, unsigned long pc)
{
	const unsigned long *frame = (unsigned long *)low;

	/* The stacks are aligned. */
	if (is_in_return(from))
		frame = (unsigned long *)((sp - 1) & ~THREAD_MASK);
	pc = ftrace_graph_ret_addr_in(task, pc, frame, (unsigned long *)sp);
	/* Or it has not saved ra.  What it calls can be known by the same place. */
	pc = ftrace_graph_ret_addr_in(task, pc, frame - 1, frame);
	/* A task that runs meanwhile: who asks must not be sent in a circle. */
	return is_in_return(from) && is_in_return(pc) ? 0 : pc;
}
