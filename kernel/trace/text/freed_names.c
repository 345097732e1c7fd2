// SPDX-License-Identifier: GPL-2.0
/*
 * Names of functions that a module had in its init text.
 *
 * A trace holds addresses, and is read when that text is gone, with its symbols.
 * So the names are kept when modules.c takes the text back while somebody traces,
 * and kallsyms asks here for what nobody else knows. They go with the module, whose
 * other functions have no names any more then, either.
 *
 * Stack dumps ask in any context, so readers take no lock: with preemption off,
 * what they find stays, and so does the module that it belongs to.
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
 * struct freed_name - a function whose text is gone
 * @node: in freed_names
 * @rcu: frees it after its last reader
 * @mod: the module that it was part of
 * @start: where it began
 * @size: how many bytes it had
 * @text: its name, shorter than KSYM_NAME_LEN
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
 * Changed under ftrace_lock. The latest first: of two functions that had the same
 * place, one after the other, the trace is more likely to have that one.
 */
static LIST_HEAD(freed_names);

static void keep_name(struct module *mod, unsigned long ip)
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

static void keep_region(const struct site_region *r, unsigned long start,
			unsigned long end)
{
	unsigned int i;

	for (i = sites_index_from(r, start); i < r->nr; i++) {
		unsigned long ip = site_ip(r, &r->sites[i]);

		if (ip >= end)
			break;
		if (!site_has(&r->sites[i], SITE_GONE))
			keep_name(r->mod, ip);
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
			keep_region(r, start, end);
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

/* Preemption is off. */
static const struct freed_name *name_at(unsigned long addr)
{
	const struct freed_name *name;

	/* What came to the same place may have no symbols of its own. */
	if (is_ftrace_trampoline(addr) || __module_address(addr))
		return NULL;
	list_for_each_entry_rcu(name, &freed_names, node)
		if (addr - name->start < name->size)
			return name;
	return NULL;
}

/**
 * ftrace_mod_address_lookup - for kallsyms: what function was at an address
 * @addr: an address that is in no text that there is
 * @size: set to the size of the function, if not NULL
 * @off: set to the distance of @addr from its beginning, if not NULL
 * @modname: set to the module's name, if not NULL; valid until the caller
 *	reschedules
 * @modbuildid: set to the module's build ID, or to NULL, if not NULL
 * @sym: KSYM_NAME_LEN bytes for its name
 *
 * Nothing is set if the function is not known.
 *
 * Context: any, NMI too.
 *
 * Return: length of the name, 0 if the function is not known.
 */
int ftrace_mod_address_lookup(unsigned long addr, unsigned long *size,
			      unsigned long *off, char **modname,
			      const unsigned char **modbuildid, char *sym)
{
	const struct freed_name *name;

	guard(preempt_notrace)();
	name = name_at(addr);
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
