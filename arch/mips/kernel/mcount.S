/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Entry of the function tracer on MIPS.
 *
 * A traced function calls the entry behind its prologue.  The registers are
 *
 *	at	the return address of the function, which was in ra
 *	ra	the address behind the site and its delay slot
 *	sp	on o32, 8 bytes below that of the function: the entry adds them again
 *	a0...	the arguments
 *	$12	the address at which the prologue has saved the return address, 0 if it has not;
 *		only with function_graph
 *
 * v0, v1 and the temporary registers hold no values there, and C functions preserve the registers
 * that they have to.  So the entry saves the arguments, at and ra.  The only exception is a nested
 * function, which has its static chain in v0: it has to be notrace.
 *
 * The second instruction computes the address of the site.  Sites in modules are farther from ra:
 * they enter at ftrace_caller_main, after other first instructions, see ftrace_trampoline.c.
 *
 * Trampolines contain copies of the code between ftrace_caller_main and _body, and between _tail
 * and _end: it must not depend on its address.
 */
#include <linux/export.h>
#include <asm/asm.h>
#include <asm/ftrace.h>
#include <asm/regdef.h>

	.text
	.set	noreorder
	.set	noat

/* A callback that does nothing. */
LEAF(ftrace_stub)
	jr	ra
	 nop
END(ftrace_stub)

/*
 * Return to the traced function.  _mcount branches here until sites can be nops, and without
 * DYNAMIC_FTRACE while no ops is to be called.
 */
LEAF(ftrace_closed)
#if FTRACE_SLOT_SIZE
	PTR_ADDIU sp, sp, FTRACE_SLOT_SIZE
#endif
	jr	ra
	 move	ra, AT
END(ftrace_closed)

/* Save the arguments (LONG_S), or restore them (LONG_L). */
.macro ARGS op
	\op	a0, FTRACE_REGS_ARG(0)(sp)
	\op	a1, FTRACE_REGS_ARG(1)(sp)
	\op	a2, FTRACE_REGS_ARG(2)(sp)
	\op	a3, FTRACE_REGS_ARG(3)(sp)
#ifdef CONFIG_64BIT
	\op	a4, FTRACE_REGS_ARG(4)(sp)
	\op	a5, FTRACE_REGS_ARG(5)(sp)
	\op	a6, FTRACE_REGS_ARG(6)(sp)
	\op	a7, FTRACE_REGS_ARG(7)(sp)
#endif
.endm

/*
 * ftrace_window_open() replaces the branch by `addiu sp, sp, -FTRACE_REGS_SIZE` when the tracer is
 * ready.  Until then the instruction in the delay slot is harmless.
 *
 * Without dynamic tracing, sites in modules enter here, too.  The address computed for such a site
 * is inside the function, but not the site; that is enough to find the function's name.
 */
NESTED(ftrace_caller, FTRACE_REGS_SIZE, ra)
FEXPORT(_mcount)
#ifdef CONFIG_DYNAMIC_FTRACE
	b	ftrace_closed
	 PTR_ADDIU v0, ra, -FTRACE_SHORT_BACK
#else
	/* Return unless ops are to be called.  Addresses of symbols have 32 bits. */
	lui	v0, %hi(ftrace_entry_open)
	lw	v0, %lo(ftrace_entry_open)(v0)
	beqz	v0, ftrace_closed
	 PTR_ADDIU v0, ra, -FTRACE_SHORT_BACK
	PTR_ADDIU sp, sp, -FTRACE_REGS_SIZE
#endif
FEXPORT(ftrace_caller_main)
	LONG_S	AT, FTRACE_REGS_RA(sp)
	LONG_S	v0, FTRACE_REGS_SITE(sp)
FEXPORT(ftrace_caller_saved)
	LONG_S	ra, FTRACE_REGS_IP(sp)
#ifdef CONFIG_FUNCTION_GRAPH_TRACER
	LONG_S	$12, FTRACE_REGS_RA_AT(sp)
	LONG_S	AT, FTRACE_REGS_BACK(sp)
#endif
	ARGS LONG_S
FEXPORT(ftrace_caller_body)
	move	a0, v0
	move	a1, AT
	jal	arch_ftrace_ops_list_func
	 move	a3, sp
FEXPORT(ftrace_caller_tail)
	LONG_L	v0, FTRACE_REGS_IP(sp)
	LONG_L	ra, FTRACE_REGS_BACK(sp)
	ARGS LONG_L
	jr	v0
	 PTR_ADDIU sp, sp, FTRACE_REGS_SIZE + FTRACE_SLOT_SIZE
FEXPORT(ftrace_caller_end)
END(ftrace_caller)
EXPORT_SYMBOL(_mcount)

#ifdef CONFIG_FUNCTION_GRAPH_TRACER
/*
 * Functions whose return is traced return to return_to_handler (SPEC T3).  Only the return value in
 * v0 and v1 is left of the function, and the stack pointer, by which the call is found.  The frame
 * is a struct ftrace_return: its member @to is set to ra, which is return_to_handler, and
 * graph_return() replaces it with the true return address.  Unwinders use the labels: see
 * ftrace_unwind.c.
 */
NESTED(return_to_handler, FTRACE_RETURN_SIZE, ra)
	PTR_ADDIU sp, sp, -FTRACE_RETURN_SIZE
FEXPORT(return_to_handler_room)
	LONG_S	ra, FTRACE_RETURN_TO(sp)
FEXPORT(return_to_handler_saved)
	LONG_S	v0, FTRACE_RETURN_VALUE(0)(sp)
	LONG_S	v1, FTRACE_RETURN_VALUE(1)(sp)
	jal	graph_return
	 move	a0, sp
	LONG_L	ra, FTRACE_RETURN_TO(sp)
	LONG_L	v0, FTRACE_RETURN_VALUE(0)(sp)
	LONG_L	v1, FTRACE_RETURN_VALUE(1)(sp)
	jr	ra
	 PTR_ADDIU sp, sp, FTRACE_RETURN_SIZE
FEXPORT(return_to_handler_end)
END(return_to_handler)
#endif
