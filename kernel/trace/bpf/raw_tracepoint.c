// SPDX-License-Identifier: GPL-2.0
/*
 * Programs that are attached to a tracepoint itself: they read its arguments, and no record is
 * made. Any number of them can be attached to a tracepoint.
 *
 * A program that is hit while it runs on the same CPU does not run again: the hit is counted as
 * missed. A program may interrupt other programs, also in an NMI.
 */
#include <linux/bpf.h>
#include <linux/bpf_verifier.h>
#include <linux/cleanup.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/filter.h>
#include <linux/init.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <linux/tracepoint.h>

#include "helpers.h"
#include "internal.h"

/* ------------------------------------------------------------------ */
/* Running								*/

static __always_inline void raw_tracepoint_run_prog(const struct bpf_prog *prog, u64 cookie,
						    u64 *args)
{
	struct bpf_trace_run_ctx ctx = { .bpf_cookie = cookie };
	struct bpf_run_ctx *outer = bpf_set_run_ctx(&ctx.run_ctx);

	rcu_read_lock();
	bpf_prog_run(prog, args);
	rcu_read_unlock();
	bpf_reset_run_ctx(outer);
}

/* Preemption is off, as in every probe of a tracepoint, so the program stays on this CPU. */
static __always_inline void raw_tracepoint_run_link(struct bpf_raw_tp_link *link, u64 *args)
{
	struct bpf_prog *prog = link->link.prog;

	cant_sleep();
	if (likely(this_cpu_inc_return(*prog->active) == 1))
		raw_tracepoint_run_prog(prog, link->cookie, args);
	else
		bpf_prog_inc_misses_counter(prog);
	this_cpu_dec(*prog->active);
}

/* Define what __bpf_trace_CLASS() of <trace/bpf_probe.h> calls for tracepoints of @nr arguments. */
#define DEFINE_BPF_TRACE_RUN(nr, parameters, values...)			\
void bpf_trace_run##nr(struct bpf_raw_tp_link *link, parameters)	\
{									\
	u64 args[] = { values };					\
									\
	raw_tracepoint_run_link(link, args);						\
}									\
EXPORT_SYMBOL_GPL(bpf_trace_run##nr)

DEFINE_BPF_TRACE_RUN(1, PARAMS(u64 a0), a0);
DEFINE_BPF_TRACE_RUN(2, PARAMS(u64 a0, u64 a1), a0, a1);
DEFINE_BPF_TRACE_RUN(3, PARAMS(u64 a0, u64 a1, u64 a2), a0, a1, a2);
DEFINE_BPF_TRACE_RUN(4, PARAMS(u64 a0, u64 a1, u64 a2, u64 a3), a0, a1, a2, a3);
DEFINE_BPF_TRACE_RUN(5, PARAMS(u64 a0, u64 a1, u64 a2, u64 a3, u64 a4), a0, a1, a2, a3, a4);
DEFINE_BPF_TRACE_RUN(6,
		     PARAMS(u64 a0, u64 a1, u64 a2, u64 a3, u64 a4, u64 a5),
		     a0, a1, a2, a3, a4, a5);
DEFINE_BPF_TRACE_RUN(7,
		     PARAMS(u64 a0, u64 a1, u64 a2, u64 a3, u64 a4, u64 a5,
			    u64 a6),
		     a0, a1, a2, a3, a4, a5, a6);
DEFINE_BPF_TRACE_RUN(8,
		     PARAMS(u64 a0, u64 a1, u64 a2, u64 a3, u64 a4, u64 a5,
			    u64 a6, u64 a7),
		     a0, a1, a2, a3, a4, a5, a6, a7);
DEFINE_BPF_TRACE_RUN(9,
		     PARAMS(u64 a0, u64 a1, u64 a2, u64 a3, u64 a4, u64 a5,
			    u64 a6, u64 a7, u64 a8),
		     a0, a1, a2, a3, a4, a5, a6, a7, a8);
DEFINE_BPF_TRACE_RUN(10,
		     PARAMS(u64 a0, u64 a1, u64 a2, u64 a3, u64 a4, u64 a5,
			    u64 a6, u64 a7, u64 a8, u64 a9),
		     a0, a1, a2, a3, a4, a5, a6, a7, a8, a9);
DEFINE_BPF_TRACE_RUN(11,
		     PARAMS(u64 a0, u64 a1, u64 a2, u64 a3, u64 a4, u64 a5,
			    u64 a6, u64 a7, u64 a8, u64 a9, u64 a10),
		     a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10);
DEFINE_BPF_TRACE_RUN(12,
		     PARAMS(u64 a0, u64 a1, u64 a2, u64 a3, u64 a4, u64 a5,
			    u64 a6, u64 a7, u64 a8, u64 a9, u64 a10, u64 a11),
		     a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11);

/* ------------------------------------------------------------------ */
/* Attaching								*/

/**
 * bpf_probe_register - attach a program to a tracepoint
 * @btp: the tracepoint
 * @link: link with the program
 *
 * Context: may sleep; takes tracepoints_mutex.
 * Return: 0; -EINVAL if the program reads arguments that the tracepoint does not have, or accesses
 * more of what the first one points to than &bpf_raw_event_map.writable_size; or the errno of
 * registering with the tracepoint.
 */
int bpf_probe_register(struct bpf_raw_event_map *btp, struct bpf_raw_tp_link *link)
{
	const struct bpf_prog_aux *aux = link->link.prog->aux;

	if (aux->max_ctx_offset > btp->num_args * sizeof(u64) ||
	    aux->max_tp_access > btp->writable_size)
		return -EINVAL;
	/* The data is the link, so each link of a program to this tracepoint is another probe. */
	return tracepoint_probe_register_may_exist(btp->tp, btp->bpf_func, link);
}

/**
 * bpf_probe_unregister - undo bpf_probe_register()
 * @btp: the tracepoint
 * @link: the link; its program may still be running when this returns
 *
 * Context: may sleep; takes tracepoints_mutex.
 * Return: 0; or the errno of the tracepoint.
 */
int bpf_probe_unregister(struct bpf_raw_event_map *btp, struct bpf_raw_tp_link *link)
{
	return tracepoint_probe_unregister(btp->tp, btp->bpf_func, link);
}

/* ------------------------------------------------------------------ */
/* Looking tracepoints up						*/

static struct bpf_raw_event_map *raw_tracepoint_find_row(struct bpf_raw_event_map *row,
							 const struct bpf_raw_event_map *end,
							 const char *name)
{
	for (; row < end; row++)
		if (!strcmp(row->tp->name, name))
			return row;
	return NULL;
}

#ifdef CONFIG_MODULES

/**
 * struct raw_tracepoint_module - a loaded module that has tracepoints
 * @module: the module, without a reference: the notifier removes the entry before it is freed
 * @node: entry in raw_tracepoint_modules
 */
struct raw_tracepoint_module {
	struct module		*module;
	struct list_head	node;
};

/* Loaded modules that have tracepoints. Protected by raw_tracepoint_modules_lock. */
static LIST_HEAD(raw_tracepoint_modules);
/* Protects raw_tracepoint_modules. No other mutex is taken inside. */
static DEFINE_MUTEX(raw_tracepoint_modules_lock);

/* Find a tracepoint of a module, and get a reference to the module. */
static struct bpf_raw_event_map *raw_tracepoint_get_from_modules(const char *name)
{
	struct bpf_raw_event_map *row;
	struct raw_tracepoint_module *entry;
	struct module *mod;

	guard(mutex)(&raw_tracepoint_modules_lock);
	list_for_each_entry(entry, &raw_tracepoint_modules, node) {
		mod = entry->module;
		row = raw_tracepoint_find_row(mod->bpf_raw_events,
					      mod->bpf_raw_events + mod->num_bpf_raw_events, name);
		if (row)
			return try_module_get(mod) ? row : NULL;
	}
	return NULL;
}

static int raw_tracepoint_add_module(struct module *mod)
{
	struct raw_tracepoint_module *entry = kmalloc(sizeof(*entry), GFP_KERNEL);

	if (!entry)
		return -ENOMEM;
	entry->module = mod;
	guard(mutex)(&raw_tracepoint_modules_lock);
	list_add(&entry->node, &raw_tracepoint_modules);
	return 0;
}

/* A module is not in the list if raw_tracepoint_add_module() had no memory for it. */
static void raw_tracepoint_remove_module(const struct module *mod)
{
	struct raw_tracepoint_module *entry, *next;

	guard(mutex)(&raw_tracepoint_modules_lock);
	list_for_each_entry_safe(entry, next, &raw_tracepoint_modules, node) {
		if (entry->module != mod)
			continue;
		list_del(&entry->node);
		kfree(entry);
	}
}

static int raw_tracepoint_notify_module(struct notifier_block *nb, unsigned long state, void *data)
{
	struct module *mod = data;

	if (!mod->num_bpf_raw_events)
		return NOTIFY_OK;
	if (state == MODULE_STATE_COMING)
		return notifier_from_errno(raw_tracepoint_add_module(mod));
	if (state == MODULE_STATE_GOING)
		raw_tracepoint_remove_module(mod);
	return NOTIFY_OK;
}

static struct notifier_block raw_tracepoint_module_notifier = {
	.notifier_call	= raw_tracepoint_notify_module,
};

static int __init raw_tracepoint_register_notifier(void)
{
	return register_module_notifier(&raw_tracepoint_module_notifier);
}
fs_initcall(raw_tracepoint_register_notifier);

#else

static struct bpf_raw_event_map *raw_tracepoint_get_from_modules(const char *name) { return NULL; }

#endif

/**
 * bpf_get_raw_tracepoint - find a tracepoint
 * @name: name of the tracepoint
 *
 * Context: may sleep.
 * Return: the tracepoint, whose module stays loaded until bpf_put_raw_tracepoint(); NULL if there
 * is none of that name, or its module is being unloaded.
 */
struct bpf_raw_event_map *bpf_get_raw_tracepoint(const char *name)
{
	return raw_tracepoint_find_row(__start__bpf_raw_tp, __stop__bpf_raw_tp, name) ?:
	       raw_tracepoint_get_from_modules(name);
}

/**
 * bpf_put_raw_tracepoint - undo bpf_get_raw_tracepoint()
 * @btp: the tracepoint
 *
 * Context: any but NMI.
 */
void bpf_put_raw_tracepoint(struct bpf_raw_event_map *btp)
{
	/* For __module_address(). The reference keeps the module. */
	guard(preempt)();
	module_put(__module_address((unsigned long)btp));
}

/* ------------------------------------------------------------------ */
/* The types of programs						*/

static const struct bpf_helper_row raw_tracepoint_helpers[] = {
	{ BPF_FUNC_perf_event_output,	&trace_bpf_output_raw_proto },
	{ BPF_FUNC_get_stackid,		&trace_bpf_stackid_raw_proto },
	{ BPF_FUNC_get_stack,		&trace_bpf_stack_raw_proto },
	{ BPF_FUNC_get_attach_cookie,	&trace_bpf_attach_cookie_proto },
};

const struct bpf_func_proto *trace_bpf_get_raw_tp_proto(enum bpf_func_id id,
							const struct bpf_prog *prog)
{
	const struct bpf_func_proto *proto;

	return trace_bpf_find_helper(raw_tracepoint_helpers, ARRAY_SIZE(raw_tracepoint_helpers), id,
				     prog, &proto) ? proto : trace_bpf_get_common_proto(id, prog);
}

static bool raw_tracepoint_prog_can_access(int off, int size, enum bpf_access_type type,
					   const struct bpf_prog *prog,
					   struct bpf_insn_access_aux *info)
{
	return bpf_tracing_ctx_access(off, size, type);
}

/*
 * The first argument points to memory that the program may write to. So that the verifier knows the
 * pointer, the program must load the argument as a whole.
 */
static bool raw_tracepoint_writable_prog_can_access(int off, int size, enum bpf_access_type type,
						    const struct bpf_prog *prog,
						    struct bpf_insn_access_aux *info)
{
	if (!off && (size != sizeof(u64) || type != BPF_READ))
		return false;
	if (!off)
		info->reg_type = PTR_TO_TP_BUFFER;
	return bpf_tracing_ctx_access(off, size, type);
}

const struct bpf_verifier_ops raw_tracepoint_verifier_ops = {
	.is_valid_access	= raw_tracepoint_prog_can_access,
	.get_func_proto		= trace_bpf_get_raw_tp_proto,
};

const struct bpf_prog_ops raw_tracepoint_prog_ops = {
#ifdef CONFIG_NET
	.test_run		= bpf_prog_test_run_raw_tp,
#endif
};

const struct bpf_verifier_ops raw_tracepoint_writable_verifier_ops = {
	.is_valid_access	= raw_tracepoint_writable_prog_can_access,
	.get_func_proto		= trace_bpf_get_raw_tp_proto,
};

const struct bpf_prog_ops raw_tracepoint_writable_prog_ops = { };
