// SPDX-License-Identifier: GPL-2.0
/*
 * Links of a program to many functions of the kernel: the program is called at the entry of the
 * functions, at their return, or, in a session, at both. A link is one fprobe.
 */
#include <linux/bpf.h>
#include <linux/cleanup.h>
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/error-injection.h>
#include <linux/filter.h>
#include <linux/fprobe.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <linux/uaccess.h>
#ifdef CONFIG_X86_KERNEL_IBT
#include <asm/ibt.h>
#endif

#include "internal.h"
#include "multi.h"

/**
 * struct kprobe_multi_link - a link of a program to functions
 * @link: the link, as the rest of BPF knows it
 * @fp: the probe of the functions
 * @funcs: the functions
 * @flags: BPF_F_KPROBE_MULTI_*
 */
struct kprobe_multi_link {
	struct bpf_link			link;
	struct fprobe			fp;
	struct kprobe_multi_funcs	funcs;
	u32				flags;
};

/**
 * struct kprobe_multi_run - what the program runs with
 * @session: what the kfuncs of sessions need
 * @link: the link
 * @function: address of the function
 */
struct kprobe_multi_run {
	struct trace_bpf_session	session;
	const struct kprobe_multi_link	*link;
	unsigned long			function;
};

static struct kprobe_multi_link *kprobe_multi_link_of(const struct bpf_link *link)
{
	return container_of(link, struct kprobe_multi_link, link);
}

/* ------------------------------------------------------------------ */
/* The function of a call site						*/

#ifdef CONFIG_X86_KERNEL_IBT
/* True if there is an ENDBR in front of @site. The page before that of @site may be missing. */
static bool site_follows_endbr(unsigned long site)
{
	const u32 *before = (u32 *)(site - ENDBR_INSN_SIZE);
	u32 insn;

	if (offset_in_page(site) >= ENDBR_INSN_SIZE)
		return is_endbr(*before);
	return !get_kernel_nofault(insn, before) && is_endbr(insn);
}

unsigned long trace_bpf_function_of_site(unsigned long site)
{
	return site_follows_endbr(site) ? site - ENDBR_INSN_SIZE : site;
}
#else
unsigned long trace_bpf_function_of_site(unsigned long site)
{
	return site;
}
#endif

/* ------------------------------------------------------------------ */
/* Helpers								*/

static const struct kprobe_multi_run *kprobe_multi_current_run(void)
{
	return container_of(current->bpf_ctx, struct kprobe_multi_run, session.run_ctx);
}

BPF_CALL_1(bpf_get_func_ip_kprobe_multi, struct pt_regs *, regs)
{
	return kprobe_multi_current_run()->function;
}

BPF_CALL_1(bpf_get_attach_cookie_kprobe_multi, struct pt_regs *, regs)
{
	const struct kprobe_multi_run *run = kprobe_multi_current_run();

	return kprobe_multi_find_cookie(&run->link->funcs, run->function);
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
/* Calls of the program							*/

static int kprobe_multi_call(const struct kprobe_multi_link *link, unsigned long site,
			     struct pt_regs *regs, struct trace_bpf_session session)
{
	struct kprobe_multi_run run = {
		.session	= session,
		.link		= link,
		.function	= trace_bpf_function_of_site(site),
	};
	struct bpf_run_ctx *outer;
	int answer;

	guard(rcu)();
	outer = bpf_set_run_ctx(&run.session.run_ctx);
	answer = bpf_prog_run(link->link.prog, regs);
	bpf_reset_run_ctx(outer);
	return answer;
}

/*
 * Call the program, unless a program of a probe or an event is running on this CPU already: it
 * may hold locks of BPF that the program needs. Return: its answer; 0 if it was not called.
 */
static int kprobe_multi_call_once(const struct kprobe_multi_link *link, unsigned long site,
				  struct pt_regs *regs, struct trace_bpf_session session)
{
	int answer = 0;

	cant_sleep();
	if (likely(__this_cpu_inc_return(bpf_prog_active) == 1))
		answer = kprobe_multi_call(link, site, regs, session);
	else
		bpf_prog_inc_misses_counter(link->link.prog);
	__this_cpu_dec(bpf_prog_active);
	return answer;
}

/* @data has the bytes of a session, and is NULL otherwise. */
static void kprobe_multi_clear_data(void *data)
{
	if (data)
		memset(data, 0, sizeof(u64));
}

/*
 * Handler of the probe at the entry. A program that answers 1 is not called at the return. Only a
 * session is called there, so the answers of other programs have no effect.
 */
static int kprobe_multi_entry(struct fprobe *fp, unsigned long entry_ip, unsigned long ret_ip,
			      struct pt_regs *regs, void *data)
{
	const struct kprobe_multi_link *link = container_of(fp, struct kprobe_multi_link, fp);
	struct trace_bpf_session session = { .data = data };

	kprobe_multi_clear_data(data);
	return kprobe_multi_call_once(link, entry_ip, regs, session);
}

/* Handler of the probe at the return. */
static void kprobe_multi_return(struct fprobe *fp, unsigned long entry_ip, unsigned long ret_ip,
				struct pt_regs *regs, void *data)
{
	const struct kprobe_multi_link *link = container_of(fp, struct kprobe_multi_link, fp);
	struct trace_bpf_session session = { .data = data, .is_return = true };

	/* A session with BPF_F_KPROBE_MULTI_RETURN is not called at the entry. */
	if (!fp->entry_handler)
		kprobe_multi_clear_data(data);
	kprobe_multi_call_once(link, entry_ip, regs, session);
}

static void kprobe_multi_set_handlers(struct kprobe_multi_link *link)
{
	bool is_session = trace_bpf_is_kprobe_session(link->link.prog);
	bool at_return = link->flags & BPF_F_KPROBE_MULTI_RETURN;

	if (!at_return)
		link->fp.entry_handler = kprobe_multi_entry;
	if (at_return || is_session)
		link->fp.exit_handler = kprobe_multi_return;
	if (is_session)
		link->fp.entry_data_size = sizeof(u64);
}

/* ------------------------------------------------------------------ */
/* The link								*/

/* Called when the last reference to the link is dropped. */
static void kprobe_multi_release(struct bpf_link *bpf_link)
{
	struct kprobe_multi_link *link = kprobe_multi_link_of(bpf_link);

	unregister_fprobe(&link->fp);
	kprobe_multi_put_modules(&link->funcs);
}

/* Called a grace period later, or without kprobe_multi_release() if the link was not attached. */
static void kprobe_multi_dealloc(struct bpf_link *bpf_link)
{
	struct kprobe_multi_link *link = kprobe_multi_link_of(bpf_link);

	kprobe_multi_free_funcs(&link->funcs);
	kfree(link);
}

static int kprobe_multi_put_funcs(const struct kprobe_multi_funcs *funcs,
				  const struct bpf_link_info *info, u32 nr)
{
	/* Zeros instead of addresses, if the user may not know them. */
	const unsigned long *addrs = kallsyms_show_value(current_cred()) ? funcs->addrs : NULL;

	return multi_put_words(info->kprobe_multi.cookies, funcs->cookies, nr) ?:
	       multi_put_words(info->kprobe_multi.addrs, addrs, nr);
}

/* The user asks for addresses, and then perhaps for cookies, with room for a number of them. */
static int kprobe_multi_fill_info(const struct bpf_link *bpf_link, struct bpf_link_info *info)
{
	const struct kprobe_multi_link *link = kprobe_multi_link_of(bpf_link);
	u32 room = info->kprobe_multi.count, nr = link->funcs.nr;
	int err;

	if (!info->kprobe_multi.addrs != !room || (info->kprobe_multi.cookies && !room))
		return -EINVAL;
	info->kprobe_multi.missed = READ_ONCE(link->fp.nmissed);
	info->kprobe_multi.flags = link->flags;
	info->kprobe_multi.count = nr;
	if (!room)
		return 0;
	err = kprobe_multi_put_funcs(&link->funcs, info, min(room, nr));
	if (err)
		return err;
	return room < nr ? -ENOSPC : 0;
}

static const struct bpf_link_ops kprobe_multi_link_ops = {
	.fill_link_info		= kprobe_multi_fill_info,
	.release		= kprobe_multi_release,
	.dealloc_deferred	= kprobe_multi_dealloc,
};

/* ------------------------------------------------------------------ */
/* Attaching								*/

static int kprobe_multi_check(const union bpf_attr *attr, const struct bpf_prog *prog)
{
	u32 nr = attr->link_create.kprobe_multi.cnt;

	if (!trace_bpf_is_kprobe_multi(prog) || prog->sleepable)
		return -EINVAL;
	if (attr->link_create.flags ||
	    attr->link_create.kprobe_multi.flags & ~BPF_F_KPROBE_MULTI_RETURN)
		return -EINVAL;
	if (!nr || !attr->link_create.kprobe_multi.addrs == !attr->link_create.kprobe_multi.syms)
		return -EINVAL;
	return nr > TRACE_BPF_LINK_MAX ? -E2BIG : 0;
}

/* A program that makes functions return may be attached to those only that expect that. */
static int kprobe_multi_check_override(const struct kprobe_multi_link *link)
{
	if (!link->link.prog->kprobe_override)
		return 0;
	for (u32 i = 0; i < link->funcs.nr; i++)
		if (!within_error_injection_list(link->funcs.addrs[i]))
			return -EINVAL;
	return 0;
}

static struct kprobe_multi_link *kprobe_multi_create(const union bpf_attr *attr,
						     struct bpf_prog *prog)
{
	struct kprobe_multi_link *link = kzalloc(sizeof(*link), GFP_KERNEL);
	int err;

	if (!link)
		return ERR_PTR(-ENOMEM);
	bpf_link_init(&link->link, BPF_LINK_TYPE_KPROBE_MULTI, &kprobe_multi_link_ops, prog);
	link->flags = attr->link_create.kprobe_multi.flags;
	kprobe_multi_set_handlers(link);
	err = kprobe_multi_get_funcs(&link->funcs, attr) ?: kprobe_multi_check_override(link) ?:
	      kprobe_multi_hold_modules(&link->funcs);
	if (!err)
		return link;
	kprobe_multi_dealloc(&link->link);
	return ERR_PTR(err);
}

/* Give the link to the user. Return: its file descriptor; or an errno, and the link is gone. */
static int kprobe_multi_attach(struct kprobe_multi_link *link)
{
	struct bpf_link_primer primer;
	int err = bpf_link_prime(&link->link, &primer);

	if (err) {
		kprobe_multi_dealloc(&link->link);
		return err;
	}
	err = register_fprobe_ips(&link->fp, link->funcs.addrs, link->funcs.nr);
	if (!err)
		return bpf_link_settle(&primer);
	/* The memory is freed later, with the file: until then the modules need not be held. */
	kprobe_multi_put_modules(&link->funcs);
	bpf_link_cleanup(&primer);
	return err;
}

/**
 * bpf_kprobe_multi_link_attach - attach a program to many functions of the kernel
 * @attr: argument of the system call
 * @prog: the program; the caller drops its reference if this fails
 *
 * Context: may sleep; takes fprobe_lock and, for names of functions in modules, module_mutex.
 * Return: file descriptor of the link; -EOPNOTSUPP on 32 bit or without CONFIG_FPROBE; -EINVAL for
 * a program of another type, flags that do not exist, neither or both of addresses and names, no
 * functions, a function that cannot be traced, or one that the program may not make return; -E2BIG
 * for too many functions or a name that is too long; -ESRCH for a name that is unknown or listed
 * twice; -EFAULT; -ENOMEM; the errno of allocating a file descriptor; another one of
 * register_fprobe_ips().
 */
int bpf_kprobe_multi_link_attach(const union bpf_attr *attr, struct bpf_prog *prog)
{
	struct kprobe_multi_link *link;
	int err;

	if (!IS_ENABLED(CONFIG_64BIT) || !IS_ENABLED(CONFIG_FPROBE))
		return -EOPNOTSUPP;
	err = kprobe_multi_check(attr, prog);
	if (err)
		return err;
	link = kprobe_multi_create(attr, prog);
	return IS_ERR(link) ? PTR_ERR(link) : kprobe_multi_attach(link);
}
