/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Private to the links of many functions: the functions of the kernel that a link has, and copying
 * arrays from and to user space. User space passes arrays of 64-bit words only.
 */
#ifndef _KERNEL_TRACE_BPF_MULTI_H
#define _KERNEL_TRACE_BPF_MULTI_H

#include <linux/bpf.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/types.h>
#include <linux/uaccess.h>

struct module;

/**
 * multi_copy_words - copy an array from user space
 * @at: address of the array, or 0
 * @nr: number of its words
 *
 * Context: may sleep.
 * Return: the copy, for kvfree(); NULL if @at is 0; or ERR_PTR(), with -EFAULT or -ENOMEM.
 */
static inline u64 *multi_copy_words(u64 at, u32 nr)
{
	return at ? vmemdup_array_user(u64_to_user_ptr(at), nr, sizeof(u64)) : NULL;
}

/**
 * multi_put_words - copy an array to user space
 * @at: address to copy to, or 0 to do nothing
 * @words: the array; NULL for zeros
 * @nr: number of words
 *
 * Context: may sleep.
 * Return: 0; -EFAULT.
 */
static inline int multi_put_words(u64 at, const void *words, u32 nr)
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
 * struct kprobe_multi_funcs - the functions of a link
 * @addrs: their addresses; ascending if there are cookies
 * @cookies: the cookie of each function, at the index of its address; NULL if all are 0
 * @nr: number of functions
 * @nr_mods: number of modules
 * @mods: the modules that the functions are in, each once; they are held
 */
struct kprobe_multi_funcs {
	unsigned long	*addrs;
	u64		*cookies;
	u32		nr;
	u32		nr_mods;
	struct module	**mods;
};

/**
 * kprobe_multi_get_funcs - copy the functions of a new link from user space
 * @funcs: set to the functions, all 0 before; to be released by kprobe_multi_free_funcs(), also
 *	after an error
 * @attr: argument of the system call, with either addresses or names
 *
 * Does not hold the modules yet.
 *
 * Context: may sleep.
 * Return: 0; -EFAULT; -ENOMEM; -E2BIG if a name is too long; -ESRCH if there is no function of a
 * name that can be traced, or a name is listed twice.
 */
int kprobe_multi_get_funcs(struct kprobe_multi_funcs *funcs, const union bpf_attr *attr);

/**
 * kprobe_multi_hold_modules - keep the modules of functions from being unloaded
 * @funcs: the functions
 *
 * Context: may sleep.
 * Return: 0; -EINVAL if one of the modules is being unloaded; -ENOMEM. After an error some modules
 * may be held.
 */
int kprobe_multi_hold_modules(struct kprobe_multi_funcs *funcs);

/**
 * kprobe_multi_put_modules - undo kprobe_multi_hold_modules()
 * @funcs: the functions; nothing happens if no modules are held
 *
 * Context: any.
 */
void kprobe_multi_put_modules(struct kprobe_multi_funcs *funcs);

/**
 * kprobe_multi_free_funcs - free the memory of functions, and put their modules
 * @funcs: the functions
 *
 * Context: any but NMI.
 */
void kprobe_multi_free_funcs(struct kprobe_multi_funcs *funcs);

/**
 * kprobe_multi_find_cookie - look up the cookie of a function
 * @funcs: the functions
 * @addr: address of the function
 *
 * Context: any.
 * Return: the cookie; 0 if the function has none.
 */
u64 kprobe_multi_find_cookie(const struct kprobe_multi_funcs *funcs, unsigned long addr);

#endif /* _KERNEL_TRACE_BPF_MULTI_H */
