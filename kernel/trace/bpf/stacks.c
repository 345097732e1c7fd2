// SPDX-License-Identifier: GPL-2.0
/*
 * bpf_get_stackid() and bpf_get_stack() for programs of tracepoints, whose context is not the
 * registers. Each finds the registers, and calls the helper of kernel/bpf/stackmap.c for programs
 * whose context is the registers.
 */
#include <linux/bpf.h>
#include <linux/errno.h>
#include <linux/filter.h>
#include <linux/perf_event.h>
#include <linux/string.h>

#include "helpers.h"

/*
 * The helpers of kernel/bpf/stackmap.c are static functions, so they are called through their
 * prototypes.
 */

static u64 stacks_get_stackid(struct pt_regs *regs, struct bpf_map *map, u64 flags)
{
	return bpf_get_stackid_proto.func((unsigned long)regs, (unsigned long)map, flags, 0, 0);
}

static u64 stacks_get_stack(struct pt_regs *regs, void *buf, u32 size, u64 flags)
{
	return bpf_get_stack_proto.func((unsigned long)regs, (unsigned long)buf, size, flags, 0);
}

#define STACKID_PROTO(helper)						\
{									\
	.arg1_type	= ARG_PTR_TO_CTX,				\
	.arg2_type	= ARG_CONST_MAP_PTR,				\
	.arg3_type	= ARG_ANYTHING,					\
	.ret_type	= RET_INTEGER,					\
	.func		= helper,					\
	.gpl_only	= true,						\
}

#define STACK_PROTO(helper)						\
{									\
	.arg1_type	= ARG_PTR_TO_CTX,				\
	.arg2_type	= ARG_PTR_TO_UNINIT_MEM,			\
	.arg3_type	= ARG_CONST_SIZE_OR_ZERO,			\
	.arg4_type	= ARG_ANYTHING,					\
	.ret_type	= RET_INTEGER,					\
	.func		= helper,					\
	.gpl_only	= true,						\
}

/* ------------------------------------------------------------------ */
/* Records								*/

BPF_CALL_3(bpf_get_stackid_tp, void *, record, struct bpf_map *, map, u64, flags)
{
	return stacks_get_stackid(trace_bpf_regs_of_record(record), map, flags);
}

const struct bpf_func_proto trace_bpf_stackid_record_proto = STACKID_PROTO(bpf_get_stackid_tp);

BPF_CALL_4(bpf_get_stack_tp, void *, record, void *, buf, u32, size, u64, flags)
{
	return stacks_get_stack(trace_bpf_regs_of_record(record), buf, size, flags);
}

const struct bpf_func_proto trace_bpf_stack_record_proto = STACK_PROTO(bpf_get_stack_tp);

/* ------------------------------------------------------------------ */
/* Raw arguments							*/

BPF_CALL_3(bpf_get_stackid_raw_tp, void *, args, struct bpf_map *, map, u64, flags)
{
	struct pt_regs *regs = trace_bpf_get_raw_tp_regs();
	u64 id;

	if (unlikely(!regs))
		return -EBUSY;
	perf_fetch_caller_regs(regs);
	id = stacks_get_stackid(regs, map, flags);
	trace_bpf_put_raw_tp_regs();
	return id;
}

const struct bpf_func_proto trace_bpf_stackid_raw_proto = STACKID_PROTO(bpf_get_stackid_raw_tp);

BPF_CALL_4(bpf_get_stack_raw_tp, void *, args, void *, buf, u32, size, u64, flags)
{
	struct pt_regs *regs = trace_bpf_get_raw_tp_regs();
	u64 len;

	if (unlikely(!regs)) {
		memset(buf, 0, size);
		return -EBUSY;
	}
	perf_fetch_caller_regs(regs);
	len = stacks_get_stack(regs, buf, size, flags);
	trace_bpf_put_raw_tp_regs();
	return len;
}

const struct bpf_func_proto trace_bpf_stack_raw_proto = STACK_PROTO(bpf_get_stack_raw_tp);
