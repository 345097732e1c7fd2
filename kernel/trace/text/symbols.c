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
#include <linux/preempt.h>
#include <linux/string.h>

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
 * struct symbol_list - names to look up
 * @names: the names, sorted
 * @addrs: address of the function of each name, 0 as long as none was found
 * @nr: number of names
 * @missing: number of names without an address
 */
struct symbol_list {
	const char	**names;
	unsigned long	*addrs;
	size_t		nr;
	size_t		missing;
};

static int symbol_compare(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool symbols_are_sorted(const char **names, size_t nr)
{
	for (size_t i = 1; i < nr; i++)
		if (symbol_compare(&names[i - 1], &names[i]) > 0)
			return false;
	return true;
}

static int symbol_note_if_listed(void *data, const char *name, unsigned long addr)
{
	struct symbol_list *list = data;
	const char **at = __inline_bsearch(&name, list->names, list->nr, sizeof(name),
					   symbol_compare);
	unsigned long *found = at ? &list->addrs[at - list->names] : NULL;

	if (!found || *found || !ftrace_location(addr))
		return 0;
	*found = addr;
	return !--list->missing;
}

static void symbols_find_in_kernel(struct symbol_list *list)
{
	for (size_t i = 0; i < list->nr; i++) {
		struct namesake n = { };

		if (!kallsyms_on_each_match_symbol(symbol_note_traceable, list->names[i], &n))
			continue;
		list->addrs[i] = n.addr;
		list->missing--;
	}
}

/* Fill in the addresses of functions that can be traced already, and 0 for the other names. */
static void symbols_find_listed(const char **names, size_t nr, unsigned long *addrs)
{
	struct symbol_list list = { .names = names, .addrs = addrs, .nr = nr, .missing = nr };

	memset(addrs, 0, nr * sizeof(*addrs));
	/* Without a table of sites, symbol_lookup_traceable() takes the first of many namesakes. */
	if (!IS_ENABLED(CONFIG_FTRACE_MCOUNT_RECORD) || nr <= SYMBOLS_FEW ||
	    !symbols_are_sorted(names, nr))
		return;
	symbols_find_in_kernel(&list);
	if (list.missing)
		module_kallsyms_on_each_symbol(NULL, symbol_note_if_listed, &list);
}

/**
 * ftrace_lookup_symbols() - look up the addresses of many functions by name
 * @sorted_syms: names of the functions; the order only matters for speed
 * @cnt: number of names
 * @addrs: filled with one address for each name; if several functions have the name, that of one
 *	that can be traced
 *
 * Context: may sleep.
 *
 * Return: 0; -ESRCH if one of the names has no function that can be traced.
 */
int ftrace_lookup_symbols(const char **sorted_syms, size_t cnt, unsigned long *addrs)
{
	size_t i;

	symbols_find_listed(sorted_syms, cnt, addrs);
	for (i = 0; i < cnt; i++) {
		if (!addrs[i])
			addrs[i] = symbol_lookup_traceable(sorted_syms[i]);
		if (!addrs[i])
			return -ESRCH;
	}
	return 0;
}
