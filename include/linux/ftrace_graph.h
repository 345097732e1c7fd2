/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions from their entry to their return, as the rest of the kernel and its
 * modules see it (SPEC T3).  Include <linux/ftrace.h>.
 *
 * The entry function of a user is called for each call of the functions that its filter selects;
 * for calls that it accepts, its return function is called as well.  To trace the return, the
 * return address is replaced, and the true one is stored on the return stack, which each task
 * has while there are users.  The kernel-doc of each function is at its definition in
 * kernel/trace/graph/.
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
 * @func: address of the call site in the function
 * @depth: number of pending calls of the task whose return is traced, without this one
 */
struct ftrace_graph_ent {
	unsigned long	func;
	int		depth;
} __packed;

/**
 * struct ftrace_graph_ret - the return of a function
 * @func: address of the call site in the function
 * @retval: return value, if the function has one
 * @depth: &ftrace_graph_ent.depth of the call
 * @overrun: number of calls of this task that were not traced up to now, because too many were
 *	pending
 * @calltime: time of the entry, by trace_clock_local()
 * @rettime: time of the return, by trace_clock_local()
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
 * typedef trace_func_graph_ent_t - function that is called at the entry of a function
 * @trace: the entry
 * @gops: the user
 *
 * Context: that of the function, NMI included; preemption off.  Must not sleep.
 *
 * Return: not 0 to have @gops->retfunc called when the function returns.
 */
typedef int (*trace_func_graph_ent_t)(struct ftrace_graph_ent *trace,
				      struct fgraph_ops *gops);

/**
 * typedef trace_func_graph_ret_t - function that is called at the return of a function
 * @trace: the return
 * @gops: the user
 *
 * Context: as for trace_func_graph_ent_t.
 */
typedef void (*trace_func_graph_ret_t)(struct ftrace_graph_ret *trace,
				       struct fgraph_ops *gops);

struct ftrace_ret_stack;
struct ftrace_return;

/**
 * typedef graph_notify_t - function that notifies a user of a return
 * @gops: the user
 * @call: the call that returns
 * @r: registers at the return: see arch_return_regs() in linux/ftrace_arch_return.h
 * @now: the time, by trace_clock_local()
 *
 * Context: as for trace_func_graph_ent_t.
 */
typedef void (*graph_notify_t)(struct fgraph_ops *gops, const struct ftrace_ret_stack *call,
			       const struct ftrace_return *r, u64 now);

/**
 * typedef graph_notify_joint_t - function that notifies both users of a call with two users
 * @first: the user whose entry function was called first
 * @call: the call that returns
 * @r: registers at the return: see arch_return_regs() in linux/ftrace_arch_return.h
 * @now: the time, by trace_clock_local()
 * @second: the other user; the last parameter, so that the others are in the same registers as
 *	the parameters of graph_notify_t
 *
 * Context: as for graph_notify_t.
 */
typedef void (*graph_notify_joint_t)(struct fgraph_ops *first,
				     const struct ftrace_ret_stack *call,
				     const struct ftrace_return *r, u64 now,
				     struct fgraph_ops *second);

/**
 * typedef graph_abandoned_t - function that notifies a user of a call that ends without a return
 * @gops: the user
 * @task: the task of the call: current, the idle task of a CPU that is offline, or a task that
 *	has ended and is being freed
 * @call: the abandoned call
 *
 * Context: as for trace_func_graph_ent_t, with interrupts off; or the code that brings up the CPU
 * or frees the task, with preemption off.
 */
typedef void (*graph_abandoned_t)(struct fgraph_ops *gops, struct task_struct *task,
				  const struct ftrace_ret_stack *call);

/**
 * struct fgraph_ops - one user of functions from entry to return
 * @entryfunc: called at the entry; NULL accepts all calls
 * @retfunc: called at the return of accepted calls; may be NULL
 * @ops: holds the filter, for ftrace_set_filter() and the other functions that edit filters.  The
 *	user may set flags; the other members belong to the tracer.
 * @private: private data of the user
 * @saved_func: private data of the user
 * @idx: number of the user, for fgraph_reserve_data() and fgraph_retrieve_data()
 * @user: bit of the user in &ftrace_ret_stack.users.  Tracer only.
 * @head: &ftrace_ret_stack.head, without the sizes, of a call that only this user traces.
 *	Tracer only.
 * @since: &ftrace_ret_stack.seq of the oldest call whose end the user is notified of.  Tracer
 *	only.
 * @notify: notifies the user of a return; calls @retfunc by default.  Tracer only.
 * @notify_joint: notifies the users of a call if it has two, with the same @notify_joint.  NULL if
 *	each is notified separately.  Tracer only.
 * @abandoned: notifies the user of a call that ends without a return; does nothing by default.
 *	Tracer only.
 * @first: true if the entry function is called before those of users without @first.  Tracer
 *	only.
 * @many: true if there may be many users of this kind, so that they share one bit.  Tracer only.
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
	graph_notify_t		notify;
	graph_notify_joint_t	notify_joint;
	graph_abandoned_t		abandoned;
	bool			first;
	bool			many;
};

/**
 * struct ftrace_ret_stack - a pending call whose return is traced, on the return stack of a task
 * @ret: true return address
 * @func: address of the call site in the function
 * @retp: identifies the call, also at its return: the location of the return address or, where
 *	that is in a register, an address on the stack that no other pending call has
 * @calltime: time of the entry, by trace_clock_local()
 * @seq: only users whose &fgraph_ops.since is not later than this can be users of the call
 * @head: @users, @words and @below as one word: see graph_users_to_head()
 * @users: &fgraph_ops.user bits of the users that are notified of the return
 * @words: size of the call in longs, with the data that users keep behind it
 * @below: size in longs of the call below this one
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

/* Return address of functions whose return is traced.  Not to be called from C. */
void return_to_handler(void);

/* True if @ret has replaced a return address, which is on the return stack. Context: any. */
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

/* For functions that must not be traced because they return in another task. */
#define __notrace_funcgraph	notrace

/**
 * pause_graph_tracing - stop tracing the returns of new calls of this task
 *
 * Pending calls are not affected.  Calls of this function nest.
 *
 * Context: the task.
 */
static inline void pause_graph_tracing(void)
{
	atomic_inc(&current->tracing_graph_pause);
}

/**
 * unpause_graph_tracing - undo one pause_graph_tracing()
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

/* An idle task needs no setup: its fork, or for the boot CPU the compiler, has done it. */
static inline void ftrace_graph_init_idle_task(struct task_struct *t, int cpu) { }

#endif /* _LINUX_FTRACE_GRAPH_H */
