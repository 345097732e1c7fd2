/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of functions in the freed init text of modules. Only for text/.
 */
#ifndef _KERNEL_TRACE_FREED_NAMES_H
#define _KERNEL_TRACE_FREED_NAMES_H

#include <linux/types.h>

struct module;

/**
 * freed_names_keep() - keep the names of functions whose text is about to be freed
 * @mod: the module, whose symbols of its init text can still be looked up
 * @start: first byte of the text
 * @end: byte after the last one of the text
 *
 * Keeps the names of functions with a call site, and only while an ops is registered. A name is
 * not kept if there is no memory for it.
 *
 * Context: may sleep; takes ftrace_lock.
 */
void freed_names_keep(struct module *mod, unsigned long start, unsigned long end);

/**
 * freed_names_forget() - drop the names of a module that is unloaded
 * @mod: the module; the caller frees it after a grace period of RCU
 *
 * Context: ftrace_lock held.
 */
void freed_names_forget(const struct module *mod);

/**
 * freed_names_line() - get the line of /proc/kallsyms for one of the names
 * @n: index of the name, from 0; if there are fewer names, reduced by their number
 * @value: set to the address that the function had
 * @name: buffer of KSYM_NAME_LEN bytes, filled with the name of the function
 * @module_name: buffer of MODULE_NAME_LEN bytes, filled with the name of the module
 *
 * Context: any, NMI included.
 *
 * Return: true if there is such a name.
 */
#ifdef CONFIG_MODULES
bool freed_names_line(unsigned int *n, unsigned long *value, char *name,
		      char *module_name);
#else
static inline bool freed_names_line(unsigned int *n, unsigned long *value,
				    char *name, char *module_name)
{
	return false;
}
#endif

#endif /* _KERNEL_TRACE_FREED_NAMES_H */
