// SPDX-License-Identifier: GPL-2.0
/*
 * Probes of functions follow modules: the function or tracepoint of a probe may be in a module that
 * is loaded after the event of the probe was enabled, or is unloaded and loaded again meanwhile.
 */
#define pr_fmt(fmt) "trace probes: " fmt

#include <linux/cleanup.h>
#include <linux/init.h>
#include <linux/kallsyms.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/string.h>

#include "events/events.h"
#include "fprobe.h"

#ifdef CONFIG_MODULES

static bool function_module_stays(unsigned long at, const struct module *except)
{
	const struct module *mod;

	guard(preempt)();
	mod = __module_address(at);
	return !mod || (mod != except && mod->state != MODULE_STATE_GOING);
}

/**
 * struct function_search - search for a function in modules
 * @name: name of the function
 * @except: module to leave out, or NULL
 * @at: address of the function, or 0 if not found
 */
struct function_search {
	const char		*name;
	const struct module	*except;
	unsigned long		at;
};

static int function_compare(void *data, const char *name, unsigned long at)
{
	struct function_search *s = data;

	if (strcmp(name, s->name) || !function_module_stays(at, s->except))
		return 0;
	s->at = at;
	return 1;
}

/* If the first function of this name is in a module to leave out, look for another one. */
unsigned long function_find(const char *symbol, const struct module *except)
{
	struct function_search s = { .name = symbol, .except = except };
	unsigned long at = kallsyms_lookup_name(symbol);

	if (!at || function_module_stays(at, except))
		return at;
	module_kallsyms_on_each_symbol(NULL, function_compare, &s);
	return s.at;
}

static void function_probe_warn(const struct function_probe *f, int err)
{
	if (err)
		pr_warn("%s: cannot be probed (%d)\n", f->symbol, err);
}

static void function_probe_module_coming(struct function_probe *f, const struct module *mod)
{
	unsigned long at;

	if (fprobe_is_registered(&f->fp))
		return;
	at = f->finder->find(f, NULL);
	if (at && within_module(at, mod))
		function_probe_warn(f, function_probe_attach(f, at));
}

/* Stop a probe in a module that is being unloaded. Another module may have the name, too. */
static void function_probe_module_going(struct function_probe *f, const struct module *mod)
{
	unsigned long at;

	if (f->in != mod)
		return;
	function_probe_detach(f);
	at = f->finder->find(f, mod);
	if (at)
		function_probe_warn(f, function_probe_attach(f, at));
}

static void function_probes_notify(const struct module *mod,
				   void (*change)(struct function_probe *f,
						  const struct module *mod))
{
	struct function_probe *f;

	guard(mutex)(&events_lock);
	list_for_each_entry(f, &function_probes_on, on)
		change(f, mod);
}

static int function_module_coming(struct notifier_block *nb, unsigned long state, void *mod)
{
	if (state == MODULE_STATE_COMING)
		function_probes_notify(mod, function_probe_module_coming);
	return NOTIFY_DONE;
}

static int function_module_going(struct notifier_block *nb, unsigned long state, void *mod)
{
	if (state == MODULE_STATE_GOING)
		function_probes_notify(mod, function_probe_module_going);
	return NOTIFY_DONE;
}

/*
 * Call sites of a module exist from ftrace_module_enable(), before any module notifier runs, until
 * ftrace_release_mod(), after all have run. Notifiers of tracepoints cannot be used, as they run
 * under the lock that a search for a tracepoint takes. The tracepoint code has a module notifier of
 * priority 0: so the search for tracepoints of a new module runs after it (-1); and the probes of a
 * module that is being unloaded are detached before it (1), as it warns of probes that are left.
 */
static struct notifier_block function_coming_nb = {
	.notifier_call	= function_module_coming,
	.priority	= -1,
};

static struct notifier_block function_going_nb = {
	.notifier_call	= function_module_going,
	.priority	= 1,
};

static int __init function_watch_modules(void)
{
	return register_module_notifier(&function_coming_nb) ?:
	       register_module_notifier(&function_going_nb);
}
core_initcall(function_watch_modules);

#else

unsigned long function_find(const char *symbol, const struct module *except)
{
	return kallsyms_lookup_name(symbol);
}

#endif
