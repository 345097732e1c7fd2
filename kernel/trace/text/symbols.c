// SPDX-License-Identifier: GPL-2.0
/*
 * Addresses of functions, for those who attach to many.
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
 * struct namesake - a function that can be traced, by its name
 * @name: the name, which others may have as well
 * @addr: its address, 0 as long as none was found
 */
struct namesake {
	const char	*name;
	unsigned long	addr;
};

static int note_traceable(void *data, unsigned long addr)
{
	struct namesake *n = data;

	if (!ftrace_location(addr))
		return 0;
	n->addr = addr;
	return 1;
}

static int note_if_named(void *data, const char *name, unsigned long addr)
{
	struct namesake *n = data;

	return strcmp(name, n->name) ? 0 : note_traceable(n, addr);
}

/* Where sites are found as they run, whoever attaches to one has it looked for (SPEC D14). */
static bool site_may_be_found(unsigned long addr)
{
	struct module *mod;

	if (!IS_ENABLED(CONFIG_FTRACE_MCOUNT_RECORD))
		return true;
	guard(preempt)();
	mod = __module_text_address(addr);
	return mod && module_may_come(module_name(mod));
}

static unsigned long lookup_traceable(const char *name)
{
	struct namesake n = { .name = name };
	unsigned long first = kallsyms_lookup_name(name);

	if (!first || ftrace_location(first) || site_may_be_found(first))
		return first;
	if (!kallsyms_on_each_match_symbol(note_traceable, name, &n))
		module_kallsyms_on_each_symbol(NULL, note_if_named, &n);
	return n.addr;
}

/**
 * ftrace_lookup_symbols - addresses of many functions at once
 * @sorted_syms: their names, ascending, which is not made use of
 * @cnt: how many
 * @addrs: filled with one address for each: of several with the name, of one that can be
 *	traced
 *
 * Context: may sleep.
 *
 * Return: 0; -ESRCH if no function that can be traced has one of the names.
 */
int ftrace_lookup_symbols(const char **sorted_syms, size_t cnt, unsigned long *addrs)
{
	size_t i;

	for (i = 0; i < cnt; i++) {
		addrs[i] = lookup_traceable(sorted_syms[i]);
		if (!addrs[i])
			return -ESRCH;
	}
	return 0;
}
