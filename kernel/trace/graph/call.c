// SPDX-License-Identifier: GPL-2.0
/*
 * A call that is waited for: its entry, for users that are not a part of the tracer,
 * its return for all, and what users keep meanwhile.
 *
 * All of it runs in the middle of whatever the traced function was called in.  It must
 * not sleep, lock, allocate or print.
 */
#include <linux/bitops.h>
#include <linux/export.h>
#include <linux/ftrace.h>
#include <linux/kernel.h>
#include <linux/math.h>
#include <linux/preempt.h>
#include <linux/trace_recursion.h>

#include "graph.h"
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

	call->calltime = graph_clock();
	return gops->entryfunc(&ent, gops);
}

struct ftrace_ret_stack *graph_drop_left(struct task_struct *task, unsigned long func,
					 unsigned long *retp)
{
	struct ftrace_ret_stack *newest = graph_newest(task);

	pause_graph_tracing();
	while (arch_graph_may_be_over(newest->retp, retp) &&
	       arch_graph_is_over(newest, func, retp)) {
		graph_pop(task, newest);
		newest = graph_newest(task);
	}
	unpause_graph_tracing();
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
	int index;

	pause_graph_tracing();
	call = find_returning(task, at, &index);
	unpause_graph_tracing();
	if (!call) {
		call = graph_newest(task);
		graph_report_lost(call, at);
		return call;
	}
	while (task->curr_ret_stack != index)
		graph_pop(task, graph_newest(task));
	return call;
}

void graph_tell_retfunc(struct fgraph_ops *gops, const struct ftrace_ret_stack *call,
			unsigned long retval)
{
	struct ftrace_graph_ret trace = {
		.func		= call->func,
		.depth		= current->curr_ret_depth - 1,
		.overrun	= atomic_read(&current->trace_overrun),
		.calltime	= call->calltime,
		.rettime	= graph_clock(),
	};
	int bit;

	ftrace_graph_set_retval(&trace, retval);
	/* The same guard as at the entry: what it calls is not asked for. */
	bit = trace_recursion_enter(TRACE_RECURSION_ASSIST);
	if (bit < 0)
		return;
	gops->retfunc(&trace, gops);
	trace_recursion_exit(bit);
}

/* Tell those users who are still there. */
static __always_inline void tell_all(const struct ftrace_ret_stack *call,
				     unsigned long retval)
{
	unsigned long users = call->users;
	struct fgraph_ops *gops;

	for (; users; users &= users - 1) {
		gops = READ_ONCE(graph_users[__ffs(users)]);
		if (likely((s32)(call->seq - gops->since) >= 0))
			gops->told(gops, call, retval);
	}
}

/**
 * graph_return - a function that is waited for returns
 * @at: by what the architecture knows the return: see arch_graph_returns()
 * @retval: what the function returns, if it has a value
 *
 * From return_to_handler(), which keeps all that the function returns something in.
 *
 * Context: that of the function.
 * Return: where it has to return to.
 */
__visible unsigned long graph_return(unsigned long *at, unsigned long retval)
{
	struct task_struct *task = current;
	struct ftrace_ret_stack *call = graph_newest(task);
	unsigned long *older = graph_call_at(task, task->curr_ret_stack - call->below)->retp;
	unsigned long ret;

	preempt_disable_notrace();
	if (unlikely(!arch_graph_returns(call->retp, older, at)))
		call = find_call(task, at);
	tell_all(call, retval);
	ret = call->ret;
	graph_pop(task, call);
	if (!task->curr_ret_stack && unlikely(!READ_ONCE(graph_stacks_wanted)))
		graph_stack_unused();
	preempt_enable_notrace();
	return ret;
}

/* ------------------------------------------------------------------ */
/* What users keep							*/

/*
 * Behind a call stand the data that users have reserved, each behind a word that
 * says whose it is, and how many words it has together with that one.
 */
#define DATA_IDX_SHIFT	16

static unsigned long *data_begin(struct ftrace_ret_stack *call)
{
	return (unsigned long *)(call + 1);
}

static unsigned long *data_end(struct ftrace_ret_stack *call)
{
	return (unsigned long *)call + call->words;
}

/*
 * Who interrupts fgraph_reserve_data() may find the last word that says so not written yet,
 * but random.
 */
static unsigned long *find_data(struct ftrace_ret_stack *call, int idx)
{
	unsigned long *data = data_begin(call), *end = data_end(call);
	unsigned long word, words;

	for (; data < end; data += words) {
		word = READ_ONCE(*data);
		words = word & U16_MAX;
		if (!words || words > end - data)
			return NULL;
		if (word >> DATA_IDX_SHIFT == idx)
			return data;
	}
	return NULL;
}

/**
 * fgraph_reserve_data - have something kept until the function returns
 * @idx: &fgraph_ops.idx
 * @size_bytes: how much
 *
 * Once for each call.
 *
 * Context: the entryfunc of the user.
 * Return: the place, aligned for a long; its content is random.  NULL without room.
 */
void *fgraph_reserve_data(int idx, int size_bytes)
{
	struct task_struct *task = current;
	struct ftrace_ret_stack *call = graph_newest(task);
	unsigned long *data = data_end(call);
	int words;

	if (size_bytes < 0 || size_bytes > SZ_4K)
		return NULL;
	/* What comes above has an u64 in it. */
	words = round_up(size_bytes + sizeof(long), sizeof(u64)) / sizeof(long);
	if (call->words + words > GRAPH_CALL_WORDS_MAX ||
	    task->curr_ret_stack + call->words + words > GRAPH_STACK_WORDS)
		return NULL;
	WRITE_ONCE(call->words, call->words + words);
	/* It is ours before it is written to. */
	barrier();
	*data = (unsigned long)idx << DATA_IDX_SHIFT | words;
	return data + 1;
}
EXPORT_SYMBOL_GPL(fgraph_reserve_data);

/**
 * fgraph_retrieve_data - find what fgraph_reserve_data() has reserved
 * @idx: &fgraph_ops.idx
 * @size_bytes: set to its size, which may have been rounded up
 *
 * Context: the retfunc of the user, or its entryfunc.
 * Return: the place; NULL if nothing was reserved.
 */
void *fgraph_retrieve_data(int idx, int *size_bytes)
{
	unsigned long *data = find_data(graph_newest(current), idx);

	if (!data)
		return NULL;
	if (size_bytes)
		*size_bytes = ((*data & U16_MAX) - 1) * sizeof(long);
	return data + 1;
}
EXPORT_SYMBOL_GPL(fgraph_retrieve_data);

static bool is_told(const struct fgraph_ops *gops, const struct ftrace_ret_stack *call)
{
	return (call->users & gops->user) && (s32)(call->seq - gops->since) >= 0;
}

void *graph_outer_data(const struct fgraph_ops *gops)
{
	struct task_struct *task = current;
	struct ftrace_ret_stack *call = graph_newest(task);
	int index = task->curr_ret_stack - call->below;
	unsigned long *data;

	for (; index; index -= call->below) {
		call = graph_call_at(task, index);
		if (!is_told(gops, call))
			continue;
		data = find_data(call, gops->idx);
		return data ? data + 1 : NULL;
	}
	return NULL;
}

/**
 * fgraph_get_task_var - a word that a user has for each task
 * @gops: the user
 *
 * 0 when the user comes, or the task.
 *
 * Context: the entryfunc or the retfunc of the user.
 * Return: the place of current's.
 */
unsigned long *fgraph_get_task_var(struct fgraph_ops *gops)
{
	return graph_var(current, gops->idx);
}
EXPORT_SYMBOL_GPL(fgraph_get_task_var);
