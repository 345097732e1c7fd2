// SPDX-License-Identifier: GPL-2.0
/*
 * Who wants to know of entries and returns (SPEC T3).
 *
 * A user is attached through its ops like any other callback, so its filter costs
 * nobody else anything, and what it does not want to see does not call it.
 *
 * It may go while functions still run to which it has said yes.  Their returns are not
 * told then, also not to who gets its index next: a call is marked with the number of
 * the last user to come before it, and a user hears of no call that is older than itself.
 */
#define pr_fmt(fmt) "ftrace: " fmt

#include <linux/bug.h>
#include <linux/export.h>
#include <linux/ftrace.h>
#include <linux/irq_work.h>
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/workqueue.h>
#include <asm/barrier.h>

#include "dispatch/call.h"
#include "graph.h"
#include "users.h"

/* Who is a user, and the stacks of tasks.  Outside of ftrace_lock. */
DEFINE_MUTEX(graph_lock);

static void tell_nobody(struct fgraph_ops *gops, const struct ftrace_ret_stack *call,
			unsigned long retval)
{
}

/* Where there is no user, so that tell_all() need not look whether there is one. */
static struct fgraph_ops nobody = { .told = tell_nobody };

struct fgraph_ops *graph_users[GRAPH_USERS] __read_mostly = {
	[0 ... GRAPH_USERS - 1] = &nobody,
};

DEFINE_STATIC_KEY_FALSE(graph_clock_fast);
u32 graph_seq __read_mostly;

/* By ftrace_graph_stop(). */
static bool is_dead;

/* Under graph_lock: */
static unsigned int nr_users;
/* Given out last; and those that were, to callbacks that may still run. */
static int last_idx = -1;
static unsigned long used_idxs;

static int tell_nobody_entry(struct ftrace_graph_ent *trace, struct fgraph_ops *gops)
{
	return 1;
}

static void tell_nobody_return(struct ftrace_graph_ret *trace, struct fgraph_ops *gops)
{
}

static unsigned long live_idxs(void)
{
	unsigned long idxs = 0;

	for (int i = 0; i < GRAPH_USERS; i++)
		if (graph_users[i] != &nobody)
			idxs |= BIT(i);
	return idxs;
}

/*
 * One after the other.  A callback in static memory was not waited for when it went: its
 * index is used again when all have been, and nobody is in it any more.
 */
static int idx_get(void)
{
	int i, idx;

	for (i = 1; i <= GRAPH_USERS; i++) {
		idx = (last_idx + i) % GRAPH_USERS;
		if (graph_users[idx] == &nobody)
			break;
	}
	if (i > GRAPH_USERS)
		return -ENOSPC;
	if (used_idxs & BIT(idx)) {
		dispatch_synchronize();
		/* Who is there now has not gone yet. */
		used_idxs = live_idxs();
	}
	used_idxs |= BIT(idx);
	last_idx = idx;
	return idx;
}

static void fill_in(struct fgraph_ops *gops)
{
	if (!gops->entryfunc)
		gops->entryfunc = tell_nobody_entry;
	if (!gops->retfunc)
		gops->retfunc = tell_nobody_return;
	if (!gops->told)
		gops->told = graph_tell_retfunc;
	if (!gops->ops.func) {
		gops->ops.func = graph_call;
		gops->ops.flags |= FTRACE_OPS_FL_RECURSION | FTRACE_OPS_FL_ARGS_ONLY;
	}
}

static int join(struct fgraph_ops *gops, int idx)
{
	int ret;

	graph_stacks_clear_var(idx);
	fill_in(gops);
	gops->idx = idx;
	gops->user = BIT(idx);
	gops->since = graph_seq + 1;
	WRITE_ONCE(graph_seq, gops->since);
	/* Pairs with the address dependency in tell_all(): who has it finds all of it. */
	smp_store_release(&graph_users[idx], gops);
	/* Synchronizes: who calls it sees all of the above. */
	ret = register_ftrace_function(&gops->ops);
	if (ret)
		WRITE_ONCE(graph_users[idx], &nobody);
	return ret;
}

/**
 * register_ftrace_graph - have functions traced from entry to return
 * @gops: the user; its memory must stay
 *
 * Its filter is that of @gops->ops.
 *
 * Context: may sleep; takes graph_lock and ftrace_lock.
 *
 * Return: 0; -ENOSPC if there are too many users; -ENOMEM; -ENODEV after
 * ftrace_graph_stop() or ftrace_kill(); -EBUSY if it is registered already; else as
 * register_ftrace_function().
 */
int register_ftrace_graph(struct fgraph_ops *gops)
{
	int ret, idx;

	guard(mutex)(&graph_lock);
	if (READ_ONCE(is_dead))
		return -ENODEV;
	if (gops->ops.flags & FTRACE_OPS_FL_ENABLED)
		return -EBUSY;
	idx = idx_get();
	if (idx < 0)
		return idx;
	ret = graph_stacks_give() ?: join(gops, idx);
	if (!ret)
		nr_users++;
	else if (!nr_users)
		graph_stacks_take();
	return ret;
}
EXPORT_SYMBOL_GPL(register_ftrace_graph);

static void leave(struct fgraph_ops *gops)
{
	if (!(gops->ops.flags & FTRACE_OPS_FL_ENABLED))
		return;
	/* First: the wait below is for who is being told as well. */
	WRITE_ONCE(graph_users[gops->idx], &nobody);
	if (unregister_ftrace_function(&gops->ops) == -ENOMEM) {
		/* As in join(). */
		smp_store_release(&graph_users[gops->idx], gops);
		return;
	}
	if (!--nr_users)
		graph_stacks_take();
}

/**
 * unregister_ftrace_graph - the end of register_ftrace_graph()
 * @gops: the user; one that is not registered is let alone
 *
 * When it returns, no entry and no return is told it any more, nor is it being told one,
 * so that its memory may go; except for a user in static kernel memory, which is not
 * waited for.
 *
 * Context: sleeps, for long (see unregister_ftrace_function()); takes graph_lock and
 * ftrace_lock.
 */
void unregister_ftrace_graph(struct fgraph_ops *gops)
{
	guard(mutex)(&graph_lock);
	leave(gops);
}
EXPORT_SYMBOL_GPL(unregister_ftrace_graph);

/* By now the fastest way to read the clock is there, and reads the same. */
static int __init read_clock_fast(void)
{
	if (arch_trace_clock_usable())
		static_branch_enable(&graph_clock_fast);
	return 0;
}
early_initcall(read_clock_fast);

/* ------------------------------------------------------------------ */
/* The end								*/

static void dismiss_all(struct work_struct *work)
{
	guard(mutex)(&graph_lock);
	/* Nobody is not registered, and is let alone. */
	for (int i = 0; i < GRAPH_USERS; i++)
		leave(graph_users[i]);
}

static DECLARE_WORK(dismiss_work, dismiss_all);

static void dismiss_kick(struct irq_work *work)
{
	schedule_work(&dismiss_work);
}

static struct irq_work dismiss_irq_work = IRQ_WORK_INIT(dismiss_kick);

/**
 * ftrace_graph_stop - wait for no more calls, for good
 *
 * All users are detached, in a moment.  Calls that are waited for already return as
 * they should.
 *
 * Context: any, NMI included.
 */
void ftrace_graph_stop(void)
{
	WRITE_ONCE(is_dead, true);
	irq_work_queue(&dismiss_irq_work);
}

/**
 * ftrace_graph_is_dead - was ftrace_graph_stop() called
 *
 * Context: any.
 */
bool ftrace_graph_is_dead(void)
{
	return READ_ONCE(is_dead);
}

/* What was found, by the first to find it. */
static struct {
	unsigned long	func;
	unsigned long	*retp;
	unsigned long	*found;
} lost;

static void print_lost(struct irq_work *work)
{
	WARN(1, "ftrace: %pS returned through a copy of its return address, %ld bytes off: function_graph is off\n",
	     (void *)lost.func, (long)((char *)lost.found - (char *)lost.retp));
}

static struct irq_work lost_work = IRQ_WORK_INIT(print_lost);

void graph_report_lost(const struct ftrace_ret_stack *call, unsigned long *retp)
{
	static atomic_t reported = ATOMIC_INIT(0);

	ftrace_graph_stop();
	/* Nothing is known that could be gone on with. */
	if (!call->ret)
		panic("ftrace: a function returned to the tracer that it was not called by");
	if (atomic_xchg(&reported, 1))
		return;
	lost.func = call->func;
	lost.retp = call->retp;
	lost.found = retp;
	irq_work_queue(&lost_work);
}
