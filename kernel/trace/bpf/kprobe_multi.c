// SPDX-License-Identifier: GPL-2.0
/*
 * kprobe_multi links, each of a program to many functions of the kernel. The program is called at
 * the entry of the functions, at their return, or, in a session, at both: see kprobe_multi_hit.c.
 */
#include <linux/bpf.h>
#include <linux/cleanup.h>
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/error-injection.h>
#include <linux/filter.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/trace_events.h>
#include <linux/uaccess.h>
#ifdef CONFIG_X86_KERNEL_IBT
#include <asm/ibt.h>
#endif

#include "internal.h"
#include "multi.h"

static struct kprobe_multi_link *kprobe_multi_link_of(const struct bpf_link *link)
{
	return container_of(link, struct kprobe_multi_link, link);
}

/* ------------------------------------------------------------------ */
/* The function of a call site						*/

#ifdef CONFIG_X86_KERNEL_IBT
/* True if there is an ENDBR in front of @site. The page before that of @site may be unmapped. */
static bool kprobe_multi_follows_endbr(unsigned long site)
{
	const u32 *before = (u32 *)(site - ENDBR_INSN_SIZE);
	u32 insn;

	if (offset_in_page(site) >= ENDBR_INSN_SIZE)
		return is_endbr(*before);
	return !get_kernel_nofault(insn, before) && is_endbr(insn);
}

unsigned long trace_bpf_site_to_func(unsigned long site)
{
	return kprobe_multi_follows_endbr(site) ? site - ENDBR_INSN_SIZE : site;
}
#else
unsigned long trace_bpf_site_to_func(unsigned long site)
{
	return site;
}
#endif

/* ------------------------------------------------------------------ */
/* Helpers								*/

/* Called by helpers that the verifier offers only to programs of kprobe_multi links. */
static const struct kprobe_multi_run_ctx *kprobe_multi_get_run_ctx(void)
{
	return container_of(current->bpf_ctx, struct kprobe_multi_run_ctx, run_ctx);
}

BPF_CALL_1(bpf_get_func_ip_kprobe_multi, struct pt_regs *, regs)
{
	return trace_bpf_site_to_func(kprobe_multi_get_run_ctx()->site);
}

BPF_CALL_1(bpf_get_attach_cookie_kprobe_multi, struct pt_regs *, regs)
{
	const struct kprobe_multi_run_ctx *run = kprobe_multi_get_run_ctx();

	return kprobe_multi_find_cookie(&run->link->funcs, trace_bpf_site_to_func(run->site));
}

const struct bpf_func_proto trace_bpf_kprobe_multi_ip_proto = {
	.arg1_type	= ARG_PTR_TO_CTX,
	.ret_type	= RET_INTEGER,
	.func		= bpf_get_func_ip_kprobe_multi,
};

const struct bpf_func_proto trace_bpf_kprobe_multi_cookie_proto = {
	.arg1_type	= ARG_PTR_TO_CTX,
	.ret_type	= RET_INTEGER,
	.func		= bpf_get_attach_cookie_kprobe_multi,
};

/* ------------------------------------------------------------------ */
/* The link								*/

/* Called in process context when the last reference to an attached link is dropped. */
static void kprobe_multi_release_link(struct bpf_link *bpf_link)
{
	struct kprobe_multi_link *link = kprobe_multi_link_of(bpf_link);

	kprobe_multi_unregister(link);
	kprobe_multi_put_modules(&link->funcs);
	/* Hits in flight may still run it when BPF puts its own reference. */
	bpf_prog_inc(bpf_link->prog);
}

void kprobe_multi_free_link(struct kprobe_multi_link *link)
{
	kprobe_multi_free_funcs(&link->funcs);
	kfree(link);
}

/*
 * Called by RCU a grace period after kprobe_multi_release_link(), in a softirq. Also called for a
 * link that was never attached: it has no program any more.
 */
static void kprobe_multi_dealloc_link(struct bpf_link *bpf_link)
{
	struct kprobe_multi_link *link = kprobe_multi_link_of(bpf_link);

	if (bpf_link->prog)
		kprobe_multi_free_later(link);
	else
		kprobe_multi_free_link(link);
}

static int kprobe_multi_copy_funcs_to_user(const struct kprobe_multi_funcs *funcs,
					   const struct bpf_link_info *info, u32 nr)
{
	/* A user who may not know the addresses gets zeros. */
	const unsigned long *addrs = kallsyms_show_value(current_cred()) ? funcs->addrs : NULL;

	return multi_copy_words_to_user(info->kprobe_multi.cookies, funcs->cookies, nr) ?:
	       multi_copy_words_to_user(info->kprobe_multi.addrs, addrs, nr);
}

/*
 * The user passes arrays for addresses and, if wanted, for cookies, with a count of their elements;
 * or a count of 0, to get only the number of functions. Return: -ENOSPC if the arrays are too short
 * for all functions; they are filled then.
 */
static int kprobe_multi_fill_link_info(const struct bpf_link *bpf_link, struct bpf_link_info *info)
{
	const struct kprobe_multi_link *link = kprobe_multi_link_of(bpf_link);
	u32 room = info->kprobe_multi.count, nr = link->funcs.nr;
	int err;

	if (!info->kprobe_multi.addrs != !room || (info->kprobe_multi.cookies && !room))
		return -EINVAL;
	info->kprobe_multi.missed = READ_ONCE(link->missed);
	info->kprobe_multi.flags = link->flags;
	info->kprobe_multi.count = nr;
	if (!room)
		return 0;
	err = kprobe_multi_copy_funcs_to_user(&link->funcs, info, min(room, nr));
	if (err)
		return err;
	return room < nr ? -ENOSPC : 0;
}

static const struct bpf_link_ops kprobe_multi_link_ops = {
	.fill_link_info		= kprobe_multi_fill_link_info,
	.release		= kprobe_multi_release_link,
	.dealloc_deferred	= kprobe_multi_dealloc_link,
};

/* ------------------------------------------------------------------ */
/* Attaching								*/

static int kprobe_multi_check_attr(const union bpf_attr *attr, const struct bpf_prog *prog)
{
	u32 nr = attr->link_create.kprobe_multi.cnt;

	if (!trace_bpf_is_kprobe_multi(prog) || prog->sleepable)
		return -EINVAL;
	if (attr->link_create.flags ||
	    attr->link_create.kprobe_multi.flags & ~BPF_F_KPROBE_MULTI_RETURN)
		return -EINVAL;
	if (!nr || !attr->link_create.kprobe_multi.addrs == !attr->link_create.kprobe_multi.syms)
		return -EINVAL;
	return nr > TRACE_BPF_MULTI_LINK_MAX ? -E2BIG : 0;
}

/*
 * A program that calls bpf_override_return() may only be attached to functions whose callers are
 * ready for any error: those of error_injection/list.
 */
static int kprobe_multi_check_override(const struct kprobe_multi_link *link)
{
	if (!link->link.prog->kprobe_override)
		return 0;
	for (u32 i = 0; i < link->funcs.nr; i++)
		if (!within_error_injection_list(link->funcs.addrs[i]))
			return -EINVAL;
	return 0;
}

static struct kprobe_multi_link *kprobe_multi_create_link(const union bpf_attr *attr,
							  struct bpf_prog *prog)
{
	struct kprobe_multi_link *link = kzalloc(sizeof(*link), GFP_KERNEL);
	int err;

	if (!link)
		return ERR_PTR(-ENOMEM);
	bpf_link_init(&link->link, BPF_LINK_TYPE_KPROBE_MULTI, &kprobe_multi_link_ops, prog);
	link->flags = attr->link_create.kprobe_multi.flags;
	/* Modules are held before their functions are looked for in error_injection/list. */
	err = kprobe_multi_copy_funcs_from_user(&link->funcs, attr) ?:
	      kprobe_multi_get_modules(&link->funcs) ?:
	      kprobe_multi_check_override(link);
	if (!err)
		return link;
	kprobe_multi_free_link(link);
	return ERR_PTR(err);
}

/*
 * Register the link with its functions, and give the user a file descriptor of the link.
 *
 * Return: the file descriptor; or an errno, and the link is freed, now or later.
 */
static int kprobe_multi_attach_link(struct kprobe_multi_link *link)
{
	struct bpf_link_primer primer;
	int err = bpf_link_prime(&link->link, &primer);

	if (err) {
		kprobe_multi_free_link(link);
		return err;
	}
	err = kprobe_multi_register(link);
	if (!err)
		return bpf_link_settle(&primer);
	/* The link is freed a grace period after its file. Modules may be unloaded before that. */
	kprobe_multi_put_modules(&link->funcs);
	bpf_link_cleanup(&primer);
	return err;
}

/**
 * bpf_kprobe_multi_link_attach - attach a program to many functions of the kernel by a link
 * @attr: argument of the system call
 * @prog: the program; the caller's reference is taken over if this succeeds
 *
 * Context: may sleep; takes graph_lock, ftrace_lock and, for names of functions in modules,
 * module_mutex.
 * Return: file descriptor of the link; -EOPNOTSUPP on 32 bit or without CONFIG_FPROBE; -EINVAL for
 * a program of another type, flags that do not exist, neither or both of addresses and names, no
 * functions, a function that cannot be traced, or one that the program may not make return; -E2BIG
 * for too many functions or a name that is too long; -ESRCH for a name that is unknown or listed
 * twice; -EFAULT; -ENOMEM; the errno of allocating a file descriptor; another one of
 * kprobe_multi_register().
 */
int bpf_kprobe_multi_link_attach(const union bpf_attr *attr, struct bpf_prog *prog)
{
	struct kprobe_multi_link *link;
	int err;

	if (!IS_ENABLED(CONFIG_64BIT) || !IS_ENABLED(CONFIG_FPROBE))
		return -EOPNOTSUPP;
	err = kprobe_multi_check_attr(attr, prog);
	if (err)
		return err;
	link = kprobe_multi_create_link(attr, prog);
	return IS_ERR(link) ? PTR_ERR(link) : kprobe_multi_attach_link(link);
}
