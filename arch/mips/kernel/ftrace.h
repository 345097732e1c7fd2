/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface between call sites (ftrace.c) and trampolines (ftrace_trampoline.c) of the function
 * tracer on MIPS, and the instructions that both write.
 */
#ifndef _MIPS_KERNEL_FTRACE_H
#define _MIPS_KERNEL_FTRACE_H

#include <linux/bits.h>
#include <linux/ftrace.h>
#include <linux/types.h>
#include <asm/regdef.h>

/* Upper bits of addiu, or on 64 bit daddiu, and of the load of a register. */
#ifdef CONFIG_64BIT
#define OP_ADDIU	0x64000000U
#define OP_LOAD		0xdc000000U
#else
#define OP_ADDIU	0x24000000U
#define OP_LOAD		0x8c000000U
#endif

/* The instruction `op rt, imm(rs)` or `op rt, rs, imm`. */
#define INSN_IMM(op, rt, rs, imm) \
	((op) | (u32)(rs) << 21 | (u32)(rt) << 16 | (u16)(imm))

#define INSN_LUI(rt, imm)	INSN_IMM(0x3c000000U, rt, GPR_ZERO, imm)
/* A branch that is always taken, to the instruction @words words behind its delay slot. */
#define INSN_BRANCH(words)	INSN_IMM(0x10000000U, GPR_ZERO, GPR_ZERO, words)
#define INSN_JAL(target)	(0x0c000000U | ((u32)(target) >> 2 & GENMASK(25, 0)))
#define INSN_JALR(rs)		(0x0000f809U | (u32)(rs) << 21)
/* `jr`: release 6 has only this encoding, `jalr zero, rs`. */
#define INSN_JALR_ZERO(rs)	(0x00000009U | (u32)(rs) << 21)
#define INSN_MOVE_A0_V0		0x00402025U
#define INSN_MOVE_A1_AT		0x00202825U
#define INSN_MOVE_A3_SP		0x03a03825U
#define INSN_MOVE_AT_RA		0x03e00825U
#define INSN_MOVE_RA_AT		0x0020f825U

/* The nop of a short site: see ftrace.c. */
#if defined(CONFIG_64BIT)
#define SHORT_NOP	INSN_MOVE_RA_AT
#elif defined(CONFIG_CPU_MIPSR6)
#define SHORT_NOP	0xc8000001U			/* bc .+8 */
#else
#define SHORT_NOP	0x54000001U			/* bnel $0, $0, .+8 */
#endif

/* The instruction in the slot of a site on o32; on n64 the slot does not matter. */
#define SLOT_INSN	INSN_IMM(OP_ADDIU, GPR_SP, GPR_SP, -FTRACE_SLOT_SIZE)

/* The register that -mmcount-ra-address sets to the location of ra: t4 on o32, t0 on n64. */
#define GPR_RA_AT	12

static inline bool insn_is_jal(u32 insn)
{
	return (insn & ~GENMASK(25, 0)) == INSN_JAL(0);
}

/* Halves of a value for `lui` and an addition that extends the sign of the lower half. */
static inline u16 insn_low(unsigned long value)
{
	return value;
}

static inline u16 insn_high(unsigned long value)
{
	return (value + 0x8000) >> 16;
}

/**
 * ftrace_window_high - get the operand of `lui` for every address in the window
 *
 * Context: any.
 *
 * Return: the upper 16 bits, plus 1 if the lower half is negative as a signed number.
 */
u16 ftrace_window_high(void);

/**
 * ftrace_short_entry - get the address that a short site calls
 * @target: a trampoline, or ftrace_caller
 *
 * Context: any.
 *
 * Return: an address that `jal` reaches from the kernel's text.
 */
unsigned long ftrace_short_entry(unsigned long target);

/**
 * ftrace_long_entry - get the address that a long site calls
 * @target: a trampoline, or ftrace_caller
 *
 * Context: any.
 *
 * Return: an address in the window.
 */
unsigned long ftrace_long_entry(unsigned long target);

/**
 * ftrace_window_open - prepare the entries of ftrace_caller
 *
 * Before this, ftrace_caller only returns; from then on it calls the ops of a site.
 *
 * Context: boot, on the only CPU.
 */
void ftrace_window_open(void);

#endif /* _MIPS_KERNEL_FTRACE_H */
