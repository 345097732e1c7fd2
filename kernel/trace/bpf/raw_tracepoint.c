// SPDX-License-Identifier: GPL-2.0
/*
 * Programs that are attached to a tracepoint itself: they get its arguments as they are, and no
 * record is made. Any number of them can be attached to a tracepoint.
 *
 * A program does not run inside of itself, but inside of others, also in an NMI.
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

static __always_inline void run_with_cookie(const struct bpf_prog *prog, u64 cookie, u64 *args)
{
	struct bpf_trace_run_ctx ctx = { .bpf_cookie = cookie };
	struct bpf_run_ctx *outer = bpf_set_run_ctx(&ctx.run_ctx);

	rcu_read_lock();
	bpf_prog_run(prog, args);
	rcu_read_unlock();
	bpf_reset_run_ctx(outer);
}

/* Preemption is off, as in every probe of a tracepoint. */
static __always_inline void run_link(struct bpf_raw_tp_link *link, u64 *args)
{
	struct bpf_prog *prog = link->link.prog;

	cant_sleep();
	if (likely(this_cpu_inc_return(*prog->active) == 1))
		run_with_cookie(prog, link->cookie, args);
	else
		bpf_prog_inc_misses_counter(prog);
	this_cpu_dec(*prog->active);
}

#define DEFINE_BPF_TRACE_RUN(nr, parameters, values...)			\
void bpf_trace_run##nr(struct bpf_raw_tp_link *link, parameters)	\
{									\
	u64 args[] = { values };					\
									\
	run_link(link, args);						\
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
 * Context: may sleep.
 * Return: 0; -EINVAL if the program reads arguments that the tracepoint does not have, or writes
 * where it must not; or the errno of registering with the tracepoint.
 */
int bpf_probe_register(struct bpf_raw_event_map *btp, struct bpf_raw_tp_link *link)
{
	const struct bpf_prog_aux *aux = link->link.prog->aux;

	if (aux->max_ctx_offset > btp->num_args * sizeof(u64) ||
	    aux->max_tp_access > btp->writable_size)
		return -EINVAL;
	/* Links of the same program differ in their data. */
	return tracepoint_probe_register_may_exist(btp->tp, btp->bpf_func, link);
}

/**
 * bpf_probe_unregister - undo bpf_probe_register()
 * @btp: the tracepoint
 * @link: the link; its program may still be running
 *
 * Context: may sleep.
 * Return: 0; or the errno of the tracepoint.
 */
int bpf_probe_unregister(struct bpf_raw_event_map *btp, struct bpf_raw_tp_link *link)
{
	return tracepoint_probe_unregister(btp->tp, btp->bpf_func, link);
}

/* ------------------------------------------------------------------ */
/* Looking tracepoints up						*/

static struct bpf_raw_event_map *find_in_rows(struct bpf_raw_event_map *row,
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
 * struct traced_module - a module that has tracepoints
 * @module: the module
 * @node: entry in traced_modules
 */
struct traced_module {
	struct module		*module;
	struct list_head	node;
};

/* Modules with tracepoints, and the lock that protects the list. */
static LIST_HEAD(traced_modules);
static DEFINE_MUTEX(traced_modules_lock);

/* Find a tracepoint of a module, and hold the module. */
static struct bpf_raw_event_map *get_from_modules(const char *name)
{
	struct bpf_raw_event_map *row;
	struct traced_module *traced;
	struct module *mod;

	guard(mutex)(&traced_modules_lock);
	list_for_each_entry(traced, &traced_modules, node) {
		mod = traced->module;
		row = find_in_rows(mod->bpf_raw_events,
				   mod->bpf_raw_events + mod->num_bpf_raw_events, name);
		if (row)
			return try_module_get(mod) ? row : NULL;
	}
	return NULL;
}

static int add_module(struct module *mod)
{
	struct traced_module *traced = kmalloc(sizeof(*traced), GFP_KERNEL);

	if (!traced)
		return -ENOMEM;
	traced->module = mod;
	guard(mutex)(&traced_modules_lock);
	list_add(&traced->node, &traced_modules);
	return 0;
}

/* Also called for a module that add_module() had no memory for. */
static void remove_module(const struct module *mod)
{
	struct traced_module *traced, *next;

	guard(mutex)(&traced_modules_lock);
	list_for_each_entry_safe(traced, next, &traced_modules, node) {
		if (traced->module != mod)
			continue;
		list_del(&traced->node);
		kfree(traced);
	}
}

static int notify_module(struct notifier_block *nb, unsigned long state, void *data)
{
	struct module *mod = data;

	if (!mod->num_bpf_raw_events)
		return NOTIFY_OK;
	if (state == MODULE_STATE_COMING)
		return notifier_from_errno(add_module(mod));
	if (state == MODULE_STATE_GOING)
		remove_module(mod);
	return NOTIFY_OK;
}

static struct notifier_block module_notifier = { .notifier_call = notify_module };

static int __init raw_tracepoint_init(void)
{
	return register_module_notifier(&module_notifier);
}
fs_initcall(raw_tracepoint_init);

#else

static struct bpf_raw_event_map *get_from_modules(const char *name) { return NULL; }

#endif

/**
 * bpf_get_raw_tracepoint - find a tracepoint
 * @name: name of the tracepoint
 *
 * Context: may sleep.
 * Return: the tracepoint, whose module stays until bpf_put_raw_tracepoint(); NULL if there is none.
 */
struct bpf_raw_event_map *bpf_get_raw_tracepoint(const char *name)
{
	return find_in_rows(__start__bpf_raw_tp, __stop__bpf_raw_tp, name) ?:
	       get_from_modules(name);
}

/**
 * bpf_put_raw_tracepoint - undo bpf_get_raw_tracepoint()
 * @btp: the tracepoint
 *
 * Context: any but NMI.
 */
void bpf_put_raw_tracepoint(struct bpf_raw_event_map *btp)
{
	guard(preempt)();
	/* The module is held: it stays after the lookup. */
	module_put(__module_address((unsigned long)btp));
}

/* ------------------------------------------------------------------ */
/* The types of programs						*/

static const struct bpf_helper_row raw_tracepoint_helpers[] = {
	{ BPF_FUNC_perf_event_output,	&trace_bpf_output_raw_proto },
	{ BPF_FUNC_get_stackid,		&trace_bpf_stackid_raw_proto },
	{ BPF_FUNC_get_stack,		&trace_bpf_stack_raw_proto },
	{ BPF_FUNC_get_attach_cookie,	&trace_bpf_cookie_proto },
};

const struct bpf_func_proto *trace_bpf_raw_helper(enum bpf_func_id id, const struct bpf_prog *prog)
{
	const struct bpf_func_proto *proto;

	return trace_bpf_find_helper(raw_tracepoint_helpers, ARRAY_SIZE(raw_tracepoint_helpers),
				     id, prog, &proto) ? proto : trace_bpf_common_helper(id, prog);
}

static bool raw_tracepoint_can_access(int off, int size, enum bpf_access_type type,
				      const struct bpf_prog *prog,
				      struct bpf_insn_access_aux *info)
{
	return bpf_tracing_ctx_access(off, size, type);
}

/* The first argument points to memory that the program may write to. */
static bool raw_tracepoint_writable_can_access(int off, int size, enum bpf_access_type type,
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
	.is_valid_access	= raw_tracepoint_can_access,
	.get_func_proto		= trace_bpf_raw_helper,
};

const struct bpf_prog_ops raw_tracepoint_prog_ops = {
#ifdef CONFIG_NET
	.test_run		= bpf_prog_test_run_raw_tp,
#endif
};

const struct bpf_verifier_ops raw_tracepoint_writable_verifier_ops = {
	.is_valid_access	= raw_tracepoint_writable_can_access,
	.get_func_proto		= trace_bpf_raw_helper,
};

const struct bpf_prog_ops raw_tracepoint_writable_prog_ops = { };
