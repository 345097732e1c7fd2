// SPDX-License-Identifier: GPL-2.0
/*
 * Clears the numbers of functions of modules that are loaded or unloaded. Only built for kernels
 * with modules.
 *
 * The numbers of a module's functions are cleared when it is unloaded, because their names are
 * lost then. The numbers of its init text remain when that is freed, because ops/ keeps the
 * names; they are cleared when another module is loaded at the same addresses. So a row never
 * mixes the numbers of two functions.
 */
#include <linux/init.h>
#include <linux/module.h>
#include <linux/notifier.h>

#include "internal.h"

static void profile_forget_memory(const struct module_memory *mem)
{
	if (mem->size)
		profile_clear_text((unsigned long)mem->base, mem->size);
}

/* MODULE_STATE_COMING: no code of the module runs yet. MODULE_STATE_GOING: none runs any more. */
static int profile_module_notify(struct notifier_block *nb, unsigned long what, void *data)
{
	struct module *mod = data;

	if (what == MODULE_STATE_COMING || what == MODULE_STATE_GOING) {
		profile_forget_memory(&mod->mem[MOD_TEXT]);
		profile_forget_memory(&mod->mem[MOD_INIT_TEXT]);
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
