// SPDX-License-Identifier: GPL-2.0
/*
 * Addresses of functions, for those who attach to many.
 */
#include <linux/errno.h>
#include <linux/ftrace.h>
#include <linux/kallsyms.h>

/**
 * ftrace_lookup_symbols - addresses of many symbols at once
 * @sorted_syms: their names, ascending, which is not made use of
 * @cnt: how many
 * @addrs: filled with one address for each
 *
 * Context: may sleep.
 *
 * Return: 0; -ESRCH if a name is unknown.
 */
int ftrace_lookup_symbols(const char **sorted_syms, size_t cnt, unsigned long *addrs)
{
	size_t i;

	for (i = 0; i < cnt; i++) {
		addrs[i] = kallsyms_lookup_name(sorted_syms[i]);
		if (!addrs[i])
			return -ESRCH;
	}
	return 0;
}
