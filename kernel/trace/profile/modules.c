// SPDX-License-Identifier: GPL-2.0
/*
 * Modules that come and go while there are numbers of their functions. Only in a kernel
 * that has modules.
 *
 * When a module goes, so do the numbers of its functions: nothing has their names any
 * more. Those of its init text stay when that is freed, for ops/ keeps the names, until
 * a module comes to the same place. So a row has the numbers of one function at any time.
 */
#include <linux/init.h>
#include <linux/module.h>
#include <linux/notifier.h>

#include "internal.h"

static void forget(const struct module_memory *mem)
{
	if (mem->size)
		profile_forget_text((unsigned long)mem->base, mem->size);
}

/* It comes before anything of it runs, and goes when nothing of it does any more. */
static int module_comes_or_goes(struct notifier_block *nb, unsigned long what, void *data)
{
	struct module *mod = data;

	if (what == MODULE_STATE_COMING || what == MODULE_STATE_GOING) {
		forget(&mod->mem[MOD_TEXT]);
		forget(&mod->mem[MOD_INIT_TEXT]);
	}
	return NOTIFY_OK;
}

static struct notifier_block modules = {
	.notifier_call = module_comes_or_goes,
};

static int __init watch_modules(void)
{
	return register_module_notifier(&modules);
}
core_initcall(watch_modules);
