// SPDX-License-Identifier: GPL-2.0
/*
 * Links of a program to many places in one file that user space executes: the program is called
 * when a process reaches one of them or, if functions begin there, when one of these returns.
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
 * struct uprobe_multi_place - a place in the file of a link
 * @consumer: the handlers, as user of @uprobe
 * @uprobe: the probe
 * @link: the link
 * @offset: offset in the file
 * @counter: offset in the file of a counter that is incremented while there is a probe, or 0
 * @cookie: value for the program
 */
struct uprobe_multi_place {
	struct uprobe_consumer		consumer;
	struct uprobe			*uprobe;
	struct uprobe_multi_link	*link;
	loff_t				offset;
	u64				counter;
	u64				cookie;
};

/**
 * struct uprobe_multi_link - a link of a program to places in a file
 * @link: the link, as the rest of BPF knows it
 * @places: the places
 * @nr: number of places
 * @flags: BPF_F_UPROBE_MULTI_*
 * @leader: leader of the only process for which the program is called; NULL for all processes
 * @path: the file
 */
struct uprobe_multi_link {
	struct bpf_link			link;
	struct uprobe_multi_place	*places;
	u32				nr;
	u32				flags;
	struct task_struct		*leader;
	struct path			path;
};

/**
 * struct uprobe_multi_run - what the program runs with
 * @run_ctx: as &task_struct.bpf_ctx points to it
 * @place: the place
 * @ip: address of the place in the process
 */
struct uprobe_multi_run {
	struct bpf_run_ctx			run_ctx;
	const struct uprobe_multi_place	*place;
	unsigned long			ip;
};

static struct uprobe_multi_link *uprobe_multi_link_of(const struct bpf_link *link)
{
	return container_of(link, struct uprobe_multi_link, link);
}

static struct uprobe_multi_place *uprobe_multi_place_of(struct uprobe_consumer *consumer)
{
	return container_of(consumer, struct uprobe_multi_place, consumer);
}

/* ------------------------------------------------------------------ */
/* Helpers								*/

static const struct uprobe_multi_run *uprobe_multi_current_run(void)
{
	return container_of(current->bpf_ctx, struct uprobe_multi_run, run_ctx);
}

BPF_CALL_1(bpf_get_func_ip_uprobe_multi, struct pt_regs *, regs)
{
	return uprobe_multi_current_run()->ip;
}

BPF_CALL_1(bpf_get_attach_cookie_uprobe_multi, struct pt_regs *, regs)
{
	return uprobe_multi_current_run()->place->cookie;
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

static void uprobe_multi_call(const struct uprobe_multi_place *place, unsigned long ip,
			      struct pt_regs *regs)
{
	struct uprobe_multi_run run = { .ip = ip, .place = place };
	struct bpf_run_ctx *outer = bpf_set_run_ctx(&run.run_ctx);

	bpf_prog_run_pin_on_cpu(place->link->link.prog, regs);
	bpf_reset_run_ctx(outer);
}

/* Return: 0, which leaves the probe in the process. */
static int uprobe_multi_hit(const struct uprobe_multi_place *place, unsigned long ip,
			    struct pt_regs *regs)
{
	struct task_struct *leader = place->link->leader;

	/* Other processes have the probe, too, if they share the memory or others want it there. */
	if (leader && !same_thread_group(leader, current))
		return 0;
	if (place->link->link.prog->sleepable) {
		rcu_read_lock_trace();
		uprobe_multi_call(place, ip, regs);
		rcu_read_unlock_trace();
	} else {
		guard(rcu)();
		uprobe_multi_call(place, ip, regs);
	}
	return 0;
}

static int uprobe_multi_reached(struct uprobe_consumer *consumer, struct pt_regs *regs)
{
	return uprobe_multi_hit(uprobe_multi_place_of(consumer), instruction_pointer(regs), regs);
}

static int uprobe_multi_returns(struct uprobe_consumer *consumer, unsigned long func,
				struct pt_regs *regs)
{
	return uprobe_multi_hit(uprobe_multi_place_of(consumer), func, regs);
}

/* True if the process of @leader uses @mm. The leader may have exited before other threads. */
static bool uprobe_multi_process_uses(struct task_struct *leader, const struct mm_struct *mm)
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

static bool uprobe_multi_filter(struct uprobe_consumer *consumer, struct mm_struct *mm)
{
	return uprobe_multi_process_uses(uprobe_multi_place_of(consumer)->link->leader, mm);
}

/* ------------------------------------------------------------------ */
/* Probes								*/

/* Unregister the probes of the first @nr places, and wait until their handlers have ended. */
static void uprobe_multi_unregister(struct uprobe_multi_link *link, u32 nr)
{
	struct uprobe_multi_place *place = link->places;

	if (!nr)
		return;
	for (; place < link->places + nr; place++)
		uprobe_unregister_nosync(place->uprobe, &place->consumer);
	uprobe_unregister_sync();
}

static int uprobe_multi_register(struct uprobe_multi_link *link)
{
	struct inode *inode = d_real_inode(link->path.dentry);
	struct uprobe_multi_place *place;
	struct uprobe *uprobe;

	for (u32 i = 0; i < link->nr; i++) {
		place = &link->places[i];
		uprobe = uprobe_register(inode, place->offset, place->counter, &place->consumer);
		if (IS_ERR(uprobe)) {
			uprobe_multi_unregister(link, i);
			return PTR_ERR(uprobe);
		}
		place->uprobe = uprobe;
	}
	return 0;
}

/* ------------------------------------------------------------------ */
/* The link								*/

/* Drop what must not be dropped in the context of uprobe_multi_dealloc(). */
static void uprobe_multi_put_target(struct uprobe_multi_link *link)
{
	if (link->leader)
		put_task_struct(link->leader);
	path_put(&link->path);
}

/* Called when the last reference to the link is dropped. */
static void uprobe_multi_release(struct bpf_link *bpf_link)
{
	struct uprobe_multi_link *link = uprobe_multi_link_of(bpf_link);

	uprobe_multi_unregister(link, link->nr);
	uprobe_multi_put_target(link);
}

/*
 * Called grace periods later, in a softirq, or without uprobe_multi_release() if the link was not
 * attached.
 */
static void uprobe_multi_dealloc(struct bpf_link *bpf_link)
{
	struct uprobe_multi_link *link = uprobe_multi_link_of(bpf_link);

	kvfree(link->places);
	kfree(link);
}

static int uprobe_multi_put_path(const struct uprobe_multi_link *link, struct bpf_link_info *info)
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

static int uprobe_multi_put_word(u64 at, u32 index, u64 value)
{
	u64 __user *to = u64_to_user_ptr(at);

	return at && put_user(value, to + index) ? -EFAULT : 0;
}

static int uprobe_multi_put_places(const struct uprobe_multi_link *link,
				   const struct bpf_link_info *info, u32 nr)
{
	const struct uprobe_multi_place *place = link->places;
	int err = 0;

	for (u32 i = 0; !err && i < nr; i++, place++)
		err = uprobe_multi_put_word(info->uprobe_multi.offsets, i, place->offset) ?:
		      uprobe_multi_put_word(info->uprobe_multi.ref_ctr_offsets, i,
					    place->counter) ?:
		      uprobe_multi_put_word(info->uprobe_multi.cookies, i, place->cookie);
	return err;
}

/* The user asks for the path, the offsets, the counters or the cookies, with room for some. */
static int uprobe_multi_fill_info(const struct bpf_link *bpf_link, struct bpf_link_info *info)
{
	const struct uprobe_multi_link *link = uprobe_multi_link_of(bpf_link);
	bool wants_places = info->uprobe_multi.offsets || info->uprobe_multi.ref_ctr_offsets ||
			    info->uprobe_multi.cookies;
	u32 room = info->uprobe_multi.count;
	int err;

	if (!info->uprobe_multi.path != !info->uprobe_multi.path_size || (wants_places && !room))
		return -EINVAL;
	info->uprobe_multi.pid = link->leader ? task_tgid_vnr(link->leader) : 0;
	info->uprobe_multi.flags = link->flags;
	info->uprobe_multi.count = link->nr;
	err = uprobe_multi_put_path(link, info);
	if (err || !wants_places)
		return err;
	err = uprobe_multi_put_places(link, info, min(room, link->nr));
	if (err)
		return err;
	return room < link->nr ? -ENOSPC : 0;
}

static const struct bpf_link_ops uprobe_multi_link_ops = {
	.fill_link_info		= uprobe_multi_fill_info,
	.release		= uprobe_multi_release,
	.dealloc_deferred	= uprobe_multi_dealloc,
};

/* ------------------------------------------------------------------ */
/* Attaching								*/

static int uprobe_multi_check(const union bpf_attr *attr, const struct bpf_prog *prog)
{
	u32 nr = attr->link_create.uprobe_multi.cnt;

	if (prog->expected_attach_type != BPF_TRACE_UPROBE_MULTI)
		return -EINVAL;
	if (attr->link_create.flags ||
	    attr->link_create.uprobe_multi.flags & ~BPF_F_UPROBE_MULTI_RETURN)
		return -EINVAL;
	if (!nr || !attr->link_create.uprobe_multi.path ||
	    !attr->link_create.uprobe_multi.offsets ||
	    attr->link_create.uprobe_multi.pid > INT_MAX)
		return -EINVAL;
	return nr > TRACE_BPF_LINK_MAX ? -E2BIG : 0;
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

/* @pid is that of a process as the current task sees it, or 0 for all processes. */
static int uprobe_multi_find_process(struct uprobe_multi_link *link, pid_t pid)
{
	if (!pid)
		return 0;
	guard(rcu)();
	link->leader = get_pid_task(find_vpid(pid), PIDTYPE_TGID);
	return link->leader ? 0 : -ESRCH;
}

/* Set up the consumers of the probes. They call the filter only if there is one. */
static void uprobe_multi_set_handlers(struct uprobe_multi_link *link)
{
	struct uprobe_multi_place *place;

	for (place = link->places; place < link->places + link->nr; place++) {
		place->link = link;
		if (link->flags & BPF_F_UPROBE_MULTI_RETURN)
			place->consumer.ret_handler = uprobe_multi_returns;
		else
			place->consumer.handler = uprobe_multi_reached;
		if (link->leader)
			place->consumer.filter = uprobe_multi_filter;
	}
}

/* @counters and @cookies may be NULL. */
static int uprobe_multi_set_places(struct uprobe_multi_link *link, const u64 *offsets,
				   const u64 *counters, const u64 *cookies)
{
	struct uprobe_multi_place *place;

	link->places = kvcalloc(link->nr, sizeof(*link->places), GFP_KERNEL);
	if (!link->places)
		return -ENOMEM;
	for (u32 i = 0; i < link->nr; i++) {
		place = &link->places[i];
		place->offset = offsets[i];
		if (place->offset < 0)
			return -EINVAL;
		place->counter = counters ? counters[i] : 0;
		place->cookie = cookies ? cookies[i] : 0;
	}
	uprobe_multi_set_handlers(link);
	return 0;
}

static int uprobe_multi_get_places(struct uprobe_multi_link *link, const union bpf_attr *attr)
{
	u64 *counters __free(kvfree) =
		multi_copy_words(attr->link_create.uprobe_multi.ref_ctr_offsets, link->nr);
	u64 *cookies __free(kvfree) =
		multi_copy_words(attr->link_create.uprobe_multi.cookies, link->nr);
	u64 *offsets __free(kvfree) =
		multi_copy_words(attr->link_create.uprobe_multi.offsets, link->nr);

	if (IS_ERR(offsets))
		return PTR_ERR(offsets);
	if (IS_ERR(counters))
		return PTR_ERR(counters);
	if (IS_ERR(cookies))
		return PTR_ERR(cookies);
	return uprobe_multi_set_places(link, offsets, counters, cookies);
}

static struct uprobe_multi_link *uprobe_multi_create(const union bpf_attr *attr,
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
	      uprobe_multi_get_places(link, attr);
	if (!err)
		return link;
	uprobe_multi_put_target(link);
	uprobe_multi_dealloc(&link->link);
	return ERR_PTR(err);
}

/* Give the link to the user. Return: its file descriptor; or an errno, and the link is gone. */
static int uprobe_multi_attach(struct uprobe_multi_link *link)
{
	struct bpf_link_primer primer;
	int err = bpf_link_prime(&link->link, &primer);

	if (err) {
		uprobe_multi_put_target(link);
		uprobe_multi_dealloc(&link->link);
		return err;
	}
	err = uprobe_multi_register(link);
	if (!err)
		return bpf_link_settle(&primer);
	/* The memory is freed later, with the file: in a softirq, which must not put the path. */
	uprobe_multi_put_target(link);
	bpf_link_cleanup(&primer);
	return err;
}

/**
 * bpf_uprobe_multi_link_attach - attach a program to many places in a file
 * @attr: argument of the system call
 * @prog: the program; the caller drops its reference if this fails
 *
 * Context: may sleep.
 * Return: file descriptor of the link; -EOPNOTSUPP on 32 bit or without CONFIG_UPROBES; -EINVAL for
 * a program of another type, flags that do not exist, no path, no offsets, an offset or a pid that
 * is negative; -E2BIG for too many places; -EBADF if the file is not a regular one; -ESRCH if there
 * is no process of that pid; -EFAULT; -ENOMEM; the errno of looking up the path, of allocating a
 * file descriptor, or of uprobe_register().
 */
int bpf_uprobe_multi_link_attach(const union bpf_attr *attr, struct bpf_prog *prog)
{
	struct uprobe_multi_link *link;
	int err;

	if (!IS_ENABLED(CONFIG_64BIT) || !IS_ENABLED(CONFIG_UPROBES))
		return -EOPNOTSUPP;
	err = uprobe_multi_check(attr, prog);
	if (err)
		return err;
	link = uprobe_multi_create(attr, prog);
	return IS_ERR(link) ? PTR_ERR(link) : uprobe_multi_attach(link);
}
