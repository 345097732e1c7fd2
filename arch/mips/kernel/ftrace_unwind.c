// SPDX-License-Identifier: GPL-2.0
/*
 * Functions of the tracer for unwinders, documented in asm/ftrace.h. This file is not traced,
 * because callbacks unwind stacks.
 */
#include <linux/ftrace.h>
#include <linux/types.h>

#include "ftrace.h"

bool ftrace_is_slot(const u32 *insn)
{
	u32 jump;

	if (!FTRACE_SLOT_SIZE || insn[0] != SLOT_INSN)
		return false;
	jump = insn[-1];
	return jump == SHORT_NOP || jump == INSN_JALR(GPR_V1) || insn_is_jal(jump);
}

static unsigned long unwind_static_ip(unsigned long pc)
{
	if (pc >= (unsigned long)ftrace_caller && pc < (unsigned long)ftrace_caller_end)
		return pc;
	return ftrace_trampoline_static_ip(pc);
}

#ifdef CONFIG_FUNCTION_GRAPH_TRACER
/*
 * Do the work of ftrace_unwind() for @pc in return_to_handler().  The result is return_to_handler()
 * until graph_return() has stored the true address; ftrace_unwind_return() then finds the call.
 */
static unsigned long unwind_return(unsigned long low, unsigned long high, unsigned long *sp,
				   unsigned long pc, unsigned long *ra)
{
	const struct ftrace_return *r = (void *)*sp;
	unsigned long to = (unsigned long)return_to_handler;

	if (pc < to || pc >= (unsigned long)return_to_handler_end)
		return 0;
	if (pc >= (unsigned long)return_to_handler_room)
		*sp += FTRACE_RETURN_SIZE;
	if ((unsigned long)r < low || *sp > high)
		return 1;
	if (pc >= (unsigned long)return_to_handler_saved)
		to = READ_ONCE(r->to);
	*ra = 0;
	return to;
}
#else
static unsigned long unwind_return(unsigned long low, unsigned long high, unsigned long *sp,
				   unsigned long pc, unsigned long *ra)
{
	return 0;
}
#endif

unsigned long ftrace_unwind(unsigned long low, unsigned long high, unsigned long *sp,
			    unsigned long pc, unsigned long *ra)
{
	unsigned long static_ip = unwind_static_ip(pc);
	const struct __arch_ftrace_regs *fregs = (void *)*sp;

	if (!static_ip)
		return unwind_return(low, high, sp, pc, ra);
	/* The first instructions of the entry have not saved the site and ra yet. */
	if (static_ip < (unsigned long)ftrace_caller_saved ||
	    *sp < low || *sp + FTRACE_REGS_SIZE > high)
		return 1;
	*sp += FTRACE_REGS_SIZE + FTRACE_SLOT_SIZE;
	*ra = fregs->ra;
	return fregs->site;
}
