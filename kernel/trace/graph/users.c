// SPDX-License-Identifier: GPL-2.0
/*
 * Registration of the users of entries and returns (SPEC T3).
 *
 * A user is attached through its ops like any other callback. So its filter costs other users
 * nothing, and functions that the filter excludes do not call it.
 *
 * A user may be unregistered while functions run whose return it wants to know of. These
 * returns are not reported then, neither to that user nor to the next one with the same index:
 * each call stores the number of the newest user at its start, and a user is not notified of
 * calls that are older than itself.
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
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/workqueue.h>
#include <asm/barrier.h>

#include "dispatch/call.h"
#include "graph.h"
#include "guard/irq_work.h"
#include "ops/ops.h"
#include "stacks.h"
#include "users.h"

/* Protects the registration of users and the stacks of tasks. Taken outside of ftrace_lock. */
DEFINE_MUTEX(graph_lock);

static void graph_notify_none(struct fgraph_ops *gops, const struct ftrace_ret_stack *call,
			      const struct ftrace_return *r, u64 now)
{
}

static void graph_abandon_none(struct fgraph_ops *gops, struct task_struct *task,
			       const struct ftrace_ret_stack *call)
{
}

/* Placeholder for an index without a user, so that no reader has to test for NULL. */
static struct fgraph_ops graph_no_user = {
	.notify		= graph_notify_none,
	.abandoned	= graph_abandon_none,
};

/* The user with the last bit: stands for all users without a bit of their own. */
static struct fgraph_ops graph_others = {
	.user	= BIT(GRAPH_OTHERS),
	.notify	= graph_notify_others,
	.abandoned	= graph_notify_others_abandoned,
};

struct fgraph_ops *graph_users[GRAPH_USERS] __read_mostly = {
	[0 ... GRAPH_OTHERS - 1] = &graph_no_user,
	[GRAPH_OTHERS] = &graph_others,
};

/*
 * Users without a bit of their own. They share arrays of this size, allocated for the first
 * user of each.
 */
#define GRAPH_CHUNK_USERS	512
static struct fgraph_ops **graph_more_users[GRAPH_IDX_MAX / GRAPH_CHUNK_USERS];

DEFINE_STATIC_KEY_FALSE(graph_clock_fast);
u32 graph_seq __read_mostly;

/* True after ftrace_graph_stop(). */
static bool graph_is_dead;

/* Number of registered users. Protected by graph_lock. */
static unsigned int graph_nr_users;
/* Numbers that were given to users, whose callbacks may still run. Protected by graph_lock. */
static DECLARE_BITMAP(graph_used_idxs, GRAPH_IDX_MAX);

static int graph_accept_entry(struct ftrace_graph_ent *trace, struct fgraph_ops *gops)
{
	return 1;
}

static void graph_ignore_return(struct ftrace_graph_ret *trace, struct fgraph_ops *gops)
{
}

struct fgraph_ops *graph_other_user(unsigned int idx)
{
	struct fgraph_ops **users;

	if (idx >= GRAPH_IDX_MAX)
		return &graph_no_user;
	/* Pairs with the release in graph_set_user() and in graph_alloc_chunk(). */
	users = READ_ONCE(graph_more_users[idx / GRAPH_CHUNK_USERS]);
	return users ? READ_ONCE(users[idx % GRAPH_CHUNK_USERS]) : &graph_no_user;
}

/* ------------------------------------------------------------------ */
/* Numbers								*/

/**
 * struct idx_range - range of &fgraph_ops.idx for one kind of users; a lower one is called first
 * @first: first number of the range
 * @end: first number behind the range
 * @last: number that was given out last
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

/* Users outside of the tracer get a bit of their own while fewer users than this have one. */
#define IDXS_FOR_API	8U

static struct fgraph_ops *graph_get_user(unsigned int idx)
{
	return idx < GRAPH_USERS ? graph_users[idx] : graph_other_user(idx);
}

static void graph_set_user(unsigned int idx, struct fgraph_ops *gops)
{
	struct fgraph_ops **at = idx < GRAPH_USERS ?
		&graph_users[idx] :
		&graph_more_users[idx / GRAPH_CHUNK_USERS][idx % GRAPH_CHUNK_USERS];

	/*
	 * Pairs with the address dependency in graph_notify_users(): a reader of the pointer
	 * sees the whole user.
	 */
	smp_store_release(at, gops);
}

/* Find the next free number, in turn, so that a number is reused as late as possible. */
static int graph_find_free_idx(struct idx_range *range)
{
	unsigned int size = range->end - range->first, idx;

	for (unsigned int i = 1; i <= size; i++) {
		idx = range->first + (range->last - range->first + i) % size;
		if (graph_get_user(idx) != &graph_no_user)
			continue;
		range->last = idx;
		return idx;
	}
	return -ENOSPC;
}

static int graph_alloc_chunk(unsigned int idx)
{
	struct fgraph_ops ***at = &graph_more_users[idx / GRAPH_CHUNK_USERS], **users;

	if (*at)
		return 0;
	users = kmalloc_array(GRAPH_CHUNK_USERS, sizeof(*users), GFP_KERNEL);
	if (!users)
		return -ENOMEM;
	memset_p((void **)users, &graph_no_user, GRAPH_CHUNK_USERS);
	/*
	 * Pairs with the address dependency in graph_other_user(): a reader finds the array
	 * filled in.
	 */
	smp_store_release(at, users);
	return 0;
}

static int graph_get_more_idx(void)
{
	int idx = graph_find_free_idx(&idx_more);

	return idx < 0 ? idx : graph_alloc_chunk(idx) ?: idx;
}

void graph_limit_users(unsigned int end)
{
	guard(mutex)(&graph_lock);
	idx_more.end = end;
}

static unsigned int graph_count_usual(void)
{
	unsigned int nr = 0;

	for (unsigned int i = idx_usual.first; i < idx_usual.end; i++)
		nr += graph_users[i] != &graph_no_user;
	return nr;
}

static int graph_choose_idx(const struct fgraph_ops *gops)
{
	bool is_own = !gops->many && gops->notify && gops->notify != graph_notify_retfunc;

	if (gops->first)
		return graph_find_free_idx(&idx_first);
	if (is_own || graph_count_usual() < IDXS_FOR_API)
		return graph_find_free_idx(&idx_usual);
	return graph_get_more_idx();
}

/*
 * Get a free number. The callback of a user in static memory may still run after it was
 * unregistered, without a grace period. So when a number is to be given out again, wait until
 * all callbacks of former users have returned.
 */
static int graph_get_idx(const struct fgraph_ops *gops)
{
	int idx = graph_choose_idx(gops);

	if (idx < 0)
		return idx;
	if (test_bit(idx, graph_used_idxs)) {
		dispatch_synchronize();
		/* Numbers of registered users stay in use. */
		for (unsigned int i = 0; i < GRAPH_IDX_MAX; i++)
			if (graph_get_user(i) == &graph_no_user)
				__clear_bit(i, graph_used_idxs);
	}
	__set_bit(idx, graph_used_idxs);
	return idx;
}

/* ------------------------------------------------------------------ */
/* Users								*/

static void graph_set_defaults(struct fgraph_ops *gops)
{
	if (!gops->entryfunc)
		gops->entryfunc = graph_accept_entry;
	if (!gops->retfunc)
		gops->retfunc = graph_ignore_return;
	if (!gops->notify)
		gops->notify = graph_notify_retfunc;
	if (!gops->abandoned)
		gops->abandoned = graph_abandon_none;
	if (!gops->ops.func) {
		gops->ops.func = graph_call;
		gops->ops.flags |= FTRACE_OPS_FL_RECURSION | FTRACE_OPS_FL_ARGS_ONLY;
	}
}

/* Position of graph users among the ops: behind all other ops, in the order of their numbers. */
#define GRAPH_ORDER	BIT_ULL(63)

static void graph_set_idx(struct fgraph_ops *gops, int idx)
{
	gops->idx = idx;
	gops->user = BIT(min(idx, GRAPH_OTHERS));
	gops->head = graph_head(gops->user);
	gops->ops.seq = GRAPH_ORDER + idx;
	gops->ops.flags |= FTRACE_OPS_FL_ORDERED;
	gops->since = graph_seq + 1;
	/* Let @graph_others seem older than any call: each user behind it checks its own @since. */
	graph_others.since = gops->since - BIT(30);
}

static int graph_attach_user(struct fgraph_ops *gops, int idx)
{
	int ret;

	if (idx < GRAPH_OTHERS)
		graph_stacks_clear_var(idx);
	graph_set_defaults(gops);
	graph_set_idx(gops, idx);
	WRITE_ONCE(graph_seq, gops->since);
	graph_set_user(idx, gops);
	/* Registration synchronizes: a callback of the ops sees all of the above. */
	ret = register_ftrace_function(&gops->ops);
	if (ret)
		graph_set_user(idx, &graph_no_user);
	return ret;
}

/**
 * register_ftrace_graph() - register a user of entries and returns
 * @gops: the user; its memory must stay. The filter of @gops->ops selects the functions
 *
 * Context: may sleep; takes graph_lock and ftrace_lock.
 * Return: 0; -ENOSPC if there are too many users; -ENOMEM; -ENODEV after ftrace_graph_stop()
 * or ftrace_kill(); -EBUSY if @gops is registered already; else as register_ftrace_function().
 */
int register_ftrace_graph(struct fgraph_ops *gops)
{
	int ret, idx;

	guard(mutex)(&graph_lock);
	if (READ_ONCE(graph_is_dead))
		return -ENODEV;
	if (gops->ops.flags & FTRACE_OPS_FL_ENABLED)
		return -EBUSY;
	idx = graph_get_idx(gops);
	if (idx < 0)
		return idx;
	ret = graph_give_stacks() ?: graph_attach_user(gops, idx);
	if (!ret)
		graph_nr_users++;
	else if (!graph_nr_users)
		graph_take_stacks();
	return ret;
}
EXPORT_SYMBOL_GPL(register_ftrace_graph);

/* Return: 0, also if @gops is not attached; -ENOMEM if it stays attached. */
static int graph_detach_user_by(struct fgraph_ops *gops, int (*unregister)(struct ftrace_ops *ops))
{
	if (!(gops->ops.flags & FTRACE_OPS_FL_ENABLED))
		return 0;
	/* Remove the user first: the grace period below then also covers notifications of it. */
	graph_set_user(gops->idx, &graph_no_user);
	/* The stacks are taken back with the last user, which has its own grace period. */
	if (graph_nr_users == 1)
		unregister = unregister_ftrace_function;
	if (unregister(&gops->ops) == -ENOMEM) {
		graph_set_user(gops->idx, gops);
		return -ENOMEM;
	}
	if (!--graph_nr_users)
		graph_take_stacks();
	return 0;
}

void graph_unregister_many(struct fgraph_ops **gops, unsigned int nr)
{
	/*
	 * Held until the grace period is over: no other user gets the number of one that is
	 * still being notified.
	 */
	guard(mutex)(&graph_lock);
	for (unsigned int i = 0; i < nr; i++)
		graph_detach_user_by(gops[i], ops_unregister_later);
	dispatch_synchronize();
}

int graph_unregister(struct fgraph_ops *gops)
{
	guard(mutex)(&graph_lock);
	return graph_detach_user_by(gops, unregister_ftrace_function);
}

/**
 * unregister_ftrace_graph() - unregister a user of entries and returns
 * @gops: the user; ignored if it is not registered
 *
 * When this returns, @gops is not and will not be notified of any entry or return, so its
 * memory may be freed. For a user in static kernel memory there is no grace period.
 *
 * Context: sleeps, possibly long (see unregister_ftrace_function()), and until there is memory
 * for the sets of the remaining users; takes graph_lock and ftrace_lock.
 */
void unregister_ftrace_graph(struct fgraph_ops *gops)
{
	while (graph_unregister(gops))
		schedule_timeout_uninterruptible(1);
}
EXPORT_SYMBOL_GPL(unregister_ftrace_graph);

/* At early_initcall time the fastest clock source is set up, and reads the same time in place. */
static int __init graph_init_clock(void)
{
	if (arch_trace_clock_usable())
		static_branch_enable(&graph_clock_fast);
	return 0;
}
early_initcall(graph_init_clock);

/* ------------------------------------------------------------------ */
/* Stop for good							*/

static void graph_detach_all(struct work_struct *work)
{
	guard(mutex)(&graph_lock);
	/* The placeholders are not registered, and are ignored. */
	for (unsigned int i = 0; i < GRAPH_IDX_MAX; i++)
		graph_detach_user_by(graph_get_user(i), unregister_ftrace_function);
}

static DECLARE_WORK(graph_detach_work, graph_detach_all);

static void graph_detach_irq(struct irq_work *work)
{
	schedule_work(&graph_detach_work);
}

static struct irq_work graph_detach_irq_work = IRQ_WORK_INIT_HARD(graph_detach_irq);

/**
 * ftrace_graph_stop() - stop tracing calls, for good
 *
 * All users are detached soon after. Calls that are traced already return as they should.
 *
 * Context: any, NMI included.
 */
void ftrace_graph_stop(void)
{
	WRITE_ONCE(graph_is_dead, true);
	trace_irq_work_queue(&graph_detach_irq_work);
}

/**
 * ftrace_graph_is_dead() - true after ftrace_graph_stop()
 *
 * Context: any.
 */
bool ftrace_graph_is_dead(void)
{
	return READ_ONCE(graph_is_dead);
}

/* Report of the first return that matched no call. */
static struct {
	unsigned long	func;
	unsigned long	*retp;
	unsigned long	*found;
} graph_lost_return;

static void graph_print_lost_return(struct irq_work *work)
{
	WARN(1, "ftrace: %pS returned through a copy of its return address, %ld bytes off: function_graph is off\n",
	     (void *)graph_lost_return.func,
	     (long)((char *)graph_lost_return.found - (char *)graph_lost_return.retp));
}

static struct irq_work graph_lost_return_work = IRQ_WORK_INIT(graph_print_lost_return);

void graph_report_lost_return(const struct ftrace_ret_stack *call, unsigned long *retp)
{
	static atomic_t reported = ATOMIC_INIT(0);

	ftrace_graph_stop();
	/* The entry below all calls has no return address to continue at. */
	if (!call->ret)
		panic("ftrace: a function returned to the tracer that it was not called by");
	if (atomic_xchg(&reported, 1))
		return;
	graph_lost_return.func = call->func;
	graph_lost_return.retp = call->retp;
	graph_lost_return.found = retp;
	trace_irq_work_queue(&graph_lost_return_work);
}
