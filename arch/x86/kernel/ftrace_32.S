/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Entries of the function tracer on 32-bit x86.  The description in ftrace_64.S applies to these
 * entries as well, with the following differences.
 *
 * At the start of a function no register is free: %eax, %edx and %ecx hold arguments, and the
 * other registers belong to the caller.  Only the flags may be changed.
 *
 * Callbacks have three arguments in registers, and the fourth, the address of the pt_regs, on the
 * stack.  A callback may change that word, so it is pushed for each call.
 *
 * The value of each register is needed, so no slot in pt_regs is free for the address of the site:
 * it is stored in one of the words of the FTRACE_FRAME_EXTRA bytes.
 */
#include <linux/export.h>
#include <linux/linkage.h>
#include <linux/cfi_types.h>
#include <asm/asm-offsets.h>
#include <asm/ftrace.h>
#include <asm/nospec-branch.h>
#include <asm/segment.h>

/* sizeof(struct pt_regs) */
#define REGS_SIZE	(PT_OLDSS + 4)
/* Bytes of stack that an entry uses. */
#define FRAME_TOTAL	(REGS_SIZE + FTRACE_FRAME_EXTRA)

/* Offsets of the two return addresses from the pt_regs. */
#define SITE_RET	FRAME_TOTAL
#define PARENT_RET	(FRAME_TOTAL + 4)
/* Offsets from the pt_regs of the copy of the second, and of the address of the site. */
#define PARENT_COPY	(REGS_SIZE + FTRACE_FRAME_PARENT)
#define SITE_IP		(REGS_SIZE + FTRACE_FRAME_IP)

	.section .text, "ax"

/* As compiled, every traceable function calls this: see ftrace_64.S. */
SYM_FUNC_START(__fentry__)
#ifndef CONFIG_DYNAMIC_FTRACE
	cmpl	$0, function_trace_stop
	jne	1f
#endif
	cmpl	$0, ftrace_entry_open
	jne	ftrace_caller
1:	RET
SYM_FUNC_END(__fentry__)
EXPORT_SYMBOL(__fentry__)

/* A callback that does nothing. */
SYM_TYPED_FUNC_START(ftrace_stub)
	RET
SYM_FUNC_END(ftrace_stub)

/* Save the registers that can hold arguments of a function, and its caller's frame pointer. */
.macro SAVE_ARGS
	movl	%eax, PT_EAX(%esp)
	movl	%edx, PT_EDX(%esp)
	movl	%ecx, PT_ECX(%esp)
	movl	%ebp, PT_EBP(%esp)
.endm

/*
 * After SAVE_ARGS, load the arguments that identify the call, and save them in the frame: %eax is
 * the address of the site, %edx the return address into the caller.
 */
.macro SAVE_SITE
	movl	SITE_RET(%esp), %eax
	movl	%eax, PT_EIP(%esp)
	leal	PARENT_RET(%esp), %ecx
	movl	%ecx, PT_OLDESP(%esp)
	subl	$MCOUNT_INSN_SIZE, %eax
	movl	%eax, SITE_IP(%esp)
	/* May overwrite the flags that ftrace_regs_caller pushed: they are in their slot now. */
	movl	PARENT_RET(%esp), %edx
	movl	%edx, PARENT_COPY(%esp)
.endm

/*
 * Build two frames for an unwinder that follows frame pointers, the inner one first.  ftrace_64.S
 * explains why.
 *
 *	20	caller's %ebp
 *	16	return address into the caller, stored already: PARENT_COPY
 *	12	caller's %ebp
 *	 8	return address into the traced function
 *	 4	address of the frame at 12		<- %ebp
 *	 0	address of the site: SITE_IP
 */
.macro MAKE_FRAMES
#ifdef CONFIG_FRAME_POINTER
	movl	%ebp, (REGS_SIZE + 20)(%esp)
	movl	%ebp, (REGS_SIZE + 12)(%esp)
	movl	SITE_RET(%esp), %ecx
	movl	%ecx, (REGS_SIZE + 8)(%esp)
	leal	(REGS_SIZE + 12)(%esp), %ecx
	movl	%ecx, (REGS_SIZE + 4)(%esp)
	leal	(REGS_SIZE + 4)(%esp), %ebp
#endif
.endm

/* Restore %ebp if MAKE_FRAMES has changed it: callbacks preserve it. */
.macro UNMAKE_FRAMES
#ifdef CONFIG_FRAME_POINTER
	movl	PT_EBP(%esp), %ebp
#endif
.endm

.macro RESTORE_ARGS
	movl	PT_ECX(%esp), %ecx
	movl	PT_EDX(%esp), %edx
	movl	PT_EAX(%esp), %eax
.endm

/*
 * Call all ops of the site, which are looked up.  A trampoline has a call for each ops instead.
 * %eax and %edx are as SAVE_SITE has set them.
 */
.macro CALL_OPS
	xorl	%ecx, %ecx
	pushl	%esp
	call	arch_ftrace_ops_list_func
	popl	%ecx
.endm

SYM_FUNC_START(ftrace_caller)
	subl	$FRAME_TOTAL, %esp
	SAVE_ARGS
	SAVE_SITE
	MAKE_FRAMES
	movl	$0, PT_CS(%esp)
SYM_INNER_LABEL(ftrace_caller_body, SYM_L_GLOBAL)
	CALL_OPS
SYM_INNER_LABEL(ftrace_caller_tail, SYM_L_GLOBAL)
	UNMAKE_FRAMES
	RESTORE_ARGS
	addl	$FRAME_TOTAL, %esp
SYM_INNER_LABEL(ftrace_caller_end, SYM_L_GLOBAL)
	RET
SYM_FUNC_END(ftrace_caller)

#ifdef CONFIG_DYNAMIC_FTRACE
/* Allocate the frame, save all registers in it, and load the arguments as SAVE_SITE does. */
.macro SAVE_ALL
	pushfl
	subl	$(FRAME_TOTAL - 4), %esp
	SAVE_ARGS
	movl	%ebx, PT_EBX(%esp)
	movl	%esi, PT_ESI(%esp)
	movl	%edi, PT_EDI(%esp)
	movl	(FRAME_TOTAL - 4)(%esp), %ecx
	movl	%ecx, PT_EFLAGS(%esp)
	movl	%ds, %ecx
	movl	%ecx, PT_DS(%esp)
	movl	%es, %ecx
	movl	%ecx, PT_ES(%esp)
	movl	%fs, %ecx
	movl	%ecx, PT_FS(%esp)
	movl	%gs, %ecx
	movl	%ecx, PT_GS(%esp)
	movl	$__KERNEL_DS, PT_OLDSS(%esp)
	movl	$__KERNEL_CS, PT_CS(%esp)
	movl	$-1, PT_ORIG_EAX(%esp)
	SAVE_SITE
	MAKE_FRAMES
.endm

/*
 * Restore all registers from the frame, with what callbacks have changed, and free the frame,
 * except for \left bytes at its end.
 */
.macro RESTORE_ALL left=0
	movl	PT_EIP(%esp), %eax
	movl	%eax, SITE_RET(%esp)
	movl	PT_EFLAGS(%esp), %eax
	movl	%eax, (FRAME_TOTAL - 4 - \left)(%esp)
	movl	PT_EBX(%esp), %ebx
	movl	PT_ESI(%esp), %esi
	movl	PT_EDI(%esp), %edi
	movl	PT_EBP(%esp), %ebp
	RESTORE_ARGS
	addl	$(FRAME_TOTAL - 4 - \left), %esp
	popfl
.endm

/*
 * The entry for callbacks that need all registers.  Their changes to the registers, the instruction
 * pointer included, take effect, except for changes to the stack pointer and the segments, which
 * are those of the kernel.
 */
SYM_FUNC_START(ftrace_regs_caller)
	SAVE_ALL
SYM_INNER_LABEL(ftrace_regs_caller_body, SYM_L_GLOBAL)
	CALL_OPS
SYM_INNER_LABEL(ftrace_regs_caller_tail, SYM_L_GLOBAL)
	RESTORE_ALL
SYM_INNER_LABEL(ftrace_regs_caller_end, SYM_L_GLOBAL)
	RET
SYM_FUNC_END(ftrace_regs_caller)

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS
/*
 * The entry of sites with a direct call whose set has no trampoline.  arch_ftrace_ops_list_func()
 * stores the address of the direct call in the slot of ORIG_EAX.  No register is free for that
 * address at the end, so it becomes the last word of the frame, and RET takes it from there.
 */
SYM_FUNC_START(ftrace_direct_caller)
	SAVE_ALL
	movl	$0, PT_ORIG_EAX(%esp)
	CALL_OPS
	movl	PT_ORIG_EAX(%esp), %eax
	testl	%eax, %eax
	jz	1f
	movl	%eax, (FRAME_TOTAL - 4)(%esp)
	RESTORE_ALL left=4
	RET
1:	RESTORE_ALL
	RET
SYM_FUNC_END(ftrace_direct_caller)

SYM_FUNC_START(ftrace_stub_direct_tramp)
	RET
SYM_FUNC_END(ftrace_stub_direct_tramp)
#endif
#endif /* CONFIG_DYNAMIC_FTRACE */

#ifdef CONFIG_FUNCTION_GRAPH_TRACER
/* Functions whose return is traced return to return_to_handler: see ftrace_64.S. */
SYM_CODE_START_LOCAL(return_to_handler_call)
	call	.Lreturned
SYM_INNER_LABEL(return_to_handler, SYM_L_GLOBAL)
	jmp	return_to_handler_call
.Lreturned:
	pushl	%ebp
#ifdef CONFIG_FRAME_POINTER
	movl	%esp, %ebp
#endif
	pushl	%edx
	pushl	%eax
	movl	%esp, %eax
	call	graph_return
	popl	%eax
	popl	%edx
	popl	%ebp
	RET
SYM_CODE_END(return_to_handler_call)
#endif /* CONFIG_FUNCTION_GRAPH_TRACER */
