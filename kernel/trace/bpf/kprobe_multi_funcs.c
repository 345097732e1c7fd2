// SPDX-License-Identifier: GPL-2.0
/*
 * The functions of a kprobe_multi link: their addresses or names, and their cookies, as user space
 * passes them, and references to the modules that they are in.
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
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "multi.h"

/* ------------------------------------------------------------------ */
/* Sorting								*/

/**
 * struct funcs_order - addresses of functions to sort, and the cookies that move with them
 * @addrs: the addresses
 * @cookies: cookie of each function, at the index of its address
 */
struct funcs_order {
	const unsigned long	*addrs;
	u64			*cookies;
};

static void funcs_swap(void *a, void *b, int size, const void *priv)
{
	const struct funcs_order *order = priv;
	unsigned long *x = a, *y = b;

	swap(*x, *y);
	swap(order->cookies[x - order->addrs], order->cookies[y - order->addrs]);
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

/* Sort the functions, and their cookies, by address. */
static void funcs_sort_addrs(struct kprobe_multi_funcs *funcs)
{
	struct funcs_order order = { .addrs = funcs->addrs, .cookies = funcs->cookies };

	if (funcs->cookies)
		sort_r(funcs->addrs, funcs->nr, sizeof(*funcs->addrs), funcs_order_addrs,
		       funcs_swap, &order);
	else
		sort(funcs->addrs, funcs->nr, sizeof(*funcs->addrs), funcs_compare_addrs, NULL);
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

/**
 * struct funcs_names - names of functions
 * @older: chunk that is full; NULL if there is none
 * @used: number of bytes used in @text
 * @text: names, one after the other
 */
struct funcs_names {
	struct funcs_names	*older;
	unsigned int		used;
	char			text[SZ_16K - 2 * sizeof(long)];
};

static void funcs_free_names(struct funcs_names *names)
{
	struct funcs_names *older;

	for (; names; names = older) {
		older = names->older;
		kfree(names);
	}
}

/* Make sure that a chunk has room for a name of any length. */
static int funcs_make_room(struct funcs_names **names)
{
	struct funcs_names *older = *names, *chunk;

	if (older && older->used + KSYM_NAME_LEN <= sizeof(older->text))
		return 0;
	chunk = kmalloc(sizeof(*chunk), GFP_KERNEL);
	if (!chunk)
		return -ENOMEM;
	chunk->older = older;
	chunk->used = 0;
	*names = chunk;
	return 0;
}

/* Copy a name from user space. Return: the name, or ERR_PTR(). */
static const char *funcs_copy_name(struct funcs_names **names, u64 at)
{
	int err = funcs_make_room(names);
	char *name;
	long len;

	if (err)
		return ERR_PTR(err);
	name = (*names)->text + (*names)->used;
	len = strncpy_from_user(name, u64_to_user_ptr(at), KSYM_NAME_LEN);
	if (len < 0)
		return ERR_PTR(len);
	if (len == KSYM_NAME_LEN)
		return ERR_PTR(-E2BIG);
	(*names)->used += len + 1;
	return name;
}

/* Copy the names at the user addresses @at to @names, and set @syms to them. */
static int funcs_copy_names(struct funcs_names **names, const char **syms, const u64 *at, u32 nr)
{
	for (u32 i = 0; i < nr; i++) {
		syms[i] = funcs_copy_name(names, at[i]);
		if (IS_ERR(syms[i]))
			return PTR_ERR(syms[i]);
		cond_resched();
	}
	return 0;
}

static int funcs_compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* True if each name is greater than the one before, as in a list that user space has sorted. */
static bool funcs_names_ascend(const char **names, u32 nr)
{
	for (u32 i = 1; i < nr; i++)
		if (strcmp(names[i - 1], names[i]) >= 0)
			return false;
	return true;
}

/* True if a name is listed twice. Sorts the names. */
static bool funcs_has_duplicate_name(const char **names, u32 nr)
{
	sort(names, nr, sizeof(*names), funcs_compare_names, NULL);
	for (u32 i = 1; i < nr; i++)
		if (!strcmp(names[i - 1], names[i]))
			return true;
	return false;
}

static bool funcs_has_duplicate_addr(const struct kprobe_multi_funcs *funcs)
{
	for (u32 i = 1; i < funcs->nr; i++)
		if (funcs->addrs[i - 1] == funcs->addrs[i])
			return true;
	return false;
}

/*
 * Look up the addresses of functions by their names. A name must not be listed twice: then its
 * address occurs twice. That of a function with several names does, too, and they are allowed: so
 * names are compared if an address occurs twice.
 */
static int funcs_look_up_names(struct kprobe_multi_funcs *funcs, const char **names)
{
	int err;

	funcs->addrs = kvcalloc(funcs->nr, sizeof(*funcs->addrs), GFP_KERNEL);
	if (!funcs->addrs)
		return -ENOMEM;
	err = ftrace_lookup_symbols(names, funcs->nr, funcs->addrs);
	if (err || (!funcs->cookies && funcs_names_ascend(names, funcs->nr)))
		return err;
	funcs_sort_addrs(funcs);
	return funcs_has_duplicate_addr(funcs) && funcs_has_duplicate_name(names, funcs->nr) ?
	       -ESRCH : 0;
}

static int funcs_copy_by_name(struct kprobe_multi_funcs *funcs, u64 user_syms)
{
	u64 *at __free(kvfree) = multi_copy_words_from_user(user_syms, funcs->nr);
	const char **syms __free(kvfree) = NULL;
	struct funcs_names *names = NULL;
	int err;

	if (IS_ERR(at))
		return PTR_ERR(at);
	syms = kvmalloc_array(funcs->nr, sizeof(*syms), GFP_KERNEL);
	if (!syms)
		return -ENOMEM;
	err = funcs_copy_names(&names, syms, at, funcs->nr) ?: funcs_look_up_names(funcs, syms);
	funcs_free_names(names);
	return err;
}

/* ------------------------------------------------------------------ */
/* Functions by address, and cookies					*/

/* Multi links exist on 64 bit only, so the array of u64 can be used as one of addresses. */
static int funcs_copy_by_addr(struct kprobe_multi_funcs *funcs, u64 addrs)
{
	u64 *words = multi_copy_words_from_user(addrs, funcs->nr);

	if (IS_ERR(words))
		return PTR_ERR(words);
	funcs->addrs = (unsigned long *)words;
	return 0;
}

static int funcs_copy_cookies(struct kprobe_multi_funcs *funcs, u64 cookies)
{
	u64 *words = multi_copy_words_from_user(cookies, funcs->nr);

	if (IS_ERR(words))
		return PTR_ERR(words);
	funcs->cookies = words;
	return 0;
}

int kprobe_multi_copy_funcs_from_user(struct kprobe_multi_funcs *funcs, const union bpf_attr *attr)
{
	u64 addrs = attr->link_create.kprobe_multi.addrs;
	int err;

	funcs->nr = attr->link_create.kprobe_multi.cnt;
	err = funcs_copy_cookies(funcs, attr->link_create.kprobe_multi.cookies);
	if (err)
		return err;
	err = addrs ? funcs_copy_by_addr(funcs, addrs) :
		      funcs_copy_by_name(funcs, attr->link_create.kprobe_multi.syms);
	/*
	 * kprobe_multi_find_cookie() needs ascending addresses, as funcs_copy_by_name() returns
	 * them. Without cookies, addresses of the user keep their order.
	 */
	if (!err && addrs && funcs->cookies)
		funcs_sort_addrs(funcs);
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

static bool funcs_has_module(const struct kprobe_multi_funcs *funcs, const struct module *mod)
{
	/* From the end, as neighbours in the list of functions are often in one module. */
	for (u32 i = funcs->nr_mods; i > 0; i--)
		if (funcs->mods[i - 1] == mod)
			return true;
	return false;
}

/*
 * Get a reference to the module of a function, unless @funcs has one already. Return: the module;
 * NULL if there is nothing to add to @funcs; ERR_PTR(-EINVAL) if the module is being unloaded.
 */
static struct module *funcs_get_module(const struct kprobe_multi_funcs *funcs, unsigned long addr)
{
	struct module *mod;

	guard(preempt)();
	mod = __module_text_address(addr);
	if (!mod || funcs_has_module(funcs, mod))
		return NULL;
	return try_module_get(mod) ? mod : ERR_PTR(-EINVAL);
}

/* Let @funcs take over a reference to a module. */
static int funcs_add_module(struct kprobe_multi_funcs *funcs, struct module *mod)
{
	/* Cheap for each module: krealloc() moves the array only if its slab object is full. */
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

int kprobe_multi_get_modules(struct kprobe_multi_funcs *funcs)
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
