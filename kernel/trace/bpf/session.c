// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel functions that a program may call in a session, in which the program is called at the
 * entry and at the return of functions.
 */
#include <linux/bpf.h>
#include <linux/btf.h>
#include <linux/btf_ids.h>
#include <linux/errno.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/sched.h>

#include "internal.h"

static const struct trace_bpf_session *session_of_current(void)
{
	return container_of(current->bpf_ctx, struct trace_bpf_session, run_ctx);
}

__bpf_kfunc_start_defs();

/**
 * bpf_session_is_return - check whether a function returns
 *
 * Context: a program in a session.
 * Return: true at the return of the function, false at its entry.
 */
__bpf_kfunc bool bpf_session_is_return(void)
{
	return session_of_current()->is_return;
}

/**
 * bpf_session_cookie - get memory that is kept from the entry of a function to its return
 *
 * Context: a program in a session.
 * Return: eight bytes, which are 0 at the entry; each call of the function has others.
 */
__bpf_kfunc __u64 *bpf_session_cookie(void)
{
	return session_of_current()->data;
}

__bpf_kfunc_end_defs();

BTF_KFUNCS_START(session_kfuncs)
BTF_ID_FLAGS(func, bpf_session_cookie)
BTF_ID_FLAGS(func, bpf_session_is_return)
BTF_KFUNCS_END(session_kfuncs)

/* The verifier asks this for each kernel function that a program of a probe calls. */
static int session_check_kfunc(const struct bpf_prog *prog, u32 id)
{
	if (trace_bpf_is_kprobe_session(prog) || !btf_id_set8_contains(&session_kfuncs, id))
		return 0;
	return -EACCES;
}

static const struct btf_kfunc_id_set session_kfunc_set = {
	.filter	= session_check_kfunc,
	.set	= &session_kfuncs,
	.owner	= THIS_MODULE,
};

static int __init session_register_kfuncs(void)
{
	return register_btf_kfunc_id_set(BPF_PROG_TYPE_KPROBE, &session_kfunc_set);
}
late_initcall(session_register_kfuncs);
