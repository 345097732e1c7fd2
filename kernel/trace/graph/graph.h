/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tracing of functions from entry to return (SPEC T3): the interface for other rooms.
 *
 * A user is a struct fgraph_ops: it is called at entries of functions, and is notified of their
 * returns. <linux/ftrace_graph.h> is the interface for all users. A user in the tracer, for which
 * each instruction counts, calls graph_enter() itself from the callback of its ops, with its own
 * entry function inlined.
 *
 * A traced call is a call whose return address was replaced with that of return_to_handler(),
 * and that has not returned yet. An abandoned call is a traced call that ended without a return.
 *
 * Each user with an &fgraph_ops.idx below GRAPH_SHARED_BIT has the bit of that number in
 * &ftrace_ret_stack.users. All other users are sharers: they share the bit GRAPH_SHARED_BIT. The
 * sharers that are to be notified of the return of a call are listed in the data of that call by
 * their idx, see graph_store_sharer().
 */
#ifndef _KERNEL_TRACE_GRAPH_H
#define _KERNEL_TRACE_GRAPH_H

#include <linux/container_of.h>
#include <linux/ftrace.h>
#include <linux/ftrace_arch_return.h>
#include <linux/jump_label.h>
#include <linux/sched.h>
#include <linux/trace_clock.h>
#include <asm/trace_clock_inline.h>

#include "stack.h"

/*
 * Sequence number of the user that was registered last. Each new call stores it, so that users
 * registered later are not notified of the call: see graph_call_began_after().
 */
extern u32 graph_seq;

/* Enabled if arch_trace_clock(), which is inlined, returns the same time as trace_clock_local(). */
DECLARE_STATIC_KEY_FALSE(graph_clock_fast);

/* The time as trace_clock_local() returns it. The caller has preemption off. */
static __always_inline u64 graph_clock(void)
{
	return static_branch_likely(&graph_clock_fast) ? arch_trace_clock() :
							 trace_clock_local();
}

/**
 * graph_unregister() - unregister a user of entries and returns, or fail without memory
 * @gops: the user; ignored if it is not registered
 *
 * As unregister_ftrace_graph(), but without retries. If this returns 0, @gops is not notified any
 * more, and its memory may be freed.
 *
 * Context: sleeps, possibly long (see unregister_ftrace_function()); takes graph_lock and
 * ftrace_lock.
 * Return: 0; -ENOMEM if @gops stays registered.
 */
int graph_unregister(struct fgraph_ops *gops);

/**
 * graph_unregister_later() - unregister a user of entries and returns without waiting
 * @gops: the user; ignored if it is not registered
 *
 * @gops may still be notified of entries and returns until the caller has called
 * dispatch_synchronize(), once for any number of users.
 *
 * Context: may sleep, for the last user possibly long; takes graph_lock and ftrace_lock.
 * Return: 0; -ENOMEM if @gops stays registered.
 */
int graph_unregister_later(struct fgraph_ops *gops);

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
 * graph_exclude_sleep() - request that the durations of calls exclude sleep, or end a request
 * @exclude: true to make a request, false to end one
 *
 * While there is a request, the time in which a task does not run is excluded from the durations
 * of its calls, for all users. Otherwise it is included.
 *
 * Context: may sleep; takes a mutex.
 * Return: 0; -ENOMEM if nothing has changed.
 */
int graph_exclude_sleep(bool exclude);

/**
 * graph_outer_data() - find what a user has reserved for its call that encloses the newest call
 * @gops: the user
 *
 * Of the calls of current that are older than its newest call, that is the newest one that @gops
 * has accepted.
 *
 * Context: the entryfunc or the retfunc of the user.
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
 * graph_is_after_sharers() - true if a sharer has a higher idx than all that a call lists
 * @gops: the sharer, see GRAPH_SHARED_BIT
 * @call: the call
 *
 * At the entry of a function, sharers are called in the order of their &fgraph_ops.idx.
 *
 * Context: the entry of the call.
 */
bool graph_is_after_sharers(const struct fgraph_ops *gops,
			    const struct ftrace_ret_stack *call);

/*
 * True if @gops is called after all users that are in @call. At the entry of a function, users are
 * called in the order of their bits, lowest first.
 */
static __always_inline bool graph_is_after_users(const struct fgraph_ops *gops,
						 const struct ftrace_ret_stack *call)
{
	return call->users < gops->user || (gops->user == BIT(GRAPH_SHARED_BIT) &&
					    graph_is_after_sharers(gops, call));
}

static __always_inline bool graph_call_matches(const struct ftrace_ret_stack *call,
					       unsigned long func, unsigned long *retp)
{
	return call->retp == retp && call->func == func;
}

/*
 * True if @call, the newest call of the task, is the call being entered: then another user has
 * pushed it, and @gops has to be added to it.
 *
 * The same @func and @retp are not enough: if a function ends with a tail call of itself, @call may
 * be the previous call, with the same values. So the order in which users are called, which is the
 * same at each entry, is tested as well. If @call has @gops, or a user that is called after @gops,
 * then @gops was called at the entry of @call already, and this is a later entry.
 */
static __always_inline bool graph_is_being_entered(const struct ftrace_ret_stack *call,
						   unsigned long func, unsigned long *retp,
						   unsigned long ret,
						   const struct fgraph_ops *gops)
{
	return ret == (unsigned long)return_to_handler &&
	       graph_call_matches(call, func, retp) && graph_is_after_users(gops, call);
}

/**
 * graph_store_sharer() - list a sharer in the data of a call, unless it is listed already
 * @call: the newest call of current
 * @idx: &fgraph_ops.idx of the sharer, see GRAPH_SHARED_BIT
 *
 * Context: the entry of the call.
 * Return: true if the sharer is listed; false if the call has no room for it.
 */
bool graph_store_sharer(struct ftrace_ret_stack *call, unsigned int idx);

/**
 * graph_ensure_room_for_user() - prepare a call for a user that may accept it
 * @gops: the user: one with a bit of its own always has room; a sharer is listed in the call
 * @call: the newest call of current
 *
 * Context: the entry of the call, before the user accepts it.
 * Return: true if @gops may accept the call; false if there is no room, so @gops must decline it.
 */
static __always_inline bool graph_ensure_room_for_user(const struct fgraph_ops *gops,
						       struct ftrace_ret_stack *call)
{
	return gops->idx < GRAPH_SHARED_BIT || graph_store_sharer(call, gops->idx);
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

/*
 * Add @gops to the users of a call that another user has pushed, if @entry accepts it. Otherwise
 * drop the data that @entry has reserved.
 */
static noinline void graph_join_call(struct fgraph_ops *gops, struct task_struct *task,
				     struct ftrace_ret_stack *call, struct ftrace_regs *fregs,
				     graph_entry_t entry)
{
	u8 words = call->words;

	if (entry(gops, call, task->curr_ret_depth - 1, fregs))
		call->users |= gops->user;
	else
		WRITE_ONCE(call->words, words);
}

/* Fill in the members of a call that do not depend on its users. */
static __always_inline void graph_fill_in_call(struct ftrace_ret_stack *call, unsigned long func,
					       unsigned long ret, unsigned long *retp)
{
	call->ret = ret;
	call->func = func;
	call->seq = READ_ONCE(graph_seq);
	/* Store @retp last: an unwinder in an interrupt that finds it uses the members above. */
	barrier();
	WRITE_ONCE(call->retp, retp);
}

/* Fill in a call that was just pushed, and trace its return if @entry accepts it; else pop it. */
static __always_inline void graph_begin_call(struct fgraph_ops *gops, struct task_struct *task,
					     struct ftrace_ret_stack *call, unsigned long func,
					     unsigned long *ret, unsigned long *retp,
					     struct ftrace_regs *fregs, graph_entry_t entry)
{
	graph_fill_in_call(call, func, *ret, retp);
	if (entry(gops, call, task->curr_ret_depth - 1, fregs)) {
		call->users = gops->user;
		WRITE_ONCE(*ret, (unsigned long)return_to_handler);
	} else {
		graph_pop_call(task, call);
	}
}

/**
 * graph_drop_abandoned() - drop the newest calls as long as they were abandoned
 * @task: current, which has a stack
 * @func: the function being entered
 * @retp: &ftrace_ret_stack.retp of the call being entered
 *
 * Only calls that arch_graph_is_abandoned() recognizes are dropped; an abandoned call that it
 * does not recognize, and all calls below that one, remain.
 *
 * Context: any; preemption off.
 * Return: the newest call that remains.
 */
struct ftrace_ret_stack *graph_drop_abandoned(struct task_struct *task, unsigned long func,
					      unsigned long *retp);

/**
 * graph_is_paused() - true if the call being entered must not be traced
 * @task: current, whose tracing_graph_pause is not 0
 *
 * A call is not traced if pause_graph_tracing() is in effect for the task, or if the call belongs
 * to the tracer's own work. Calls of an interrupt on top of that work are traced.
 *
 * Context: any; preemption off.
 */
bool graph_is_paused(const struct task_struct *task);

/**
 * graph_enter_or_paused() - graph_enter() that returns a chosen value if tracing is paused
 * @gops: the user whose ops was called
 * @ip: address of the function, as passed to the callback of the ops
 * @fregs: registers, as passed to the callback
 * @entry: entry function of the user; best inlined
 * @if_paused: value to return if graph_is_paused(); best a constant
 *
 * Context: the callback of the ops; preemption off.
 * Return: as for graph_enter(); @if_paused if tracing is paused, without a call of @entry.
 */
static __always_inline bool graph_enter_or_paused(struct fgraph_ops *gops, unsigned long ip,
						  struct ftrace_regs *fregs,
						  graph_entry_t entry, bool if_paused)
{
	unsigned long *retp = arch_graph_retp(fregs);
	unsigned long *ret = arch_graph_ret(fregs);
	struct ftrace_ret_stack *newest, *call;
	struct task_struct *task = current;

	/*
	 * data_race(): another CPU may set the pointer from NULL at any time. READ_ONCE() is not
	 * needed: once set, the pointer does not change while there are users, so the compiler may
	 * load it once or several times.
	 */
	if (unlikely(!data_race(task->ret_stack))) {
		graph_note_missing_stack();
		return false;
	}
	if (unlikely(atomic_read(&task->tracing_graph_pause)) && graph_is_paused(task))
		return if_paused;
	newest = graph_newest_call(task);
	if (unlikely(graph_is_being_entered(newest, ip, retp, *ret, gops))) {
		graph_join_call(gops, task, newest, fregs, entry);
		return true;
	}
	if (unlikely(arch_graph_may_be_abandoned(newest->retp, retp)) &&
	    *ret != (unsigned long)return_to_handler)
		newest = graph_drop_abandoned(task, ip, retp);
	/*
	 * Push the call without users: until @entry has accepted it, no user is notified of it,
	 * and graph_outer_data() skips it.
	 */
	call = graph_push_call(task, newest, &(const u32){ graph_users_to_head(0) });
	if (unlikely(!call)) {
		atomic_inc(&task->trace_overrun);
		return false;
	}
	graph_begin_call(gops, task, call, ip, ret, retp, fregs, entry);
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
 * Return: true if @entry was called, or if tracing is paused. False if the task has no stack, or
 * no room on it: then @entry was not called, and the call is counted as missed.
 */
static __always_inline bool graph_enter(struct fgraph_ops *gops, unsigned long ip,
					struct ftrace_regs *fregs,
					graph_entry_t entry)
{
	return graph_enter_or_paused(gops, ip, fregs, entry, true);
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
 * graph_return_is_traced() - true if the function being entered returns to return_to_handler()
 * @fregs: registers, as passed to the callback of an ops
 *
 * Either a user that was called before has pushed the call, or the function is the target of a tail
 * call from a traced function, whose return address slot it uses.
 *
 * Context: the callback of an ops.
 */
static __always_inline bool graph_return_is_traced(struct ftrace_regs *fregs)
{
	return *arch_graph_ret(fregs) == (unsigned long)return_to_handler;
}

/**
 * graph_join_call_fast() - add a user to the call that another user has pushed, in the common case
 * @gops: the user whose ops was called; it has a bit of its own
 * @ip: address of the function, as passed to the callback of the ops
 * @fregs: registers, as passed to the callback; graph_return_is_traced() is true
 *
 * Acts as graph_enter() with an @entry that accepts the call. A user that declines later
 * clears its bit in &ftrace_ret_stack.users, and is then not notified of the return.
 *
 * Context: the callback of the ops; preemption off.
 * Return: the call; NULL if nothing was changed, and the caller must use graph_enter().
 */
static __always_inline struct ftrace_ret_stack *
graph_join_call_fast(struct fgraph_ops *gops, unsigned long ip, struct ftrace_regs *fregs)
{
	/* Whoever pushed the call has checked that there is a stack, and that there is no pause. */
	struct ftrace_ret_stack *newest = graph_newest_call(current);

	if (unlikely(!graph_call_matches(newest, ip, arch_graph_retp(fregs)) ||
		     newest->users >= gops->user))
		return NULL;
	newest->users |= gops->user;
	/* Tell the compiler that the result is not NULL: saves a test in the caller. */
	if (!newest)
		__builtin_unreachable();
	return newest;
}

/**
 * graph_newest_call_fast() - find the newest call, for graph_begin_call_with_data()
 * @fregs: registers, as passed to the callback of an ops; graph_return_is_traced() is false
 *
 * Context: the callback of the ops; preemption off.
 * Return: the newest call of current in the common case. NULL if tracing is paused, if there is no
 * stack, or if the newest call may be abandoned: then the caller must use graph_enter().
 */
static __always_inline struct ftrace_ret_stack *graph_newest_call_fast(struct ftrace_regs *fregs)
{
	struct ftrace_ret_stack *newest;
	struct task_struct *task = current;

	/*
	 * Not atomic_read(), so that the compiler can combine the load with the test. The value
	 * cannot change meanwhile: only current changes its counter.
	 */
	if (unlikely(task->tracing_graph_pause.counter))
		return NULL;
	/* Another CPU may set the pointer at any time; see graph_enter_or_paused(). */
	if (unlikely(!data_race(task->ret_stack)))
		return NULL;
	newest = graph_newest_call(task);
	if (unlikely(arch_graph_may_be_abandoned(newest->retp, arch_graph_retp(fregs))))
		return NULL;
	/* Tell the compiler that the result is not NULL: saves a test in the caller. */
	if (!newest)
		__builtin_unreachable();
	return newest;
}

/**
 * graph_begin_call_with_data() - push a call for its first user, with data, in the common case
 * @gops: the user whose ops was called
 * @newest: result of graph_newest_call_fast()
 * @ip: address of the function, as passed to the callback of the ops
 * @fregs: registers, as passed to the callback
 * @size: bytes of data, which are zeroed, and which graph_data_of_fast() finds; a constant
 *
 * Acts as graph_enter() with an @entry that accepts the call, but the caller has to set the
 * calltime.
 *
 * Context: the callback of the ops; preemption off.
 * Return: the call; NULL if the stack has no room: then the call is counted as missed.
 */
static __always_inline struct ftrace_ret_stack *
graph_begin_call_with_data(struct fgraph_ops *gops, const struct ftrace_ret_stack *newest,
			   unsigned long ip, struct ftrace_regs *fregs, unsigned int size)
{
	unsigned long *retp = arch_graph_retp(fregs);
	unsigned long *ret = arch_graph_ret(fregs);
	struct task_struct *task = current;
	struct ftrace_ret_stack *call;

	call = graph_push_call_with_data(task, newest, &gops->head, gops->idx, size);
	if (unlikely(!call)) {
		atomic_inc(&task->trace_overrun);
		return NULL;
	}
	graph_fill_in_call(call, ip, *ret, retp);
	WRITE_ONCE(*ret, (unsigned long)return_to_handler);
	return call;
}

/* graph_begin_call_with_data() for users that reserve no data. */
static __always_inline struct ftrace_ret_stack *
graph_begin_call_fast(struct fgraph_ops *gops, const struct ftrace_ret_stack *newest,
		      unsigned long ip, struct ftrace_regs *fregs)
{
	return graph_begin_call_with_data(gops, newest, ip, fregs, 0);
}

/**
 * graph_outer_call() - find the call that encloses a call
 * @call: a call of current
 *
 * Context: any; preemption off.
 * Return: the next older call, whichever users it has; NULL if there is none.
 */
static __always_inline struct ftrace_ret_stack *
graph_outer_call(const struct ftrace_ret_stack *call)
{
	struct ftrace_ret_stack *outer = (void *)call - call->below * sizeof(long);

	return outer == graph_call_at(current, 0) ? NULL : outer;
}

/**
 * graph_data_of_fast() - find what a user has reserved for a call, if it is the call's only data
 * @gops: the user, which may or may not be a user of @call
 * @call: the call
 * @size: bytes of the data; a constant
 *
 * Context: the entryfunc or the retfunc of the user.
 * Return: the data; NULL if @gops is no user of the call, if its data has another size, or if
 * another user has reserved data for the call.
 */
static __always_inline void *graph_data_of_fast(const struct fgraph_ops *gops,
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
 * graph_may_be_abandoned() - true if the newest call may have been abandoned
 * @fregs: registers, as passed to the callback of an ops
 *
 * Then the caller has to use graph_enter(), which drops abandoned calls and notifies their users.
 *
 * Context: the callback of an ops; preemption off.
 */
static __always_inline bool graph_may_be_abandoned(struct ftrace_regs *fregs)
{
	struct task_struct *task = current;

	/* Another CPU may set the pointer at any time; see graph_enter_or_paused(). */
	return data_race(task->ret_stack) &&
	       arch_graph_may_be_abandoned(graph_newest_call(task)->retp, arch_graph_retp(fregs));
}

/**
 * graph_is_too_deep() - true if the call being entered is known to have at least a given depth
 * @fregs: registers, as passed to the callback of an ops
 * @depth: the depth: number of traced calls that enclose the call
 *
 * Lets a user with a limit for the depth decline a call before it is pushed.
 *
 * Context: the callback of an ops; preemption may be on.
 * Return: true if the call is too deep; false if it is not, or if only graph_enter() can tell.
 */
static __always_inline bool graph_is_too_deep(struct ftrace_regs *fregs, unsigned int depth)
{
	struct task_struct *task = current;

	/* Another CPU may set the pointer at any time; see graph_enter_or_paused(). */
	if ((unsigned int)task->curr_ret_depth < depth || !data_race(task->ret_stack))
		return false;
	/* If the newest call is the one being entered, or abandoned, curr_ret_depth is too high. */
	return !graph_return_is_traced(fregs) && !graph_may_be_abandoned(fregs);
}

#endif /* _KERNEL_TRACE_GRAPH_H */
