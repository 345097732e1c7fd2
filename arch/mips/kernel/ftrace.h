/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Between the two halves of the function tracer on MIPS: call sites (ftrace.c) and
 * trampolines (ftrace_trampoline.c).  And the instructions that both write.
 */
#ifndef _MIPS_KERNEL_FTRACE_H
#define _MIPS_KERNEL_FTRACE_H

#include <linux/bits.h>
#include <linux/ftrace.h>
#include <linux/types.h>

/* addiu, or on 64 bit daddiu, and a load or store of a register: their upper bits */
#ifdef CONFIG_64BIT
#define OP_ADDIU	0x64000000U
#define OP_LOAD		0xdc000000U
#else
#define OP_ADDIU	0x24000000U
#define OP_LOAD		0x8c000000U
#endif

enum insn_reg {
	REG_ZERO = 0, REG_V0 = 2, REG_V1 = 3, REG_A0 = 4, REG_A1 = 5, REG_A2 = 6,
	REG_A3 = 7, REG_T9 = 25, REG_SP = 29, REG_RA = 31,
};

/* op rt, imm(rs), or op rt, rs, imm */
#define INSN_IMM(op, rt, rs, imm) \
	((op) | (u32)(rs) << 21 | (u32)(rt) << 16 | (u16)(imm))

#define INSN_LUI(rt, imm)	INSN_IMM(0x3c000000U, rt, REG_ZERO, imm)
/* Taken always, to @words behind its delay slot. */
#define INSN_BRANCH(words)	INSN_IMM(0x10000000U, REG_ZERO, REG_ZERO, words)
#define INSN_JAL(target)	(0x0c000000U | ((u32)(target) >> 2 & GENMASK(25, 0)))
#define INSN_JALR(rs)		(0x0000f809U | (u32)(rs) << 21)
#define INSN_MOVE_A0_V0		0x00402025U
#define INSN_MOVE_A1_AT		0x00202825U
#define INSN_MOVE_A3_SP		0x03a03825U
#define INSN_MOVE_AT_RA		0x03e00825U
#define INSN_MOVE_RA_AT		0x0020f825U

/* What `lui` and an addition of 16 bits with a sign make of it. */
static inline u16 insn_low(unsigned long value)
{
	return value;
}

static inline u16 insn_high(unsigned long value)
{
	return (value + 0x8000) >> 16;
}

/**
 * ftrace_window_high - what `lui` has to load for every address in the window
 *
 * Context: any.
 */
u16 ftrace_window_high(void);

/**
 * ftrace_short_entry - where a site that is a `jal` enters
 * @target: a trampoline, or ftrace_caller
 *
 * Context: any.
 */
unsigned long ftrace_short_entry(unsigned long target);

/**
 * ftrace_long_entry - where a site that is a sequence enters
 * @target: a trampoline, or ftrace_caller
 *
 * Context: any.
 *
 * Return: an address in the window.
 */
unsigned long ftrace_long_entry(unsigned long target);

/**
 * ftrace_window_open - prepare the entries of the static caller
 *
 * Context: boot, on the only CPU.
 */
void ftrace_window_open(void);

/* The first instruction of an entry. */
#define INSN_TAKE_STACK	INSN_IMM(OP_ADDIU, REG_SP, REG_SP, -FTRACE_REGS_SIZE)
/* The second one: where the site is. */
#define INSN_FIND_SITE(back)	INSN_IMM(OP_ADDIU, REG_V0, REG_RA, -(back))

#endif /* _MIPS_KERNEL_FTRACE_H */
