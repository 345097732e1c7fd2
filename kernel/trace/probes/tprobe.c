// SPDX-License-Identifier: GPL-2.0
/*
 * Probes of tracepoints: lines ``t[:[GROUP/]EVENT] TRACEPOINT ARGS`` of dynamic_events. Each
 * tracepoint has a stub function with its prototype, which does nothing. The stub is registered as
 * a callback of the tracepoint, and is probed as a function.
 */
#include <linux/errno.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "fprobe.h"

/* ------------------------------------------------------------------ */
/* Search for tracepoints						*/

/**
 * struct tracepoint_search - search for a tracepoint
 * @name: name of the tracepoint
 * @except: module to leave out, or NULL
 * @tp: the tracepoint found, or NULL
 */
struct tracepoint_search {
	const char		*name;
	const struct module	*except;
	struct tracepoint	*tp;
};

static bool tprobe_search_matches(const struct tracepoint_search *s, const struct tracepoint *tp)
{
	return !s->tp && !strcmp(tp->name, s->name);
}

static void tprobe_compare(struct tracepoint *tp, void *data)
{
	struct tracepoint_search *s = data;

	if (tprobe_search_matches(s, tp))
		s->tp = tp;
}

/* Skip modules that are being unloaded: no new callback may be registered there. */
static void tprobe_compare_in_module(struct tracepoint *tp, struct module *mod, void *data)
{
	struct tracepoint_search *s = data;

	if (!tprobe_search_matches(s, tp) || mod == s->except || !try_module_get(mod))
		return;
	s->tp = tp;
	module_put(mod);
}

static bool tprobe_search(struct tracepoint_search *s)
{
	for_each_kernel_tracepoint(tprobe_compare, s);
	if (!s->tp)
		for_each_module_tracepoint(tprobe_compare_in_module, s);
	return s->tp;
}

/* ------------------------------------------------------------------ */
/* On and off								*/

static bool tprobe_list_has(const struct list_head *probes, const struct tracepoint *tp)
{
	const struct function_probe *f;

	list_for_each_entry(f, probes, on)
		if (f->tp == tp)
			return true;
	return false;
}

/* True if a probe uses the stub of the tracepoint. The stub is registered once for all probes. */
static bool tprobe_stub_is_used(const struct tracepoint *tp)
{
	return tprobe_list_has(&function_probes_on, tp) ||
	       tprobe_list_has(&function_probes_stopping, tp);
}

static int tprobe_register_stub(struct tracepoint *tp)
{
	return tprobe_stub_is_used(tp) ? 0 : tracepoint_probe_register(tp, tp->probestub, NULL);
}

static void tprobe_unregister_stub(struct tracepoint *tp)
{
	if (tprobe_stub_is_used(tp))
		return;
	tracepoint_probe_unregister(tp, tp->probestub, NULL);
	tracepoint_synchronize_unregister();
}

static int tprobe_start_at(struct function_probe *f, unsigned long at)
{
	struct tracepoint *tp = (struct tracepoint *)at;
	int err = tprobe_register_stub(tp);

	if (err)
		return err;
	err = function_probe_start(f, (unsigned long)tp->probestub);
	if (err)
		tprobe_unregister_stub(tp);
	else
		f->tp = tp;
	return err;
}

static void tprobe_stop_at(struct function_probe *f)
{
	struct tracepoint *tp = f->tp;

	if (!tp)
		return;
	function_probe_stop(f);
	f->tp = NULL;
	tprobe_unregister_stub(tp);
}

static unsigned long tprobe_find_tracepoint(const struct function_probe *f,
					    const struct module *except)
{
	struct tracepoint_search s = { .name = f->symbol, .except = except };

	return tprobe_search(&s) ? (unsigned long)s.tp : 0;
}

static const struct function_finder tracepoint_finder = {
	.find	= tprobe_find_tracepoint,
	.start	= tprobe_start_at,
	.stop	= tprobe_stop_at,
};

static int tprobe_start(struct probe *p)
{
	return function_probe_follow(to_function_probe(p), &tracepoint_finder);
}

static void tprobe_stop(struct probe *p)
{
	function_probe_unfollow(to_function_probe(p));
}

/* ------------------------------------------------------------------ */
/* Lines								*/

static bool tprobe_tracepoint_exists(const char *name)
{
	struct tracepoint_search s = { .name = name };

	return tprobe_search(&s);
}

/* Without modules, a tracepoint must exist now; with them, a module may bring it later. */
static bool tprobe_tracepoint_may_exist(const char *name)
{
	return IS_ENABLED(CONFIG_MODULES) || tprobe_tracepoint_exists(name);
}

/* The first argument of the stub is the data of its registration, which users do not count. */
static int tprobe_parse_tracepoint(const struct cmd_text *text, char *word,
				   struct function_probe *f, struct probe_place *place)
{
	if (!probe_is_name(word))
		return cmd_refuse(text, word, PROBE_ERR_TRACEPOINT);
	if (!tprobe_tracepoint_may_exist(word))
		return cmd_refuse(text, word, PROBE_ERR_NO_TRACEPOINT);
	f->symbol = kstrdup(word, GFP_KERNEL);
	f->to_come = !tprobe_tracepoint_exists(word);
	place->at = PROBE_AT_ENTRY;
	place->first_arg = 1;
	place->function = f->symbol;
	return f->symbol ? 0 : -ENOMEM;
}

static int tprobe_create(const char *whole)
{
	return function_probe_create(whole, &tprobe_kind, tprobe_parse_tracepoint);
}

/* The default name is that of the tracepoint. */
static char *tprobe_name(const struct probe *p)
{
	char *name = kstrdup(to_function_probe(p)->symbol, GFP_KERNEL);

	if (name)
		probe_name_clean(name);
	return name;
}

struct probe_kind tprobe_kind = {
	.dyn = {
		.create		= tprobe_create,
		.show		= probe_show,
		.matches	= probe_matches,
		.is_busy	= probe_is_busy,
		.call		= probe_dyn_call,
		.remove		= probe_dyn_remove,
	},
	.parser		= "trace_fprobe",
	.letter		= 't',
	.system		= "tracepoints",
	.flags		= TRACE_EVENT_FL_FPROBE,
	.size		= sizeof(struct function_probe),
	.name		= tprobe_name,
	.start		= tprobe_start,
	.stop		= tprobe_stop,
	.place		= function_probe_place,
	.same_place	= function_probe_same_place,
	.instances	= function_probe_instances,
	.free		= function_probe_free,
};

DYN_EVENT_KIND(tprobe, tprobe_kind.dyn);
