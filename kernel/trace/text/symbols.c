// SPDX-License-Identifier: GPL-2.0
/*
 * Lookup of the addresses of many functions, for users that attach to many at once.
 */
#include <linux/bsearch.h>
#include <linux/cleanup.h>
#include <linux/errno.h>
#include <linux/ftrace.h>
#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>

#include "sites/lock.h"
#include "sites/names.h"
#include "sites/sites.h"

/**
 * struct namesake - search for a traceable function with a name that may be ambiguous
 * @name: the name
 * @addr: address of the function, 0 as long as none was found
 */
struct namesake {
	const char	*name;
	unsigned long	addr;
};

static int symbol_note_traceable(void *data, unsigned long addr)
{
	struct namesake *n = data;

	if (!ftrace_location(addr))
		return 0;
	n->addr = addr;
	return 1;
}

static int symbol_note_if_named(void *data, const char *name, unsigned long addr)
{
	struct namesake *n = data;

	return strcmp(name, n->name) ? 0 : symbol_note_traceable(n, addr);
}

/* True if the call site of @addr may be discovered when an ops is attached to it (SPEC D14). */
static bool symbol_may_be_discovered(unsigned long addr)
{
	struct module *mod;

	if (!IS_ENABLED(CONFIG_FTRACE_MCOUNT_RECORD))
		return true;
	guard(preempt)();
	mod = __module_text_address(addr);
	return mod && module_may_be_loaded(module_name(mod));
}

static unsigned long symbol_lookup_traceable(const char *name)
{
	struct namesake n = { .name = name };
	unsigned long first = kallsyms_lookup_name(name);

	if (!first || ftrace_location(first) || symbol_may_be_discovered(first))
		return first;
	if (!kallsyms_on_each_match_symbol(symbol_note_traceable, name, &n))
		module_kallsyms_on_each_symbol(NULL, symbol_note_if_named, &n);
	return n.addr;
}

/* ------------------------------------------------------------------ */
/* Many names								*/

/*
 * Up to this number of names are looked up one by one. The lookup of a name compares it with each
 * symbol of each module, unless the kernel itself has it. So for more names, the symbols of the
 * modules are walked once for all names.
 */
#define SYMBOLS_FEW	8

/**
 * struct symbol_wanted - a name to look up in modules
 * @name: the name
 * @addr: where the address of its function is stored; 0 as long as none was found
 */
struct symbol_wanted {
	const char	*name;
	unsigned long	*addr;
};

/**
 * struct symbol_list - names to look up in modules
 * @wanted: the names, sorted
 * @nr: number of names
 * @missing: number of names without an address
 */
struct symbol_list {
	struct symbol_wanted	*wanted;
	size_t			nr;
	size_t			missing;
};

static int symbol_compare(const void *a, const void *b)
{
	return strcmp(((const struct symbol_wanted *)a)->name,
		      ((const struct symbol_wanted *)b)->name);
}

static int symbol_note_if_listed(void *data, const char *name, unsigned long addr)
{
	struct symbol_wanted key = { .name = name };
	struct symbol_list *list = data;
	struct symbol_wanted *at = __inline_bsearch(&key, list->wanted, list->nr, sizeof(key),
						    symbol_compare);

	if (!at || *at->addr || !ftrace_location(addr))
		return 0;
	*at->addr = addr;
	return !--list->missing;
}

static void symbols_note_missing(struct symbol_list *list, const char **names, size_t nr,
				 unsigned long *addrs)
{
	for (size_t i = 0; i < nr; i++)
		if (!addrs[i])
			list->wanted[list->nr++] = (struct symbol_wanted) { names[i], &addrs[i] };
	list->missing = list->nr;
	sort(list->wanted, list->nr, sizeof(*list->wanted), symbol_compare, NULL);
}

/* Fill in the addresses that are 0, of functions of modules. Without memory, none is found. */
static void symbols_find_in_modules(const char **names, size_t nr, unsigned long *addrs,
				    size_t missing)
{
	struct symbol_list list = {
		.wanted = kvmalloc_array(missing, sizeof(*list.wanted), GFP_KERNEL),
	};

	if (!list.wanted)
		return;
	symbols_note_missing(&list, names, nr, addrs);
	module_kallsyms_on_each_symbol(NULL, symbol_note_if_listed, &list);
	kvfree(list.wanted);
}

/* Return: address of the kernel function with this call site, 0 if there is no such symbol. */
static unsigned long symbol_of_site(unsigned long ip)
{
	unsigned long offset;

	/* With a distance of 0, each function begins with its site. */
	if (!SITE_MAX_DISTANCE)
		return ip;
	return kallsyms_lookup_size_offset(ip, NULL, &offset) ? ip - offset : 0;
}

/*
 * *@hint is the position behind that of the name that was looked up before. Return: address of a
 * function with this name that can be traced, 0 if there is none.
 */
static unsigned long symbol_find_in_region(const struct site_region *r, const char *name,
					   unsigned int *hint)
{
	unsigned int first, count;

	names_find(r, name, *hint, &first, &count);
	*hint = first + count;
	for (unsigned int i = first; i < first + count; i++) {
		const struct site *site = &r->sites[names_at(r, i)];

		if (site_usable(site))
			return symbol_of_site(site_ip(r, site));
	}
	return 0;
}

/* Return: number of names for which an address was filled in. */
static size_t symbols_find_in_region(const struct site_region *r, const char **names, size_t nr,
				     unsigned long *addrs)
{
	unsigned int hint = 0;
	size_t found = 0;

	for (size_t i = 0; i < nr; i++) {
		if (addrs[i])
			continue;
		addrs[i] = symbol_find_in_region(r, names[i], &hint);
		found += !!addrs[i];
		cond_resched();
	}
	return found;
}

/*
 * Fill in the addresses of functions of the kernel. The names of sites are much faster to find than
 * those of symbols. Return: number of addresses.
 */
static size_t symbols_find_in_kernel(const char **names, size_t nr, unsigned long *addrs)
{
	struct site_region *r;
	size_t found = 0;

	guard(mutex)(&ftrace_lock);
	for_each_site_region(r)
		if (r->live && !r->mod && !names_get(r))
			found += symbols_find_in_region(r, names, nr, addrs);
	return found;
}

/* Fill in the addresses of functions that can be traced already, and 0 for the other names. */
static void symbols_find_traced(const char **names, size_t nr, unsigned long *addrs)
{
	size_t found;

	memset(addrs, 0, nr * sizeof(*addrs));
	/* Without a table of sites, symbol_lookup_traceable() takes the first of many namesakes. */
	if (!IS_ENABLED(CONFIG_FTRACE_MCOUNT_RECORD) || nr <= SYMBOLS_FEW)
		return;
	found = symbols_find_in_kernel(names, nr, addrs);
	if (found < nr)
		symbols_find_in_modules(names, nr, addrs, nr - found);
}

/**
 * ftrace_lookup_symbols() - look up the addresses of many functions by name
 * @sorted_syms: names of the functions, in any order
 * @cnt: number of names
 * @addrs: filled with one address for each name; if several functions have the name, that of one
 *	that can be traced
 *
 * Context: may sleep; takes ftrace_lock, and module_mutex if names are not found in the kernel
 * itself.
 *
 * Return: 0; -ESRCH if one of the names has no function that can be traced.
 */
int ftrace_lookup_symbols(const char **sorted_syms, size_t cnt, unsigned long *addrs)
{
	size_t i;

	symbols_find_traced(sorted_syms, cnt, addrs);
	for (i = 0; i < cnt; i++) {
		if (!addrs[i])
			addrs[i] = symbol_lookup_traceable(sorted_syms[i]);
		if (!addrs[i])
			return -ESRCH;
	}
	return 0;
}
