/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Private to multi links: the functions of the kernel that a kprobe_multi link has, and copying
 * arrays from and to user space. All these arrays have elements of 64 bits, also those of pointers.
 */
#ifndef _KERNEL_TRACE_BPF_MULTI_H
#define _KERNEL_TRACE_BPF_MULTI_H

#include <linux/bpf.h>
#include <linux/errno.h>
#include <linux/ftrace.h>
#include <linux/kernel.h>
#include <linux/llist.h>
#include <linux/string.h>
#include <linux/types.h>
#include <linux/uaccess.h>

struct module;

/**
 * multi_copy_words_from_user - copy an array from user space
 * @at: user address of the array, or 0
 * @nr: number of its elements, of 64 bits
 *
 * Context: may sleep.
 * Return: the copy, for kvfree(); NULL if @at is 0; or ERR_PTR(), with -EFAULT or -ENOMEM.
 */
static inline u64 *multi_copy_words_from_user(u64 at, u32 nr)
{
	return at ? vmemdup_array_user(u64_to_user_ptr(at), nr, sizeof(u64)) : NULL;
}

/**
 * multi_copy_words_to_user - copy an array to user space
 * @at: user address to copy to, or 0 to do nothing
 * @words: the array; NULL for zeros
 * @nr: number of elements, of 64 bits
 *
 * Context: may sleep.
 * Return: 0; -EFAULT.
 */
static inline int multi_copy_words_to_user(u64 at, const void *words, u32 nr)
{
	void __user *to = u64_to_user_ptr(at);
	size_t size = nr * sizeof(u64);

	if (!at)
		return 0;
	if (words ? copy_to_user(to, words, size) : clear_user(to, size))
		return -EFAULT;
	return 0;
}

/**
 * struct kprobe_multi_funcs - the functions of a kprobe_multi link
 * @addrs: addresses of the functions; ascending if there are cookies, for bsearch()
 * @cookies: cookie of each function, at the index of its address; NULL if all are 0
 * @nr: number of functions
 * @nr_mods: number of modules in @mods
 * @mods: each module that has some of the functions, once, with a reference
 */
struct kprobe_multi_funcs {
	unsigned long	*addrs;
	u64		*cookies;
	u32		nr;
	u32		nr_mods;
	struct module	**mods;
};

/**
 * struct kprobe_multi_link - a link of a program to functions of the kernel
 * @link: the part of the link that the rest of BPF knows
 * @gops: calls the program; if it is called at the entry only, just @gops.ops is registered
 * @funcs: the functions
 * @missed: number of hits without a call of the program: there was no room on the stack of the
 *	traced calls of the task, or RCU was not watching
 * @flags: BPF_F_KPROBE_MULTI_*
 * @unregistered: entry in the list of links that kprobe_multi_free_later() frees
 */
struct kprobe_multi_link {
	struct bpf_link			link;
	struct fgraph_ops		gops;
	struct kprobe_multi_funcs	funcs;
	unsigned long			missed;
	u32				flags;
	struct llist_node		unregistered;
};

/**
 * struct kprobe_multi_run_ctx - the run context of the program of a kprobe_multi link
 * @run_ctx: the part that BPF knows; &task_struct.bpf_ctx points to it while the program runs
 * @link: the link, for bpf_get_attach_cookie()
 * @site: address of the call site of the function that is entered or returns, for bpf_get_func_ip()
 * @data: for a session only: eight bytes, kept from the entry of a call to its return
 * @is_return: for a session only: true at the return of a function, false at its entry
 */
struct kprobe_multi_run_ctx {
	struct bpf_run_ctx		run_ctx;
	const struct kprobe_multi_link	*link;
	unsigned long			site;
	void				*data;
	bool				is_return;
};

/**
 * kprobe_multi_register - let the functions of a link call its program
 * @link: the link, but for @gops and @missed filled in
 *
 * Context: may sleep; takes graph_lock and ftrace_lock.
 * Return: 0; -EOPNOTSUPP without CONFIG_FPROBE; -EINVAL if one of the functions cannot be traced;
 * or another errno of register_ftrace_function() or register_ftrace_graph().
 */
#ifdef CONFIG_FPROBE
int kprobe_multi_register(struct kprobe_multi_link *link);
#else
static inline int kprobe_multi_register(struct kprobe_multi_link *link) { return -EOPNOTSUPP; }
#endif

/**
 * kprobe_multi_unregister - undo kprobe_multi_register()
 * @link: the link
 *
 * A function entered after this returns does not call the program. Hits in flight may still run it,
 * so @link is to be freed by kprobe_multi_free_later().
 *
 * Context: sleeps until there is memory for the sets of functions of the remaining users, and for
 * the last user of graph/ until its callbacks have ended; takes graph_lock and ftrace_lock.
 */
#ifdef CONFIG_FPROBE
void kprobe_multi_unregister(struct kprobe_multi_link *link);
#else
static inline void kprobe_multi_unregister(struct kprobe_multi_link *link) { }
#endif

/**
 * kprobe_multi_free_link - free a link, and put the modules of its functions
 * @link: the link, whose program no hit runs any more
 *
 * Context: as for kprobe_multi_free_funcs().
 */
void kprobe_multi_free_link(struct kprobe_multi_link *link);

/**
 * kprobe_multi_free_later - free a link after the hits in flight
 * @link: the link, after kprobe_multi_unregister(). The reference to its program is put, too
 *
 * Context: any but NMI.
 */
#ifdef CONFIG_FPROBE
void kprobe_multi_free_later(struct kprobe_multi_link *link);
#else
static inline void kprobe_multi_free_later(struct kprobe_multi_link *link) { }
#endif

/**
 * kprobe_multi_copy_funcs_from_user - copy the functions of a new link from user space
 * @funcs: set to the functions, all 0 before; to be released by kprobe_multi_free_funcs(), also
 *	after an error
 * @attr: argument of the system call, with either addresses or names
 *
 * Gets no references to modules yet.
 *
 * Context: may sleep; for names, takes ftrace_lock, and module_mutex if names are not found in the
 * kernel itself.
 * Return: 0; -EFAULT; -ENOMEM; -E2BIG if a name is too long; -ESRCH if there is no function of a
 * name that can be traced, or a name is listed twice.
 */
int kprobe_multi_copy_funcs_from_user(struct kprobe_multi_funcs *funcs, const union bpf_attr *attr);

/**
 * kprobe_multi_get_modules - get references to the modules of functions, so that they stay loaded
 * @funcs: the functions
 *
 * Context: may sleep.
 * Return: 0; -EINVAL if one of the modules is being unloaded; -ENOMEM. After an error, too,
 * kprobe_multi_put_modules() is needed: there may be references to some modules.
 */
int kprobe_multi_get_modules(struct kprobe_multi_funcs *funcs);

/**
 * kprobe_multi_put_modules - undo kprobe_multi_get_modules()
 * @funcs: the functions; nothing happens if there are no references to modules
 *
 * Context: any.
 */
void kprobe_multi_put_modules(struct kprobe_multi_funcs *funcs);

/**
 * kprobe_multi_free_funcs - free the memory of functions, and put their modules
 * @funcs: the functions
 *
 * Context: preemptible, or an interrupt: as for kvfree().
 */
void kprobe_multi_free_funcs(struct kprobe_multi_funcs *funcs);

/**
 * kprobe_multi_find_cookie - look up the cookie of a function
 * @funcs: the functions
 * @addr: address of the function
 *
 * Context: any, NMI included.
 * Return: the cookie; 0 if the function has none.
 */
u64 kprobe_multi_find_cookie(const struct kprobe_multi_funcs *funcs, unsigned long addr);

#endif /* _KERNEL_TRACE_BPF_MULTI_H */
