// SPDX-License-Identifier: GPL-2.0
/*
 * Names of functions in the freed init text of modules.
 *
 * A trace holds addresses, and may be read after init text and its symbols are freed. So the
 * names are kept when init text is freed while an ops is registered, and kallsyms looks up
 * otherwise unknown addresses here. The names are dropped when the module is unloaded, as are
 * those of its other functions.
 *
 * Stack dumps look up names in any context, so readers take no lock. While preemption is off,
 * neither a name nor its module is freed.
 */
#include <linux/cleanup.h>
#include <linux/ftrace.h>
#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/overflow.h>
#include <linux/preempt.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "freed_names.h"
#include "ops/ops.h"
#include "sites/sites.h"

/**
 * struct freed_name - a function whose text has been freed
 * @node: link in freed_names
 * @rcu: frees the struct after its last reader
 * @mod: module that the function was part of
 * @start: first address of the function
 * @size: size of the function in bytes
 * @text: name of the function, shorter than KSYM_NAME_LEN
 */
struct freed_name {
	struct list_head node;
	struct rcu_head rcu;
	struct module *mod;
	unsigned long start;
	unsigned long size;
	char text[];
};

/*
 * Changed under ftrace_lock. Newest first: if two functions had the same address one after the
 * other, the trace more likely refers to the later one.
 */
static LIST_HEAD(freed_names);

static void freed_names_add(struct module *mod, unsigned long ip)
{
	unsigned long size, offset;
	char text[KSYM_NAME_LEN];
	struct freed_name *name;
	size_t len;

	if (!kallsyms_lookup(ip, &size, &offset, NULL, text))
		return;
	len = strlen(text) + 1;
	name = kmalloc(struct_size(name, text, len), GFP_KERNEL | __GFP_NOWARN);
	if (!name)
		return;
	name->mod = mod;
	name->start = ip - offset;
	name->size = size;
	memcpy(name->text, text, len);
	list_add_rcu(&name->node, &freed_names);
}

static void freed_names_keep_region(const struct site_region *r, unsigned long start,
				    unsigned long end)
{
	unsigned int i;

	for (i = sites_index_from(r, start); i < r->nr; i++) {
		unsigned long ip = site_ip(r, &r->sites[i]);

		if (ip >= end)
			break;
		if (!site_has(&r->sites[i], SITE_RETIRED))
			freed_names_add(r->mod, ip);
	}
}

void freed_names_keep(struct module *mod, unsigned long start, unsigned long end)
{
	struct site_region *r;

	guard(mutex)(&ftrace_lock);
	if (list_empty(&ftrace_ops_registered))
		return;
	for_each_site_region(r)
		if (r->mod == mod)
			freed_names_keep_region(r, start, end);
}

void freed_names_forget(const struct module *mod)
{
	struct freed_name *name, *next;

	lockdep_assert_held(&ftrace_lock);
	list_for_each_entry_safe(name, next, &freed_names, node) {
		if (name->mod != mod)
			continue;
		list_del_rcu(&name->node);
		kfree_rcu(name, rcu);
	}
}

/* Called with preemption off. */
static const struct freed_name *freed_names_find(unsigned long addr)
{
	const struct freed_name *name;

	/* A trampoline or module that now occupies the address may have no symbol there. */
	if (is_ftrace_trampoline(addr) || __module_address(addr))
		return NULL;
	list_for_each_entry_rcu(name, &freed_names, node)
		if (addr - name->start < name->size)
			return name;
	return NULL;
}

/**
 * ftrace_mod_address_lookup() - find the function that was at an address, for kallsyms
 * @addr: an address that is in no existing text
 * @size: set to the size of the function in bytes, if not NULL
 * @off: set to the offset of @addr in the function, if not NULL
 * @modname: set to the name of the module, if not NULL; valid until the caller
 *	reschedules
 * @modbuildid: set to the build ID of the module, or to NULL; may be NULL
 * @sym: buffer of KSYM_NAME_LEN bytes, filled with the name of the function
 *
 * Sets nothing if no function is found.
 *
 * Context: any, NMI included.
 *
 * Return: length of the name; 0 if no function is found.
 */
int ftrace_mod_address_lookup(unsigned long addr, unsigned long *size,
			      unsigned long *off, char **modname,
			      const unsigned char **modbuildid, char *sym)
{
	const struct freed_name *name;

	guard(preempt_notrace)();
	name = freed_names_find(addr);
	if (!name)
		return 0;
	if (size)
		*size = name->size;
	if (off)
		*off = addr - name->start;
	if (modname)
		*modname = name->mod->name;
	if (modbuildid)
		*modbuildid = module_buildid(name->mod);
	return strscpy(sym, name->text, KSYM_NAME_LEN);
}

bool freed_names_line(unsigned int *n, unsigned long *value, char *name,
		      char *module_name)
{
	const struct freed_name *freed;

	guard(preempt_notrace)();
	list_for_each_entry_rcu(freed, &freed_names, node) {
		if ((*n)--)
			continue;
		*value = freed->start;
		strscpy(name, freed->text, KSYM_NAME_LEN);
		strscpy(module_name, freed->mod->name, MODULE_NAME_LEN);
		return true;
	}
	return false;
}
