// SPDX-License-Identifier: GPL-2.0
/*
 * Finding the call that returns, on MIPS: when a function returns, the location of its return
 * address is not known, only its stack pointer.
 *
 * At the entry a call is identified by the location to which the prologue saves ra, or by the word
 * below the frame if the prologue does not save ra.  Either is in or below the frame, so it is
 * below the stack pointer with which the function returns.  The location that identifies the
 * caller is not, because the caller's frame still exists.  So the newest call is the one that
 * returns if its location is below that stack pointer and that of the call before it is not:
 * arch_graph_newest_returns(), two comparisons.
 *
 * These are not enough if the locations of several calls are below the stack pointer:
 *
 *   a function has called another by a jump.  The frame of the first is gone, and both return with
 *   the same stack pointer, the newest one first;
 *   a call has ended without a return, as calls of sys_sigreturn() always do;
 *   an interrupt has come after the frame was removed, and before the return was handled: the
 *   locations of calls in the interrupt may be above that of the older call.
 *
 * In these cases the frame size in the prologue decides.  The prologue is read from the text,
 * backwards from the call site.
 *
 * Functions called for that are the tracer's own: their calls are not traced.
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

static bool insn_is_breakpoint(union mips_instruction insn)
{
	return insn.r_format.opcode == spec_op && insn.r_format.func == break_op;
}

/*
 * Read an instruction, or the original one if a probe has replaced it.  Return: false if the
 * address is not mapped: the module was unloaded.
 */
static bool prologue_read_insn(union mips_instruction *insn, unsigned long at)
{
	struct kprobe *probe;
	bool readable = false;

	pagefault_disable();
	__get_kernel_nofault(&insn->word, (u32 *)at, u32, fault);
	readable = true;
fault:
	pagefault_enable();
	probe = readable && insn_is_breakpoint(*insn) ? get_kprobe((void *)at) : NULL;
	if (probe)
		*insn = probe->opcode;
	return readable;
}

/* True for `addiu rt, sp, imm` and `daddiu rt, sp, imm`. */
static bool insn_is_sp_plus(union mips_instruction insn, unsigned int rt)
{
	return (insn.i_format.opcode == addiu_op || insn.i_format.opcode == daddiu_op) &&
	       insn.i_format.rs == GPR_SP && insn.i_format.rt == rt;
}

/* True for `move rt, zero`, which assemblers encode as or, addu or daddu. */
static bool insn_is_clear(union mips_instruction insn, unsigned int rt)
{
	return insn.r_format.opcode == spec_op && insn.r_format.rd == rt &&
	       insn.r_format.rs == GPR_ZERO && insn.r_format.rt == GPR_ZERO &&
	       (insn.r_format.func == or_op || insn.r_format.func == addu_op ||
		insn.r_format.func == daddu_op);
}

/* True for jumps, branches and breaks, which end the previous function and occur in no prologue. */
static bool insn_is_jump(union mips_instruction insn)
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

/* Return: size of the function's frame in bytes, 0 if it has none. */
static int prologue_find_frame(unsigned long site)
{
	union mips_instruction insn;

	for (unsigned long at = site - sizeof(u32);
	     site - at <= FTRACE_MCOUNT_MAX_OFFSET; at -= sizeof(u32)) {
		if (!prologue_read_insn(&insn, at) || insn_is_jump(insn))
			break;
		if (insn_is_sp_plus(insn, GPR_SP) && insn.i_format.simmediate < 0)
			return -insn.i_format.simmediate;
	}
	return 0;
}

/*
 * Return: offset in the frame at which ra was saved, -1 if it was not saved.  The instruction that
 * sets register 12 contains it.  It is in front of a short site or in the slot of its jump, and in
 * the fourth word of a long site or in the slot of its jump.
 */
static int prologue_find_ra(unsigned long site)
{
	static const int words[] = { -1, 1, 3, 4 };
	union mips_instruction insn;

	for (unsigned int i = 0; i < ARRAY_SIZE(words); i++) {
		if (!prologue_read_insn(&insn, site + words[i] * (int)sizeof(u32)))
			continue;
		if (insn_is_sp_plus(insn, GPR_RA_AT))
			return insn.i_format.simmediate;
		if (insn_is_clear(insn, GPR_RA_AT))
			break;
	}
	return -1;
}

/* Return: the stack pointer with which a call returns. */
static unsigned long graph_sp_at_return(unsigned long site, const unsigned long *retp)
{
	int ra_offset = prologue_find_ra(site);
	unsigned long sp = (unsigned long)retp;

	if (ra_offset >= 0)
		sp -= ra_offset;
	else
		sp += sizeof(*retp);
	return sp + prologue_find_frame(site);
}

/* ------------------------------------------------------------------ */
/* Calls								*/

bool arch_graph_is_returning(const struct ftrace_ret_stack *call, const unsigned long *sp)
{
	return arch_graph_same_stack(call->retp, sp) &&
	       graph_sp_at_return(call->func, call->retp) == (unsigned long)sp;
}

static_assert(offsetof(struct ftrace_return, value) == FTRACE_RETURN_VALUE(0));
static_assert(offsetof(struct ftrace_return, to) == FTRACE_RETURN_TO);
static_assert(sizeof(struct ftrace_return) == FTRACE_RETURN_SIZE);

void arch_return_regs(const struct ftrace_return *r, struct pt_regs *regs)
{
	*regs = (struct pt_regs) {
		.regs[GPR_V0]	= r->value[0],
		.regs[GPR_V1]	= r->value[1],
		.regs[GPR_SP]	= (unsigned long)arch_return_retp(r),
	};
}

/*
 * A function called by @older returns with a stack pointer below the one that @older returns with.
 */
bool arch_graph_is_abandoned(const struct ftrace_ret_stack *older, unsigned long func,
			     const unsigned long *retp)
{
	return graph_sp_at_return(older->func, older->retp) <= graph_sp_at_return(func, retp);
}

/* ------------------------------------------------------------------ */
/* Unwinding								*/

/*
 * In return_to_handler() the frame of the function is gone.  The newest call is taken for the one
 * that returns until graph_return() has found the call that returns.
 */
static bool graph_is_in_return(unsigned long pc)
{
	return pc >= (unsigned long)return_to_handler &&
	       pc < (unsigned long)return_to_handler_end;
}

unsigned long ftrace_unwind_return(struct task_struct *task, unsigned long from,
				   unsigned long low, unsigned long sp, unsigned long pc)
{
	const unsigned long *frame = (unsigned long *)low;

	/* The stacks are aligned. */
	if (graph_is_in_return(from))
		frame = (unsigned long *)((sp - 1) & ~THREAD_MASK);
	pc = ftrace_graph_ret_addr_in(task, pc, frame, (unsigned long *)sp);
	/*
	 * A function that has not saved ra is identified by the word below its frame, which may
	 * also identify a function that it calls: look up that word last.
	 */
	pc = ftrace_graph_ret_addr_in(task, pc, frame - 1, frame);
	/* If the task is running, the stack may change: do not let the unwinder loop. */
	return graph_is_in_return(from) && graph_is_in_return(pc) ? 0 : pc;
}
