// SPDX-License-Identifier: GPL-2.0
/*
 * Where the loader of modules calls the function tracer (SPEC D12). Only in a
 * kernel that has modules.
 *
 * A module passes four stages.  ftrace_module_init() records its sites while
 * its text is still writable, and makes them nops.  ftrace_module_enable()
 * comes when the text is in place and read-only, before anything of it runs:
 * now its sites are matched and patched like all others.  ftrace_free_mem()
 * takes back its init text, of which names may stay (freed_names.c), and
 * ftrace_release_mod() the rest.
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
static int add_table(struct module *mod)
{
	return sites_add_module(mod, mod->ftrace_callsites, mod->num_ftrace_callsites);
}
#else
static int add_table(struct module *mod)
{
	return 0;
}
#endif

/**
 * ftrace_module_init - record the call sites of a module
 * @mod: loaded, relocated, its text still writable
 *
 * And makes them nops (SPEC D12).  Without memory the module is not traced.  Those of a
 * module without a table of them are found while they run (SPEC D14).
 *
 * Context: may sleep; takes ftrace_lock.
 */
void ftrace_module_init(struct module *mod)
{
	struct site_region *r;
	int nr;

	guard(mutex)(&ftrace_lock);
	nr = add_table(mod);
	if (nr < 0)
		pr_warn("module %s will not be traced: error %d\n", mod->name, nr);
	for_each_site_region(r)
		if (r->mod == mod)
			text_nop_region(r);
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

/**
 * ftrace_free_mem - init text of a module, or any text, is about to be freed
 * @mod: the module, its symbols as they were; NULL if there is none
 * @start: its first byte
 * @end: the byte after its last
 *
 * While somebody traces, the names of the module's functions in there are kept.
 *
 * Context: nothing of it runs; may sleep; takes ftrace_lock.
 */
void ftrace_free_mem(struct module *mod, void *start, void *end)
{
	if (mod)
		freed_names_keep(mod, (unsigned long)start, (unsigned long)end);
	text_forget_text((unsigned long)start, (unsigned long)end);
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
		text_forget_sites(r->base, r->last + 1);
	}
	sites_remove_module(mod);
	freed_names_forget(mod);
	dispatch_reap();
}
