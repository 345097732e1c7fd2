// SPDX-License-Identifier: GPL-2.0
/*
 * Where the kernel calls the function tracer: boot, modules, text that goes
 * away, and questions about addresses (SPEC D2, D12).
 *
 * A module passes four stages.  ftrace_module_init() records its sites while
 * its text is still writable, and makes them nops.  ftrace_module_enable()
 * comes when the text is in place and read-only, before anything of it runs:
 * now its sites are matched and patched like all others.  ftrace_free_mem()
 * takes back its init text, ftrace_release_mod() the rest.
 */
#define pr_fmt(fmt) "ftrace: " fmt

#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/kallsyms.h>
#include <linux/module.h>
#include <asm/sections.h>

#include "dispatch/death.h"
#include "dispatch/dispatch.h"
#include "dispatch/patch.h"
#include "filter.h"
#include "ops.h"
#include "sites/names.h"
#include "sites/sites.h"

/* ------------------------------------------------------------------ */
/* New text								*/

/* A site that is not what the compiler makes stays as it is, and untraced. */
static unsigned int nop_region(struct site_region *r)
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
	return bad;
}

/**
 * ftrace_init - record the kernel's own call sites, and make them nops
 *
 * And prints how many there are (SPEC D2).  If they cannot be recorded, function
 * tracing is off for good.
 *
 * Context: boot, one CPU, kernel text still writable; takes ftrace_lock.
 */
void __init ftrace_init(void)
{
	struct site_region *r;
	int nr;

	ftrace_ops_init();
	nr = sites_init_core(__start_mcount_loc, __stop_mcount_loc);
	if (nr <= 0) {
		pr_err("no call sites recorded (%d): tracing is off\n", nr);
		ftrace_kill();
		return;
	}
	mutex_lock(&ftrace_lock);
	for_each_site_region(r)
		nop_region(r);
	pr_info("%d call sites, %zu bytes of records\n", nr, sites_bytes());
	mutex_unlock(&ftrace_lock);
	arch_sites_init_done();
	filter_boot();
}

/**
 * ftrace_module_init - record the call sites of a module
 * @mod: loaded, relocated, its text still writable
 *
 * And makes them nops (SPEC D12).  Without memory the module is not traced.
 *
 * Context: may sleep; takes ftrace_lock.
 */
void ftrace_module_init(struct module *mod)
{
	struct site_region *r;
	int nr;

	guard(mutex)(&ftrace_lock);
	nr = sites_add_module(mod, mod->ftrace_callsites, mod->num_ftrace_callsites);
	if (nr < 0)
		pr_warn("module %s will not be traced: error %d\n", mod->name, nr);
	for_each_site_region(r)
		if (r->mod == mod)
			nop_region(r);
	arch_sites_init_done();
}

/**
 * ftrace_module_enable - a module is about to run
 * @mod: its text is in place
 *
 * From now on its functions are traced by whoever wants them (SPEC D12).
 *
 * Context: may sleep; takes ftrace_lock.
 */
void ftrace_module_enable(struct module *mod)
{
	int ret;

	guard(mutex)(&ftrace_lock);
	sites_set_live(mod);
	filter_module_live(mod);
	if (!ftrace_enabled || ftrace_is_dead())
		return;
	ret = ops_resume_all();
	if (ret)
		pr_warn("module %s: not all who trace it are attached: error %d\n",
			mod->name, ret);
}

/* ------------------------------------------------------------------ */
/* Text that goes away							*/

static void forget_sites(unsigned long start, unsigned long end)
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

static void forget_text(unsigned long start, unsigned long end)
{
	guard(mutex)(&ftrace_lock);
	forget_sites(start, end);
	sites_mark_gone(start, end);
	dispatch_reap();
}

/**
 * ftrace_free_mem - init text of a module, or any text, is about to be freed
 * @mod: unused
 * @start: its first byte
 * @end: the byte after its last
 *
 * Context: nothing of it runs; may sleep; takes ftrace_lock.
 */
void ftrace_free_mem(struct module *mod, void *start, void *end)
{
	forget_text((unsigned long)start, (unsigned long)end);
}

/**
 * ftrace_free_init_mem - the kernel's init text is about to be freed
 *
 * Context: boot, nothing of it runs; takes ftrace_lock.
 */
void __init ftrace_free_init_mem(void)
{
	forget_text((unsigned long)__init_begin, (unsigned long)__init_end);
}

/**
 * ftrace_release_mod - a module is gone, or failed to load
 * @mod: nothing of it runs
 *
 * Context: may sleep; takes ftrace_lock.
 */
void ftrace_release_mod(struct module *mod)
{
	struct site_region *r;

	guard(mutex)(&ftrace_lock);
	for_each_site_region(r) {
		if (r->mod != mod)
			continue;
		/* What was started by the module may run until the text is freed. */
		if (!ftrace_is_dead())
			ops_nop_region(r);
		forget_sites(r->base, r->last + 1);
	}
	sites_remove_module(mod);
	dispatch_reap();
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
	unsigned long first = (unsigned long)start - (MCOUNT_INSN_SIZE - 1);

	return !!ftrace_location_range(first, (unsigned long)end);
}

/**
 * is_ftrace_trampoline - is an address in a generated trampoline
 * @addr: any address
 *
 * Context: any, NMI too.
 *
 * Return: true if it is; false for ftrace_caller() and ftrace_regs_caller().
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
 * Return: an address in ftrace_caller or ftrace_regs_caller at which the stack
 * looks as it does at @ip; 0 if @ip is in no trampoline.
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
