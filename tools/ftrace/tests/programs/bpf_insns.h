/* SPDX-License-Identifier: GPL-2.0 */
/* A program of BPF, to which each function adds an instruction, or what belongs together. */
#ifndef BPF_INSNS_H
#define BPF_INSNS_H

#include <linux/bpf.h>

static struct bpf_insn insns[64];
static unsigned int nr_insns;

static void emit(int code, int dst, int src, int off, int imm)
{
	insns[nr_insns++] = (struct bpf_insn) {
		.code = code, .dst_reg = dst, .src_reg = src, .off = off, .imm = imm,
	};
}

static void emit_move(int to, int from)
{
	emit(BPF_ALU64 | BPF_MOV | BPF_X, to, from, 0, 0);
}

static void emit_number(int to, int number)
{
	emit(BPF_ALU64 | BPF_MOV | BPF_K, to, 0, 0, number);
}

static void emit_call(int function)
{
	emit(BPF_JMP | BPF_CALL, 0, 0, 0, function);
}

static void emit_map(int to, int map)
{
	emit(BPF_LD | BPF_DW | BPF_IMM, to, BPF_PSEUDO_MAP_FD, 0, map);
	emit(0, 0, 0, 0, 0);
}

/* Let a register point so many bytes below the top of the stack. */
static void emit_stack(int to, int bytes)
{
	emit_move(to, BPF_REG_10);
	emit(BPF_ALU64 | BPF_ADD | BPF_K, to, 0, 0, -bytes);
}

#endif
