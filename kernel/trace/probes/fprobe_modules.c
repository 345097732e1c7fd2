// SPDX-License-Identifier: GPL-2.0
/*
 * Probes of functions follow modules: what a probe is about may be in one that comes after the
 * probe was switched on, or goes meanwhile and comes back.
 */
#define pr_fmt(fmt) "trace probes: " fmt

#include <linux/cleanup.h>
#include <linux/kallsyms.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/string.h>

#include "events/events.h"
#include "fprobe.h"

/* The list has a lock that loading a module may take: not that of what is made and goes. */
LIST_HEAD(function_probes_on);

/* ------------------------------------------------------------------ */
/* On and off								*/

/* The module is only compared later: it stays as long as the probe is hit in it. */
static int start_at(struct function_probe *f, unsigned long at)
{
	int err = f->finder->start(f, at);

	if (err)
		return err;
	guard(preempt)();
	f->in = __module_address(at);
	return 0;
}

int function_probe_follow(struct function_probe *f, const struct function_finder *finder)
{
	unsigned long at;
	int err = 0;

	lockdep_assert_held(&events_lock);
	if (function_probe_keep(f))
		return 0;
	f->finder = finder;
	at = finder->find(f, NULL);
	if (at)
		err = start_at(f, at);
	if (!err)
		list_add(&f->on, &function_probes_on);
	return err;
}

void function_probe_leave(struct function_probe *f)
{
	f->finder->stop(f);
	f->in = NULL;
}

void function_probe_unfollow(struct function_probe *f)
{
	lockdep_assert_held(&events_lock);
	if (function_probe_end_later(f))
		return;
	/* The others of its function are asked whether it is the last one. */
	list_del(&f->on);
	function_probe_leave(f);
}

/* ------------------------------------------------------------------ */
/* Modules								*/

#ifdef CONFIG_MODULES

static bool module_stays(unsigned long at, const struct module *but)
{
	const struct module *mod;

	guard(preempt)();
	mod = __module_address(at);
	return !mod || (mod != but && mod->state != MODULE_STATE_GOING);
}

/**
 * struct function_search - a function of a name in modules
 * @name: the name
 * @but: not in this module, or NULL
 * @at: where it is, or 0
 */
struct function_search {
	const char		*name;
	const struct module	*but;
	unsigned long		at;
};

static int compare_function(void *data, const char *name, unsigned long at)
{
	struct function_search *s = data;

	if (strcmp(name, s->name) || !module_stays(at, s->but))
		return 0;
	s->at = at;
	return 1;
}

/* The first function of that name may be in a module that goes; another one may have it, too. */
unsigned long function_find(const char *symbol, const struct module *but)
{
	struct function_search s = { .name = symbol, .but = but };
	unsigned long at = kallsyms_lookup_name(symbol);

	if (!at || module_stays(at, but))
		return at;
	module_kallsyms_on_each_symbol(NULL, compare_function, &s);
	return s.at;
}

static void warn_if(const struct function_probe *f, int err)
{
	if (err)
		pr_warn("%s: cannot be probed (%d)\n", f->symbol, err);
}

static void function_probe_come(struct function_probe *f, const struct module *mod)
{
	unsigned long at;

	if (fprobe_is_registered(&f->fp))
		return;
	at = f->finder->find(f, NULL);
	if (at && within_module(at, mod))
		warn_if(f, start_at(f, at));
}

/* Another module may have one of that name. */
static void function_probe_go(struct function_probe *f, const struct module *mod)
{
	unsigned long at;

	if (f->in != mod)
		return;
	function_probe_leave(f);
	at = f->finder->find(f, mod);
	if (at)
		warn_if(f, start_at(f, at));
}

static void module_changes(const struct module *mod,
			   void (*change)(struct function_probe *f, const struct module *mod))
{
	struct function_probe *f;

	guard(mutex)(&events_lock);
	list_for_each_entry(f, &function_probes_on, on)
		change(f, mod);
}

static int module_comes(struct notifier_block *nb, unsigned long state, void *mod)
{
	if (state == MODULE_STATE_COMING)
		module_changes(mod, function_probe_come);
	return NOTIFY_DONE;
}

static int module_goes(struct notifier_block *nb, unsigned long state, void *mod)
{
	if (state == MODULE_STATE_GOING)
		module_changes(mod, function_probe_go);
	return NOTIFY_DONE;
}

/*
 * Call sites of a module are known before any notifier is called, from ftrace_module_enable()
 * on, and until all have been: ftrace_release_mod() comes later. The notifiers of tracepoints are
 * of no use, as they hold the lock that looking for one takes. Tracepoints are known to the
 * kernel, at priority 0, before they are looked for, and are left before it looks who is left.
 */
static struct notifier_block coming_watch = { .notifier_call = module_comes, .priority = -1 };
static struct notifier_block going_watch = { .notifier_call = module_goes, .priority = 1 };

void function_probes_follow_modules(void)
{
	register_module_notifier(&coming_watch);
	register_module_notifier(&going_watch);
}

#else

unsigned long function_find(const char *symbol, const struct module *but)
{
	return kallsyms_lookup_name(symbol);
}

void function_probes_follow_modules(void)
{
}

#endif
