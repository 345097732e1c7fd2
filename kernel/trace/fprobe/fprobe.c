// SPDX-License-Identifier: GPL-2.0
/*
 * Handlers at the entry and at the return of functions.
 *
 * A probe with nothing but a handler for the entry is a user of calls (ops/), one with a
 * handler for the return is a user of functions from entry to return (graph/): there the data
 * stand that it keeps for a call, and there it is told of calls that are over without a return.
 */
#include <linux/cleanup.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/fprobe.h>
#include <linux/ftrace_arch.h>
#include <linux/kprobes.h>
#include <linux/mutex.h>
#include <linux/ptrace.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_recursion.h>

#include "dispatch/call.h"
#include "graph/caller.h"
#include "graph/graph.h"
#include "guard/guard.h"
#include "ops/ops.h"

/* Protects &fprobe.registered. Outside of what graph/ and ops/ lock. */
static DEFINE_MUTEX(fprobe_lock);

/* ------------------------------------------------------------------ */
/* Guarded								*/

static struct fprobe *fprobe_of(struct fgraph_ops *gops)
{
	return container_of(gops, struct fprobe, gops);
}

/* What is lost by a race with another CPU is the count of one that was not called. */
static void miss(struct fprobe *fp)
{
	WRITE_ONCE(fp->nmissed, READ_ONCE(fp->nmissed) + 1);
}

static bool kprobes_enter(struct fprobe *fp)
{
	if (!fprobe_shared_with_kprobes(fp))
		return true;
	if (kprobe_running())
		return false;
	kprobe_busy_begin();
	return true;
}

static void kprobes_exit(struct fprobe *fp)
{
	if (fprobe_shared_with_kprobes(fp))
		kprobe_busy_end();
}

/* ------------------------------------------------------------------ */
/* At the entry								*/

static int call_entry(struct fprobe *fp, unsigned long ip, unsigned long ret_ip,
		      struct ftrace_regs *fregs, void *data)
{
	int no;

	if (!fp->entry_handler)
		return 0;
	if (!kprobes_enter(fp)) {
		miss(fp);
		return 1;
	}
	no = fp->entry_handler(fp, ip, ret_ip, ftrace_get_regs(fregs), data);
	kprobes_exit(fp);
	return no;
}

/* Of a probe without a handler for the return. */
static void entry_alone(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
			struct ftrace_regs *fregs)
{
	struct fprobe *fp = fprobe_of(graph_user_of(op));
	int bit;

	if (fprobe_disabled(fp))
		return;
	bit = ftrace_test_recursion_trylock(ip, parent_ip);
	if (bit < 0) {
		miss(fp);
		return;
	}
	call_entry(fp, ip, graph_caller(parent_ip, arch_graph_retp(fregs), 0), fregs, NULL);
	ftrace_test_recursion_unlock(bit);
}

/* Is one call more to be waited for? */
static bool activate(struct fprobe *fp)
{
	if (!fp->nr_maxactive || atomic_inc_return(&fp->active) <= fp->nr_maxactive)
		return true;
	atomic_dec(&fp->active);
	return false;
}

static void deactivate(struct fprobe *fp)
{
	if (fp->nr_maxactive)
		atomic_dec(&fp->active);
}

/* Return: false if there is no room. */
static bool reserve(struct fprobe *fp, void **data)
{
	*data = NULL;
	if (!fp->entry_data_size)
		return true;
	*data = fgraph_reserve_data(fp->gops.idx, fp->entry_data_size);
	return *data;
}

static bool wait_for(struct fgraph_ops *gops, struct ftrace_ret_stack *call, int depth,
		     struct ftrace_regs *fregs)
{
	struct fprobe *fp = fprobe_of(gops);
	void *data;

	if (!call->users)
		call->calltime = graph_clock();
	if (!activate(fp)) {
		miss(fp);
		return false;
	}
	if (!reserve(fp, &data) || !graph_has_place(gops, call)) {
		miss(fp);
		goto no;
	}
	if (!fp->entry_handler ||
	    !call_entry(fp, call->func, graph_caller(call->ret, call->retp, 1), fregs, data))
		return true;
no:
	deactivate(fp);
	return false;
}

/* Calls that the tracer makes itself are not to be waited for. */
static noinline void miss_not_own(struct fprobe *fp)
{
	if (!trace_is_own(trace_preempt_word()))
		miss(fp);
}

static void entry_of_both(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
			  struct ftrace_regs *fregs)
{
	struct fgraph_ops *gops = graph_user_of(op);
	int bit;

	if (fprobe_disabled(fprobe_of(gops)))
		return;
	bit = ftrace_test_recursion_trylock(ip, parent_ip);
	if (bit < 0) {
		miss(fprobe_of(gops));
		return;
	}
	if (!graph_enter_or(gops, ip, fregs, wait_for, false))
		miss_not_own(fprobe_of(gops));
	ftrace_test_recursion_unlock(bit);
}

/* ------------------------------------------------------------------ */
/* At the return							*/

static void call_exit(struct fprobe *fp, const struct ftrace_ret_stack *call,
		      const struct ftrace_return *r)
{
	unsigned long ret_ip = graph_caller(call->ret, call->retp, 1);
	struct pt_regs regs __uninitialized;

	if (!kprobes_enter(fp)) {
		miss(fp);
		return;
	}
	arch_return_regs(r, &regs);
	/* A stack that is walked by them begins in the caller. */
	instruction_pointer_set(&regs, ret_ip);
	fp->exit_handler(fp, call->func, ret_ip, &regs,
			 fp->entry_data_size ? graph_data_of(call, &fp->gops) : NULL);
	kprobes_exit(fp);
}

static void told(struct fgraph_ops *gops, const struct ftrace_ret_stack *call,
		 const struct ftrace_return *r, u64 now)
{
	struct fprobe *fp = fprobe_of(gops);
	int bit;

	deactivate(fp);
	if (fprobe_disabled(fp))
		return;
	/* Preemption is off. */
	bit = trace_recursion_mark(TRACE_RECURSION_FTRACE);
	if (bit < 0) {
		miss(fp);
		return;
	}
	call_exit(fp, call, r);
	trace_recursion_unmark(bit);
}

static void left(struct fgraph_ops *gops, struct task_struct *task,
		 const struct ftrace_ret_stack *call)
{
	deactivate(fprobe_of(gops));
}

/* ------------------------------------------------------------------ */
/* Known								*/

/* What was there before it was known goes. */
static void prepare(struct fprobe *fp)
{
	fp->nmissed = 0;
	atomic_set(&fp->active, 0);
	memset(&fp->gops, 0, sizeof(fp->gops));
	fp->gops.many = true;
	fp->gops.told = told;
	fp->gops.left = left;
	fp->gops.ops.func = fp->exit_handler ? entry_of_both : entry_alone;
	/* Who is only called at the return asks for no register at the entry. */
	fp->gops.ops.flags = fp->entry_handler ? FTRACE_OPS_FL_SAVE_REGS :
						 FTRACE_OPS_FL_ARGS_ONLY;
}

/* A probe that keeps more than fits would miss each call. */
static bool data_fits(const struct fprobe *fp)
{
	return !fp->exit_handler || graph_data_fits(fp->entry_data_size);
}

/* Its functions have been chosen, or could not be. */
static int start(struct fprobe *fp, int err)
{
	if (!err)
		err = fp->exit_handler ? register_ftrace_graph(&fp->gops) :
					 register_ftrace_function(&fp->gops.ops);
	if (err)
		ftrace_free_filter(&fp->gops.ops);
	fp->registered = !err;
	return err;
}

static int choose_ips(struct fprobe *fp, unsigned long *addrs, int num)
{
	int err;

	if (fp->registered)
		return -EBUSY;
	prepare(fp);
	err = ftrace_set_filter_ips(&fp->gops.ops, addrs, num, 0, 0);
	if (err)
		ftrace_free_filter(&fp->gops.ops);
	return err;
}

/**
 * register_fprobe - have handlers called for functions of names that match
 * @fp: the probe
 * @filter: which functions, as a word of set_ftrace_filter
 * @notfilter: which of them not, or NULL
 *
 * Context: may sleep.
 * Return: 0; -EINVAL if one of both is NULL, no name matches, or more is to be kept than any call
 * can keep; -EBUSY if it is registered; or as register_ftrace_function().
 */
int register_fprobe(struct fprobe *fp, const char *filter, const char *notfilter)
{
	int err;

	if (!fp || !filter || !data_fits(fp))
		return -EINVAL;
	guard(mutex)(&fprobe_lock);
	if (fp->registered)
		return -EBUSY;
	prepare(fp);
	err = ftrace_set_filter(&fp->gops.ops, (unsigned char *)filter, strlen(filter), 0);
	if (!err && notfilter)
		err = ftrace_set_notrace(&fp->gops.ops, (unsigned char *)notfilter,
					 strlen(notfilter), 0);
	return start(fp, err);
}
EXPORT_SYMBOL_GPL(register_fprobe);

/**
 * register_fprobe_ips - have handlers called for functions at addresses
 * @fp: the probe
 * @addrs: of functions, or of their call sites
 * @num: how many
 *
 * Context: may sleep.
 * Return: as register_fprobe(); -EINVAL also if one cannot be traced.
 */
int register_fprobe_ips(struct fprobe *fp, unsigned long *addrs, int num)
{
	if (!fp || !addrs || num <= 0 || !data_fits(fp))
		return -EINVAL;
	guard(mutex)(&fprobe_lock);
	return choose_ips(fp, addrs, num) ?: start(fp, 0);
}
EXPORT_SYMBOL_GPL(register_fprobe_ips);

/**
 * register_fprobe_syms - have handlers called for functions of names
 * @fp: the probe
 * @syms: the names
 * @num: how many
 *
 * Context: may sleep.
 * Return: as register_fprobe_ips(); -ENOENT if there is no function of one of the names that
 * can be traced; -ENOMEM.
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
 * fprobe_is_registered - is a probe known
 * @fp: the probe, or NULL
 *
 * Context: any.
 */
bool fprobe_is_registered(struct fprobe *fp)
{
	return fp && READ_ONCE(fp->registered);
}

/**
 * unregister_fprobe - no handler is called any more, nor under way
 * @fp: the probe
 *
 * Context: may sleep.
 * Return: 0, also once the tracer is dead; -EINVAL if it is not registered; -ENOMEM: it is as
 * before.
 */
int unregister_fprobe(struct fprobe *fp)
{
	int err = 0;

	guard(mutex)(&fprobe_lock);
	if (!fp || !fp->registered)
		return -EINVAL;
	if (fp->exit_handler)
		unregister_ftrace_graph(&fp->gops);
	else
		err = unregister_ftrace_function(&fp->gops.ops);
	/* After any other error the ops is gone all the same: the tracer is dead. */
	if (err == -ENOMEM || err == -EBUSY)
		return err;
	fp->registered = false;
	ftrace_free_filter(&fp->gops.ops);
	return 0;
}
EXPORT_SYMBOL_GPL(unregister_fprobe);

/* ------------------------------------------------------------------ */
/* Many at once								*/

/* Their functions have been chosen. If not all can start, each does by itself. */
static int start_entries(struct ftrace_ops **ops, unsigned int nr)
{
	bool all = nr && !ops_register_all(ops, nr);
	struct fprobe *fp;
	int ret = 0, err;

	for (unsigned int i = 0; i < nr; i++) {
		fp = fprobe_of(graph_user_of(ops[i]));
		fp->registered = all;
		err = all ? 0 : start(fp, 0);
		ret = ret ?: err;
	}
	return ret;
}

/**
 * register_fprobes - register_fprobe_ips() for many, each at one address, in one pass
 * @fps: the probes
 * @addrs: the address of each
 * @num: how many
 *
 * Context: may sleep.
 * Return: 0; or why some are not registered, as register_fprobe_ips(): fprobe_is_registered()
 * says which.
 */
int register_fprobes(struct fprobe **fps, unsigned long *addrs, int num)
{
	struct ftrace_ops **ops __free(kvfree) = kvmalloc_array(num, sizeof(*ops), GFP_KERNEL);
	unsigned int nr = 0;
	int ret = 0, err;

	guard(mutex)(&fprobe_lock);
	for (int i = 0; i < num; i++) {
		err = data_fits(fps[i]) ? choose_ips(fps[i], &addrs[i], 1) : -EINVAL;
		/* Without memory for all of them each starts by itself. */
		if (!err && (fps[i]->exit_handler || !ops))
			err = start(fps[i], 0);
		else if (!err)
			ops[nr++] = &fps[i]->gops.ops;
		ret = ret ?: err;
	}
	err = start_entries(ops, nr);
	return ret ?: err;
}

/* Probes with a handler for the return are users of graph/. */
static unsigned int collect_returns(struct fprobe **fps, int num, struct fgraph_ops **gops)
{
	unsigned int nr = 0;

	for (int i = 0; i < num; i++)
		if (fps[i]->registered && fps[i]->exit_handler)
			gops[nr++] = &fps[i]->gops;
	return nr;
}

static unsigned int collect_entries(struct fprobe **fps, int num, struct ftrace_ops **ops)
{
	unsigned int nr = 0;

	for (int i = 0; i < num; i++)
		if (fps[i]->registered && !fps[i]->exit_handler)
			ops[nr++] = &fps[i]->gops.ops;
	return nr;
}

/* Without memory to do so at once each leaves by itself. */
static void leave_entries(struct ftrace_ops **ops, unsigned int nr)
{
	if (!nr || ops_unregister_all_later(ops, nr) != -ENOMEM)
		return;
	for (unsigned int i = 0; i < nr; i++)
		ops_unregister_later(ops[i]);
}

/* Without memory to do so a probe stays as it was. */
static int forget_those_that_left(struct fprobe **fps, int num)
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
 * unregister_fprobes - unregister_fprobe() for many, which wait together
 * @fps: the probes; those that are not registered are let alone
 * @num: how many
 *
 * Context: may sleep.
 * Return: 0; -ENOMEM: some are as before.
 */
int unregister_fprobes(struct fprobe **fps, int num)
{
	struct fgraph_ops **gops __free(kvfree) = kvmalloc_array(num, sizeof(*gops), GFP_KERNEL);
	struct ftrace_ops **ops __free(kvfree) = kvmalloc_array(num, sizeof(*ops), GFP_KERNEL);
	unsigned int nr;

	if (!gops || !ops)
		return -ENOMEM;
	guard(mutex)(&fprobe_lock);
	leave_entries(ops, collect_entries(fps, num, ops));
	nr = collect_returns(fps, num, gops);
	/* The wait of either is for all that have left. */
	if (nr)
		graph_unregister_many(gops, nr);
	else
		dispatch_synchronize();
	return forget_those_that_left(fps, num);
}
