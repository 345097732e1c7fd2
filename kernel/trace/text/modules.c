// SPDX-License-Identifier: GPL-2.0
/*
 * Functions that the module loader calls (SPEC D12). Only built for kernels with modules.
 *
 * A module passes four stages. ftrace_module_init() records its call sites while its text is
 * still writable, and makes them nops. ftrace_module_enable() is called when the text is in place
 * and read-only, before any of it runs: then filters are applied to the sites, and the sites are
 * patched like all others. ftrace_free_mem() releases the sites of the init text, whose names may
 * be kept (freed_names.c). ftrace_release_mod() releases the rest.
 */
#define pr_fmt(fmt) "ftrace: " fmt

#include <linux/cleanup.h>
#include <linux/ftrace.h>
#include <linux/module.h>

#include "dispatch/death.h"
#include "dispatch/dispatch.h"
#include "freed_names.h"
#include "ops/edit.h"
#include "ops/ops.h"
#include "sites/sites.h"
#include "text.h"

#ifdef CONFIG_FTRACE_MCOUNT_RECORD
static int text_add_module_table(struct module *mod)
{
	return sites_add_module(mod, mod->ftrace_callsites, mod->num_ftrace_callsites);
}
#else
static int text_add_module_table(struct module *mod)
{
	return 0;
}
#endif

/**
 * ftrace_module_init() - record the call sites of a module and make them nops (SPEC D12)
 * @mod: the module, loaded and relocated, with its text still writable
 *
 * If there is no memory, the module is not traced. The sites of a module without a table of call
 * sites are discovered at run time (SPEC D14).
 *
 * Context: may sleep; takes ftrace_lock.
 */
void ftrace_module_init(struct module *mod)
{
	struct site_region *r;
	int nr;

	guard(mutex)(&ftrace_lock);
	nr = text_add_module_table(mod);
	if (nr < 0)
		pr_warn("module %s will not be traced: error %d\n", mod->name, nr);
	for_each_site_region(r)
		if (r->mod == mod)
			text_nop_region(r);
}

/**
 * ftrace_module_enable() - attach ops to the functions of a module (SPEC D12)
 * @mod: the module, with its text in place, before any of it runs
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

/**
 * ftrace_free_mem() - release the call sites of text that is about to be freed
 * @mod: module whose init text it is, with its symbols still in place; NULL for other text
 * @start: first byte of the text
 * @end: byte after the last one of the text
 *
 * While an ops is registered, the names of the module's functions in the text are kept.
 *
 * Context: may sleep; takes ftrace_lock. None of the text is running.
 */
void ftrace_free_mem(struct module *mod, void *start, void *end)
{
	if (mod)
		freed_names_keep(mod, (unsigned long)start, (unsigned long)end);
	text_forget_text((unsigned long)start, (unsigned long)end);
}

/**
 * ftrace_release_mod() - release all call sites of a module that is unloaded or failed to load
 * @mod: the module, after its exit function
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
		/* Code that the module has started may run until the text is freed. */
		if (!ftrace_is_dead())
			ops_nop_region(r);
		text_forget_sites(r->base, r->last + 1);
	}
	sites_remove_module(mod);
	freed_names_forget(mod);
	dispatch_reap();
}
