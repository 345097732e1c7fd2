// SPDX-License-Identifier: GPL-2.0
/*
 * uprobe_multi links, each of a program to many offsets in one file that user space executes. The
 * program is called when a process is about to execute the instruction at one of the offsets, or,
 * if functions begin there, when one of the functions returns.
 */
#include <linux/bpf.h>
#include <linux/cleanup.h>
#include <linux/dcache.h>
#include <linux/err.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/namei.h>
#include <linux/path.h>
#include <linux/pid.h>
#include <linux/ptrace.h>
#include <linux/rcupdate.h>
#include <linux/rcupdate_trace.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <linux/uaccess.h>
#include <linux/uprobes.h>

#include "internal.h"
#include "multi.h"

struct uprobe_multi_link;

/**
 * struct uprobe_multi_probe - one of the probes of a link
 * @consumer: the handlers, registered with @uprobe
 * @uprobe: the uprobe, which other consumers may share
 * @link: the link
 * @offset: offset of the probe in the file, in bytes
 * @ref_ctr_offset: offset in the file of a reference counter (a semaphore of USDT), which the
 *	process finds incremented while there is a probe; or 0
 * @cookie: the number that bpf_get_attach_cookie() returns to the program
 */
struct uprobe_multi_probe {
	struct uprobe_consumer		consumer;
	struct uprobe			*uprobe;
	struct uprobe_multi_link	*link;
	loff_t				offset;
	u64				ref_ctr_offset;
	u64				cookie;
};

/**
 * struct uprobe_multi_link - a link of a program to probes in a file
 * @link: the part of the link that the rest of BPF knows
 * @probes: the probes
 * @nr: number of probes
 * @flags: BPF_F_UPROBE_MULTI_*
 * @leader: leader of the only process for which the program is called, with a reference; NULL for
 *	all processes
 * @path: the file, with a reference
 */
struct uprobe_multi_link {
	struct bpf_link			link;
	struct uprobe_multi_probe	*probes;
	u32				nr;
	u32				flags;
	struct task_struct		*leader;
	struct path			path;
};

/**
 * struct uprobe_multi_run_ctx - the run context of the program of a uprobe_multi link
 * @run_ctx: the part that BPF knows; &task_struct.bpf_ctx points to it while the program runs
 * @probe: the probe that was hit, for bpf_get_attach_cookie()
 * @ip: address in the process of the probe, or of the function that returns, for bpf_get_func_ip()
 */
struct uprobe_multi_run_ctx {
	struct bpf_run_ctx			run_ctx;
	const struct uprobe_multi_probe	*probe;
	unsigned long			ip;
};

static struct uprobe_multi_link *uprobe_multi_link_of(const struct bpf_link *link)
{
	return container_of(link, struct uprobe_multi_link, link);
}

static struct uprobe_multi_probe *uprobe_multi_probe_of(struct uprobe_consumer *consumer)
{
	return container_of(consumer, struct uprobe_multi_probe, consumer);
}

/* ------------------------------------------------------------------ */
/* Helpers								*/

/* Called by helpers that the verifier offers only to programs of uprobe_multi links. */
static const struct uprobe_multi_run_ctx *uprobe_multi_get_run_ctx(void)
{
	return container_of(current->bpf_ctx, struct uprobe_multi_run_ctx, run_ctx);
}

BPF_CALL_1(bpf_get_func_ip_uprobe_multi, struct pt_regs *, regs)
{
	return uprobe_multi_get_run_ctx()->ip;
}

BPF_CALL_1(bpf_get_attach_cookie_uprobe_multi, struct pt_regs *, regs)
{
	return uprobe_multi_get_run_ctx()->probe->cookie;
}

const struct bpf_func_proto trace_bpf_uprobe_multi_ip_proto = {
	.arg1_type	= ARG_PTR_TO_CTX,
	.ret_type	= RET_INTEGER,
	.func		= bpf_get_func_ip_uprobe_multi,
};

const struct bpf_func_proto trace_bpf_uprobe_multi_cookie_proto = {
	.arg1_type	= ARG_PTR_TO_CTX,
	.ret_type	= RET_INTEGER,
	.func		= bpf_get_attach_cookie_uprobe_multi,
};

/* ------------------------------------------------------------------ */
/* Calls of the program							*/

static void uprobe_multi_run_prog(const struct uprobe_multi_probe *probe, unsigned long ip,
				  struct pt_regs *regs)
{
	struct uprobe_multi_run_ctx run = { .ip = ip, .probe = probe };
	struct bpf_run_ctx *outer = bpf_set_run_ctx(&run.run_ctx);

	bpf_prog_run_pin_on_cpu(probe->link->link.prog, regs);
	bpf_reset_run_ctx(outer);
}

/* Return: 0; UPROBE_HANDLER_REMOVE would take the probe out of the process. */
static int uprobe_multi_handle_hit(const struct uprobe_multi_probe *probe, unsigned long ip,
				   struct pt_regs *regs)
{
	struct task_struct *leader = probe->link->leader;

	/* Another process is hit if it shares the memory, or if other consumers want it probed. */
	if (leader && !same_thread_group(leader, current))
		return 0;
	if (probe->link->link.prog->sleepable) {
		rcu_read_lock_trace();
		uprobe_multi_run_prog(probe, ip, regs);
		rcu_read_unlock_trace();
	} else {
		guard(rcu)();
		uprobe_multi_run_prog(probe, ip, regs);
	}
	return 0;
}

/* Handler of the uprobe, in the process that reaches it. */
static int uprobe_multi_handle_entry(struct uprobe_consumer *consumer, struct pt_regs *regs)
{
	return uprobe_multi_handle_hit(uprobe_multi_probe_of(consumer), instruction_pointer(regs),
				       regs);
}

/* Handler of the uprobe at the return of the function @func. */
static int uprobe_multi_handle_return(struct uprobe_consumer *consumer, unsigned long func,
				      struct pt_regs *regs)
{
	return uprobe_multi_handle_hit(uprobe_multi_probe_of(consumer), func, regs);
}

/*
 * True if the process of @leader uses @mm. A thread that has exited has no mm, and the leader may
 * exit before others, so this looks at the first thread that has one.
 */
static bool uprobe_multi_process_uses_mm(struct task_struct *leader, const struct mm_struct *mm)
{
	const struct mm_struct *used;
	struct task_struct *t;

	guard(rcu)();
	for_each_thread(leader, t) {
		used = READ_ONCE(t->mm);
		if (used)
			return used == mm;
	}
	return false;
}

static bool uprobe_multi_filter_mm(struct uprobe_consumer *consumer, struct mm_struct *mm)
{
	return uprobe_multi_process_uses_mm(uprobe_multi_probe_of(consumer)->link->leader, mm);
}

/* ------------------------------------------------------------------ */
/* Probes								*/

/* Unregister the first @nr probes, and wait until their handlers have ended. */
static void uprobe_multi_unregister_probes(struct uprobe_multi_link *link, u32 nr)
{
	struct uprobe_multi_probe *probe = link->probes;

	if (!nr)
		return;
	for (; probe < link->probes + nr; probe++)
		uprobe_unregister_nosync(probe->uprobe, &probe->consumer);
	uprobe_unregister_sync();
}

static int uprobe_multi_register_probes(struct uprobe_multi_link *link)
{
	struct inode *inode = d_real_inode(link->path.dentry);
	struct uprobe_multi_probe *probe;
	struct uprobe *uprobe;

	for (u32 i = 0; i < link->nr; i++) {
		probe = &link->probes[i];
		uprobe = uprobe_register(inode, probe->offset, probe->ref_ctr_offset,
					 &probe->consumer);
		if (IS_ERR(uprobe)) {
			uprobe_multi_unregister_probes(link, i);
			return PTR_ERR(uprobe);
		}
		probe->uprobe = uprobe;
	}
	return 0;
}

/* ------------------------------------------------------------------ */
/* The link								*/

/* Drop references here, as path_put() may sleep, and uprobe_multi_dealloc_link() must not. */
static void uprobe_multi_put_target(struct uprobe_multi_link *link)
{
	if (link->leader)
		put_task_struct(link->leader);
	path_put(&link->path);
}

/* Called in process context when the last reference to an attached link is dropped. */
static void uprobe_multi_release_link(struct bpf_link *bpf_link)
{
	struct uprobe_multi_link *link = uprobe_multi_link_of(bpf_link);

	uprobe_multi_unregister_probes(link, link->nr);
	uprobe_multi_put_target(link);
}

/*
 * Called by RCU after uprobe_multi_release_link(), in a softirq. Also called for a link that was
 * never attached.
 */
static void uprobe_multi_dealloc_link(struct bpf_link *bpf_link)
{
	struct uprobe_multi_link *link = uprobe_multi_link_of(bpf_link);

	kvfree(link->probes);
	kfree(link);
}

static int uprobe_multi_copy_path_to_user(const struct uprobe_multi_link *link,
					  struct bpf_link_info *info)
{
	char *buf __free(kfree) = kmalloc(PATH_MAX, GFP_KERNEL);
	u32 size = min_t(u32, info->uprobe_multi.path_size ?: PATH_MAX, PATH_MAX);
	void __user *to = u64_to_user_ptr(info->uprobe_multi.path);
	const char *path;

	if (!buf)
		return -ENOMEM;
	path = d_path(&link->path, buf, size);
	if (IS_ERR(path))
		return PTR_ERR(path);
	size -= path - buf;
	if (to && copy_to_user(to, path, size))
		return -EFAULT;
	info->uprobe_multi.path_size = size;
	return 0;
}

/* Copy @value to the element @index of the user's array @at, if there is one. */
static int uprobe_multi_copy_word(u64 at, u32 index, u64 value)
{
	u64 __user *to = u64_to_user_ptr(at);

	return at && put_user(value, to + index) ? -EFAULT : 0;
}

static int uprobe_multi_copy_probes_to_user(const struct uprobe_multi_link *link,
					    const struct bpf_link_info *info, u32 nr)
{
	const struct uprobe_multi_probe *probe = link->probes;
	int err = 0;

	for (u32 i = 0; !err && i < nr; i++, probe++)
		err = uprobe_multi_copy_word(info->uprobe_multi.offsets, i, probe->offset) ?:
		      uprobe_multi_copy_word(info->uprobe_multi.ref_ctr_offsets, i,
					     probe->ref_ctr_offset) ?:
		      uprobe_multi_copy_word(info->uprobe_multi.cookies, i, probe->cookie);
	return err;
}

/*
 * The user passes a buffer for the path, if wanted, and arrays for any of offsets, reference
 * counters and cookies, with a count of their elements. Return: -ENOSPC if the arrays are too short
 * for all probes; they are filled then.
 */
static int uprobe_multi_fill_link_info(const struct bpf_link *bpf_link, struct bpf_link_info *info)
{
	const struct uprobe_multi_link *link = uprobe_multi_link_of(bpf_link);
	bool wants_probes = info->uprobe_multi.offsets || info->uprobe_multi.ref_ctr_offsets ||
			    info->uprobe_multi.cookies;
	u32 room = info->uprobe_multi.count;
	int err;

	if (!info->uprobe_multi.path != !info->uprobe_multi.path_size || (wants_probes && !room))
		return -EINVAL;
	info->uprobe_multi.pid = link->leader ? task_tgid_vnr(link->leader) : 0;
	info->uprobe_multi.flags = link->flags;
	info->uprobe_multi.count = link->nr;
	err = uprobe_multi_copy_path_to_user(link, info);
	if (err || !wants_probes)
		return err;
	err = uprobe_multi_copy_probes_to_user(link, info, min(room, link->nr));
	if (err)
		return err;
	return room < link->nr ? -ENOSPC : 0;
}

static const struct bpf_link_ops uprobe_multi_link_ops = {
	.fill_link_info		= uprobe_multi_fill_link_info,
	.release		= uprobe_multi_release_link,
	.dealloc_deferred	= uprobe_multi_dealloc_link,
};

/* ------------------------------------------------------------------ */
/* Attaching								*/

static int uprobe_multi_check_attr(const union bpf_attr *attr, const struct bpf_prog *prog)
{
	u32 nr = attr->link_create.uprobe_multi.cnt;

	if (prog->expected_attach_type != BPF_TRACE_UPROBE_MULTI)
		return -EINVAL;
	if (attr->link_create.uprobe_multi.flags & ~BPF_F_UPROBE_MULTI_RETURN)
		return -EINVAL;
	if (!nr || !attr->link_create.uprobe_multi.path ||
	    !attr->link_create.uprobe_multi.offsets ||
	    attr->link_create.uprobe_multi.pid > INT_MAX)
		return -EINVAL;
	return nr > TRACE_BPF_MULTI_LINK_MAX ? -E2BIG : 0;
}

static int uprobe_multi_find_file(struct uprobe_multi_link *link, u64 path)
{
	char *name __free(kfree) = strndup_user(u64_to_user_ptr(path), PATH_MAX);
	int err;

	if (IS_ERR(name))
		return PTR_ERR(name);
	err = kern_path(name, LOOKUP_FOLLOW, &link->path);
	if (err)
		return err;
	return d_is_reg(link->path.dentry) ? 0 : -EBADF;
}

/* Set @link->leader. @pid is of the pid namespace of the current task; 0 selects all processes. */
static int uprobe_multi_find_process(struct uprobe_multi_link *link, pid_t pid)
{
	if (!pid)
		return 0;
	guard(rcu)();
	link->leader = get_pid_task(find_vpid(pid), PIDTYPE_TGID);
	return link->leader ? 0 : -ESRCH;
}

/* Set up the consumers of the probes. A consumer without a filter is for all processes. */
static void uprobe_multi_set_handlers(struct uprobe_multi_link *link)
{
	struct uprobe_multi_probe *probe;

	for (probe = link->probes; probe < link->probes + link->nr; probe++) {
		probe->link = link;
		if (link->flags & BPF_F_UPROBE_MULTI_RETURN)
			probe->consumer.ret_handler = uprobe_multi_handle_return;
		else
			probe->consumer.handler = uprobe_multi_handle_entry;
		if (link->leader)
			probe->consumer.filter = uprobe_multi_filter_mm;
	}
}

/* Allocate the probes, and fill them in. @ref_ctr_offsets and @cookies may be NULL. */
static int uprobe_multi_set_probes(struct uprobe_multi_link *link, const u64 *offsets,
				   const u64 *ref_ctr_offsets, const u64 *cookies)
{
	struct uprobe_multi_probe *probe;

	link->probes = kvcalloc(link->nr, sizeof(*link->probes), GFP_KERNEL);
	if (!link->probes)
		return -ENOMEM;
	for (u32 i = 0; i < link->nr; i++) {
		probe = &link->probes[i];
		probe->offset = offsets[i];
		if (probe->offset < 0)
			return -EINVAL;
		probe->ref_ctr_offset = ref_ctr_offsets ? ref_ctr_offsets[i] : 0;
		probe->cookie = cookies ? cookies[i] : 0;
	}
	uprobe_multi_set_handlers(link);
	return 0;
}

static int uprobe_multi_copy_probes_from_user(struct uprobe_multi_link *link,
					      const union bpf_attr *attr)
{
	u64 *ref_ctr_offsets __free(kvfree) =
		multi_copy_words_from_user(attr->link_create.uprobe_multi.ref_ctr_offsets,
					   link->nr);
	u64 *cookies __free(kvfree) =
		multi_copy_words_from_user(attr->link_create.uprobe_multi.cookies, link->nr);
	u64 *offsets __free(kvfree) =
		multi_copy_words_from_user(attr->link_create.uprobe_multi.offsets, link->nr);

	if (IS_ERR(offsets))
		return PTR_ERR(offsets);
	if (IS_ERR(ref_ctr_offsets))
		return PTR_ERR(ref_ctr_offsets);
	if (IS_ERR(cookies))
		return PTR_ERR(cookies);
	return uprobe_multi_set_probes(link, offsets, ref_ctr_offsets, cookies);
}

static struct uprobe_multi_link *uprobe_multi_create_link(const union bpf_attr *attr,
							  struct bpf_prog *prog)
{
	struct uprobe_multi_link *link = kzalloc(sizeof(*link), GFP_KERNEL);
	int err;

	if (!link)
		return ERR_PTR(-ENOMEM);
	bpf_link_init(&link->link, BPF_LINK_TYPE_UPROBE_MULTI, &uprobe_multi_link_ops, prog);
	link->flags = attr->link_create.uprobe_multi.flags;
	link->nr = attr->link_create.uprobe_multi.cnt;
	err = uprobe_multi_find_file(link, attr->link_create.uprobe_multi.path) ?:
	      uprobe_multi_find_process(link, attr->link_create.uprobe_multi.pid) ?:
	      uprobe_multi_copy_probes_from_user(link, attr);
	if (!err)
		return link;
	uprobe_multi_put_target(link);
	uprobe_multi_dealloc_link(&link->link);
	return ERR_PTR(err);
}

/*
 * Register the probes of the link, and give the user a file descriptor of the link.
 *
 * Return: the file descriptor; or an errno, and the link is freed, now or later.
 */
static int uprobe_multi_attach_link(struct uprobe_multi_link *link)
{
	struct bpf_link_primer primer;
	int err = bpf_link_prime(&link->link, &primer);

	if (err) {
		uprobe_multi_put_target(link);
		uprobe_multi_dealloc_link(&link->link);
		return err;
	}
	err = uprobe_multi_register_probes(link);
	if (!err)
		return bpf_link_settle(&primer);
	/* bpf_link_cleanup() lets uprobe_multi_dealloc_link() free the rest of the link. */
	uprobe_multi_put_target(link);
	bpf_link_cleanup(&primer);
	return err;
}

/**
 * bpf_uprobe_multi_link_attach - attach a program to many offsets in a file by a link
 * @attr: argument of the system call
 * @prog: the program; the caller's reference is taken over if this succeeds
 *
 * Context: may sleep.
 * Return: file descriptor of the link; -EOPNOTSUPP on 32 bit or without CONFIG_UPROBES; -EINVAL for
 * a program of another type, flags that do not exist, no path, no offsets, an offset or a pid that
 * is negative; -E2BIG for too many offsets; -EBADF if the file is not a regular one; -ESRCH if
 * there is no process of that pid; -EFAULT; -ENOMEM; the errno of looking up the path, of
 * allocating a file descriptor, or of uprobe_register().
 */
int bpf_uprobe_multi_link_attach(const union bpf_attr *attr, struct bpf_prog *prog)
{
	struct uprobe_multi_link *link;
	int err;

	if (!IS_ENABLED(CONFIG_64BIT) || !IS_ENABLED(CONFIG_UPROBES))
		return -EOPNOTSUPP;
	err = uprobe_multi_check_attr(attr, prog);
	if (err)
		return err;
	link = uprobe_multi_create_link(attr, prog);
	return IS_ERR(link) ? PTR_ERR(link) : uprobe_multi_attach_link(link);
}
