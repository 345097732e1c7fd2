/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Entries of the function tracer on x86-64.
 *
 * A traced function calls an entry by its first instruction.  So every argument register is live,
 * the stack is
 *
 *	  0(%rsp)	return address into the traced function
 *	  8(%rsp)	return address into its caller
 *
 * and only %r10 and %r11 may be changed.  The entry allocates a struct pt_regs and fills in the
 * registers that callbacks may read.  Between the pt_regs and the return address there are
 * FTRACE_FRAME_EXTRA bytes.  One word of them is a copy of the second return address: if a
 * callback changes that address, as return probes do, the next callback gets the original value.
 *
 * Generated trampolines begin and end with copies of parts of ftrace_caller, ftrace_args_caller or
 * ftrace_regs_caller, which labels delimit: the code between *_caller and *_body, and between
 * *_tail and *_end, must not depend on its address.  An unwinder sees the same frames in a copy as
 * in the original.
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

/* Bytes of stack that an entry uses. */
#define FRAME_TOTAL	(FRAME_SIZE + FTRACE_FRAME_EXTRA)

/* Offsets of the two return addresses from the pt_regs. */
#define SITE_RET	FRAME_TOTAL
#define PARENT_RET	(FRAME_TOTAL + 8)
/* Offset of the copy of the second return address from the pt_regs. */
#define PARENT_COPY	(FRAME_SIZE + FTRACE_FRAME_PARENT)

	.code64
	.section .text, "ax"

/*
 * As compiled, every traceable function calls this.  After boot, only sites that are missing in
 * the table of sites still do; without DYNAMIC_FTRACE all sites always do.  Only the flags may be
 * changed at the return.
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

/* Save the registers that can hold arguments of a function. */
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
 * After SAVE_ARGS, load the arguments that identify the call: %rdi is the address of the site,
 * %rsi the return address into the caller.  The slot of %rsp is set to the location of that return
 * address, and \ip_slot, if given, to the return address into the traced function.
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
 * Save %rdi and %rsi for the calls of further ops: in the slot of %r11, whose value no caller
 * needs, and in the frame.
 */
.macro KEEP_SITE
	movq	%rdi, R11(%rsp)
	/* May overwrite the flags that ftrace_regs_caller pushed: they are in their slot now. */
	movq	%rsi, PARENT_COPY(%rsp)
.endm

/*
 * An unwinder that follows frame pointers would see neither the traced function, which has not
 * built its frame yet, nor its caller.  So build two frames for them, the inner one first:
 *
 *	32	caller's %rbp, which the unwinder reads if the caller is entry code
 *	24	return address into the caller, stored already: PARENT_COPY
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

/* Restore %rbp if MAKE_FRAMES has changed it: callbacks preserve it. */
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
 * Call all ops of the site, which are looked up.  A trampoline has a call for each ops instead.
 * %rdi and %rsi are as GET_SITE has set them.
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
	/* %rbp was copied, not saved: the unwinder must not expect it to be restored. */
	UNWIND_HINT_FUNC
	RET
SYM_FUNC_END(ftrace_caller)
STACK_FRAME_NON_STANDARD_FP(ftrace_caller)

#ifdef CONFIG_DYNAMIC_FTRACE
#ifndef CONFIG_FRAME_POINTER
/*
 * The entry for callbacks with FTRACE_OPS_FL_ARGS_ONLY.  Only copies of it are called, in
 * trampolines.  A trampoline with more than one call saves %rdi and %rsi itself.
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

/* Allocate the frame, save all registers in it, and load the arguments as GET_SITE does. */
.macro SAVE_ALL
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
.endm

/* Restore all registers from the frame, with what callbacks have changed, and free the frame. */
.macro RESTORE_ALL
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
.endm

/*
 * The entry for callbacks that need all registers.  Their changes to the registers, the instruction
 * pointer included, take effect.
 */
SYM_FUNC_START(ftrace_regs_caller)
	ANNOTATE_NOENDBR
	SAVE_ALL
SYM_INNER_LABEL(ftrace_regs_caller_body, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	CALL_OPS
SYM_INNER_LABEL(ftrace_regs_caller_tail, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	RESTORE_ALL
SYM_INNER_LABEL(ftrace_regs_caller_end, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	RET
SYM_FUNC_END(ftrace_regs_caller)
STACK_FRAME_NON_STANDARD_FP(ftrace_regs_caller)

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS
/*
 * The entry of sites with a direct call whose set has no trampoline, or that do not reach it.
 * arch_ftrace_ops_list_func() stores the address of the direct call in the slot of ORIG_RAX.  No
 * caller needs the value of %r11.
 */
SYM_FUNC_START(ftrace_direct_caller)
	ANNOTATE_NOENDBR
	SAVE_ALL
	CALL_OPS
	movq	ORIG_RAX(%rsp), %r11
	RESTORE_ALL
	testq	%r11, %r11
	jz	1f
	JMP_NOSPEC r11
1:	RET
SYM_FUNC_END(ftrace_direct_caller)
STACK_FRAME_NON_STANDARD_FP(ftrace_direct_caller)

SYM_FUNC_START(ftrace_stub_direct_tramp)
	RET
SYM_FUNC_END(ftrace_stub_direct_tramp)
#endif
#endif /* CONFIG_DYNAMIC_FTRACE */

#ifdef CONFIG_FUNCTION_GRAPH_TRACER
/*
 * Functions whose return is traced return to return_to_handler.  The word below the stack pointer
 * is the former location of their return address.  The call in front of return_to_handler stores
 * return_to_handler there, and graph_return() replaces it with the true return address.  So this
 * code looks like a function that was called, and unwinders find its caller by that word, as for
 * any pending call whose return is traced.
 *
 * The processor predicts returns from a stack of the calls that it has executed.  The return of the
 * traced function has used the entry of its call, so the call here provides the entry for the RET
 * at the end.  Call depth tracking has not counted this call, so with it the RET must not be a
 * return that is counted.
 *
 * The pushed registers are a struct ftrace_return.
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
