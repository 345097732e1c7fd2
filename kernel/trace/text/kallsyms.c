// SPDX-License-Identifier: GPL-2.0
/*
 * Symbols that the function tracer adds to /proc/kallsyms: functions in freed init text of
 * modules, and trampolines.
 */
#include <linux/cleanup.h>
#include <linux/ftrace.h>
#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/string.h>

#include "dispatch/dispatch.h"
#include "freed_names.h"

/**
 * ftrace_mod_get_kallsym() - get a symbol that only the function tracer knows
 * @symnum: index of the symbol, from 0: functions in freed init text first, then trampolines
 * @value: set to the address of the symbol
 * @type: set to the type of the symbol, as nm shows it
 * @name: buffer of KSYM_NAME_LEN bytes, filled with the name
 * @module_name: buffer of MODULE_NAME_LEN bytes, filled with the name of the module; for a
 *	trampoline, with TRAMPOLINE_MODULE, which is no module
 * @exported: set to 1 for a function, exported or not; to 0 for a trampoline
 *
 * Context: any.
 *
 * Return: 0; -ERANGE if there are fewer symbols.
 */
int ftrace_mod_get_kallsym(unsigned int symnum, unsigned long *value, char *type,
			   char *name, char *module_name, int *exported)
{
	const struct dispatch_set *set;

	if (freed_names_line(&symnum, value, name, module_name)) {
		*type = 'T';
		*exported = 1;
		return 0;
	}
	guard(preempt_notrace)();
	set = dispatch_nth_trampoline(symnum);
	if (!set)
		return -ERANGE;
	*value = set->trampoline;
	*type = 't';
	strscpy(name, TRAMPOLINE_SYMBOL, KSYM_NAME_LEN);
	strscpy(module_name, TRAMPOLINE_MODULE, MODULE_NAME_LEN);
	*exported = 0;
	return 0;
}
