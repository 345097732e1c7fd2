// SPDX-License-Identifier: GPL-2.0
/*
 * Lookup of the addresses of many functions, for users that attach to many at once.
 */
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

/**
 * ftrace_lookup_symbols() - look up the addresses of many functions by name
 * @sorted_syms: names of the functions; their order does not matter
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

	for (i = 0; i < cnt; i++) {
		addrs[i] = symbol_lookup_traceable(sorted_syms[i]);
		if (!addrs[i])
			return -ESRCH;
	}
	return 0;
}
