// SPDX-License-Identifier: GPL-2.0
/*
 * A call that is waited for: its entry, for users that are not a part of the tracer, and
 * its return for all.
 *
 * All of it runs in the middle of whatever the traced function was called in.  It must
 * not sleep, lock, allocate or print.
 */
#include <linux/bitops.h>
#include <linux/export.h>
#include <linux/ftrace.h>
#include <linux/kernel.h>
#include <linux/preempt.h>
#include <linux/trace_recursion.h>

#include "graph.h"
#include "guard/guard.h"
#include "users.h"

/* ------------------------------------------------------------------ */
/* Entry								*/

/**
 * ftrace_graph_entry_stub - say no
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

static __always_inline bool ask_entryfunc(struct fgraph_ops *gops,
					  struct ftrace_ret_stack *call, int depth,
					  struct ftrace_regs *fregs)
{
	struct ftrace_graph_ent ent = { .func = call->func, .depth = depth };

	if (!call->users)
		call->calltime = graph_clock();
	return gops->entryfunc(&ent, gops) && graph_has_place(gops, call);
}

/* Only when the count is not 0: that of what the tracer itself does is in there as well. */
bool graph_is_paused(const struct task_struct *task)
{
	return atomic_read(&task->tracing_graph_pause) % TRACE_OWN_PAUSE ||
	       trace_is_own(trace_preempt_word());
}

/* Users go by what a call that is over has kept, and by who was before it. */
static void pop_left(struct task_struct *task, struct ftrace_ret_stack *newest)
{
	graph_tell_left(task, newest);
	graph_pop(task, newest);
}

struct ftrace_ret_stack *graph_drop_left(struct task_struct *task, unsigned long func,
					 unsigned long *retp)
{
	struct ftrace_ret_stack *newest;
	struct trace_own own;
	unsigned long flags;

	/* Who interrupts may find the same calls to be left: they are dropped once. */
	flags = trace_own_irqsave(&own);
	newest = graph_newest(task);
	while (arch_graph_may_be_over(newest->retp, retp) &&
	       arch_graph_is_over(newest, func, retp)) {
		pop_left(task, newest);
		newest = graph_newest(task);
	}
	trace_own_irqrestore(&own, flags);
	return newest;
}

/* With FTRACE_OPS_FL_RECURSION, which has preemption off. */
void graph_call(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
		struct ftrace_regs *fregs)
{
	graph_enter(graph_user_of(op), ip, fregs, ask_entryfunc);
}

/* ------------------------------------------------------------------ */
/* Return								*/

/* The newest call of @task that may return like that, NULL if there is none. */
static struct ftrace_ret_stack *find_returning(struct task_struct *task, unsigned long *at,
					       int *index)
{
	struct ftrace_ret_stack *call = graph_newest(task);

	for (*index = task->curr_ret_stack; *index; call = graph_call_at(task, *index)) {
		if (arch_graph_is_returning(call, at))
			return call;
		*index -= call->below;
	}
	return NULL;
}

/*
 * The newest call may not be the one that returns.  Those above that one were left without
 * a return: they are over.  If there is none, a function was compiled so that it
 * does not return through its return address, but through a copy of it: then it is
 * the newest call after all.
 */
static noinline struct ftrace_ret_stack *find_call(struct task_struct *task,
						   unsigned long *at)
{
	struct ftrace_ret_stack *call;
	struct trace_own own;
	unsigned long flags;
	int index;

	/* As in graph_drop_left(). */
	flags = trace_own_irqsave(&own);
	call = find_returning(task, at, &index);
	if (call) {
		while (task->curr_ret_stack != index)
			pop_left(task, graph_newest(task));
	} else {
		call = graph_newest(task);
		graph_report_lost(call, at);
	}
	trace_own_irqrestore(&own, flags);
	return call;
}

void graph_tell_retfunc(struct fgraph_ops *gops, const struct ftrace_ret_stack *call,
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
	/* The same guard as at the entry: what it calls is not asked for. */
	bit = trace_recursion_enter(TRACE_RECURSION_ASSIST);
	if (bit < 0)
		return;
	gops->retfunc(&trace, gops);
	trace_recursion_exit(bit);
}

static __always_inline void tell(struct fgraph_ops *gops,
				 const struct ftrace_ret_stack *call,
				 const struct ftrace_return *r, u64 now)
{
	if (likely(graph_knows(gops, call)))
		gops->told(gops, call, r, now);
}

/* Those users who are still there. */
static noinline void tell_each(unsigned long users, const struct ftrace_ret_stack *call,
			       const struct ftrace_return *r, u64 now)
{
	do {
		tell(READ_ONCE(graph_users[__ffs(users)]), call, r, now);
		users &= users - 1;
	} while (users);
}

/* Two may have one way to be told for both: it is called last, so nothing has to be kept. */
static noinline void tell_many(unsigned long users, const struct ftrace_ret_stack *call,
			       const struct ftrace_return *r, u64 now)
{
	struct fgraph_ops *first = READ_ONCE(graph_users[__ffs(users)]), *second;
	unsigned long rest = users & (users - 1);
	graph_told_joint_t joint = first->told_joint;

	second = READ_ONCE(graph_users[__ffs(rest)]);
	if (likely(!(rest & (rest - 1)) && joint && joint == second->told_joint) &&
	    graph_knows(first, call) && graph_knows(second, call))
		return joint(first, call, r, now, second);
	tell_each(users, call, r, now);
}

/* One of them has it straight: little has to be kept in registers for that. */
static __always_inline void tell_all(const struct ftrace_ret_stack *call,
				     const struct ftrace_return *r, u64 now)
{
	unsigned long users = call->users;

	if (unlikely(!users))
		return;
	if (users & (users - 1))
		return tell_many(users, call, r, now);
	tell(READ_ONCE(graph_users[__ffs(users)]), call, r, now);
}

void graph_tell_left(struct task_struct *task, const struct ftrace_ret_stack *call)
{
	unsigned long users = call->users;
	struct fgraph_ops *gops;

	for (; users; users &= users - 1) {
		gops = READ_ONCE(graph_users[__ffs(users)]);
		if (graph_knows(gops, call))
			gops->left(gops, task, call);
	}
}

/**
 * graph_return - a function that is waited for returns
 * @r: what return_to_handler() has put on the stack; where it goes on is put there
 *
 * From return_to_handler().
 *
 * Context: that of the function.
 */
__visible void graph_return(struct ftrace_return *r)
{
	struct task_struct *task = current;
	struct ftrace_ret_stack *call = graph_newest(task);
	unsigned long *older = graph_call_at(task, task->curr_ret_stack - call->below)->retp;

	preempt_disable_notrace();
	if (unlikely(!arch_graph_returns(call->retp, older, arch_return_at(r))))
		call = find_call(task, arch_return_at(r));
	tell_all(call, r, graph_clock());
	/* An unwinder finds the true address, or the call. */
	WRITE_ONCE(r->to, call->ret);
	barrier();
	graph_pop(task, call);
	if (!task->curr_ret_stack && unlikely(!READ_ONCE(graph_stacks_wanted)))
		graph_stack_unused();
	preempt_enable_notrace();
}
