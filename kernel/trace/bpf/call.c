// SPDX-License-Identifier: GPL-2.0
/*
 * Helpers about the function call for which a program runs: its function, arguments and result, the
 * cookie with which the program is attached, and the branches that led to the call.
 *
 * A trampoline passes its programs an array of u64: the arguments, and the result behind them. In
 * front of the array is the number of arguments, and in front of that the address of the function.
 * In programs of type BPF_PROG_TYPE_TRACING the verifier inlines the helpers that read these.
 */
#include <linux/bpf.h>
#include <linux/build_bug.h>
#include <linux/container_of.h>
#include <linux/errno.h>
#include <linux/filter.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <linux/static_call.h>
#include <linux/stddef.h>
#include <linux/string.h>

#include "helpers.h"

/* ------------------------------------------------------------------ */
/* Arguments and results, as a trampoline passes them			*/

static u64 call_get_func(const u64 *args)
{
	return args[-2];
}

static u64 call_get_nr_args(const u64 *args)
{
	return args[-1];
}

BPF_CALL_1(bpf_get_func_ip_tracing, const u64 *, args)
{
	return call_get_func(args);
}

const struct bpf_func_proto trace_bpf_func_ip_proto = {
	.func		= bpf_get_func_ip_tracing,
	.arg1_type	= ARG_PTR_TO_CTX,
	.ret_type	= RET_INTEGER,
	.gpl_only	= true,
};

/* Type of an argument that points to an u64 of the program, which the helper sets. */
#define ARG_WORD	(ARG_PTR_TO_FIXED_SIZE_MEM | MEM_ALIGNED | MEM_UNINIT | MEM_WRITE)

BPF_CALL_3(get_func_arg, const u64 *, args, u32, n, u64 *, word)
{
	bool exists = n < call_get_nr_args(args);

	*word = exists ? args[n] : 0;
	return exists ? 0 : -EINVAL;
}

const struct bpf_func_proto trace_bpf_func_arg_proto = {
	.func		= get_func_arg,
	.arg1_type	= ARG_PTR_TO_CTX,
	.arg2_type	= ARG_ANYTHING,
	.arg3_size	= sizeof(u64),
	.arg3_type	= ARG_WORD,
	.ret_type	= RET_INTEGER,
};

BPF_CALL_2(get_func_ret, const u64 *, args, u64 *, word)
{
	*word = args[call_get_nr_args(args)];
	return 0;
}

const struct bpf_func_proto trace_bpf_func_ret_proto = {
	.func		= get_func_ret,
	.arg1_type	= ARG_PTR_TO_CTX,
	.arg2_size	= sizeof(u64),
	.arg2_type	= ARG_WORD,
	.ret_type	= RET_INTEGER,
};

BPF_CALL_1(get_func_arg_cnt, const u64 *, args)
{
	return call_get_nr_args(args);
}

const struct bpf_func_proto trace_bpf_func_arg_cnt_proto = {
	.func		= get_func_arg_cnt,
	.arg1_type	= ARG_PTR_TO_CTX,
	.ret_type	= RET_INTEGER,
};

/* ------------------------------------------------------------------ */
/* The cookie								*/

/*
 * A trampoline runs programs with a struct bpf_tramp_run_ctx. bpf_get_attach_cookie_trace() reads
 * the cookie of that, too, as that of a struct bpf_trace_run_ctx.
 */
static_assert(offsetof(struct bpf_trace_run_ctx, bpf_cookie) ==
	      offsetof(struct bpf_tramp_run_ctx, bpf_cookie));
static_assert(offsetof(struct bpf_trace_run_ctx, run_ctx) ==
	      offsetof(struct bpf_tramp_run_ctx, run_ctx));

BPF_CALL_1(bpf_get_attach_cookie_trace, void *, ctx)
{
	return container_of(current->bpf_ctx, struct bpf_trace_run_ctx, run_ctx)->bpf_cookie;
}

const struct bpf_func_proto trace_bpf_attach_cookie_proto = {
	.func		= bpf_get_attach_cookie_trace,
	.arg1_type	= ARG_PTR_TO_CTX,
	.ret_type	= RET_INTEGER,
	.gpl_only	= false,
};

/* ------------------------------------------------------------------ */
/* Branches								*/

/*
 * The hardware goes on recording branches until the snapshot is taken, and each of them overwrites
 * one that the program wants. So @flags are checked after the snapshot: that saves branches.
 */
BPF_CALL_3(bpf_get_branch_snapshot, void *, buf, u32, size, u64, flags)
{
	const u32 room = size / sizeof(struct perf_branch_entry);
	u32 nr = static_call(perf_snapshot_branch_stack)(buf, room);
	u32 filled = flags ? 0 : nr * sizeof(struct perf_branch_entry);

	/* The verifier lets a program pass memory that it has not initialized, and then read it. */
	memset(buf + filled, 0, size - filled);
	if (filled)
		return filled;
	return flags ? -EINVAL : -ENOENT;
}

const struct bpf_func_proto trace_bpf_branch_snapshot_proto = {
	.func		= bpf_get_branch_snapshot,
	.arg1_type	= ARG_PTR_TO_UNINIT_MEM,
	.arg2_type	= ARG_CONST_SIZE_OR_ZERO,
	.arg3_type	= ARG_ANYTHING,
	.ret_type	= RET_INTEGER,
	.gpl_only	= true,
};
