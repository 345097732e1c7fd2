/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions from their entry to their return (SPEC T3): what other rooms call.
 *
 * <linux/ftrace_graph.h> is for all users.  A tracer, for which each instruction
 * counts, calls graph_enter() itself from the callback of its ops, with its own
 * function inlined into it.
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

/* Protects who is a user, and the stacks of tasks.  Outside of ftrace_lock. */
extern struct mutex graph_lock;

/* What a new call is marked with; see fgraph_ops.since. */
extern u32 graph_seq;

/* Reading the clock in place is possible: arch_trace_clock_usable(). */
DECLARE_STATIC_KEY_FALSE(graph_clock_fast);

/* trace_clock_local(); preemption is off. */
static __always_inline u64 graph_clock(void)
{
	return static_branch_likely(&graph_clock_fast) ? arch_trace_clock() :
							 trace_clock_local();
}

/**
 * graph_unregister_many - unregister_ftrace_graph() for many, with one wait
 * @gops: the users; those that are not registered are let alone
 * @nr: how many
 *
 * Context: sleeps, for long (see unregister_ftrace_function()); takes graph_lock and ftrace_lock.
 */
void graph_unregister_many(struct fgraph_ops **gops, unsigned int nr);

/**
 * graph_sleep_unwanted - does time count in which a task does not run?
 * @unwanted: true if it is not to, for one who asks; false when he does no more
 *
 * It counts for all calls while nobody asks.
 *
 * Context: may sleep.
 * Return: 0; -ENOMEM, and nothing has changed.
 */
int graph_sleep_unwanted(bool unwanted);

/**
 * graph_outer_data - what a user has reserved for the call that the newest one is in
 * @gops: the user
 *
 * Of the calls of current that the user is told of, the last one that is not over.
 *
 * Context: as for fgraph_retrieve_data().
 * Return: what fgraph_reserve_data() has returned then; NULL if it was not called, or if
 * there is no such call.
 */
void *graph_outer_data(const struct fgraph_ops *gops);

/**
 * graph_data_of - what a user has reserved for a call
 * @call: the call
 * @gops: the user
 *
 * Context: &fgraph_ops.told or &fgraph_ops.left of the user.
 * Return: what fgraph_reserve_data() has returned; NULL if it was not called.
 */
void *graph_data_of(const struct ftrace_ret_stack *call, const struct fgraph_ops *gops);

/* The user whose ops it is. */
static __always_inline struct fgraph_ops *graph_user_of(struct ftrace_ops *op)
{
	return container_of(op, struct fgraph_ops, ops);
}

/* Of two users that have no bit of their own: does @gops come behind those in the call? */
bool graph_is_behind_others(const struct fgraph_ops *gops,
			    const struct ftrace_ret_stack *call);

/* Is a user called behind those who are in the call?  A higher bit is called later. */
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
 * Is the newest call of the task this one, which another user has pushed?
 *
 * A function that jumps to itself in place of a call begins a new one with the same address
 * and stack.  Users are called in an order, so whoever comes before one that is in the call
 * already was asked for it then, and has declined or is in it, too.
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
 * graph_note_other - a user without a bit of its own waits for a call
 * @call: the newest call of current
 * @idx: the user's number
 *
 * Context: its entry.
 * Return: false if there is no room.
 */
bool graph_note_other(struct ftrace_ret_stack *call, unsigned int idx);

/**
 * graph_has_place - can a user be told of the return of a call
 * @gops: the user, which may be one of &fgraph_ops.many
 * @call: the newest call of current
 *
 * Context: its entry, which is about to say yes.
 * Return: false if there is no room.
 */
static __always_inline bool graph_has_place(const struct fgraph_ops *gops,
					    struct ftrace_ret_stack *call)
{
	return gops->idx < GRAPH_OTHERS || graph_note_other(call, gops->idx);
}

/**
 * typedef graph_entry_t - the entryfunc of a user that is a part of the tracer
 * @gops: the user
 * @call: the call, of which it sets the calltime if there is nobody in it yet
 * @depth: its depth
 * @fregs: the registers at its entry
 *
 * Return: false if it does not want to be told of the return.
 */
typedef bool (*graph_entry_t)(struct fgraph_ops *gops, struct ftrace_ret_stack *call,
			      int depth, struct ftrace_regs *fregs);

/* A call that is there, for another user has pushed it. */
static noinline void graph_join(struct fgraph_ops *gops, struct task_struct *task,
				struct ftrace_ret_stack *call, struct ftrace_regs *fregs,
				graph_entry_t entry)
{
	u8 words = call->words;

	if (entry(gops, call, task->curr_ret_depth - 1, fregs))
		call->users |= gops->user;
	else
		/* What it has reserved goes. */
		WRITE_ONCE(call->words, words);
}

/* Fill in what does not depend on a user. */
static __always_inline void graph_describe(struct ftrace_ret_stack *call, unsigned long func,
					   unsigned long ret, unsigned long *retp)
{
	call->ret = ret;
	call->func = func;
	call->seq = READ_ONCE(graph_seq);
	/* An unwinder that finds it finds the rest as well. */
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
 * graph_drop_left - calls that were left without a return are over
 * @task: current, which has a stack
 * @func: a function that is called, and
 * @retp: its &ftrace_ret_stack.retp
 *
 * As far as arch_graph_may_be_over() can tell; the newest one might be.
 *
 * Context: any; preemption off.
 * Return: the newest call that is left.
 */
struct ftrace_ret_stack *graph_drop_left(struct task_struct *task, unsigned long func,
					 unsigned long *retp);

/**
 * graph_is_paused - is a call of current not to be waited for?
 * @task: current, whose tracing_graph_pause is not 0
 *
 * Somebody has paused it, or it is in what the tracer does itself: what interrupts that is
 * waited for.
 *
 * Context: any; preemption off.
 */
bool graph_is_paused(const struct task_struct *task);

/**
 * graph_enter_or - graph_enter(), for who has to know of a pause
 * @gops: a user; its ops was called
 * @ip: the function, as the callback of the ops was given it
 * @fregs: the registers, as the callback was given them
 * @entry: asked; best inlined
 * @if_paused: what to return if graph_is_paused(); best a constant
 *
 * Context: the callback; preemption off.
 * Return: as graph_enter(); @if_paused, and @entry was not asked.
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
	 * Another CPU gives the stack, at any time, and it stays while there are users: the
	 * compiler need not load the pointer again.
	 */
	if (unlikely(!data_race(task->ret_stack))) {
		graph_stack_missing();
		return false;
	}
	if (unlikely(atomic_read(&task->tracing_graph_pause)) && graph_is_paused(task))
		return if_paused;
	newest = graph_newest(task);
	if (unlikely(graph_is_same_call(newest, ip, retp, *ret, gops))) {
		graph_join(gops, task, newest, fregs, entry);
		return true;
	}
	if (unlikely(arch_graph_may_be_over(newest->retp, retp)) &&
	    *ret != (unsigned long)return_to_handler)
		newest = graph_drop_left(task, ip, retp);
	/* Nobody is told of it yet, nor looked for in it: see graph_outer_data(). */
	call = graph_push(task, newest, &(const u32){ graph_head(0) });
	if (unlikely(!call)) {
		atomic_inc(&task->trace_overrun);
		return false;
	}
	graph_begin(gops, task, call, ip, ret, retp, fregs, entry);
	return true;
}

/**
 * graph_enter - a function is entered
 * @gops: a user; its ops was called
 * @ip: the function, as the callback of the ops was given it
 * @fregs: the registers, as the callback was given them
 * @entry: asked; best inlined
 *
 * Context: the callback; preemption off.
 * Return: false if there is no room for the call, or no stack, which has been counted: then
 * @entry was not asked.
 */
static __always_inline bool graph_enter(struct fgraph_ops *gops, unsigned long ip,
					struct ftrace_regs *fregs,
					graph_entry_t entry)
{
	return graph_enter_or(gops, ip, fregs, entry, true);
}

/**
 * graph_enter_preempt - graph_enter(), with preemption as the traced function has it
 * @gops: as for that, and
 * @ip: so are
 * @fregs: all of
 * @entry: these
 *
 * Context: the callback.
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
 * graph_is_joined - does another user wait for the function that is entered?
 * @fregs: as the callback of an ops was given it
 *
 * Context: the callback.
 * Return: true also for a function that was jumped to in place of a call from one that is
 * waited for.
 */
static __always_inline bool graph_is_joined(struct ftrace_regs *fregs)
{
	return *arch_graph_ret(fregs) == (unsigned long)return_to_handler;
}

/**
 * graph_join_plain - a function is entered that another user waits for, and nothing is
 * unusual
 * @gops: a user; its ops was called
 * @ip: as the callback of its ops was given it, and
 * @fregs: likewise
 *
 * That it is waited for is known: graph_is_joined().
 *
 * As graph_enter() with an @entry that says yes.  Who changes his mind takes his bit out
 * of &ftrace_ret_stack.users: then he is not told when it returns.  For users that have a
 * bit of their own.
 *
 * Context: the callback; preemption off.
 * Return: the call; NULL, and nothing has happened: graph_enter() knows what to do.
 */
static __always_inline struct ftrace_ret_stack *
graph_join_plain(struct fgraph_ops *gops, unsigned long ip, struct ftrace_regs *fregs)
{
	/* Whoever has had it waited for has seen that there is a stack, and no pause. */
	struct ftrace_ret_stack *newest = graph_newest(current);

	if (unlikely(!graph_is_this_call(newest, ip, arch_graph_retp(fregs)) ||
		     newest->users >= gops->user))
		return NULL;
	newest->users |= gops->user;
	/* Saves the caller's test of what it gets. */
	if (!newest)
		__builtin_unreachable();
	return newest;
}

/**
 * graph_newest_plain - what graph_begin_keeping() wants to know
 * @fregs: as the callback of an ops was given it, !graph_is_joined()
 *
 * Context: the callback; preemption off.
 * Return: the newest call of current, if nothing is unusual; else NULL: graph_enter()
 * knows what to do.
 */
static __always_inline struct ftrace_ret_stack *graph_newest_plain(struct ftrace_regs *fregs)
{
	struct ftrace_ret_stack *newest;
	struct task_struct *task = current;

	/* A plain load, which the compiler folds into its test: only current changes it. */
	if (unlikely(task->tracing_graph_pause.counter))
		return NULL;
	/* As in graph_enter_or(). */
	if (unlikely(!data_race(task->ret_stack)))
		return NULL;
	newest = graph_newest(task);
	if (unlikely(arch_graph_may_be_over(newest->retp, arch_graph_retp(fregs))))
		return NULL;
	/* Saves the caller's test of what it gets. */
	if (!newest)
		__builtin_unreachable();
	return newest;
}

/**
 * graph_begin_keeping - a function is entered that nobody waits for yet, and nothing is
 * unusual
 * @gops: a user; its ops was called
 * @newest: graph_newest_plain()
 * @ip: as the callback of its ops was given it, and
 * @fregs: likewise
 *
 * @size: bytes that are reserved for the user, all 0: see graph_plain_data(); a constant
 *
 * As graph_enter() with an @entry that says yes; the caller sets the calltime.
 *
 * Context: the callback; preemption off.
 * Return: the call; NULL if there is no room, which has been counted.
 */
static __always_inline struct ftrace_ret_stack *
graph_begin_keeping(struct fgraph_ops *gops, const struct ftrace_ret_stack *newest,
		    unsigned long ip, struct ftrace_regs *fregs, unsigned int size)
{
	unsigned long *retp = arch_graph_retp(fregs);
	unsigned long *ret = arch_graph_ret(fregs);
	struct task_struct *task = current;
	struct ftrace_ret_stack *call;

	call = graph_push_keeping(task, newest, &gops->head, gops->idx, size);
	if (unlikely(!call)) {
		atomic_inc(&task->trace_overrun);
		return NULL;
	}
	graph_describe(call, ip, *ret, retp);
	WRITE_ONCE(*ret, (unsigned long)return_to_handler);
	return call;
}

/* graph_begin_keeping() for those who keep nothing. */
static __always_inline struct ftrace_ret_stack *
graph_begin_plain(struct fgraph_ops *gops, const struct ftrace_ret_stack *newest,
		  unsigned long ip, struct ftrace_regs *fregs)
{
	return graph_begin_keeping(gops, newest, ip, fregs, 0);
}

/**
 * graph_around - the call that a call is in
 * @call: one of current
 *
 * Context: any; preemption off.
 * Return: a call, perhaps of other users alone; NULL if there is none.
 */
static __always_inline struct ftrace_ret_stack *
graph_around(const struct ftrace_ret_stack *call)
{
	struct ftrace_ret_stack *outer = (void *)call - call->below * sizeof(long);

	return outer == graph_call_at(current, 0) ? NULL : outer;
}

/**
 * graph_plain_data - what a user keeps for a call, if nothing is unusual
 * @gops: the user
 * @call: one that it is told of, or not
 * @size: bytes of it; a constant
 *
 * Context: as for fgraph_retrieve_data().
 * Return: the place; NULL also if others keep something for the call.
 */
static __always_inline void *graph_plain_data(const struct fgraph_ops *gops,
					      const struct ftrace_ret_stack *call,
					      unsigned int size)
{
	unsigned int words = graph_data_words(size);
	unsigned long *data = graph_data_begin(call);

	if (!graph_is_told(gops, call) || call->words != GRAPH_CALL_WORDS + words ||
	    *data != graph_data_head(gops->idx, words))
		return NULL;
	return data + 1;
}

/**
 * graph_may_be_left - might calls be on the stack that were left without a return?
 * @fregs: as the callback of an ops was given it
 *
 * They are found to be over by graph_enter(), and their users are told.
 *
 * Context: that callback; preemption off.
 */
static __always_inline bool graph_may_be_left(struct ftrace_regs *fregs)
{
	struct task_struct *task = current;

	/* As in graph_enter_or(). */
	return data_race(task->ret_stack) &&
	       arch_graph_may_be_over(graph_newest(task)->retp, arch_graph_retp(fregs));
}

/**
 * graph_is_beyond - would a call be as deep as this, or deeper?
 * @fregs: what the callback of an ops was given at its entry
 * @depth: so many calls have to be there before it
 *
 * For who declines such a call, and need not have it made first.
 *
 * Context: that callback; preemption may be on.
 * Return: false also if that is not known yet.
 */
static __always_inline bool graph_is_beyond(struct ftrace_regs *fregs, unsigned int depth)
{
	struct task_struct *task = current;

	/* As in graph_enter_or(). */
	if ((unsigned int)task->curr_ret_depth < depth || !data_race(task->ret_stack))
		return false;
	/* The newest may be this very call, or one that was left. */
	return !graph_is_joined(fregs) && !graph_may_be_left(fregs);
}

#endif /* _KERNEL_TRACE_GRAPH_H */
