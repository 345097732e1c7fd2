// SPDX-License-Identifier: GPL-2.0
/*
 * Programs that know the kernel's types by BTF: of raw tracepoints (tp_btf), of functions that call
 * a BPF trampoline (fentry, fexit, fmod_ret, LSM), and iterators. kernel/bpf/ attaches these
 * programs; this file says which helpers they may call.
 */
#include <linux/array_size.h>
#include <linux/bpf.h>
#include <linux/bpf_verifier.h>
#include <linux/errno.h>
#ifdef CONFIG_NET
#include <net/bpf_sk_storage.h>
#endif

#include "helpers.h"
#include "internal.h"

/* Only raw tracepoints and trampolines run programs with a cookie. */
static const struct bpf_func_proto *tracing_prog_choose_cookie(const struct bpf_prog *prog)
{
	bool is_raw = prog->type == BPF_PROG_TYPE_TRACING &&
		      prog->expected_attach_type == BPF_TRACE_RAW_TP;

	return is_raw || bpf_prog_has_trampoline(prog) ? &trace_bpf_attach_cookie_proto : NULL;
}

static const struct bpf_helper_row tracing_helpers[] = {
#ifdef CONFIG_NET
	{ BPF_FUNC_skb_output,			&bpf_skb_output_proto },
	{ BPF_FUNC_xdp_output,			&bpf_xdp_output_proto },
	{ BPF_FUNC_xdp_get_buff_len,		&bpf_xdp_get_buff_len_trace_proto },
	{ BPF_FUNC_skc_to_tcp_sock,		&bpf_skc_to_tcp_sock_proto },
	{ BPF_FUNC_skc_to_tcp6_sock,		&bpf_skc_to_tcp6_sock_proto },
	{ BPF_FUNC_skc_to_tcp_request_sock,	&bpf_skc_to_tcp_request_sock_proto },
	{ BPF_FUNC_skc_to_tcp_timewait_sock,	&bpf_skc_to_tcp_timewait_sock_proto },
	{ BPF_FUNC_skc_to_mptcp_sock,		&bpf_skc_to_mptcp_sock_proto },
	{ BPF_FUNC_skc_to_udp6_sock,		&bpf_skc_to_udp6_sock_proto },
	{ BPF_FUNC_skc_to_unix_sock,		&bpf_skc_to_unix_sock_proto },
	{ BPF_FUNC_sk_storage_get,		&bpf_sk_storage_get_tracing_proto },
	{ BPF_FUNC_sk_storage_delete,		&bpf_sk_storage_delete_tracing_proto },
	{ BPF_FUNC_sock_from_file,		&bpf_sock_from_file_proto },
	{ BPF_FUNC_get_socket_cookie,		&bpf_get_socket_ptr_cookie_proto },
#endif
	{ BPF_FUNC_d_path,			&trace_bpf_d_path_proto },
	{ BPF_FUNC_get_attach_cookie,		.choose = tracing_prog_choose_cookie },
};

/* Helpers that read the arguments of a function, for programs of trampolines, which save these. */
static const struct bpf_helper_row trampoline_helpers[] = {
	{ BPF_FUNC_get_func_arg,	&trace_bpf_func_arg_proto },
	{ BPF_FUNC_get_func_arg_cnt,	&trace_bpf_func_arg_cnt_proto },
	{ BPF_FUNC_get_func_ret,	&trace_bpf_func_ret_proto },
};

/* Helpers that write to the file of an iterator, for iterators. */
static const struct bpf_helper_row iterator_helpers[] = {
	{ BPF_FUNC_seq_printf,		&trace_bpf_seq_printf_proto },
	{ BPF_FUNC_seq_printf_btf,	&trace_bpf_seq_printf_btf_proto },
	{ BPF_FUNC_seq_write,		&trace_bpf_seq_write_proto },
};

static bool tracing_prog_is_iterator(const struct bpf_prog *prog)
{
	return prog->expected_attach_type == BPF_TRACE_ITER;
}

/* Get the prototype of a helper that raw tracepoints offer, or else the iterator of @prog. */
static const struct bpf_func_proto *tracing_prog_get_other_proto(enum bpf_func_id id,
								 const struct bpf_prog *prog)
{
	const struct bpf_func_proto *proto = trace_bpf_get_raw_tp_proto(id, prog);

	return proto || !tracing_prog_is_iterator(prog) ? proto : bpf_iter_get_func_proto(id, prog);
}

/**
 * tracing_prog_func_proto - get the prototype of a helper that a program with BTF calls
 * @func_id: number of the helper
 * @prog: the program, of type BPF_PROG_TYPE_TRACING or BPF_PROG_TYPE_LSM
 *
 * Context: process, the verifier; may sleep.
 * Return: the prototype; NULL if there is no such helper, or @prog may not call it.
 */
const struct bpf_func_proto *tracing_prog_func_proto(enum bpf_func_id func_id,
						     const struct bpf_prog *prog)
{
	const struct bpf_func_proto *proto;

	if (trace_bpf_find_helper(tracing_helpers, ARRAY_SIZE(tracing_helpers), func_id, prog,
				  &proto))
		return proto;
	if (trace_bpf_find_helper(trampoline_helpers, ARRAY_SIZE(trampoline_helpers), func_id,
				  prog, &proto))
		return bpf_prog_has_trampoline(prog) ? proto : NULL;
	if (trace_bpf_find_helper(iterator_helpers, ARRAY_SIZE(iterator_helpers), func_id, prog,
				  &proto))
		return tracing_prog_is_iterator(prog) ? proto : NULL;
	return tracing_prog_get_other_proto(func_id, prog);
}

static bool tracing_prog_can_access(int off, int size, enum bpf_access_type type,
				    const struct bpf_prog *prog, struct bpf_insn_access_aux *info)
{
	return bpf_tracing_btf_ctx_access(off, size, type, prog, info);
}

/* Without CONFIG_NET: net/bpf/test_run.c has the function that runs programs for tests. */
int __weak bpf_prog_test_run_tracing(struct bpf_prog *prog, const union bpf_attr *kattr,
				     union bpf_attr __user *uattr)
{
	return -ENOTSUPP;
}

const struct bpf_verifier_ops tracing_verifier_ops = {
	.is_valid_access	= tracing_prog_can_access,
	.get_func_proto		= tracing_prog_func_proto,
};

const struct bpf_prog_ops tracing_prog_ops = {
	.test_run		= bpf_prog_test_run_tracing,
};
