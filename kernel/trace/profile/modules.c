// SPDX-License-Identifier: GPL-2.0
/*
 * Clears the numbers of functions of modules that are loaded or unloaded. Only built for kernels
 * with modules.
 *
 * When a module is unloaded, the numbers of its functions are cleared, because their names are
 * lost. When its init text is freed, the numbers of the functions in it remain, because ops/ keeps
 * the names. They are cleared when another module is loaded at the same addresses, so that a row
 * never has the numbers of two functions.
 */
#include <linux/init.h>
#include <linux/module.h>
#include <linux/notifier.h>

#include "internal.h"

static void profile_clear_memory(const struct module_memory *mem)
{
	if (mem->size)
		profile_clear_text((unsigned long)mem->base, mem->size);
}

/* No code of the module runs at MODULE_STATE_COMING, nor any more at MODULE_STATE_GOING. */
static int profile_module_notify(struct notifier_block *nb, unsigned long what, void *data)
{
	struct module *mod = data;

	if (what == MODULE_STATE_COMING || what == MODULE_STATE_GOING) {
		profile_clear_memory(&mod->mem[MOD_TEXT]);
		profile_clear_memory(&mod->mem[MOD_INIT_TEXT]);
	}
	return NOTIFY_OK;
}

static struct notifier_block profile_module_nb = {
	.notifier_call = profile_module_notify,
};

static int __init profile_watch_modules(void)
{
	return register_module_notifier(&profile_module_nb);
}
core_initcall(profile_watch_modules);
