/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Entry of the function tracer on MIPS.
 *
 * A traced function calls here when its prologue is done:
 *
 *	at	its return address, which ra held
 *	ra	behind the site and its delay slot
 *	sp	on o32, 8 bytes below that of the function: they are ours to give back
 *	a0...	the arguments
 *	$12	where the prologue has put the return address, 0 if it has not; only with
 *		function_graph
 *
 * Nobody has anything in v0, v1 and the temporary registers then; what C functions
 * preserve they will.  So what is saved are the arguments, at and ra.  Only a function
 * inside of a function has its static chain in v0: that has to be notrace.
 *
 * The second instruction finds the site, which is further from ra in modules.  Those
 * come in at ftrace_caller_main, behind first instructions of their own: see
 * ftrace_trampoline.c.
 *
 * Trampolines have copies of what is between ftrace_caller_main and _body, and
 * between _tail and _end: nothing there may depend on its address.
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

/* Where _mcount leads until call sites can be nops, or while nobody is called: back. */
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
 * The branch becomes `addiu sp, sp, -FTRACE_REGS_SIZE` when the tracer is ready; see
 * ftrace.c.  What is in its delay slot harms nobody until then.
 *
 * Without dynamic tracing modules enter here too. The address computed for their sites is
 * inside the function, but not the site; that is enough to name it.
 */
NESTED(ftrace_caller, FTRACE_REGS_SIZE, ra)
FEXPORT(_mcount)
#ifdef CONFIG_DYNAMIC_FTRACE
	b	ftrace_closed
	 PTR_ADDIU v0, ra, -FTRACE_SHORT_BACK
#else
	/* Symbols have 32 bits: what is loaded last tells whether anybody is called. */
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
 * Where functions return to that are waited for (SPEC T3).  All that is left of one is
 * what it returns, in v0 and v1, and the stack pointer, by which the call is found.  What
 * is on the stack here is a struct ftrace_return: ra still has this address, and
 * graph_return() puts the true one in its place.  Unwinders know the labels: see
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
