/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tracing of functions from entry to return (SPEC T3): the interface for other rooms.
 *
 * <linux/ftrace_graph.h> is the interface for all users. A tracer, for which each instruction
 * counts, calls graph_enter() itself from the callback of its ops, with its own entry function
 * inlined.
 *
 * A traced call is a call whose return address was replaced with that of return_to_handler(),
 * and that has not returned yet. An abandoned call is a traced call that ended without a return.
 *
 * Up to GRAPH_OTHERS users have a bit each in &ftrace_ret_stack.users. The others share bit
 * GRAPH_OTHERS, and are listed in the data of the call by &fgraph_ops.idx: see graph_store_other().
 */
#ifndef _KERNEL_TRACE_GRAPH_H
#define _KERNEL_TRACE_GRAPH_H

#include <linux/container_of.h>
#include <linux/ftrace.h>
#include <linux/ftrace_arch.h>
#include <linux/jump_label.h>
#include <linux/sched.h>
#include <linux/trace_clock.h>
#include <asm/trace_clock_inline.h>

#include "stack.h"

/* Sequence number of the newest user, stored in each new call; see &fgraph_ops.since. */
extern u32 graph_seq;

/* True if the clock can be read in place: arch_trace_clock_usable(). */
DECLARE_STATIC_KEY_FALSE(graph_clock_fast);

/* The time as trace_clock_local() returns it. The caller has preemption off. */
static __always_inline u64 graph_clock(void)
{
	return static_branch_likely(&graph_clock_fast) ? arch_trace_clock() :
							 trace_clock_local();
}

/**
 * graph_unregister() - unregister a user of entries and returns, if there is memory
 * @gops: the user; ignored if it is not registered
 *
 * Context and effect: as unregister_ftrace_graph(), which does not fail.
 * Return: 0; -ENOMEM if @gops stays registered.
 */
int graph_unregister(struct fgraph_ops *gops);

/**
 * graph_unregister_many() - unregister several users with a single grace period
 * @gops: the users; those that are not registered are ignored
 * @nr: number of users in @gops
 *
 * Context: sleeps, possibly long (see unregister_ftrace_function()); takes graph_lock and
 * ftrace_lock.
 */
void graph_unregister_many(struct fgraph_ops **gops, unsigned int nr);

/**
 * graph_sleep_unwanted() - request or release the exclusion of sleep time from call durations
 * @unwanted: true to request the exclusion, false to release one request
 *
 * Time in which a task does not run counts in the duration of its calls while there is no
 * request. The exclusion applies to the calls of all users.
 *
 * Context: may sleep; takes a mutex.
 * Return: 0; -ENOMEM if nothing has changed.
 */
int graph_sleep_unwanted(bool unwanted);

/**
 * graph_outer_data() - find what a user has reserved for the call around the newest one
 * @gops: the user
 *
 * The call around the newest one is the next older call of current whose return is reported to
 * @gops.
 *
 * Context: as for fgraph_retrieve_data().
 * Return: what fgraph_reserve_data() returned for that call; NULL if nothing was reserved, or
 * if there is no such call.
 */
void *graph_outer_data(const struct fgraph_ops *gops);

/**
 * graph_data_of() - find what a user has reserved for a call
 * @call: the call
 * @gops: the user
 *
 * Context: &fgraph_ops.notify or &fgraph_ops.abandoned of the user.
 * Return: what fgraph_reserve_data() returned for the call; NULL if nothing was reserved.
 */
void *graph_data_of(const struct ftrace_ret_stack *call, const struct fgraph_ops *gops);

/* The user that contains these ops. */
static __always_inline struct fgraph_ops *graph_user_of(struct ftrace_ops *op)
{
	return container_of(op, struct fgraph_ops, ops);
}

/**
 * graph_is_behind_others() - true if a user is called after the other users without a bit
 * @gops: a user without a bit of its own
 * @call: the call
 *
 * Compares @gops with the users in @call that have no bit of their own either.
 *
 * Context: the entry of the call.
 */
bool graph_is_behind_others(const struct fgraph_ops *gops,
			    const struct ftrace_ret_stack *call);

/*
 * True if @gops is called after all users that are in @call. Users with a higher bit are
 * called later.
 */
static __always_inline bool graph_is_behind(const struct fgraph_ops *gops,
					    const struct ftrace_ret_stack *call)
{
	return call->users < gops->user || (gops->user == BIT(GRAPH_OTHERS) &&
					    graph_is_behind_others(gops, call));
}

static __always_inline bool graph_is_this_call(const struct ftrace_ret_stack *call,
					       unsigned long func, unsigned long *retp)
{
	return call->retp == retp && call->func == func;
}

/*
 * True if the newest call of the task is the one being entered, pushed by another user.
 *
 * A tail call of a function to itself begins a new call with the same @func and @retp. Users are
 * called in a fixed order. So a user that comes before one already in the call was asked when
 * the call began, and has declined it or is in it as well: for that user, a new call has begun.
 */
static __always_inline bool graph_is_same_call(const struct ftrace_ret_stack *call,
					       unsigned long func, unsigned long *retp,
					       unsigned long ret,
					       const struct fgraph_ops *gops)
{
	return ret == (unsigned long)return_to_handler &&
	       graph_is_this_call(call, func, retp) && graph_is_behind(gops, call);
}

/**
 * graph_store_other() - add a user without a bit of its own to a call
 * @call: the newest call of current
 * @idx: &fgraph_ops.idx of the user
 *
 * Context: the entry of the call.
 * Return: true if the user is stored in the call; false if there is no room.
 */
bool graph_store_other(struct ftrace_ret_stack *call, unsigned int idx);

/**
 * graph_has_place() - ensure that a call can store a user
 * @gops: the user, which may be one of &fgraph_ops.many
 * @call: the newest call of current
 *
 * Context: the entry of the call, before the user accepts it.
 * Return: true if @gops can be notified of the return; false if there is no room.
 */
static __always_inline bool graph_has_place(const struct fgraph_ops *gops,
					    struct ftrace_ret_stack *call)
{
	return gops->idx < GRAPH_OTHERS || graph_store_other(call, gops->idx);
}

/**
 * typedef graph_entry_t - entry function of a user that is part of the tracer
 * @gops: the user
 * @call: the call; the function sets its calltime if the call has no users yet
 * @depth: depth of the call
 * @fregs: registers at the entry of the traced function
 *
 * Return: true if the user wants to be notified of the return.
 */
typedef bool (*graph_entry_t)(struct fgraph_ops *gops, struct ftrace_ret_stack *call,
			      int depth, struct ftrace_regs *fregs);

/* Add @gops to a call that another user has pushed, if @entry accepts the call. */
static noinline void graph_join_call(struct fgraph_ops *gops, struct task_struct *task,
				     struct ftrace_ret_stack *call, struct ftrace_regs *fregs,
				     graph_entry_t entry)
{
	u8 words = call->words;

	if (entry(gops, call, task->curr_ret_depth - 1, fregs))
		call->users |= gops->user;
	else
		/* Drop the data that @entry has reserved. */
		WRITE_ONCE(call->words, words);
}

/* Fill in the members of a call that do not depend on its users. */
static __always_inline void graph_describe(struct ftrace_ret_stack *call, unsigned long func,
					   unsigned long ret, unsigned long *retp)
{
	call->ret = ret;
	call->func = func;
	call->seq = READ_ONCE(graph_seq);
	/* An unwinder that finds @retp finds the members above filled in as well. */
	barrier();
	WRITE_ONCE(call->retp, retp);
}

static __always_inline void graph_begin(struct fgraph_ops *gops, struct task_struct *task,
					struct ftrace_ret_stack *call, unsigned long func,
					unsigned long *ret, unsigned long *retp,
					struct ftrace_regs *fregs, graph_entry_t entry)
{
	graph_describe(call, func, *ret, retp);
	if (entry(gops, call, task->curr_ret_depth - 1, fregs)) {
		call->users = gops->user;
		WRITE_ONCE(*ret, (unsigned long)return_to_handler);
	} else {
		graph_pop(task, call);
	}
}

/**
 * graph_drop_abandoned() - drop the calls that were abandoned without a return
 * @task: current, which has a stack
 * @func: the function being entered
 * @retp: &ftrace_ret_stack.retp of the call being entered
 *
 * Only calls that arch_graph_is_abandoned() recognizes are dropped. The newest call that remains
 * may be abandoned as well.
 *
 * Context: any; preemption off.
 * Return: the newest call that remains.
 */
struct ftrace_ret_stack *graph_drop_abandoned(struct task_struct *task, unsigned long func,
					      unsigned long *retp);

/**
 * graph_is_paused() - true if new calls of current must not be traced
 * @task: current, whose tracing_graph_pause is not 0
 *
 * Calls are not traced if somebody has paused tracing for the task, or if the call belongs to
 * the tracer's own work. Calls of an interrupt on top of that work are traced.
 *
 * Context: any; preemption off.
 */
bool graph_is_paused(const struct task_struct *task);

/**
 * graph_enter_or() - graph_enter() with a choice of the value to return during a pause
 * @gops: the user whose ops was called
 * @ip: address of the function, as passed to the callback of the ops
 * @fregs: registers, as passed to the callback
 * @entry: entry function of the user; best inlined
 * @if_paused: value to return if graph_is_paused(); best a constant
 *
 * Context: the callback of the ops; preemption off.
 * Return: as for graph_enter(); @if_paused if tracing is paused, without a call of @entry.
 */
static __always_inline bool graph_enter_or(struct fgraph_ops *gops, unsigned long ip,
					   struct ftrace_regs *fregs,
					   graph_entry_t entry, bool if_paused)
{
	unsigned long *retp = arch_graph_retp(fregs);
	unsigned long *ret = arch_graph_ret(fregs);
	struct ftrace_ret_stack *newest, *call;
	struct task_struct *task = current;

	/*
	 * Another CPU may set the stack pointer at any time, and the stack stays while there
	 * are users: the compiler need not load the pointer again.
	 */
	if (unlikely(!data_race(task->ret_stack))) {
		graph_stack_missing();
		return false;
	}
	if (unlikely(atomic_read(&task->tracing_graph_pause)) && graph_is_paused(task))
		return if_paused;
	newest = graph_newest(task);
	if (unlikely(graph_is_same_call(newest, ip, retp, *ret, gops))) {
		graph_join_call(gops, task, newest, fregs, entry);
		return true;
	}
	if (unlikely(arch_graph_may_be_abandoned(newest->retp, retp)) &&
	    *ret != (unsigned long)return_to_handler)
		newest = graph_drop_abandoned(task, ip, retp);
	/*
	 * The call has no users yet, so nobody is notified of it and graph_outer_data() skips
	 * it.
	 */
	call = graph_push(task, newest, &(const u32){ graph_head(0) });
	if (unlikely(!call)) {
		atomic_inc(&task->trace_overrun);
		return false;
	}
	graph_begin(gops, task, call, ip, ret, retp, fregs, entry);
	return true;
}

/**
 * graph_enter() - process the entry of a function
 * @gops: the user whose ops was called
 * @ip: address of the function, as passed to the callback of the ops
 * @fregs: registers, as passed to the callback
 * @entry: entry function of the user; best inlined
 *
 * Context: the callback of the ops; preemption off.
 * Return: true if @entry was called or tracing is paused; false if the task has no stack, or
 * no room on it. Such calls are counted, and @entry was not called.
 */
static __always_inline bool graph_enter(struct fgraph_ops *gops, unsigned long ip,
					struct ftrace_regs *fregs,
					graph_entry_t entry)
{
	return graph_enter_or(gops, ip, fregs, entry, true);
}

/**
 * graph_enter_preempt() - graph_enter() for callers with preemption on
 * @gops: the user whose ops was called
 * @ip: address of the function, as passed to the callback of the ops
 * @fregs: registers, as passed to the callback
 * @entry: entry function of the user; best inlined
 *
 * Context: the callback of the ops; preemption as in the traced function.
 */
static __always_inline void graph_enter_preempt(struct fgraph_ops *gops, unsigned long ip,
						struct ftrace_regs *fregs,
						graph_entry_t entry)
{
	preempt_disable_notrace();
	graph_enter(gops, ip, fregs, entry);
	preempt_enable_notrace();
}

/**
 * graph_is_joined() - true if another user traces the return of the function being entered
 * @fregs: registers, as passed to the callback of an ops
 *
 * Also true for the target of a tail call from a traced function.
 *
 * Context: the callback of an ops.
 */
static __always_inline bool graph_is_joined(struct ftrace_regs *fregs)
{
	return *arch_graph_ret(fregs) == (unsigned long)return_to_handler;
}

/**
 * graph_join_plain() - join a call that another user has pushed, in the common case
 * @gops: the user whose ops was called; it has a bit of its own
 * @ip: address of the function, as passed to the callback of the ops
 * @fregs: registers, as passed to the callback; graph_is_joined() is true
 *
 * Acts as graph_enter() with an @entry that accepts the call. A user that declines later
 * clears its bit in &ftrace_ret_stack.users, and is then not notified of the return.
 *
 * Context: the callback of the ops; preemption off.
 * Return: the call; NULL if nothing has happened and the caller must use graph_enter().
 */
static __always_inline struct ftrace_ret_stack *
graph_join_plain(struct fgraph_ops *gops, unsigned long ip, struct ftrace_regs *fregs)
{
	/* The user that pushed the call has found a stack and no pause. */
	struct ftrace_ret_stack *newest = graph_newest(current);

	if (unlikely(!graph_is_this_call(newest, ip, arch_graph_retp(fregs)) ||
		     newest->users >= gops->user))
		return NULL;
	newest->users |= gops->user;
	/* Tell the compiler that the result is not NULL: saves a test in the caller. */
	if (!newest)
		__builtin_unreachable();
	return newest;
}

/**
 * graph_newest_plain() - find the newest call for graph_begin_with_data(), in the common case
 * @fregs: registers, as passed to the callback of an ops; graph_is_joined() is false
 *
 * Context: the callback of the ops; preemption off.
 * Return: the newest call of current; NULL if there is a pause, no stack, or perhaps an
 * abandoned call, and the caller must use graph_enter().
 */
static __always_inline struct ftrace_ret_stack *graph_newest_plain(struct ftrace_regs *fregs)
{
	struct ftrace_ret_stack *newest;
	struct task_struct *task = current;

	/*
	 * A plain load, which the compiler folds into the test: only current changes the
	 * counter.
	 */
	if (unlikely(task->tracing_graph_pause.counter))
		return NULL;
	/* Another CPU may set the pointer at any time; see graph_enter_or(). */
	if (unlikely(!data_race(task->ret_stack)))
		return NULL;
	newest = graph_newest(task);
	if (unlikely(arch_graph_may_be_abandoned(newest->retp, arch_graph_retp(fregs))))
		return NULL;
	/* Tell the compiler that the result is not NULL: saves a test in the caller. */
	if (!newest)
		__builtin_unreachable();
	return newest;
}

/**
 * graph_begin_with_data() - push a call that has no other users, with data, in the common case
 * @gops: the user whose ops was called
 * @newest: result of graph_newest_plain()
 * @ip: address of the function, as passed to the callback of the ops
 * @fregs: registers, as passed to the callback
 * @size: bytes to reserve for the user, zeroed, see graph_plain_data(); a constant
 *
 * Acts as graph_enter() with an @entry that accepts the call, but the caller sets the
 * calltime.
 *
 * Context: the callback of the ops; preemption off.
 * Return: the call; NULL if there is no room, which has been counted.
 */
static __always_inline struct ftrace_ret_stack *
graph_begin_with_data(struct fgraph_ops *gops, const struct ftrace_ret_stack *newest,
		      unsigned long ip, struct ftrace_regs *fregs, unsigned int size)
{
	unsigned long *retp = arch_graph_retp(fregs);
	unsigned long *ret = arch_graph_ret(fregs);
	struct task_struct *task = current;
	struct ftrace_ret_stack *call;

	call = graph_push_with_data(task, newest, &gops->head, gops->idx, size);
	if (unlikely(!call)) {
		atomic_inc(&task->trace_overrun);
		return NULL;
	}
	graph_describe(call, ip, *ret, retp);
	WRITE_ONCE(*ret, (unsigned long)return_to_handler);
	return call;
}

/* graph_begin_with_data() for users that reserve no data. */
static __always_inline struct ftrace_ret_stack *
graph_begin_plain(struct fgraph_ops *gops, const struct ftrace_ret_stack *newest,
		  unsigned long ip, struct ftrace_regs *fregs)
{
	return graph_begin_with_data(gops, newest, ip, fregs, 0);
}

/**
 * graph_outer_call() - find the call that encloses a call
 * @call: a call of current
 *
 * Context: any; preemption off.
 * Return: the next older call, which may belong to other users only; NULL if there is none.
 */
static __always_inline struct ftrace_ret_stack *
graph_outer_call(const struct ftrace_ret_stack *call)
{
	struct ftrace_ret_stack *outer = (void *)call - call->below * sizeof(long);

	return outer == graph_call_at(current, 0) ? NULL : outer;
}

/**
 * graph_plain_data() - find the data of a user for a call, if no other user has reserved any
 * @gops: the user
 * @call: a call, whether or not @gops is one of its users
 * @size: bytes of the data; a constant
 *
 * Context: as for fgraph_retrieve_data().
 * Return: the data; NULL if @gops is no user of the call, if its data has another size, or if
 * another user has reserved data for the call.
 */
static __always_inline void *graph_plain_data(const struct fgraph_ops *gops,
					      const struct ftrace_ret_stack *call,
					      unsigned int size)
{
	unsigned int words = graph_data_words(size);
	unsigned long *data = graph_data_begin(call);

	if (!graph_is_notified(gops, call) || call->words != GRAPH_CALL_WORDS + words ||
	    *data != graph_data_head(gops->idx, words))
		return NULL;
	return data + 1;
}

/**
 * graph_may_be_abandoned() - true if the stack may hold calls that were abandoned without a return
 * @fregs: registers, as passed to the callback of an ops
 *
 * graph_enter() drops abandoned calls and notifies their users.
 *
 * Context: the callback of an ops; preemption off.
 */
static __always_inline bool graph_may_be_abandoned(struct ftrace_regs *fregs)
{
	struct task_struct *task = current;

	/* Another CPU may set the pointer at any time; see graph_enter_or(). */
	return data_race(task->ret_stack) &&
	       arch_graph_may_be_abandoned(graph_newest(task)->retp, arch_graph_retp(fregs));
}

/**
 * graph_is_too_deep() - true if the call being entered would have a depth of @depth or more
 * @fregs: registers, as passed to the callback of an ops at the entry
 * @depth: depth, in calls
 *
 * A caller that declines such a call need not have it pushed first.
 *
 * Context: the callback of an ops; preemption may be on.
 * Return: true if the call is too deep; false also if that is not known yet.
 */
static __always_inline bool graph_is_too_deep(struct ftrace_regs *fregs, unsigned int depth)
{
	struct task_struct *task = current;

	/* Another CPU may set the pointer at any time; see graph_enter_or(). */
	if ((unsigned int)task->curr_ret_depth < depth || !data_race(task->ret_stack))
		return false;
	/* The newest call may be the one being entered, or an abandoned one. */
	return !graph_is_joined(fregs) && !graph_may_be_abandoned(fregs);
}

#endif /* _KERNEL_TRACE_GRAPH_H */
