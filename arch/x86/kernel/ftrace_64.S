/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Entries of the function tracer on x86-64.
 *
 * A traced function calls here from its very first instruction, so every
 * argument register is live, the stack is
 *
 *	  0(%rsp)	return address into the traced function
 *	  8(%rsp)	return address into its caller
 *
 * and nothing but %r10 and %r11 may be changed.  The entry makes room for a
 * struct pt_regs and fills in what a callback may look at.  Between that and the
 * return address lie FTRACE_FRAME_EXTRA bytes.  One word of them is a copy of
 * the second return address: what one callback makes of the address itself, as
 * return probes do, is nothing to the next.
 *
 * ftrace_caller and its like stand between labels, because generated trampolines begin
 * and end with copies of them: nothing between
 * *_caller and *_body, and between *_tail and *_end, may depend on its address.
 * For an unwinder the copies look like the originals.
 */
#include <linux/export.h>
#include <linux/linkage.h>
#include <linux/cfi_types.h>
#include <linux/objtool.h>
#include <linux/stringify.h>
#include <asm/alternative.h>
#include <asm/asm-offsets.h>
#include <asm/cpufeatures.h>
#include <asm/ftrace.h>
#include <asm/nospec-branch.h>
#include <asm/ptrace.h>
#include <asm/unwind_hints.h>

/* All that an entry takes off the stack. */
#define FRAME_TOTAL	(FRAME_SIZE + FTRACE_FRAME_EXTRA)

/* Distance of the two return addresses from the pt_regs. */
#define SITE_RET	FRAME_TOTAL
#define PARENT_RET	(FRAME_TOTAL + 8)
/* Distance of the copy of the second. */
#define PARENT_COPY	(FRAME_SIZE + FTRACE_FRAME_PARENT)

	.code64
	.section .text, "ax"

/*
 * As compiled, every function calls this; with a table of sites, after boot only what is
 * not in it.  Where sites cannot be changed they all do, for ever.  Nothing but the flags
 * may be changed on the way back.
 */
SYM_FUNC_START(__fentry__)
	ANNOTATE_NOENDBR
#ifndef CONFIG_DYNAMIC_FTRACE
	cmpl	$0, function_trace_stop(%rip)
	jne	1f
#endif
	cmpl	$0, ftrace_entry_open(%rip)
	jne	ftrace_caller
1:	RET
SYM_FUNC_END(__fentry__)
EXPORT_SYMBOL(__fentry__)

/* A callback that does nothing. */
SYM_TYPED_FUNC_START(ftrace_stub)
	RET
SYM_FUNC_END(ftrace_stub)

/* What a function may be given arguments in. */
.macro SAVE_ARGS
	movq	%rdi, RDI(%rsp)
	movq	%rsi, RSI(%rsp)
	movq	%rdx, RDX(%rsp)
	movq	%rcx, RCX(%rsp)
	movq	%r8, R8(%rsp)
	movq	%r9, R9(%rsp)
	movq	%rax, RAX(%rsp)
.endm

/*
 * What identifies the call, after SAVE_ARGS: the address of the site in %rdi, the return
 * address into the caller in %rsi, its place in the slot of %rsp, and in @ip_slot, if
 * there is one, where the traced function goes on.
 */
.macro GET_SITE ip_slot
	movq	SITE_RET(%rsp), %rdi
	.ifnb	\ip_slot
	movq	%rdi, \ip_slot
	.endif
	leaq	PARENT_RET(%rsp), %rcx
	movq	%rcx, RSP(%rsp)
	movq	(%rcx), %rsi
	subq	$MCOUNT_INSN_SIZE, %rdi
.endm

/*
 * For further ops the site is kept in the slot of %r11, which no caller expects anything
 * in, and the return address in the frame.
 */
.macro KEEP_SITE
	movq	%rdi, R11(%rsp)
	/* With all registers the flags were there, which are in their slot now. */
	movq	%rsi, PARENT_COPY(%rsp)
.endm

/*
 * An unwinder that follows frame pointers would see neither the traced function,
 * which has not made its frame yet, nor its caller.  So here are two frames
 * for them, the inner one first:
 *
 *	32	caller's %rbp, which the unwinder looks for where the caller is
 *		entry code
 *	24	return address into the caller, there already: PARENT_COPY
 *	16	caller's %rbp
 *	 8	return address into the traced function
 *	 0	address of the frame at 16		<- %rbp
 */
.macro MAKE_FRAMES
#ifdef CONFIG_FRAME_POINTER
	movq	%rbp, (FRAME_SIZE + 32)(%rsp)
	movq	%rbp, (FRAME_SIZE + 16)(%rsp)
	movq	SITE_RET(%rsp), %rcx
	movq	%rcx, (FRAME_SIZE + 8)(%rsp)
	leaq	(FRAME_SIZE + 16)(%rsp), %rcx
	movq	%rcx, FRAME_SIZE(%rsp)
	leaq	FRAME_SIZE(%rsp), %rbp
#endif
.endm

/* Callbacks leave %rbp alone, so it needs this only where the entry has not. */
.macro UNMAKE_FRAMES
#ifdef CONFIG_FRAME_POINTER
	movq	RBP(%rsp), %rbp
#endif
.endm

.macro RESTORE_ARGS
	movq	RAX(%rsp), %rax
	movq	R9(%rsp), %r9
	movq	R8(%rsp), %r8
	movq	RCX(%rsp), %rcx
	movq	RDX(%rsp), %rdx
	movq	RSI(%rsp), %rsi
	movq	RDI(%rsp), %rdi
.endm

/*
 * What stands in a trampoline once per ops; here the ops is looked up.  %rdi and
 * %rsi are as GET_SITE left them.
 */
.macro CALL_OPS
	xorl	%edx, %edx
	movq	%rsp, %rcx
	call	arch_ftrace_ops_list_func
.endm

SYM_FUNC_START(ftrace_caller)
	ANNOTATE_NOENDBR
	subq	$FRAME_TOTAL, %rsp
	SAVE_ARGS
	movq	%rbp, RBP(%rsp)
	GET_SITE ip_slot=RIP(%rsp)
	KEEP_SITE
	MAKE_FRAMES
	movq	$0, CS(%rsp)
SYM_INNER_LABEL(ftrace_caller_body, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	CALL_OPS
SYM_INNER_LABEL(ftrace_caller_tail, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	UNMAKE_FRAMES
	RESTORE_ARGS
	addq	$FRAME_TOTAL, %rsp
SYM_INNER_LABEL(ftrace_caller_end, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	/* %rbp was copied, not saved: it need not come back from there. */
	UNWIND_HINT_FUNC
	RET
SYM_FUNC_END(ftrace_caller)
STACK_FRAME_NON_STANDARD_FP(ftrace_caller)

#ifdef CONFIG_DYNAMIC_FTRACE
#ifndef CONFIG_FRAME_POINTER
/*
 * As ftrace_caller, for callbacks with FTRACE_OPS_FL_ARGS_ONLY.  This one is never called:
 * only copies of it are, which keep the site themselves where there are more ops than one.
 */
SYM_FUNC_START(ftrace_args_caller)
	ANNOTATE_NOENDBR
	subq	$FRAME_TOTAL, %rsp
	SAVE_ARGS
	GET_SITE
SYM_INNER_LABEL(ftrace_args_caller_body, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	CALL_OPS
SYM_INNER_LABEL(ftrace_args_caller_tail, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	RESTORE_ARGS
	addq	$FRAME_TOTAL, %rsp
SYM_INNER_LABEL(ftrace_args_caller_end, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	RET
SYM_FUNC_END(ftrace_args_caller)
#endif

/*
 * All registers, for callbacks that ask for them; what they change in them,
 * the instruction pointer included, takes effect.
 */
SYM_FUNC_START(ftrace_regs_caller)
	ANNOTATE_NOENDBR
	pushfq
	subq	$(FRAME_TOTAL - 8), %rsp
	SAVE_ARGS
	movq	%r10, R10(%rsp)
	movq	%rbx, RBX(%rsp)
	movq	%r12, R12(%rsp)
	movq	%r13, R13(%rsp)
	movq	%r14, R14(%rsp)
	movq	%r15, R15(%rsp)
	movq	(FRAME_TOTAL - 8)(%rsp), %rcx
	movq	%rcx, EFLAGS(%rsp)
	movq	$__KERNEL_DS, SS(%rsp)
	movq	$__KERNEL_CS, CS(%rsp)
	movq	$0, ORIG_RAX(%rsp)
	movq	%rbp, RBP(%rsp)
	GET_SITE ip_slot=RIP(%rsp)
	KEEP_SITE
	MAKE_FRAMES
SYM_INNER_LABEL(ftrace_regs_caller_body, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	CALL_OPS
SYM_INNER_LABEL(ftrace_regs_caller_tail, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	movq	RIP(%rsp), %rax
	movq	%rax, SITE_RET(%rsp)
	movq	EFLAGS(%rsp), %rax
	movq	%rax, (FRAME_TOTAL - 8)(%rsp)
	movq	R10(%rsp), %r10
	movq	RBX(%rsp), %rbx
	movq	R12(%rsp), %r12
	movq	R13(%rsp), %r13
	movq	R14(%rsp), %r14
	movq	R15(%rsp), %r15
	movq	RBP(%rsp), %rbp
	RESTORE_ARGS
	addq	$(FRAME_TOTAL - 8), %rsp
	popfq
SYM_INNER_LABEL(ftrace_regs_caller_end, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	RET
SYM_FUNC_END(ftrace_regs_caller)
STACK_FRAME_NON_STANDARD_FP(ftrace_regs_caller)
#endif /* CONFIG_DYNAMIC_FTRACE */

#ifdef CONFIG_FUNCTION_GRAPH_TRACER
/*
 * Where functions return to whose return is waited for.  The word below the stack pointer
 * is where their return address was.  The call in front of return_to_handler makes it that
 * again, with ours in it, until graph_return() has put there what belongs there: so this
 * looks like a function that was called, and its caller is found by that word, as for any
 * call that is waited for.
 *
 * It is a call also for the processor's sake, which predicts returns from a stack of the
 * calls that it has seen: there has to be one for the RET at the end, as that of the
 * traced function has used up its own.  For the same reason that RET is not one for those
 * who count the depth of calls to know when the processor's stack is empty: the one in
 * front was not counted.
 *
 * What is pushed is a struct ftrace_return.
 */
SYM_CODE_START_LOCAL(return_to_handler_call)
	UNWIND_HINT_UNDEFINED
	ANNOTATE_INTRA_FUNCTION_CALL
	call	.Lreturned
SYM_INNER_LABEL(return_to_handler, SYM_L_GLOBAL)
	UNWIND_HINT_UNDEFINED
	ANNOTATE_NOENDBR
	jmp	return_to_handler_call
.Lreturned:
	UNWIND_HINT_FUNC
	pushq	%rbp
#ifdef CONFIG_FRAME_POINTER
	movq	%rsp, %rbp
#endif
	pushq	%rdx
	pushq	%rax
	movq	%rsp, %rdi
	call	graph_return
	popq	%rax
	popq	%rdx
	popq	%rbp
	ALTERNATIVE __stringify(RET), \
		    __stringify(ANNOTATE_UNRET_SAFE; ret; int3), X86_FEATURE_CALL_DEPTH
SYM_CODE_END(return_to_handler_call)
#endif /* CONFIG_FUNCTION_GRAPH_TRACER */
