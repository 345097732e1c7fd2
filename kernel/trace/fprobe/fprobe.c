// SPDX-License-Identifier: GPL-2.0
/*
 * Probes with handlers at the entry and at the return of functions (struct fprobe).
 *
 * A probe with only an entry handler is registered as an ftrace_ops (ops/). A probe with an exit
 * handler is registered as a user of graph/, which keeps the probe's data of each call on the
 * task's stack of traced calls, and notifies the probe of calls that end without a return.
 */
#include <linux/cleanup.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/fprobe.h>
#include <linux/ftrace_arch_return.h>
#include <linux/kprobes.h>
#include <linux/mutex.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_recursion.h>

#include "dispatch/call.h"
#include "graph/caller.h"
#include "graph/graph.h"
#include "guard/guard.h"
#include "ops/ops.h"

/* Protects &fprobe.registered. Taken before the locks of graph/ and ops/. */
static DEFINE_MUTEX(fprobe_lock);

/* ------------------------------------------------------------------ */
/* Missed calls, and exclusion with kprobes				*/

static struct fprobe *fprobe_of(struct fgraph_ops *gops)
{
	return container_of(gops, struct fprobe, gops);
}

/* The increment is not atomic: a race between two CPUs only makes the statistic inexact. */
static void fprobe_count_missed(struct fprobe *fp)
{
	WRITE_ONCE(fp->nmissed, READ_ONCE(fp->nmissed) + 1);
}

/*
 * Begin a handler that must not run inside a handler of a kprobe, if the probe has asked for that.
 * Return: false if it would.
 */
static bool fprobe_kprobes_enter(struct fprobe *fp)
{
	if (!fprobe_shared_with_kprobes(fp))
		return true;
	if (kprobe_running())
		return false;
	kprobe_busy_begin();
	return true;
}

static void fprobe_kprobes_exit(struct fprobe *fp)
{
	if (fprobe_shared_with_kprobes(fp))
		kprobe_busy_end();
}

/* ------------------------------------------------------------------ */
/* At the entry								*/

/* Return: 0 if the exit handler is to be called at the return, otherwise another value. */
static __always_inline int fprobe_call_entry_inline(struct fprobe *fp, unsigned long ip,
						    unsigned long ret_ip,
						    struct ftrace_regs *fregs, void *data)
{
	int no;

	if (!fp->entry_handler)
		return 0;
	if (!fprobe_kprobes_enter(fp)) {
		fprobe_count_missed(fp);
		return 1;
	}
	no = fp->entry_handler(fp, ip, ret_ip, ftrace_get_regs(fregs), data);
	fprobe_kprobes_exit(fp);
	return no;
}

/* Out of line, so that the inlined handler takes no registers from the caller. */
static noinline int fprobe_call_entry(struct fprobe *fp, unsigned long ip, unsigned long ret_ip,
				      struct ftrace_regs *fregs, void *data)
{
	return fprobe_call_entry_inline(fp, ip, ret_ip, fregs, data);
}

/* Callback of the ops of a probe without an exit handler. */
static void fprobe_entry_only(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
			      struct ftrace_regs *fregs)
{
	struct fprobe *fp = fprobe_of(graph_user_of(op));
	int bit;

	if (fprobe_disabled(fp))
		return;
	bit = ftrace_test_recursion_trylock(ip, parent_ip);
	if (bit < 0) {
		fprobe_count_missed(fp);
		return;
	}
	fprobe_call_entry_inline(fp, ip, graph_caller(parent_ip, arch_graph_retp(fregs), 0), fregs,
				 NULL);
	ftrace_test_recursion_unlock(bit);
}

/* Count one more call whose return is pending. Return: false if &fprobe.nr_maxactive forbids it. */
static bool fprobe_reserve_return(struct fprobe *fp)
{
	if (!fp->nr_maxactive || atomic_inc_return(&fp->active) <= fp->nr_maxactive)
		return true;
	atomic_dec(&fp->active);
	return false;
}

static void fprobe_release_return(struct fprobe *fp)
{
	if (fp->nr_maxactive)
		atomic_dec(&fp->active);
}

/* Reserve the probe's data for a call. Return: false if the task's stack has no room for them. */
static bool fprobe_reserve_data(struct fprobe *fp, void **data)
{
	*data = NULL;
	if (!fp->entry_data_size)
		return true;
	*data = fgraph_reserve_data(fp->gops.idx, fp->entry_data_size);
	return *data;
}

/*
 * Entry function of a probe with an exit handler, called by graph/. Return: true if the probe is to
 * be notified of the return of @call.
 */
static bool fprobe_await_return(struct fgraph_ops *gops, struct ftrace_ret_stack *call, int depth,
				struct ftrace_regs *fregs)
{
	struct fprobe *fp = fprobe_of(gops);
	void *data;

	if (!call->users)
		call->calltime = graph_clock();
	if (!fprobe_reserve_return(fp)) {
		fprobe_count_missed(fp);
		return false;
	}
	if (!fprobe_reserve_data(fp, &data) || !graph_ensure_room_for_user(gops, call)) {
		fprobe_count_missed(fp);
		goto no;
	}
	if (!fp->entry_handler ||
	    !fprobe_call_entry(fp, call->func, graph_caller(call->ret, call->retp, 1), fregs, data))
		return true;
no:
	fprobe_release_return(fp);
	return false;
}

/* Count a missed call, unless it belongs to the tracer's own work, which is never to be probed. */
static noinline void fprobe_count_missed_unless_own(struct fprobe *fp)
{
	if (!trace_is_own(trace_preempt_word()))
		fprobe_count_missed(fp);
}

/* Callback of the ops of a probe with an exit handler. */
static void fprobe_entry_with_exit(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
				   struct ftrace_regs *fregs)
{
	struct fgraph_ops *gops = graph_user_of(op);
	int bit;

	if (fprobe_disabled(fprobe_of(gops)))
		return;
	bit = ftrace_test_recursion_trylock(ip, parent_ip);
	if (bit < 0) {
		fprobe_count_missed(fprobe_of(gops));
		return;
	}
	if (!graph_enter_or_paused(gops, ip, fregs, fprobe_await_return, false))
		fprobe_count_missed_unless_own(fprobe_of(gops));
	ftrace_test_recursion_unlock(bit);
}

/* ------------------------------------------------------------------ */
/* At the return							*/

static void fprobe_call_exit(struct fprobe *fp, const struct ftrace_ret_stack *call,
			     const struct ftrace_return *r)
{
	unsigned long ret_ip = graph_caller(call->ret, call->retp, 1);
	struct pt_regs regs __uninitialized;

	if (!fprobe_kprobes_enter(fp)) {
		fprobe_count_missed(fp);
		return;
	}
	arch_return_regs(r, &regs);
	/* The handler may unwind the stack from these registers, beginning in the caller. */
	instruction_pointer_set(&regs, ret_ip);
	fp->exit_handler(fp, call->func, ret_ip, &regs,
			 fp->entry_data_size ? graph_data_of(call, &fp->gops) : NULL);
	fprobe_kprobes_exit(fp);
	/* A handler may change what the function returns. */
	ftrace_return_set_value(r, regs_return_value(&regs));
}

static void fprobe_graph_return(struct fgraph_ops *gops, const struct ftrace_ret_stack *call,
				const struct ftrace_return *r, u64 now)
{
	struct fprobe *fp = fprobe_of(gops);
	int bit;

	fprobe_release_return(fp);
	if (fprobe_disabled(fp))
		return;
	/* Preemption is off already: ftrace_test_recursion_trylock() would disable it once more. */
	bit = trace_recursion_mark(TRACE_RECURSION_FTRACE);
	if (bit < 0) {
		fprobe_count_missed(fp);
		return;
	}
	fprobe_call_exit(fp, call, r);
	trace_recursion_unmark(bit);
}

/* Called by graph/ for a call that ends without a return: the exit handler is not called. */
static void fprobe_graph_abandoned(struct fgraph_ops *gops, struct task_struct *task,
				   const struct ftrace_ret_stack *call)
{
	fprobe_release_return(fprobe_of(gops));
}

/* ------------------------------------------------------------------ */
/* Registration								*/

/* Initialize the members of @fp that are private to this file, which may have been used before. */
static void fprobe_init_ops(struct fprobe *fp)
{
	fp->nmissed = 0;
	atomic_set(&fp->active, 0);
	memset(&fp->gops, 0, sizeof(fp->gops));
	fp->gops.many = true;
	fp->gops.notify = fprobe_graph_return;
	fp->gops.abandoned = fprobe_graph_abandoned;
	fp->gops.ops.func = fp->exit_handler ? fprobe_entry_with_exit : fprobe_entry_only;
	/* A probe without an entry handler does not use the registers at the entry. */
	fp->gops.ops.flags = fp->entry_handler ? FTRACE_OPS_FL_SAVE_REGS :
						 FTRACE_OPS_FL_ARGS_ONLY;
}

/* False if a call cannot store the data of the probe: then the probe would miss every call. */
static bool fprobe_data_fits(const struct fprobe *fp)
{
	return !fp->exit_handler || graph_data_fits(fp->entry_data_size);
}

/*
 * Register @fp if @err, the result of setting its filter, is 0. Return: 0; or an error, after
 * which the filter is freed.
 */
static int fprobe_register_ops(struct fprobe *fp, int err)
{
	if (!err)
		err = fp->exit_handler ? register_ftrace_graph(&fp->gops) :
					 register_ftrace_function(&fp->gops.ops);
	if (err)
		ftrace_free_filter(&fp->gops.ops);
	fp->registered = !err;
	return err;
}

/* Initialize @fp, and set its filter to the functions at @addrs. */
static int fprobe_set_ips(struct fprobe *fp, unsigned long *addrs, int num)
{
	int err;

	if (fp->registered)
		return -EBUSY;
	fprobe_init_ops(fp);
	err = ftrace_set_filter_ips(&fp->gops.ops, addrs, num, 0, 0);
	if (err)
		ftrace_free_filter(&fp->gops.ops);
	return err;
}

/**
 * register_fprobe() - register a probe of the functions whose names match a pattern
 * @fp: the probe
 * @filter: pattern of the functions to probe, as a word of set_ftrace_filter
 * @notfilter: pattern of the functions to leave out, or NULL
 *
 * Context: may sleep; takes fprobe_lock.
 * Return: 0; -EINVAL if @fp or @filter is NULL, no name matches, or &fprobe.entry_data_size is
 * more than a call can store; -EBUSY if @fp is registered already; or an error of
 * register_ftrace_function() or register_ftrace_graph().
 */
int register_fprobe(struct fprobe *fp, const char *filter, const char *notfilter)
{
	int err;

	if (!fp || !filter || !fprobe_data_fits(fp))
		return -EINVAL;
	guard(mutex)(&fprobe_lock);
	if (fp->registered)
		return -EBUSY;
	fprobe_init_ops(fp);
	err = ftrace_set_filter(&fp->gops.ops, (unsigned char *)filter, strlen(filter), 0);
	if (!err && notfilter)
		err = ftrace_set_notrace(&fp->gops.ops, (unsigned char *)notfilter,
					 strlen(notfilter), 0);
	return fprobe_register_ops(fp, err);
}
EXPORT_SYMBOL_GPL(register_fprobe);

/**
 * register_fprobe_ips() - register a probe of functions given by address
 * @fp: the probe
 * @addrs: addresses of the functions, or of their call sites
 * @num: number of addresses
 *
 * Context: may sleep; takes fprobe_lock.
 * Return: as register_fprobe(); -EINVAL also if one of the functions cannot be traced.
 */
int register_fprobe_ips(struct fprobe *fp, unsigned long *addrs, int num)
{
	if (!fp || !addrs || num <= 0 || !fprobe_data_fits(fp))
		return -EINVAL;
	guard(mutex)(&fprobe_lock);
	return fprobe_set_ips(fp, addrs, num) ?: fprobe_register_ops(fp, 0);
}
EXPORT_SYMBOL_GPL(register_fprobe_ips);

/**
 * register_fprobe_syms() - register a probe of functions given by name
 * @fp: the probe
 * @syms: names of the functions, without wildcards
 * @num: number of names
 *
 * Context: may sleep; takes fprobe_lock.
 * Return: as register_fprobe_ips(); -ENOENT if one of the names has no function that can be
 * traced; -ENOMEM.
 */
int register_fprobe_syms(struct fprobe *fp, const char **syms, int num)
{
	unsigned long *addrs __free(kvfree) = NULL;

	if (!fp || !syms || num <= 0)
		return -EINVAL;
	addrs = kvcalloc(num, sizeof(*addrs), GFP_KERNEL);
	if (!addrs)
		return -ENOMEM;
	if (ftrace_lookup_symbols(syms, num, addrs))
		return -ENOENT;
	return register_fprobe_ips(fp, addrs, num);
}
EXPORT_SYMBOL_GPL(register_fprobe_syms);

/**
 * fprobe_is_registered() - true if a probe is registered
 * @fp: the probe, or NULL
 *
 * Context: any.
 */
bool fprobe_is_registered(struct fprobe *fp)
{
	return fp && READ_ONCE(fp->registered);
}

/* Any errno but these two means that a fault has shut ftrace down: the ops is removed even so. */
static int fprobe_try_unregister(struct fprobe *fp)
{
	int err;

	guard(mutex)(&fprobe_lock);
	if (!fp || !fp->registered)
		return -EINVAL;
	if (fp->exit_handler)
		err = graph_unregister(&fp->gops);
	else
		err = unregister_ftrace_function(&fp->gops.ops);
	if (err == -ENOMEM || err == -EBUSY)
		return err;
	fp->registered = false;
	ftrace_free_filter(&fp->gops.ops);
	return 0;
}

/**
 * unregister_fprobe() - unregister a probe, and wait until none of its handlers runs
 * @fp: the probe
 *
 * Few callers could do anything about -ENOMEM, and a probe that stays registered would be called
 * after its module is gone.
 *
 * Context: sleeps, until there is memory for the sets of functions of the remaining users; takes
 * fprobe_lock.
 * Return: 0, also after ftrace has been shut down by a fault; -EINVAL if @fp is not registered;
 * -EBUSY if @fp stays registered.
 */
int unregister_fprobe(struct fprobe *fp)
{
	int err;

	while ((err = fprobe_try_unregister(fp)) == -ENOMEM)
		schedule_timeout_uninterruptible(1);
	return err;
}
EXPORT_SYMBOL_GPL(unregister_fprobe);

/* ------------------------------------------------------------------ */
/* Many probes at once							*/

/*
 * Register the probes to which @ops belong: they have no exit handlers, and their filters are set.
 * All are registered with one pass over the call sites. If that fails, they are registered one by
 * one, so that only those with an error are left out. Return: 0 or the first error.
 */
static int fprobe_register_entry_probes(struct ftrace_ops **ops, unsigned int nr)
{
	bool all = nr && !ops_register_all(ops, nr);
	struct fprobe *fp;
	int ret = 0, err;

	for (unsigned int i = 0; i < nr; i++) {
		fp = fprobe_of(graph_user_of(ops[i]));
		fp->registered = all;
		err = all ? 0 : fprobe_register_ops(fp, 0);
		ret = ret ?: err;
	}
	return ret;
}

/**
 * register_fprobes() - register many probes, of one function each
 * @fps: the probes
 * @addrs: address of the function of each probe, or of its call site
 * @num: number of probes
 *
 * Probes without exit handlers are registered with one pass over the call sites, which is much
 * faster than one pass each.
 *
 * Context: may sleep; takes fprobe_lock.
 * Return: 0 if all are registered; else the first error, as of register_fprobe_ips().
 * fprobe_is_registered() tells which probes are registered.
 */
int register_fprobes(struct fprobe **fps, unsigned long *addrs, int num)
{
	struct ftrace_ops **ops __free(kvfree) = kvmalloc_array(num, sizeof(*ops), GFP_KERNEL);
	unsigned int nr = 0;
	int ret = 0, err;

	guard(mutex)(&fprobe_lock);
	for (int i = 0; i < num; i++) {
		err = fprobe_data_fits(fps[i]) ? fprobe_set_ips(fps[i], &addrs[i], 1) : -EINVAL;
		/* Without memory for the array, register each probe by itself. */
		if (!err && (fps[i]->exit_handler || !ops))
			err = fprobe_register_ops(fps[i], 0);
		else if (!err)
			ops[nr++] = &fps[i]->gops.ops;
		ret = ret ?: err;
	}
	err = fprobe_register_entry_probes(ops, nr);
	return ret ?: err;
}

/* Collect the &fprobe.gops of the registered probes with an exit handler. Return: their number. */
static unsigned int fprobe_collect_exit_probes(struct fprobe **fps, int num,
					       struct fgraph_ops **gops)
{
	unsigned int nr = 0;

	for (int i = 0; i < num; i++)
		if (fps[i]->registered && fps[i]->exit_handler)
			gops[nr++] = &fps[i]->gops;
	return nr;
}

/* Collect the ops of the registered probes without an exit handler. Return: their number. */
static unsigned int fprobe_collect_entry_probes(struct fprobe **fps, int num,
						struct ftrace_ops **ops)
{
	unsigned int nr = 0;

	for (int i = 0; i < num; i++)
		if (fps[i]->registered && !fps[i]->exit_handler)
			ops[nr++] = &fps[i]->gops.ops;
	return nr;
}

/* Unregister the ops without waiting: all at once or, without memory for that, one by one. */
static void fprobe_unregister_entry_probes(struct ftrace_ops **ops, unsigned int nr)
{
	if (!nr || ops_unregister_all_later(ops, nr) != -ENOMEM)
		return;
	for (unsigned int i = 0; i < nr; i++)
		ops_unregister_later(ops[i]);
}

/*
 * Mark the probes whose ops were unregistered as not registered, and free their filters. Return: 0;
 * -ENOMEM if some ops stay registered, because there was no memory to unregister them.
 */
static int fprobe_release_unregistered(struct fprobe **fps, int num)
{
	int err = 0;

	for (int i = 0; i < num; i++) {
		if (fps[i]->gops.ops.flags & FTRACE_OPS_FL_ENABLED) {
			err = -ENOMEM;
			continue;
		}
		if (fps[i]->registered)
			ftrace_free_filter(&fps[i]->gops.ops);
		fps[i]->registered = false;
	}
	return err;
}

/**
 * unregister_fprobes() - unregister many probes, with one wait for all of them
 * @fps: the probes; those that are not registered are skipped
 * @num: number of probes
 *
 * Context: may sleep; takes fprobe_lock.
 * Return: 0; -ENOMEM if some probes stay registered.
 */
int unregister_fprobes(struct fprobe **fps, int num)
{
	struct fgraph_ops **gops __free(kvfree) = kvmalloc_array(num, sizeof(*gops), GFP_KERNEL);
	struct ftrace_ops **ops __free(kvfree) = kvmalloc_array(num, sizeof(*ops), GFP_KERNEL);
	unsigned int nr;

	if (!gops || !ops)
		return -ENOMEM;
	guard(mutex)(&fprobe_lock);
	fprobe_unregister_entry_probes(ops, fprobe_collect_entry_probes(fps, num, ops));
	nr = fprobe_collect_exit_probes(fps, num, gops);
	/* Either call waits until no handler of any removed probe runs. */
	if (nr)
		graph_unregister_many(gops, nr);
	else
		dispatch_synchronize();
	return fprobe_release_unregistered(fps, num);
}
