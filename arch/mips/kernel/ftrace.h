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
#include <asm/regdef.h>

/* addiu, or on 64 bit daddiu, and the load of a register: their upper bits */
#ifdef CONFIG_64BIT
#define OP_ADDIU	0x64000000U
#define OP_LOAD		0xdc000000U
#else
#define OP_ADDIU	0x24000000U
#define OP_LOAD		0x8c000000U
#endif

/* op rt, imm(rs), or op rt, rs, imm */
#define INSN_IMM(op, rt, rs, imm) \
	((op) | (u32)(rs) << 21 | (u32)(rt) << 16 | (u16)(imm))

#define INSN_LUI(rt, imm)	INSN_IMM(0x3c000000U, rt, GPR_ZERO, imm)
/* Taken always, to @words behind its delay slot. */
#define INSN_BRANCH(words)	INSN_IMM(0x10000000U, GPR_ZERO, GPR_ZERO, words)
#define INSN_JAL(target)	(0x0c000000U | ((u32)(target) >> 2 & GENMASK(25, 0)))
#define INSN_JALR(rs)		(0x0000f809U | (u32)(rs) << 21)
/* `jr`, which release 6 has under this name only. */
#define INSN_JALR_ZERO(rs)	(0x00000009U | (u32)(rs) << 21)
#define INSN_MOVE_A0_V0		0x00402025U
#define INSN_MOVE_A1_AT		0x00202825U
#define INSN_MOVE_A3_SP		0x03a03825U
#define INSN_MOVE_AT_RA		0x03e00825U
#define INSN_MOVE_RA_AT		0x0020f825U

/* A short site that calls nobody: see ftrace.c. */
#if defined(CONFIG_64BIT)
#define SHORT_NOP	INSN_MOVE_RA_AT
#elif defined(CONFIG_CPU_MIPSR6)
#define SHORT_NOP	0xc8000001U			/* bc .+8 */
#else
#define SHORT_NOP	0x54000001U			/* bnel $0, $0, .+8 */
#endif

/* What o32 has in the slot of a site; on n64 it is of no interest. */
#define SLOT_INSN	INSN_IMM(OP_ADDIU, GPR_SP, GPR_SP, -FTRACE_SLOT_SIZE)

/* Where -mmcount-ra-address says where ra is: t4 on o32, t0 on n64. */
#define GPR_RA_AT	12

static inline bool insn_is_jal(u32 insn)
{
	return (insn & ~GENMASK(25, 0)) == INSN_JAL(0);
}

/* The halves of a value for `lui` and an addition, which extends the lower one's sign. */
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
 *
 * Return: the upper 16 bits, one more where the lower half is taken for negative.
 */
u16 ftrace_window_high(void);

/**
 * ftrace_short_entry - where a site that is a `jal` enters
 * @target: a trampoline, or ftrace_caller
 *
 * Context: any.
 *
 * Return: an address that `jal` reaches from the kernel's text.
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
 * Behind it ftrace_caller calls the ops of a site; before, it goes straight back.
 *
 * Context: boot, on the only CPU.
 */
void ftrace_window_open(void);

#endif /* _MIPS_KERNEL_FTRACE_H */
