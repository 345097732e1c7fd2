// SPDX-License-Identifier: GPL-2.0
/*
 * Handles entries of functions for users that have no callback of their own, and returns of
 * functions for all users.
 *
 * The code runs in the context of the traced function. It must not sleep, lock, allocate or
 * print.
 */
#include <linux/bitops.h>
#include <linux/export.h>
#include <linux/ftrace.h>
#include <linux/kernel.h>
#include <linux/preempt.h>
#include <linux/trace_recursion.h>

#include "graph.h"
#include "guard/guard.h"
#include "stacks.h"
#include "users.h"

/* ------------------------------------------------------------------ */
/* Entry								*/

/**
 * ftrace_graph_entry_stub() - decline every call
 * @trace: the entry
 * @gops: the user
 *
 * Context: any.
 * Return: 0.
 */
int ftrace_graph_entry_stub(struct ftrace_graph_ent *trace, struct fgraph_ops *gops)
{
	return 0;
}
EXPORT_SYMBOL_GPL(ftrace_graph_entry_stub);

static __always_inline bool graph_call_entryfunc(struct fgraph_ops *gops,
						 struct ftrace_ret_stack *call, int depth,
						 struct ftrace_regs *fregs)
{
	struct ftrace_graph_ent ent = { .func = call->func, .depth = depth };

	if (!call->users)
		call->calltime = graph_clock();
	return gops->entryfunc(&ent, gops) && graph_ensure_room_for_user(gops, call);
}

/*
 * tracing_graph_pause has the number of calls of pause_graph_tracing(), plus TRACE_OWN_PAUSE for
 * each section of the tracer's own work that the task is in, see trace_own_begin().
 */
bool graph_is_paused(const struct task_struct *task)
{
	return atomic_read(&task->tracing_graph_pause) % TRACE_OWN_PAUSE ||
	       trace_is_own(trace_preempt_word());
}

/* Notify the users before the pop: they read the call's data, and those of the calls below it. */
static void graph_pop_abandoned_call(struct task_struct *task, struct ftrace_ret_stack *newest)
{
	graph_notify_abandoned(task, newest);
	graph_pop_call(task, newest);
}

struct ftrace_ret_stack *graph_drop_abandoned(struct task_struct *task, unsigned long func,
					      unsigned long *retp)
{
	struct ftrace_ret_stack *newest;
	struct trace_own own;
	unsigned long flags;

	/*
	 * An interrupt may find the same calls abandoned. With interrupts off, each of these calls
	 * is dropped, and its users are notified, only once.
	 */
	flags = trace_own_irqsave(&own);
	newest = graph_newest_call(task);
	while (arch_graph_may_be_abandoned(newest->retp, retp) &&
	       arch_graph_is_abandoned(newest, func, retp)) {
		graph_pop_abandoned_call(task, newest);
		newest = graph_newest_call(task);
	}
	trace_own_irqrestore(&own, flags);
	return newest;
}

/* Preemption is off, as graph_enter() needs: the flags of the ops have FTRACE_OPS_FL_RECURSION. */
void graph_default_callback(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
			    struct ftrace_regs *fregs)
{
	graph_enter(graph_user_of(op), ip, fregs, graph_call_entryfunc);
}

/* ------------------------------------------------------------------ */
/* Return								*/

/*
 * Find the newest call of @task that can return by the return address slot @at. Sets *@index to the
 * index of its entry. Return: the call; NULL, with 0 in *@index, if there is none.
 */
static struct ftrace_ret_stack *graph_find_returning_call(struct task_struct *task,
							  unsigned long *at, int *index)
{
	struct ftrace_ret_stack *call = graph_newest_call(task);

	for (*index = task->curr_ret_stack; *index; call = graph_call_at(task, *index)) {
		if (arch_graph_is_returning(call, at))
			return call;
		*index -= call->below;
	}
	return NULL;
}

/*
 * Find the call that returns by the return address slot @at, and drop the calls above it, which
 * were abandoned. If no call has that slot, the function was compiled to return through a copy of
 * its return address. Then report that, and take the newest call, which is a guess.
 */
static noinline struct ftrace_ret_stack *graph_pop_to_returning_call(struct task_struct *task,
								     unsigned long *at)
{
	struct ftrace_ret_stack *call;
	struct trace_own own;
	unsigned long flags;
	int index;

	/* With interrupts off, no interrupt can drop the same calls. */
	flags = trace_own_irqsave(&own);
	call = graph_find_returning_call(task, at, &index);
	if (call) {
		while (task->curr_ret_stack != index)
			graph_pop_abandoned_call(task, graph_newest_call(task));
	} else {
		call = graph_newest_call(task);
		graph_report_lost_return(call, at);
	}
	trace_own_irqrestore(&own, flags);
	return call;
}

void graph_notify_retfunc(struct fgraph_ops *gops, const struct ftrace_ret_stack *call,
			  const struct ftrace_return *r, u64 now)
{
	struct ftrace_graph_ret trace = {
		.func		= call->func,
		.depth		= current->curr_ret_depth - 1,
		.overrun	= atomic_read(&current->trace_overrun),
		.calltime	= call->calltime,
		.rettime	= now,
	};
	int bit;

	ftrace_graph_set_retval(&trace, r->value[0]);
	/*
	 * This recursion guard is also taken at the entry, so functions that are called by the
	 * retfunc are not traced.
	 */
	bit = trace_recursion_enter(TRACE_RECURSION_ASSIST);
	if (bit < 0)
		return;
	gops->retfunc(&trace, gops);
	trace_recursion_exit(bit);
}

static __always_inline void graph_notify_user(struct fgraph_ops *gops,
					      const struct ftrace_ret_stack *call,
					      const struct ftrace_return *r, u64 now)
{
	if (likely(graph_call_began_after(gops, call)))
		gops->notify(gops, call, r, now);
}

/* Notify each user whose bit is set in @users, and that was registered when the call began. */
static noinline void graph_notify_each(unsigned long users, const struct ftrace_ret_stack *call,
				       const struct ftrace_return *r, u64 now)
{
	do {
		graph_notify_user(READ_ONCE(graph_users[__ffs(users)]), call, r, now);
		users &= users - 1;
	} while (users);
}

/*
 * If the call has exactly two users, and both have the same ->notify_joint, notify both of them by
 * calling that function once; the tail call saves no registers. Otherwise notify the users one by
 * one.
 */
static noinline void graph_notify_many(unsigned long users, const struct ftrace_ret_stack *call,
				       const struct ftrace_return *r, u64 now)
{
	struct fgraph_ops *first = READ_ONCE(graph_users[__ffs(users)]), *second;
	unsigned long rest = users & (users - 1);
	graph_notify_joint_t joint = first->notify_joint;

	second = READ_ONCE(graph_users[__ffs(rest)]);
	if (likely(!(rest & (rest - 1)) && joint && joint == second->notify_joint) &&
	    graph_call_began_after(first, call) && graph_call_began_after(second, call))
		return joint(first, call, r, now, second);
	graph_notify_each(users, call, r, now);
}

/* A single user, the common case, is notified inline, since that saves few registers. */
static __always_inline void graph_notify_users(const struct ftrace_ret_stack *call,
					       const struct ftrace_return *r, u64 now)
{
	unsigned long users = call->users;

	if (unlikely(!users))
		return;
	if (users & (users - 1))
		return graph_notify_many(users, call, r, now);
	graph_notify_user(READ_ONCE(graph_users[__ffs(users)]), call, r, now);
}

void graph_notify_abandoned(struct task_struct *task, const struct ftrace_ret_stack *call)
{
	unsigned long users = call->users;
	struct fgraph_ops *gops;

	for (; users; users &= users - 1) {
		gops = READ_ONCE(graph_users[__ffs(users)]);
		if (graph_call_began_after(gops, call))
			gops->abandoned(gops, task, call);
	}
}

/**
 * graph_return() - process the return of a traced function
 * @r: return values saved by return_to_handler(); @r->to is set to the address to continue at
 *
 * Called by return_to_handler().
 *
 * Context: that of the traced function, NMI included; preemption may be on.
 */
__visible void graph_return(struct ftrace_return *r)
{
	struct task_struct *task = current;
	struct ftrace_ret_stack *call = graph_newest_call(task);
	unsigned long *older = graph_call_at(task, task->curr_ret_stack - call->below)->retp;

	preempt_disable_notrace();
	if (unlikely(!arch_graph_newest_returns(call->retp, older, arch_return_retp(r))))
		call = graph_pop_to_returning_call(task, arch_return_retp(r));
	graph_notify_users(call, r, graph_clock());
	/*
	 * Set @r->to before the pop: an unwinder in an interrupt finds the original return address
	 * in at least one of @r and the call.
	 */
	WRITE_ONCE(r->to, call->ret);
	barrier();
	graph_pop_call(task, call);
	if (!task->curr_ret_stack && unlikely(!READ_ONCE(graph_stacks_wanted)))
		graph_note_unused_stack();
	preempt_enable_notrace();
}
