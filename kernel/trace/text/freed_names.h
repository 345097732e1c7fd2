/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of functions that a module had in its init text. Only for this room.
 */
#ifndef _KERNEL_TRACE_FREED_NAMES_H
#define _KERNEL_TRACE_FREED_NAMES_H

#include <linux/types.h>

struct module;

/**
 * freed_names_keep - note what functions are called whose text is about to go
 * @mod: the module, whose symbols of its init text can still be looked up
 * @start: first byte of the text
 * @end: the byte after its last
 *
 * Those with a call site, and only while somebody traces anything.  A name for
 * which there is no memory is not kept.
 *
 * Context: may sleep; takes ftrace_lock.
 */
void freed_names_keep(struct module *mod, unsigned long start, unsigned long end);

/**
 * freed_names_forget - the names of a module are of no use any more
 * @mod: the module; it stays for a grace period of RCU
 *
 * Context: ftrace_lock held.
 */
void freed_names_forget(const struct module *mod);

/**
 * freed_names_line - what /proc/kallsyms says of one name
 * @n: which one, from 0; if there are not so many, it is less by how many there are
 * @value: set to the address that the function had
 * @name: KSYM_NAME_LEN bytes
 * @module_name: MODULE_NAME_LEN bytes
 *
 * Context: any, NMI too.
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
