// SPDX-License-Identifier: GPL-2.0
/*
 * Probes of tracepoints: lines ``t[:[GROUP/]EVENT] TRACEPOINT ARGS`` of dynamic_events. Each
 * tracepoint has a function that does nothing, of its own type; it is made the tracepoint's
 * probe, and is probed itself.
 */
#include <linux/errno.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "fprobe.h"

/* ------------------------------------------------------------------ */
/* Found								*/

/**
 * struct search - a tracepoint of a name
 * @name: the name
 * @but: not in this module, or NULL
 * @tp: the tracepoint, or NULL
 */
struct search {
	const char		*name;
	const struct module	*but;
	struct tracepoint	*tp;
};

static bool is_meant(const struct search *s, const struct tracepoint *tp)
{
	return !s->tp && !strcmp(tp->name, s->name);
}

static void compare(struct tracepoint *tp, void *data)
{
	struct search *s = data;

	if (is_meant(s, tp))
		s->tp = tp;
}

/* Those of a module that goes have been left, and nobody comes any more. */
static void compare_in_module(struct tracepoint *tp, struct module *mod, void *data)
{
	struct search *s = data;

	if (!is_meant(s, tp) || mod == s->but || !try_module_get(mod))
		return;
	s->tp = tp;
	module_put(mod);
}

static bool find(struct search *s)
{
	for_each_kernel_tracepoint(compare, s);
	if (!s->tp)
		for_each_module_tracepoint(compare_in_module, s);
	return s->tp;
}

/* ------------------------------------------------------------------ */
/* On and off								*/

static bool is_hit_by(const struct list_head *probes, const struct tracepoint *tp)
{
	const struct function_probe *f;

	list_for_each_entry(f, probes, on)
		if (f->tp == tp)
			return true;
	return false;
}

/* The stub is called once for all that are hit there. */
static bool calls_stub(const struct tracepoint *tp)
{
	return is_hit_by(&function_probes_on, tp) || is_hit_by(&function_probes_ending, tp);
}

static int call_stub(struct tracepoint *tp)
{
	return calls_stub(tp) ? 0 : tracepoint_probe_register(tp, tp->probestub, NULL);
}

static void call_stub_no_more(struct tracepoint *tp)
{
	if (calls_stub(tp))
		return;
	tracepoint_probe_unregister(tp, tp->probestub, NULL);
	tracepoint_synchronize_unregister();
}

static int start_at(struct function_probe *f, unsigned long at)
{
	struct tracepoint *tp = (struct tracepoint *)at;
	int err = call_stub(tp);

	if (err)
		return err;
	err = function_probe_start(f, (unsigned long)tp->probestub);
	if (err)
		call_stub_no_more(tp);
	else
		f->tp = tp;
	return err;
}

static void stop_there(struct function_probe *f)
{
	struct tracepoint *tp = f->tp;

	if (!tp)
		return;
	function_probe_stop(f);
	f->tp = NULL;
	call_stub_no_more(tp);
}

static unsigned long find_tracepoint(const struct function_probe *f, const struct module *but)
{
	struct search s = { .name = f->symbol, .but = but };

	return find(&s) ? (unsigned long)s.tp : 0;
}

static const struct function_finder tracepoint_finder = {
	.find	= find_tracepoint,
	.start	= start_at,
	.stop	= stop_there,
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
/* As it is written							*/

static bool is_there(const char *name)
{
	struct search s = { .name = name };

	return find(&s);
}

/* Where there are no modules, it can only be in the kernel. */
static bool may_come(const char *name)
{
	return IS_ENABLED(CONFIG_MODULES) || is_there(name);
}

/* Its first argument is what it was registered with, which is not the tracepoint's. */
static int parse_tracepoint(const struct probe_text *text, char *word, struct function_probe *f,
			    struct probe_place *place)
{
	if (!probe_is_name(word))
		return probe_refuse(text, word, PROBE_ERR_TRACEPOINT);
	if (!may_come(word))
		return probe_refuse(text, word, PROBE_ERR_NO_TRACEPOINT);
	f->symbol = kstrdup(word, GFP_KERNEL);
	f->to_come = !is_there(word);
	place->at = PROBE_AT_ENTRY;
	place->first_arg = 1;
	place->function = f->symbol;
	return f->symbol ? 0 : -ENOMEM;
}

static int parse(const struct probe_text *text, struct probe *p)
{
	return function_probe_parse(text, &tprobe_kind, to_function_probe(p), parse_tracepoint);
}

static int tprobe_create(const char *line)
{
	return function_probe_is(line, tprobe_kind.letter) ? probe_create(line, &tprobe_kind) :
							     -ECANCELED;
}

/* As the tracepoint. */
static char *name(const struct probe *p)
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
		.is		= probe_is,
		.is_busy	= probe_is_busy,
		.call		= probe_dyn_call,
		.remove		= probe_dyn_remove,
	},
	.who		= "trace_fprobe",
	.letter		= 't',
	.system		= "tracepoints",
	.flags		= TRACE_EVENT_FL_FPROBE,
	.size		= sizeof(struct function_probe),
	.parse		= parse,
	.name		= name,
	.start		= tprobe_start,
	.stop		= tprobe_stop,
	.place		= function_probe_place,
	.instances	= function_probe_instances,
	.free		= function_probe_free,
};
