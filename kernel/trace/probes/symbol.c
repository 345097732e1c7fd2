// SPDX-License-Identifier: GPL-2.0
/*
 * Symbols as users write them: ``SYMBOL``, or ``MODULE:SYMBOL``, whose module may be loaded later.
 */
#include <linux/cleanup.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/sprintf.h>
#include <linux/string.h>

#include "text.h"

#ifdef CONFIG_MODULES

static bool probe_module_is_loaded(const char *name)
{
	guard(preempt)();
	return find_module(name);
}

#else

static bool probe_module_is_loaded(const char *name)
{
	return false;
}

#endif

bool probe_symbol_module(const char *symbol, char name[MODULE_NAME_LEN])
{
	const char *colon = strchr(symbol, ':');

	return colon && snprintf(name, MODULE_NAME_LEN, "%.*s", (int)(colon - symbol), symbol) <
			MODULE_NAME_LEN;
}

const char *probe_symbol_name(const char *symbol)
{
	const char *colon = strchr(symbol, ':');

	return colon ? colon + 1 : symbol;
}

bool probe_symbol_is_unloaded(const char *symbol)
{
	char name[MODULE_NAME_LEN];

	return probe_symbol_module(symbol, name) && !probe_module_is_loaded(name);
}
