// SPDX-License-Identifier: GPL-2.0
/*
 * Registration of the users of entries and returns (SPEC T3).
 *
 * The ops of a user is registered like any other ftrace_ops. So functions that the user's filter
 * excludes do not call the user, and the filter costs other users nothing.
 *
 * When a user is unregistered, some of its traced calls may not have returned yet. When they do,
 * neither that user, nor a later user with the same &fgraph_ops.idx, is notified: each call stores
 * graph_seq, the sequence number of the newest user at that time, and a user is only notified of
 * calls that began after it was registered.
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

/* Protects the registration of users, and the stacks of tasks. Taken before ftrace_lock. */
DEFINE_MUTEX(graph_lock);

static void graph_notify_nobody(struct fgraph_ops *gops, const struct ftrace_ret_stack *call,
				const struct ftrace_return *r, u64 now)
{
}

static void graph_notify_nobody_abandoned(struct fgraph_ops *gops, struct task_struct *task,
					  const struct ftrace_ret_stack *call)
{
}

/* Placeholder for each idx that no user has, so that no reader has to test for NULL. */
static struct fgraph_ops graph_no_user = {
	.notify		= graph_notify_nobody,
	.abandoned	= graph_notify_nobody_abandoned,
};

/* The user with the bit GRAPH_SHARED_BIT: passes the notifications on to the sharers. */
static struct fgraph_ops graph_sharers = {
	.user		= BIT(GRAPH_SHARED_BIT),
	.notify		= graph_notify_sharers,
	.abandoned	= graph_notify_sharers_abandoned,
};

struct fgraph_ops *graph_users[GRAPH_USERS] __read_mostly = {
	[0 ... GRAPH_SHARED_BIT - 1] = &graph_no_user,
	[GRAPH_SHARED_BIT] = &graph_sharers,
};

/*
 * The sharers: users without a bit of their own. Their pointers are in arrays of GRAPH_CHUNK_USERS,
 * indexed by &fgraph_ops.idx. An array is allocated when the first of its idx is given to a user.
 */
#define GRAPH_CHUNK_USERS	512
static struct fgraph_ops **graph_sharer_chunks[GRAPH_IDX_MAX / GRAPH_CHUNK_USERS];

DEFINE_STATIC_KEY_FALSE(graph_clock_fast);
u32 graph_seq __read_mostly;

/* True after ftrace_graph_stop(): no users can be registered any more. */
static bool graph_is_dead;

/* Number of registered users. Protected by graph_lock. */
static unsigned int graph_nr_users;
/*
 * Each &fgraph_ops.idx that a user has, or has had: callbacks of a former user may still run. See
 * graph_get_idx(). Protected by graph_lock.
 */
static DECLARE_BITMAP(graph_used_idxs, GRAPH_IDX_MAX);

static int graph_accept_entry(struct ftrace_graph_ent *trace, struct fgraph_ops *gops)
{
	return 1;
}

static void graph_ignore_return(struct ftrace_graph_ret *trace, struct fgraph_ops *gops)
{
}

struct fgraph_ops *graph_sharer(unsigned int idx)
{
	struct fgraph_ops **users;

	if (idx >= GRAPH_IDX_MAX)
		return &graph_no_user;
	/* Pairs with the release in graph_set_user() and in graph_alloc_sharer_chunk(). */
	users = READ_ONCE(graph_sharer_chunks[idx / GRAPH_CHUNK_USERS]);
	return users ? READ_ONCE(users[idx % GRAPH_CHUNK_USERS]) : &graph_no_user;
}

/* ------------------------------------------------------------------ */
/* Choosing &fgraph_ops.idx						*/

/**
 * struct graph_idx_range - the values of &fgraph_ops.idx for one kind of users
 * @first: first value of the range
 * @end: first value behind the range
 * @last: value that was given to a user last
 *
 * Users with a lower idx are called first.
 */
struct graph_idx_range {
	unsigned int	first;
	unsigned int	end;
	unsigned int	last;
};

/* For users that set &fgraph_ops.first, in order to be called before all others. */
static struct graph_idx_range graph_idxs_first = { .first = 0, .end = 4, .last = 3 };

/* For all other users that get a bit of their own. */
static struct graph_idx_range graph_idxs_usual = {
	.first = 4, .end = GRAPH_SHARED_BIT, .last = GRAPH_SHARED_BIT - 1,
};

/* For sharers. */
static struct graph_idx_range graph_idxs_sharers = {
	.first = GRAPH_USERS, .end = GRAPH_IDX_MAX, .last = GRAPH_IDX_MAX - 1,
};

/*
 * A user outside of the tracer gets a bit of its own only if fewer users than this have an idx of
 * graph_idxs_usual. The other bits are left for the tracer's own users.
 */
#define GRAPH_API_OWN_BITS	8U

static struct fgraph_ops *graph_get_user(unsigned int idx)
{
	return idx < GRAPH_USERS ? graph_users[idx] : graph_sharer(idx);
}

static void graph_set_user(unsigned int idx, struct fgraph_ops *gops)
{
	struct fgraph_ops **at = idx < GRAPH_USERS ?
		&graph_users[idx] :
		&graph_sharer_chunks[idx / GRAPH_CHUNK_USERS][idx % GRAPH_CHUNK_USERS];

	/*
	 * Pairs with the address dependency in graph_notify_users(): a reader of the pointer
	 * sees the whole user.
	 */
	smp_store_release(at, gops);
}

/* Find the next free idx after the one found last, so that an idx is reused as late as possible. */
static int graph_find_free_idx(struct graph_idx_range *range)
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

static int graph_alloc_sharer_chunk(unsigned int idx)
{
	struct fgraph_ops ***at = &graph_sharer_chunks[idx / GRAPH_CHUNK_USERS], **users;

	if (*at)
		return 0;
	users = kmalloc_array(GRAPH_CHUNK_USERS, sizeof(*users), GFP_KERNEL);
	if (!users)
		return -ENOMEM;
	memset_p((void **)users, &graph_no_user, GRAPH_CHUNK_USERS);
	/*
	 * Pairs with the address dependency in graph_sharer(): a reader finds the array
	 * filled in.
	 */
	smp_store_release(at, users);
	return 0;
}

static int graph_get_sharer_idx(void)
{
	int idx = graph_find_free_idx(&graph_idxs_sharers);

	return idx < 0 ? idx : graph_alloc_sharer_chunk(idx) ?: idx;
}

void graph_limit_idxs(unsigned int end)
{
	guard(mutex)(&graph_lock);
	graph_idxs_sharers.end = end;
}

static unsigned int graph_count_usual_users(void)
{
	unsigned int nr = 0;

	for (unsigned int i = graph_idxs_usual.first; i < graph_idxs_usual.end; i++)
		nr += graph_users[i] != &graph_no_user;
	return nr;
}

static int graph_choose_idx(const struct fgraph_ops *gops)
{
	bool is_own = !gops->many && gops->notify && gops->notify != graph_notify_retfunc;

	if (gops->first)
		return graph_find_free_idx(&graph_idxs_first);
	if (is_own || graph_count_usual_users() < GRAPH_API_OWN_BITS)
		return graph_find_free_idx(&graph_idxs_usual);
	return graph_get_sharer_idx();
}

/*
 * Get a free idx for a user. A former user may have been unregistered without a grace period, so
 * its callback may still run. So before an idx is used again, wait until all callbacks of former
 * users have returned.
 */
static int graph_get_idx(const struct fgraph_ops *gops)
{
	int idx = graph_choose_idx(gops);

	if (idx < 0)
		return idx;
	if (test_bit(idx, graph_used_idxs)) {
		dispatch_synchronize();
		/* Now all idx are as new, but those of registered users. */
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
		gops->abandoned = graph_notify_nobody_abandoned;
	if (!gops->ops.func) {
		gops->ops.func = graph_default_callback;
		gops->ops.flags |= FTRACE_OPS_FL_RECURSION | FTRACE_OPS_FL_ARGS_ONLY;
	}
}

/* Base of &ftrace_ops.seq of users: they are called after all other ops, in the order of idx. */
#define GRAPH_OPS_SEQ_BASE	BIT_ULL(63)

static void graph_set_idx(struct fgraph_ops *gops, int idx)
{
	gops->idx = idx;
	gops->user = BIT(min(idx, GRAPH_SHARED_BIT));
	gops->head = graph_users_to_head(gops->user);
	gops->ops.seq = GRAPH_OPS_SEQ_BASE + idx;
	gops->ops.flags |= FTRACE_OPS_FL_ORDERED;
	gops->since = graph_seq + 1;
	/*
	 * Keep graph_sharers older than any call, so that it is notified of all calls. The sharers
	 * to which it passes notifications on check their own @since.
	 */
	graph_sharers.since = gops->since - BIT(30);
}

static int graph_attach_user(struct fgraph_ops *gops, int idx)
{
	int ret;

	if (idx < GRAPH_SHARED_BIT)
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

/*
 * Unregister the ops of @gops by @unregister, unless @gops is not registered. Return: 0; -ENOMEM if
 * @gops stays registered.
 */
static int graph_detach_user_with(struct fgraph_ops *gops,
				  int (*unregister)(struct ftrace_ops *ops))
{
	if (!(gops->ops.flags & FTRACE_OPS_FL_ENABLED))
		return 0;
	/* Remove the user first: the grace period below then also covers notifications of it. */
	graph_set_user(gops->idx, &graph_no_user);
	/*
	 * The last user: graph_take_stacks() below has the stacks taken from the tasks, so wait for
	 * the callbacks, even if @unregister does not.
	 */
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
	 * Held until the grace period is over, so that no new user gets the idx of a former one
	 * that is still being notified.
	 */
	guard(mutex)(&graph_lock);
	for (unsigned int i = 0; i < nr; i++)
		graph_detach_user_with(gops[i], ops_unregister_later);
	dispatch_synchronize();
}

int graph_unregister_later(struct fgraph_ops *gops)
{
	guard(mutex)(&graph_lock);
	return graph_detach_user_with(gops, ops_unregister_later);
}

int graph_unregister(struct fgraph_ops *gops)
{
	guard(mutex)(&graph_lock);
	return graph_detach_user_with(gops, unregister_ftrace_function);
}

/**
 * unregister_ftrace_graph() - unregister a user of entries and returns
 * @gops: the user; ignored if it is not registered
 *
 * When this returns, @gops is not and will not be notified of any entry or return, so its
 * memory may be freed. For a user in static kernel memory there is no grace period.
 *
 * Context: sleeps, possibly long (see unregister_ftrace_function()), and until there is memory
 * for the sets of functions of the remaining users; takes graph_lock and ftrace_lock.
 */
void unregister_ftrace_graph(struct fgraph_ops *gops)
{
	while (graph_unregister(gops))
		schedule_timeout_uninterruptible(1);
}
EXPORT_SYMBOL_GPL(unregister_ftrace_graph);

/* Called when the clock source is set up, since arch_trace_clock_usable() depends on that. */
static int __init graph_init_clock(void)
{
	if (arch_trace_clock_usable())
		static_branch_enable(&graph_clock_fast);
	return 0;
}
early_initcall(graph_init_clock);

/* ------------------------------------------------------------------ */
/* Stopping until the next boot						*/

static void graph_detach_all_users(struct work_struct *work)
{
	guard(mutex)(&graph_lock);
	/* A placeholder is not registered, and is ignored. */
	for (unsigned int i = 0; i < GRAPH_IDX_MAX; i++)
		graph_detach_user_with(graph_get_user(i), unregister_ftrace_function);
}

static DECLARE_WORK(graph_detach_work, graph_detach_all_users);

static void graph_queue_detach_work(struct irq_work *work)
{
	schedule_work(&graph_detach_work);
}

static struct irq_work graph_detach_irq_work = IRQ_WORK_INIT_HARD(graph_queue_detach_work);

/**
 * ftrace_graph_stop() - stop tracing calls until the next boot
 *
 * All users are unregistered soon after. Traced calls still return to their callers.
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

/*
 * The first return that matched no call: @func and @retp of the call that was taken for it, and the
 * return address slot that the return came from. Written once, before graph_lost_return_work runs.
 */
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
	/* There is no call: the entry at index 0 has no return address to continue at. */
	if (!call->ret)
		panic("ftrace: a function returned to the tracer that it was not called by");
	if (atomic_xchg(&reported, 1))
		return;
	graph_lost_return.func = call->func;
	graph_lost_return.retp = call->retp;
	graph_lost_return.found = retp;
	trace_irq_work_queue(&graph_lost_return_work);
}
