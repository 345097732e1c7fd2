// SPDX-License-Identifier: GPL-2.0
/*
 * The functions of a link of many functions of the kernel: their addresses or names, and their
 * cookies, as user space passes them, and the modules that they are in.
 */
#include <linux/bsearch.h>
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/ftrace.h>
#include <linux/kallsyms.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/sort.h>

#include "multi.h"

/* ------------------------------------------------------------------ */
/* Sorting								*/

/**
 * struct funcs_order - an array that is sorted, and the cookies that move with its elements
 * @words: the array: addresses, or pointers to names
 * @cookies: cookies of the same indexes, or NULL
 */
struct funcs_order {
	const unsigned long	*words;
	u64			*cookies;
};

static void funcs_swap(void *a, void *b, int size, const void *priv)
{
	const struct funcs_order *order = priv;
	unsigned long *x = a, *y = b;

	swap(*x, *y);
	if (order->cookies)
		swap(order->cookies[x - order->words], order->cookies[y - order->words]);
}

static int funcs_compare_addrs(const void *a, const void *b)
{
	unsigned long x = *(const unsigned long *)a, y = *(const unsigned long *)b;

	return (x > y) - (x < y);
}

static int funcs_order_addrs(const void *a, const void *b, const void *priv)
{
	return funcs_compare_addrs(a, b);
}

static int funcs_order_names(const void *a, const void *b, const void *priv)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void funcs_sort(void *words, struct kprobe_multi_funcs *funcs, cmp_r_func_t compare)
{
	struct funcs_order order = { .words = words, .cookies = funcs->cookies };

	sort_r(words, funcs->nr, sizeof(unsigned long), compare, funcs_swap, &order);
}

u64 kprobe_multi_find_cookie(const struct kprobe_multi_funcs *funcs, unsigned long addr)
{
	const unsigned long *at;

	if (!funcs->cookies)
		return 0;
	at = __inline_bsearch(&addr, funcs->addrs, funcs->nr, sizeof(addr), funcs_compare_addrs);
	return at ? funcs->cookies[at - funcs->addrs] : 0;
}

/* ------------------------------------------------------------------ */
/* Functions by name							*/

static void names_free(const char **names, u32 nr)
{
	for (u32 i = 0; i < nr; i++)
		kfree(names[i]);
	kvfree(names);
}

/* Copy the names at the addresses @at. After an error, the names that were not copied are NULL. */
static int names_copy(const char **names, const u64 *at, u32 nr)
{
	char *name;

	for (u32 i = 0; i < nr; i++) {
		name = strndup_user(u64_to_user_ptr(at[i]), KSYM_NAME_LEN);
		if (name == ERR_PTR(-EINVAL))
			return -E2BIG;
		if (IS_ERR(name))
			return PTR_ERR(name);
		names[i] = name;
		cond_resched();
	}
	return 0;
}

static bool names_repeat(const char **sorted, u32 nr)
{
	for (u32 i = 1; i < nr; i++)
		if (!strcmp(sorted[i - 1], sorted[i]))
			return true;
	return false;
}

/* Look up the names, whose order becomes that of the functions. */
static int funcs_find_names(struct kprobe_multi_funcs *funcs, const char **names)
{
	funcs_sort(names, funcs, funcs_order_names);
	if (names_repeat(names, funcs->nr))
		return -ESRCH;
	funcs->addrs = kvcalloc(funcs->nr, sizeof(*funcs->addrs), GFP_KERNEL);
	if (!funcs->addrs)
		return -ENOMEM;
	return ftrace_lookup_symbols(names, funcs->nr, funcs->addrs);
}

static int funcs_get_by_name(struct kprobe_multi_funcs *funcs, u64 syms)
{
	u64 *at __free(kvfree) = multi_copy_words(syms, funcs->nr);
	const char **names;
	int err;

	if (IS_ERR(at))
		return PTR_ERR(at);
	names = kvcalloc(funcs->nr, sizeof(*names), GFP_KERNEL);
	if (!names)
		return -ENOMEM;
	err = names_copy(names, at, funcs->nr) ?: funcs_find_names(funcs, names);
	names_free(names, funcs->nr);
	return err;
}

/* ------------------------------------------------------------------ */
/* Functions by address, and cookies					*/

/* Only 64-bit kernels have links of many functions: there a word of user space is an address. */
static int funcs_get_by_addr(struct kprobe_multi_funcs *funcs, u64 addrs)
{
	u64 *words = multi_copy_words(addrs, funcs->nr);

	if (IS_ERR(words))
		return PTR_ERR(words);
	funcs->addrs = (unsigned long *)words;
	return 0;
}

static int funcs_get_cookies(struct kprobe_multi_funcs *funcs, u64 cookies)
{
	u64 *words = multi_copy_words(cookies, funcs->nr);

	if (IS_ERR(words))
		return PTR_ERR(words);
	funcs->cookies = words;
	return 0;
}

int kprobe_multi_get_funcs(struct kprobe_multi_funcs *funcs, const union bpf_attr *attr)
{
	u64 addrs = attr->link_create.kprobe_multi.addrs;
	int err;

	funcs->nr = attr->link_create.kprobe_multi.cnt;
	err = funcs_get_cookies(funcs, attr->link_create.kprobe_multi.cookies);
	if (err)
		return err;
	err = addrs ? funcs_get_by_addr(funcs, addrs) :
		      funcs_get_by_name(funcs, attr->link_create.kprobe_multi.syms);
	/* Without cookies, the functions keep the order in which they are reported to the user. */
	if (!err && funcs->cookies)
		funcs_sort(funcs->addrs, funcs, funcs_order_addrs);
	return err;
}

void kprobe_multi_free_funcs(struct kprobe_multi_funcs *funcs)
{
	kprobe_multi_put_modules(funcs);
	kfree(funcs->mods);
	kvfree(funcs->cookies);
	kvfree(funcs->addrs);
}

/* ------------------------------------------------------------------ */
/* Modules								*/

static bool funcs_hold_module(const struct kprobe_multi_funcs *funcs, const struct module *mod)
{
	/* The module is often that of the function before. */
	for (u32 i = funcs->nr_mods; i > 0; i--)
		if (funcs->mods[i - 1] == mod)
			return true;
	return false;
}

/*
 * Hold the module of a function, unless it is held already. Return: the module; NULL if there is
 * none to hold; ERR_PTR(-EINVAL) if it is being unloaded.
 */
static struct module *funcs_get_module(const struct kprobe_multi_funcs *funcs, unsigned long addr)
{
	struct module *mod;

	guard(preempt)();
	mod = __module_text_address(addr);
	if (!mod || funcs_hold_module(funcs, mod))
		return NULL;
	return try_module_get(mod) ? mod : ERR_PTR(-EINVAL);
}

static int funcs_add_module(struct kprobe_multi_funcs *funcs, struct module *mod)
{
	/* Cheap for each module: krealloc() moves the array only when a power of two is reached. */
	struct module **mods = krealloc_array(funcs->mods, funcs->nr_mods + 1, sizeof(*mods),
					      GFP_KERNEL);

	if (!mods) {
		module_put(mod);
		return -ENOMEM;
	}
	mods[funcs->nr_mods++] = mod;
	funcs->mods = mods;
	return 0;
}

int kprobe_multi_hold_modules(struct kprobe_multi_funcs *funcs)
{
	struct module *mod;
	int err = 0;

	for (u32 i = 0; !err && i < funcs->nr; i++) {
		mod = funcs_get_module(funcs, funcs->addrs[i]);
		if (IS_ERR(mod))
			return PTR_ERR(mod);
		if (mod)
			err = funcs_add_module(funcs, mod);
	}
	return err;
}

void kprobe_multi_put_modules(struct kprobe_multi_funcs *funcs)
{
	while (funcs->nr_mods)
		module_put(funcs->mods[--funcs->nr_mods]);
}
