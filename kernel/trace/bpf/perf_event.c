// SPDX-License-Identifier: GPL-2.0
/*
 * Programs of type BPF_PROG_TYPE_PERF_EVENT, which run when a perf event overflows. They are
 * attached and run by perf itself (kernel/events/core.c).
 */
#include <linux/array_size.h>
#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>
#include <linux/errno.h>
#include <linux/filter.h>
#include <linux/minmax.h>
#include <linux/perf_event.h>
#include <linux/string.h>

#include "helpers.h"

/* ------------------------------------------------------------------ */
/* Helpers								*/

BPF_CALL_3(bpf_perf_prog_read_value, struct bpf_perf_event_data_kern *, ctx,
	   struct bpf_perf_event_value *, value, u32, size)
{
	int err = -EINVAL;

	if (likely(size == sizeof(*value)))
		err = perf_event_read_local(ctx->event, &value->counter, &value->enabled,
					    &value->running);
	/* The verifier lets a program pass memory that it has not initialized, and then read it. */
	if (unlikely(err))
		memset(value, 0, size);
	return err;
}

static const struct bpf_func_proto bpf_perf_prog_read_value_proto = {
	.ret_type	= RET_INTEGER,
	.arg1_type	= ARG_PTR_TO_CTX,
	.arg2_type	= ARG_PTR_TO_UNINIT_MEM,
	.arg3_type	= ARG_CONST_SIZE,
	.gpl_only	= true,
	.func		= bpf_perf_prog_read_value,
};

/* Return: bytes copied; -EINVAL if @to is NULL, or @size not a multiple of that of an entry. */
static int perf_event_prog_copy_branches(const struct perf_branch_stack *branches, void *to,
					 u32 size)
{
	u32 len = branches->nr * sizeof(branches->entries[0]);

	if (!to || size % sizeof(branches->entries[0]))
		return -EINVAL;
	len = min(len, size);
	memcpy(to, branches->entries, len);
	return len;
}

BPF_CALL_4(bpf_read_branch_records, struct bpf_perf_event_data_kern *, ctx, void *, to, u32, size,
	   u64, flags)
{
	const struct perf_branch_stack *branches = ctx->data->br_stack;

	if (unlikely(flags & ~BPF_F_GET_BRANCH_RECORDS_SIZE))
		return -EINVAL;
	if (unlikely(!(ctx->data->sample_flags & PERF_SAMPLE_BRANCH_STACK) || !branches))
		return -ENOENT;
	if (flags & BPF_F_GET_BRANCH_RECORDS_SIZE)
		return branches->nr * sizeof(branches->entries[0]);
	return perf_event_prog_copy_branches(branches, to, size);
}

static const struct bpf_func_proto bpf_read_branch_records_proto = {
	.ret_type	= RET_INTEGER,
	.arg1_type	= ARG_PTR_TO_CTX,
	.arg2_type	= ARG_PTR_TO_MEM_OR_NULL,
	.arg3_type	= ARG_CONST_SIZE_OR_ZERO,
	.arg4_type	= ARG_ANYTHING,
	.gpl_only	= true,
	.func		= bpf_read_branch_records,
};

/* The cookie is kept in the perf event, which has only one program. */
BPF_CALL_1(bpf_get_attach_cookie_pe, struct bpf_perf_event_data_kern *, ctx)
{
	return ctx->event->bpf_cookie;
}

static const struct bpf_func_proto bpf_get_attach_cookie_pe_proto = {
	.ret_type	= RET_INTEGER,
	.arg1_type	= ARG_PTR_TO_CTX,
	.func		= bpf_get_attach_cookie_pe,
};

static const struct bpf_helper_row perf_event_helpers[] = {
	{ BPF_FUNC_perf_event_output,	&trace_bpf_output_record_proto },
	{ BPF_FUNC_get_stackid,		&bpf_get_stackid_proto_pe },
	{ BPF_FUNC_get_stack,		&bpf_get_stack_proto_pe },
	{ BPF_FUNC_perf_prog_read_value, &bpf_perf_prog_read_value_proto },
	{ BPF_FUNC_read_branch_records,	&bpf_read_branch_records_proto },
	{ BPF_FUNC_get_attach_cookie,	&bpf_get_attach_cookie_pe_proto },
};

static const struct bpf_func_proto *perf_event_prog_get_proto(enum bpf_func_id id,
							      const struct bpf_prog *prog)
{
	const struct bpf_func_proto *proto;

	return trace_bpf_find_helper(perf_event_helpers, ARRAY_SIZE(perf_event_helpers), id, prog,
				     &proto) ? proto : trace_bpf_get_common_proto(id, prog);
}

/* ------------------------------------------------------------------ */
/* Access to &struct bpf_perf_event_data				*/

/* On 32 bit, an u64 behind the registers may be aligned to four bytes only. */
static bool perf_event_prog_is_aligned(int off, int size)
{
	return off % size == 0 ||
	       (sizeof(long) == sizeof(u32) && size == sizeof(u64) && off % size == sizeof(u32));
}

/* Programs may read parts of the u64s behind the registers, but each register only as a whole. */
static bool perf_event_prog_can_access(int off, int size, enum bpf_access_type type,
				       const struct bpf_prog *prog,
				       struct bpf_insn_access_aux *info)
{
	if (type != BPF_READ || off < 0 || off >= (int)sizeof(struct bpf_perf_event_data) ||
	    !perf_event_prog_is_aligned(off, size))
		return false;
	if (off < (int)offsetof(struct bpf_perf_event_data, sample_period))
		return size == sizeof(long);
	bpf_ctx_record_field_size(info, sizeof(u64));
	return bpf_ctx_narrow_access_ok(off, size, sizeof(u64));
}

/* Instructions that load the two pointers in &struct bpf_perf_event_data_kern. */
#define LOAD_DATA(dst, src)							\
	BPF_LDX_MEM(BPF_FIELD_SIZEOF(struct bpf_perf_event_data_kern, data), dst, src, \
		    offsetof(struct bpf_perf_event_data_kern, data))
#define LOAD_REGS(dst, src)							\
	BPF_LDX_MEM(BPF_FIELD_SIZEOF(struct bpf_perf_event_data_kern, regs), dst, src, \
		    offsetof(struct bpf_perf_event_data_kern, regs))

/*
 * Replace a load from &struct bpf_perf_event_data by two from &struct bpf_perf_event_data_kern, to
 * which the context of the program really points. Return: number of instructions in @to.
 */
static u32 perf_event_prog_convert_access(enum bpf_access_type type, const struct bpf_insn *insn,
					  struct bpf_insn *to, struct bpf_prog *prog, u32 *size)
{
	u8 reg = insn->dst_reg, ctx = insn->src_reg;

	switch (insn->off) {
	case offsetof(struct bpf_perf_event_data, sample_period):
		to[0] = LOAD_DATA(reg, ctx);
		to[1] = BPF_LDX_MEM(BPF_DW, reg, reg,
				    bpf_target_off(struct perf_sample_data, period, 8, size));
		break;
	case offsetof(struct bpf_perf_event_data, addr):
		to[0] = LOAD_DATA(reg, ctx);
		to[1] = BPF_LDX_MEM(BPF_DW, reg, reg,
				    bpf_target_off(struct perf_sample_data, addr, 8, size));
		break;
	default:
		to[0] = LOAD_REGS(reg, ctx);
		to[1] = BPF_LDX_MEM(BPF_SIZEOF(long), reg, reg, insn->off);
	}
	return 2;
}

const struct bpf_verifier_ops perf_event_verifier_ops = {
	.is_valid_access	= perf_event_prog_can_access,
	.convert_ctx_access	= perf_event_prog_convert_access,
	.get_func_proto		= perf_event_prog_get_proto,
};

const struct bpf_prog_ops perf_event_prog_ops = { };
