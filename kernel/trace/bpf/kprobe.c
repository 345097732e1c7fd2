// SPDX-License-Identifier: GPL-2.0
/*
 * Programs of type BPF_PROG_TYPE_KPROBE. Their context is the registers at a kprobe or uprobe: one
 * that a perf event has open (attach.c), or one of a multi link (kprobe_multi.c, uprobe_multi.c).
 */
#include <linux/array_size.h>
#include <linux/bpf.h>
#include <linux/error-injection.h>
#include <linux/filter.h>
#include <linux/kprobes.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/uprobes.h>

#include "helpers.h"
#include "internal.h"

/* ------------------------------------------------------------------ */
/* Helpers								*/

#ifdef CONFIG_BPF_KPROBE_OVERRIDE

/* When the handler of the kprobe ends, the probed function returns @rc without being executed. */
BPF_CALL_2(bpf_override_return, struct pt_regs *, regs, unsigned long, rc)
{
	regs_set_return_value(regs, rc);
	override_function_with_return(regs);
	return 0;
}

static const struct bpf_func_proto bpf_override_return_proto = {
	.ret_type	= RET_INTEGER,
	.arg1_type	= ARG_PTR_TO_CTX,
	.arg2_type	= ARG_ANYTHING,
	.gpl_only	= true,
	.func		= bpf_override_return,
};

#endif

/* Return: the function at whose entry the running kprobe is; 0 if it is in the middle of one. */
static unsigned long kprobe_prog_get_kprobed_func(void)
{
	const struct kprobe *kp = kprobe_running();

	if (!kp || !(kp->flags & KPROBE_FLAG_ON_FUNC_ENTRY))
		return 0;
	return trace_bpf_site_to_func((unsigned long)kp->addr);
}

#ifdef CONFIG_UPROBES
static bool kprobe_prog_is_at_uprobe(void)
{
	return container_of(current->bpf_ctx, struct bpf_trace_run_ctx, run_ctx)->is_uprobe;
}

/* Return: the address that perf_programs_run_user() has stored for this. */
static unsigned long kprobe_prog_get_uprobed_func(void)
{
	return current->utask->vaddr;
}
#else
static bool kprobe_prog_is_at_uprobe(void) { return false; }
static unsigned long kprobe_prog_get_uprobed_func(void) { return 0; }
#endif

BPF_CALL_1(bpf_get_func_ip_kprobe, struct pt_regs *, regs)
{
	return kprobe_prog_is_at_uprobe() ? kprobe_prog_get_uprobed_func() :
					    kprobe_prog_get_kprobed_func();
}

static const struct bpf_func_proto bpf_get_func_ip_kprobe_proto = {
	.ret_type	= RET_INTEGER,
	.arg1_type	= ARG_PTR_TO_CTX,
	.gpl_only	= true,
	.func		= bpf_get_func_ip_kprobe,
};

static const struct bpf_func_proto *kprobe_prog_choose_func_ip(const struct bpf_prog *prog)
{
	if (trace_bpf_is_kprobe_multi(prog))
		return &trace_bpf_kprobe_multi_ip_proto;
	return prog->expected_attach_type == BPF_TRACE_UPROBE_MULTI ?
	       &trace_bpf_uprobe_multi_ip_proto : &bpf_get_func_ip_kprobe_proto;
}

static const struct bpf_func_proto *kprobe_prog_choose_cookie(const struct bpf_prog *prog)
{
	if (trace_bpf_is_kprobe_multi(prog))
		return &trace_bpf_kprobe_multi_cookie_proto;
	return prog->expected_attach_type == BPF_TRACE_UPROBE_MULTI ?
	       &trace_bpf_uprobe_multi_cookie_proto : &trace_bpf_attach_cookie_proto;
}

static const struct bpf_func_proto *kprobe_prog_choose_stack(const struct bpf_prog *prog)
{
	return prog->sleepable ? &bpf_get_stack_sleepable_proto : &bpf_get_stack_proto;
}

static const struct bpf_helper_row kprobe_helpers[] = {
	{ BPF_FUNC_perf_event_output,	&trace_bpf_output_regs_proto },
	{ BPF_FUNC_get_stackid,		&bpf_get_stackid_proto },
	{ BPF_FUNC_get_stack,		.choose = kprobe_prog_choose_stack },
#ifdef CONFIG_BPF_KPROBE_OVERRIDE
	{ BPF_FUNC_override_return,	&bpf_override_return_proto },
#endif
	{ BPF_FUNC_get_func_ip,		.choose = kprobe_prog_choose_func_ip },
	{ BPF_FUNC_get_attach_cookie,	.choose = kprobe_prog_choose_cookie },
};

static const struct bpf_func_proto *kprobe_prog_get_proto(enum bpf_func_id id,
							  const struct bpf_prog *prog)
{
	const struct bpf_func_proto *proto;

	return trace_bpf_find_helper(kprobe_helpers, ARRAY_SIZE(kprobe_helpers), id, prog,
				     &proto) ? proto : trace_bpf_get_common_proto(id, prog);
}

/* ------------------------------------------------------------------ */
/* The type of programs							*/

/*
 * A load that begins in the registers may end behind them: on 32 bit, eight bytes at the last four.
 * So the end is checked, too.
 */
static bool kprobe_prog_can_access(int off, int size, enum bpf_access_type type,
				   const struct bpf_prog *prog, struct bpf_insn_access_aux *info)
{
	return type == BPF_READ && off >= 0 && off % size == 0 &&
	       off + size <= (int)sizeof(struct pt_regs);
}

const struct bpf_verifier_ops kprobe_verifier_ops = {
	.is_valid_access	= kprobe_prog_can_access,
	.get_func_proto		= kprobe_prog_get_proto,
};

const struct bpf_prog_ops kprobe_prog_ops = { };
