// SPDX-License-Identifier: GPL-2.0
/*
 * What /proc/kallsyms has from the function tracer: names of functions that are gone, and
 * trampolines.
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
 * ftrace_mod_get_kallsym - a line of /proc/kallsyms about what only we know
 * @symnum: which one, from 0: functions of init text that is gone, trampolines
 * @value: set to its address
 * @type: set to its type
 * @name: KSYM_NAME_LEN bytes
 * @module_name: MODULE_NAME_LEN bytes; for a trampoline, what is no module's name
 * @exported: set to 1 for a function, whether it was or not; else to 0
 *
 * Context: any.
 *
 * Return: 0; -ERANGE if there are no more.
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
