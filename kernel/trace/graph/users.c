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

#include <linux/bitmap.h>
#include <linux/bug.h>
#include <linux/export.h>
#include <linux/ftrace.h>
#include <linux/irq_work.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/workqueue.h>
#include <asm/barrier.h>

#include "dispatch/call.h"
#include "graph.h"
#include "guard/irq_work.h"
#include "ops/ops.h"
#include "users.h"

/* Who is a user, and the stacks of tasks.  Outside of ftrace_lock. */
DEFINE_MUTEX(graph_lock);

static void tell_nobody(struct fgraph_ops *gops, const struct ftrace_ret_stack *call,
			const struct ftrace_return *r, u64 now)
{
}

static void left_to_nobody(struct fgraph_ops *gops, struct task_struct *task,
			   const struct ftrace_ret_stack *call)
{
}

/* Where there is no user, so that nobody need look whether there is one. */
static struct fgraph_ops nobody = { .told = tell_nobody, .left = left_to_nobody };

/* Has the last bit. */
static struct fgraph_ops others = {
	.user	= BIT(GRAPH_OTHERS),
	.told	= graph_tell_others,
	.left	= graph_left_to_others,
};

struct fgraph_ops *graph_users[GRAPH_USERS] __read_mostly = {
	[0 ... GRAPH_OTHERS - 1] = &nobody,
	[GRAPH_OTHERS] = &others,
};

/* Users with a higher number: so many share an array, made when there is the first of them. */
#define USERS_TOGETHER	512
static struct fgraph_ops **more_users[GRAPH_IDX_MAX / USERS_TOGETHER];

DEFINE_STATIC_KEY_FALSE(graph_clock_fast);
u32 graph_seq __read_mostly;

/* By ftrace_graph_stop(). */
static bool is_dead;

/* Under graph_lock: */
static unsigned int nr_users;
/* Numbers that were given out, to callbacks that may still run. */
static DECLARE_BITMAP(used_idxs, GRAPH_IDX_MAX);

static int tell_nobody_entry(struct ftrace_graph_ent *trace, struct fgraph_ops *gops)
{
	return 1;
}

static void tell_nobody_return(struct ftrace_graph_ret *trace, struct fgraph_ops *gops)
{
}

struct fgraph_ops *graph_other_user(unsigned int idx)
{
	struct fgraph_ops **users;

	if (idx >= GRAPH_IDX_MAX)
		return &nobody;
	/* Pairs with the release in seat(), and in make_more(). */
	users = READ_ONCE(more_users[idx / USERS_TOGETHER]);
	return users ? READ_ONCE(users[idx % USERS_TOGETHER]) : &nobody;
}

/* ------------------------------------------------------------------ */
/* Numbers								*/

/**
 * struct idx_range - numbers for one kind of users, who are asked in their order
 * @first: the first one
 * @end: behind the last one
 * @last: given out last
 */
struct idx_range {
	unsigned int	first;
	unsigned int	end;
	unsigned int	last;
};

static struct idx_range idx_first = { .first = 0, .end = 4, .last = 3 };
static struct idx_range idx_usual = { .first = 4, .end = GRAPH_OTHERS, .last = GRAPH_OTHERS - 1 };
static struct idx_range idx_more = {
	.first = GRAPH_USERS, .end = GRAPH_IDX_MAX, .last = GRAPH_IDX_MAX - 1,
};

/* With a bit of their own, and for users that are not a part of the tracer. */
#define IDXS_FOR_API	8U

static struct fgraph_ops *user_at(unsigned int idx)
{
	return idx < GRAPH_USERS ? graph_users[idx] : graph_other_user(idx);
}

static void seat(unsigned int idx, struct fgraph_ops *gops)
{
	struct fgraph_ops **at = idx < GRAPH_USERS ?
		&graph_users[idx] : &more_users[idx / USERS_TOGETHER][idx % USERS_TOGETHER];

	/* Pairs with the address dependency in tell_all(): who has it finds all of it. */
	smp_store_release(at, gops);
}

/* One after the other, as long as some are free. */
static int free_idx(struct idx_range *range)
{
	unsigned int size = range->end - range->first, idx;

	for (unsigned int i = 1; i <= size; i++) {
		idx = range->first + (range->last - range->first + i) % size;
		if (user_at(idx) != &nobody)
			continue;
		range->last = idx;
		return idx;
	}
	return -ENOSPC;
}

static int make_more(unsigned int idx)
{
	struct fgraph_ops ***at = &more_users[idx / USERS_TOGETHER], **users;

	if (*at)
		return 0;
	users = kmalloc_array(USERS_TOGETHER, sizeof(*users), GFP_KERNEL);
	if (!users)
		return -ENOMEM;
	memset_p((void **)users, &nobody, USERS_TOGETHER);
	/* Filled in before anybody looks: pairs with the dependency in whoever reads it. */
	smp_store_release(at, users);
	return 0;
}

static int more_idx(void)
{
	int idx = free_idx(&idx_more);

	return idx < 0 ? idx : make_more(idx) ?: idx;
}

void graph_limit_users(unsigned int end)
{
	guard(mutex)(&graph_lock);
	idx_more.end = end;
}

static unsigned int nr_usual(void)
{
	unsigned int nr = 0;

	for (unsigned int i = idx_usual.first; i < idx_usual.end; i++)
		nr += graph_users[i] != &nobody;
	return nr;
}

static int choose_idx(const struct fgraph_ops *gops)
{
	bool is_own = !gops->many && gops->told && gops->told != graph_tell_retfunc;

	if (gops->first)
		return free_idx(&idx_first);
	if (is_own || nr_usual() < IDXS_FOR_API)
		return free_idx(&idx_usual);
	return more_idx();
}

/*
 * A callback in static memory was not waited for when it went: its number is used again
 * when all have been, and nobody is in it any more.
 */
static int idx_get(const struct fgraph_ops *gops)
{
	int idx = choose_idx(gops);

	if (idx < 0)
		return idx;
	if (test_bit(idx, used_idxs)) {
		dispatch_synchronize();
		/* Who is there now has not gone yet. */
		for (unsigned int i = 0; i < GRAPH_IDX_MAX; i++)
			if (user_at(i) == &nobody)
				__clear_bit(i, used_idxs);
	}
	__set_bit(idx, used_idxs);
	return idx;
}

/* ------------------------------------------------------------------ */
/* Users								*/

static void fill_in(struct fgraph_ops *gops)
{
	if (!gops->entryfunc)
		gops->entryfunc = tell_nobody_entry;
	if (!gops->retfunc)
		gops->retfunc = tell_nobody_return;
	if (!gops->told)
		gops->told = graph_tell_retfunc;
	if (!gops->left)
		gops->left = left_to_nobody;
	if (!gops->ops.func) {
		gops->ops.func = graph_call;
		gops->ops.flags |= FTRACE_OPS_FL_RECURSION | FTRACE_OPS_FL_ARGS_ONLY;
	}
}

/* Behind all ops that do not wait for returns, in the order of their numbers. */
#define GRAPH_ORDER	BIT_ULL(63)

static void number(struct fgraph_ops *gops, int idx)
{
	gops->idx = idx;
	gops->user = BIT(min(idx, GRAPH_OTHERS));
	gops->head = graph_head(gops->user);
	gops->ops.seq = GRAPH_ORDER + idx;
	gops->ops.flags |= FTRACE_OPS_FL_ORDERED;
	gops->since = graph_seq + 1;
	/* Older than any call, whatever comes to be later: each of them looks for itself. */
	others.since = gops->since - BIT(30);
}

static int join(struct fgraph_ops *gops, int idx)
{
	int ret;

	if (idx < GRAPH_OTHERS)
		graph_stacks_clear_var(idx);
	fill_in(gops);
	number(gops, idx);
	WRITE_ONCE(graph_seq, gops->since);
	seat(idx, gops);
	/* Synchronizes: who calls it sees all of the above. */
	ret = register_ftrace_function(&gops->ops);
	if (ret)
		seat(idx, &nobody);
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
	idx = idx_get(gops);
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

static void leave_graph_by(struct fgraph_ops *gops, int (*unregister)(struct ftrace_ops *ops))
{
	if (!(gops->ops.flags & FTRACE_OPS_FL_ENABLED))
		return;
	/* First: the wait below is for who is being told as well. */
	seat(gops->idx, &nobody);
	/* With the last user the stacks go. */
	if (nr_users == 1)
		unregister = unregister_ftrace_function;
	if (unregister(&gops->ops) == -ENOMEM) {
		seat(gops->idx, gops);
		return;
	}
	if (!--nr_users)
		graph_stacks_take();
}

static void leave_graph(struct fgraph_ops *gops)
{
	leave_graph_by(gops, unregister_ftrace_function);
}

void graph_unregister_many(struct fgraph_ops **gops, unsigned int nr)
{
	/* Held until the wait is over: no other user gets the place of one that is being told. */
	guard(mutex)(&graph_lock);
	for (unsigned int i = 0; i < nr; i++)
		leave_graph_by(gops[i], ops_unregister_later);
	dispatch_synchronize();
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
	leave_graph(gops);
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
	/* Nobody is not registered, and is let alone; so are the others. */
	for (unsigned int i = 0; i < GRAPH_IDX_MAX; i++)
		leave_graph(user_at(i));
}

static DECLARE_WORK(dismiss_work, dismiss_all);

static void dismiss_kick(struct irq_work *work)
{
	schedule_work(&dismiss_work);
}

static struct irq_work dismiss_irq_work = IRQ_WORK_INIT_HARD(dismiss_kick);

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
	trace_irq_work_queue(&dismiss_irq_work);
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
	trace_irq_work_queue(&lost_work);
}
