/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions from their entry to their return, as the rest of the kernel and its
 * modules see it (SPEC T3).  Include <linux/ftrace.h>.
 *
 * A user is asked at the entry of each function that its filter lets through, and
 * told of the return of those for which it said yes.  For that the function's
 * return address is replaced; the true one waits on a stack that each task has for
 * it while there are users.  What each function here promises is told where it is
 * defined, in kernel/trace/graph/.
 */
#ifndef _LINUX_FTRACE_GRAPH_H
#define _LINUX_FTRACE_GRAPH_H

#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/sched.h>
#include <linux/types.h>
#include <asm/sections.h>

struct fgraph_ops;

/**
 * struct ftrace_graph_ent - the entry of a function
 * @func: the function, by the address of its call site
 * @depth: how many functions that are waited for the task is in, this one not counted
 */
struct ftrace_graph_ent {
	unsigned long	func;
	int		depth;
} __packed;

/**
 * struct ftrace_graph_ret - the return of a function
 * @func: the function, as at its entry
 * @retval: what it returned, if it has a value
 * @depth: as at its entry
 * @overrun: how many calls of this task were not traced, up to now, because it was
 *	in too many functions
 * @calltime: when it was entered, by trace_clock_local()
 * @rettime: when it returned
 */
struct ftrace_graph_ret {
	unsigned long	func;
#ifdef CONFIG_FUNCTION_GRAPH_RETVAL
	unsigned long	retval;
#endif
	int		depth;
	unsigned int	overrun;
	u64		calltime;
	u64		rettime;
} __packed;

#ifdef CONFIG_FUNCTION_GRAPH_RETVAL
static __always_inline void ftrace_graph_set_retval(struct ftrace_graph_ret *trace,
						    unsigned long value)
{
	trace->retval = value;
}

static inline unsigned long ftrace_graph_retval(const struct ftrace_graph_ret *trace)
{
	return trace->retval;
}
#else
static __always_inline void ftrace_graph_set_retval(struct ftrace_graph_ret *trace,
						    unsigned long value)
{
}

static inline unsigned long ftrace_graph_retval(const struct ftrace_graph_ret *trace)
{
	return 0;
}
#endif

/**
 * typedef trace_func_graph_ent_t - asked at the entry of a function
 * @trace: the entry
 * @gops: the user
 *
 * Context: whatever the function runs in, NMI included, preemption off.  It must not
 * sleep.
 *
 * Return: not 0, and @gops->retfunc is called when the function returns.
 */
typedef int (*trace_func_graph_ent_t)(struct ftrace_graph_ent *trace,
				      struct fgraph_ops *gops);

/**
 * typedef trace_func_graph_ret_t - told of the return of a function
 * @trace: the return
 * @gops: the user
 *
 * Context: as trace_func_graph_ent_t.
 */
typedef void (*trace_func_graph_ret_t)(struct ftrace_graph_ret *trace,
				       struct fgraph_ops *gops);

struct ftrace_ret_stack;
struct ftrace_return;

/**
 * typedef graph_told_t - how a user is told of a return
 * @gops: the user
 * @call: the call
 * @r: what the function has left behind: see arch_return_regs() of linux/ftrace_arch.h
 * @now: the time, by trace_clock_local()
 *
 * Context: as trace_func_graph_ent_t.
 */
typedef void (*graph_told_t)(struct fgraph_ops *gops, const struct ftrace_ret_stack *call,
			     const struct ftrace_return *r, u64 now);

/**
 * typedef graph_told_joint_t - how two users are told of a return who are the only ones
 * @first: the user that was asked first, as graph_told_t; so are
 * @call: this,
 * @r: this, and
 * @now: this
 * @second: the other one; here, as then what can be is where each is given it
 *
 * Context: as graph_told_t.
 */
typedef void (*graph_told_joint_t)(struct fgraph_ops *first,
				   const struct ftrace_ret_stack *call,
				   const struct ftrace_return *r, u64 now,
				   struct fgraph_ops *second);

/**
 * typedef graph_left_t - how a user is told that a call is over without a return
 * @gops: the user
 * @task: whose call it was: current, the idle task of a CPU that is offline, or one that has
 *	ended, which goes now
 * @call: the call
 *
 * Context: as trace_func_graph_ent_t, interrupts off; or who brings the CPU up, or frees the
 *	task, preemption off.
 */
typedef void (*graph_left_t)(struct fgraph_ops *gops, struct task_struct *task,
			     const struct ftrace_ret_stack *call);

/**
 * struct fgraph_ops - one user of functions from entry to return
 * @entryfunc: asked at the entry; NULL says yes to all
 * @retfunc: told of the return; NULL if nobody wants to know
 * @ops: its filter; ftrace_set_filter() and its like are for it.  The flags of
 *	struct ftrace_ops may be set, the rest is the tracer's.
 * @private: for the user
 * @saved_func: for the user
 * @idx: which of the users it is, for fgraph_reserve_data() and its counterpart
 * @user: its bit of &ftrace_ret_stack.users.  Tracer only.
 * @head: what a call of its own has in &ftrace_ret_stack.head, but for the sizes.  Tracer only.
 * @since: returns of calls that are older are not told.  Tracer only.
 * @told: how it is told, by default by @retfunc.  Tracer only.
 * @told_joint: how two that have the same one are told, who are all.  Tracer only.
 * @left: how it is told that there will be no return, by default not.  Tracer only.
 * @first: it is asked before all who do not want that.  Tracer only.
 * @many: there may be many of its like, so it need not have a bit.  Tracer only.
 */
struct fgraph_ops {
	trace_func_graph_ent_t	entryfunc;
	trace_func_graph_ret_t	retfunc;
	struct ftrace_ops	ops;
	void			*private;
	trace_func_graph_ent_t	saved_func;
	int			idx;
	u16			user;
	u32			head;
	u32			since;
	graph_told_t		told;
	graph_told_joint_t	told_joint;
	graph_left_t		left;
	bool			first;
	bool			many;
};

/**
 * struct ftrace_ret_stack - one call that is waited for, on the stack of a task
 * @ret: where it will return to
 * @func: the function, by the address of its call site
 * @retp: tells calls apart, and the return is known by it: the place of the return
 *	address or, where that is in a register, a place that only this call has
 * @calltime: when it was entered, by trace_clock_local()
 * @seq: which users it can have: those of which &fgraph_ops.since is not later
 * @head: the next three at once: see graph_head()
 * @users: the &fgraph_ops.user of those who are told of the return
 * @words: its size, in longs, with the data that users keep behind it
 * @below: the size of the one below it
 */
struct ftrace_ret_stack {
	unsigned long	ret;
	unsigned long	func;
	unsigned long	*retp;
	u64		calltime;
	u32		seq;
	union {
		u32	head;
		struct {
			u16	users;
			u8	words;
			u8	below;
		};
	};
};

#ifdef CONFIG_FUNCTION_GRAPH_TRACER

/* Where functions whose return is waited for return to.  Not to be called from C. */
void return_to_handler(void);

/* True if a return address was replaced: the true one is kept by the tracer. Context: any. */
static __always_inline bool ftrace_graph_is_handler(unsigned long ret)
{
	return ret == (unsigned long)dereference_function_descriptor(return_to_handler);
}

int register_ftrace_graph(struct fgraph_ops *gops);
void unregister_ftrace_graph(struct fgraph_ops *gops);
int ftrace_graph_entry_stub(struct ftrace_graph_ent *trace, struct fgraph_ops *gops);

void *fgraph_reserve_data(int idx, int size_bytes);
void *fgraph_retrieve_data(int idx, int *size_bytes);
unsigned long *fgraph_get_task_var(struct fgraph_ops *gops);

unsigned long ftrace_graph_ret_addr(struct task_struct *task, int *idx,
				    unsigned long ret, unsigned long *retp);
unsigned long ftrace_graph_ret_addr_in(struct task_struct *task, unsigned long ret,
				       const unsigned long *low,
				       const unsigned long *high);
struct ftrace_ret_stack *ftrace_graph_get_ret_stack(struct task_struct *task, int skip);

void ftrace_graph_init_task(struct task_struct *t);
void ftrace_graph_exit_task(struct task_struct *t);

void ftrace_graph_stop(void);
bool ftrace_graph_is_dead(void);

/* What may not be traced because a return would not come back to the same task. */
#define __notrace_funcgraph	notrace

/**
 * pause_graph_tracing - no more calls of this task are waited for
 *
 * Those that are already waited for still return as they should.  Counted.
 *
 * Context: the task.
 */
static inline void pause_graph_tracing(void)
{
	atomic_inc(&current->tracing_graph_pause);
}

/**
 * unpause_graph_tracing - end one pause_graph_tracing()
 *
 * Context: the task.
 */
static inline void unpause_graph_tracing(void)
{
	atomic_dec(&current->tracing_graph_pause);
}

#else /* !CONFIG_FUNCTION_GRAPH_TRACER */

#define __notrace_funcgraph

static __always_inline bool ftrace_graph_is_handler(unsigned long ret)
{
	return false;
}

static inline int register_ftrace_graph(struct fgraph_ops *gops)
{
	return -EOPNOTSUPP;
}

static inline void unregister_ftrace_graph(struct fgraph_ops *gops) { }
static inline void ftrace_graph_init_task(struct task_struct *t) { }
static inline void ftrace_graph_exit_task(struct task_struct *t) { }
static inline void pause_graph_tracing(void) { }
static inline void unpause_graph_tracing(void) { }

static inline unsigned long
ftrace_graph_ret_addr(struct task_struct *task, int *idx, unsigned long ret,
		      unsigned long *retp)
{
	return ret;
}

#endif /* CONFIG_FUNCTION_GRAPH_TRACER */

/* An idle task is as its fork, or the compiler, has left it. */
static inline void ftrace_graph_init_idle_task(struct task_struct *t, int cpu) { }

#endif /* _LINUX_FTRACE_GRAPH_H */
