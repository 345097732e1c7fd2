// SPDX-License-Identifier: GPL-2.0
/*
 * Helpers about the call that has brought a program to run: its function, arguments and result,
 * the cookie with which the program is attached, and the branches that led there.
 *
 * A trampoline passes its programs an array of u64: the arguments, and the result behind them. In
 * front of the array are the number of arguments and, before that, the address of the function.
 * In most programs the verifier replaces calls of the helpers that read these by instructions.
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

static u64 function_of_args(const u64 *args)
{
	return args[-2];
}

static u64 number_of_args(const u64 *args)
{
	return args[-1];
}

BPF_CALL_1(bpf_get_func_ip_tracing, const u64 *, args)
{
	return function_of_args(args);
}

const struct bpf_func_proto trace_bpf_func_ip_proto = {
	.func		= bpf_get_func_ip_tracing,
	.arg1_type	= ARG_PTR_TO_CTX,
	.ret_type	= RET_INTEGER,
	.gpl_only	= true,
};

/* Where a helper puts a word that the program gets. */
#define ARG_WORD	(ARG_PTR_TO_FIXED_SIZE_MEM | MEM_ALIGNED | MEM_UNINIT | MEM_WRITE)

BPF_CALL_3(get_func_arg, const u64 *, args, u32, n, u64 *, word)
{
	bool exists = n < number_of_args(args);

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
	*word = args[number_of_args(args)];
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
	return number_of_args(args);
}

const struct bpf_func_proto trace_bpf_func_arg_cnt_proto = {
	.func		= get_func_arg_cnt,
	.arg1_type	= ARG_PTR_TO_CTX,
	.ret_type	= RET_INTEGER,
};

/* ------------------------------------------------------------------ */
/* The cookie								*/

/* Trampolines run programs with another structure, whose cookie has to be in the same place. */
static_assert(offsetof(struct bpf_trace_run_ctx, bpf_cookie) ==
	      offsetof(struct bpf_tramp_run_ctx, bpf_cookie));
static_assert(offsetof(struct bpf_trace_run_ctx, run_ctx) ==
	      offsetof(struct bpf_tramp_run_ctx, run_ctx));

BPF_CALL_1(bpf_get_attach_cookie_trace, void *, ctx)
{
	return container_of(current->bpf_ctx, struct bpf_trace_run_ctx, run_ctx)->bpf_cookie;
}

const struct bpf_func_proto trace_bpf_cookie_proto = {
	.func		= bpf_get_attach_cookie_trace,
	.arg1_type	= ARG_PTR_TO_CTX,
	.ret_type	= RET_INTEGER,
	.gpl_only	= false,
};

/* ------------------------------------------------------------------ */
/* Branches								*/

/*
 * The hardware goes on recording until the snapshot is taken, and each branch that is taken before
 * costs one of those that the program wants. So nothing is checked until then.
 */
BPF_CALL_3(bpf_get_branch_snapshot, void *, buf, u32, size, u64, flags)
{
	const u32 room = size / sizeof(struct perf_branch_entry);
	u32 nr = static_call(perf_snapshot_branch_stack)(buf, room);
	u32 filled = flags ? 0 : nr * sizeof(struct perf_branch_entry);

	/* The program need not have initialized its buffer. */
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
