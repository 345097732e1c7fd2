// SPDX-License-Identifier: GPL-2.0
/*
 * Where the kernel calls the function tracer: boot, init text that goes away,
 * and questions about addresses (SPEC D2). Modules are in modules.c.
 */
#define pr_fmt(fmt) "ftrace: " fmt

#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/string.h>
#include <asm/sections.h>

#include "dispatch/death.h"
#include "dispatch/dispatch.h"
#include "dispatch/patch.h"
#include "filter.h"
#include "freed_names.h"
#include "hooks.h"
#include "ops.h"
#include "sites/names.h"
#include "sites/noted.h"
#include "sites/sites.h"

/* ------------------------------------------------------------------ */
/* New text								*/

/* A site that is not what the compiler makes stays as it is, and untraced. */
void hooks_nop_region(struct site_region *r)
{
	unsigned int bad = 0;
	struct site *site;

	for (site = r->sites; site < sites_end(r); site++) {
		if (!arch_site_init(site_ip(r, site)))
			continue;
		site_mark(site, SITE_FAILED);
		if (!bad++)
			pr_warn("%pS is not a call site, left alone\n",
				(void *)site_ip(r, site));
	}
	arch_sites_init_done(r->base, r->last);
}

#ifdef CONFIG_FTRACE_MCOUNT_RECORD
/* Enough for modules that come without a table. */
#define FIRST_PAGES	1

static int __init init_core_sites(void)
{
	struct site_region *r;
	int nr = sites_init_core(__start_mcount_loc, __stop_mcount_loc);

	if (nr <= 0)
		return nr ?: -ENOENT;
	guard(mutex)(&ftrace_lock);
	for_each_site_region(r)
		hooks_nop_region(r);
	pr_info("%d call sites, %zu bytes of records\n", nr, sites_bytes());
	return 0;
}
#else
#define FIRST_PAGES	NOTED_BOOT_PAGES

static int __init init_core_sites(void)
{
	/* Nothing was written, but this opens the entry, too. */
	arch_sites_init_done((unsigned long)_stext, (unsigned long)_stext);
	pr_info("call sites are found while they run\n");
	return 0;
}
#endif

/**
 * ftrace_init - record the kernel's own call sites, and make them nops
 *
 * And prints how many there are (SPEC D2).  If they cannot be recorded, function
 * tracing is off for good.  From here on sites that are in no table are noted when they
 * call (SPEC D14).
 *
 * Context: boot, one CPU, kernel text still writable; takes ftrace_lock.
 */
void __init ftrace_init(void)
{
	int err;

	ftrace_ops_init();
	err = init_core_sites() ?: noted_grow(&noted_sites, FIRST_PAGES);
	if (err) {
		pr_err("cannot set up call sites (%d): tracing is off\n", err);
		ftrace_kill();
		return;
	}
	dispatch_note_sites(true);
	filter_boot();
}

/* ------------------------------------------------------------------ */
/* Text that goes away							*/

void hooks_forget_sites(unsigned long start, unsigned long end)
{
	struct site_region *r;
	struct site *site;

	for_each_site_region(r) {
		if (r->last < start || r->base >= end)
			continue;
		for (site = r->sites; site < sites_end(r); site++) {
			if (site_ip(r, site) < start || site_ip(r, site) >= end)
				continue;
			dispatch_moved(site_set_id(site), DISPATCH_EMPTY, 1);
			site_point_at(site, DISPATCH_EMPTY);
		}
	}
	filter_text_gone(start, end);
}

void hooks_forget_text(unsigned long start, unsigned long end)
{
	guard(mutex)(&ftrace_lock);
	hooks_forget_sites(start, end);
	sites_mark_gone(start, end);
	dispatch_reap();
}

/**
 * ftrace_free_init_mem - the kernel's init text is about to be freed
 *
 * Context: boot, nothing of it runs; takes ftrace_lock.
 */
void __init ftrace_free_init_mem(void)
{
	hooks_forget_text((unsigned long)__init_begin, (unsigned long)__init_end);
}

/* ------------------------------------------------------------------ */
/* Questions								*/

/**
 * ftrace_location_range - the first call site in a range
 * @start: first address
 * @end: last address
 *
 * Context: any.
 *
 * Return: the address of the site, 0 if there is none.
 */
unsigned long ftrace_location_range(unsigned long start, unsigned long end)
{
	unsigned long ip;

	preempt_disable_notrace();
	ip = sites_first_in(start, end);
	preempt_enable_notrace();
	return ip;
}

/**
 * ftrace_location - the call site of a function
 * @ip: its first address, or that of the site
 *
 * Context: any.
 *
 * Return: the address of the site, 0 if the function cannot be traced.
 */
unsigned long ftrace_location(unsigned long ip)
{
	unsigned long size, offset;

	if (ftrace_location_range(ip, ip))
		return ip;
	if (!kallsyms_lookup_size_offset(ip, &size, &offset) || offset)
		return 0;
	return ftrace_location_range(ip, ip + size - 1);
}

/**
 * ftrace_text_reserved - does a range of text touch a call site
 * @start: first byte
 * @end: last byte
 *
 * Context: any.
 *
 * Return: 1 if so: nobody else may write there; else 0.
 */
int ftrace_text_reserved(const void *start, const void *end)
{
	unsigned long from = (unsigned long)start, to = (unsigned long)end;
	unsigned long ip = ftrace_location_range(from - (ARCH_SITE_SPAN_MAX - 1), to);

	/* Those in front of the range may end in front of it. */
	while (ip && ip + arch_site_span(ip) <= from)
		ip = ftrace_location_range(ip + 1, to);
	return !!ip;
}

/**
 * is_ftrace_trampoline - is an address in a generated trampoline
 * @addr: any address
 *
 * Context: any, NMI too.
 *
 * Return: true if it is; false for the static entries, ftrace_caller() and its like.
 */
bool is_ftrace_trampoline(unsigned long addr)
{
	return ftrace_trampoline_twin(addr);
}

/**
 * ftrace_trampoline_twin - for unwinders: static code with the same frame
 * @ip: any address
 *
 * Context: any, NMI too.
 *
 * Return: an address in a static entry at which the stack looks as it does at @ip; 0 if
 * @ip is in no trampoline.
 */
unsigned long ftrace_trampoline_twin(unsigned long ip)
{
	struct dispatch_set *set;
	unsigned long twin;

	preempt_disable_notrace();
	set = dispatch_trampoline_at(ip);
	twin = set ? arch_trampoline_twin(set, ip) : 0;
	preempt_enable_notrace();
	return twin;
}

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
