/* SPDX-License-Identifier: GPL-2.0 */
/* Hooks on function returns: the x86 functions that hook a call and continue after a return. */
#ifndef _ASM_X86_RETHOOK_INLINE_H
#define _ASM_X86_RETHOOK_INLINE_H

#include <asm/ptrace.h>

static __always_inline void arch_rethook_prepare(struct rethook_node *node,
						 struct pt_regs *regs, bool mcount)
{
	unsigned long *frame = (unsigned long *)regs->sp;

	node->ret_addr = *frame;
	node->frame = regs->sp;
	*frame = (unsigned long)arch_rethook_trampoline;
}

#define arch_rethook_prepare arch_rethook_prepare

/* The trampoline has the address that it returns to directly behind the registers. */
static __always_inline void arch_rethook_fixup_return(struct pt_regs *regs,
						      unsigned long correct_ret_addr)
{
	*(unsigned long *)(regs + 1) = correct_ret_addr;
}

#define arch_rethook_fixup_return arch_rethook_fixup_return

#endif /* _ASM_X86_RETHOOK_INLINE_H */
