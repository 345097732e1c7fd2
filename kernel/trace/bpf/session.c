// SPDX-License-Identifier: GPL-2.0
/*
 * The kfuncs of sessions. A session is a kprobe_multi link that calls its program at the entry and
 * at the return of functions (kprobe_multi.c).
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
#include "multi.h"

static const struct kprobe_multi_run_ctx *session_get_current(void)
{
	return container_of(current->bpf_ctx, struct kprobe_multi_run_ctx, run_ctx);
}

__bpf_kfunc_start_defs();

/**
 * bpf_session_is_return - check whether the program was called at the return of the function
 *
 * Context: a program in a session.
 * Return: true at the return of the function, false at its entry.
 */
__bpf_kfunc bool bpf_session_is_return(void)
{
	return session_get_current()->is_return;
}

/**
 * bpf_session_cookie - get memory that is kept from the entry of a function to its return
 *
 * Context: a program in a session.
 * Return: eight bytes, which each call of the function has for itself, and are 0 at its entry.
 */
__bpf_kfunc __u64 *bpf_session_cookie(void)
{
	return session_get_current()->data;
}

__bpf_kfunc_end_defs();

BTF_KFUNCS_START(session_kfuncs)
BTF_ID_FLAGS(func, bpf_session_cookie)
BTF_ID_FLAGS(func, bpf_session_is_return)
BTF_KFUNCS_END(session_kfuncs)

/*
 * The verifier calls this for each kfunc that a program of type BPF_PROG_TYPE_KPROBE calls. Without
 * a session the run context is another structure, which these kfuncs must not read.
 */
static int session_filter_kfunc(const struct bpf_prog *prog, u32 id)
{
	if (trace_bpf_is_kprobe_session(prog) || !btf_id_set8_contains(&session_kfuncs, id))
		return 0;
	return -EACCES;
}

static const struct btf_kfunc_id_set session_kfunc_set = {
	.filter	= session_filter_kfunc,
	.set	= &session_kfuncs,
	.owner	= THIS_MODULE,
};

static int __init session_register_kfuncs(void)
{
	return register_btf_kfunc_id_set(BPF_PROG_TYPE_KPROBE, &session_kfunc_set);
}
late_initcall(session_register_kfuncs);
