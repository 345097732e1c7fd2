/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Stack of the traced calls of a task, see graph.h. It is not the stack that the task runs on.
 *
 * task_struct.ret_stack points to it. The pointer is NULL while graph/ has no users, and for a
 * task that got no memory. The newest call is the one at index curr_ret_stack, in longs, and
 * there is always one: at index 0 stands an entry that no return ever matches. curr_ret_depth
 * counts the entries above that one.
 *
 * Only the task itself pushes and pops, and what interrupts the task, which pops all that it
 * has pushed before it returns. So no lock is needed, but an order: an entry becomes the
 * newest one first, and is filled in then. In the opposite order, an interrupt in between
 * would overwrite what was filled in. Before an entry is filled in, an interrupt may still
 * write to it, and may look for the calls below it, as an unwinder does. So the members that
 * such a search reads, @words, @below and @retp, are set both before and after the entry
 * becomes the newest one.
 */
#ifndef _KERNEL_TRACE_GRAPH_STACK_H
#define _KERNEL_TRACE_GRAPH_STACK_H

#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/ftrace.h>
#include <linux/math.h>
#include <linux/sched.h>
#include <linux/sizes.h>
#include <linux/string.h>

/*
 * Bits of ftrace_ret_stack.users: one per user, and the last one for all users that register
 * when the other bits are taken. The numbers of those users are stored in the data of the
 * call.
 */
#define GRAPH_USERS		16
#define GRAPH_OTHERS		(GRAPH_USERS - 1)

/* Size in longs of an entry without data, and of all entries of a task. */
#define GRAPH_CALL_WORDS	(sizeof(struct ftrace_ret_stack) / sizeof(long))
#define GRAPH_STACK_WORDS	(SZ_4K / sizeof(long) - GRAPH_USERS)

/* Maximum of ftrace_ret_stack.words. */
#define GRAPH_CALL_WORDS_MAX	U8_MAX

/**
 * struct graph_stack - the memory that task_struct.ret_stack points to
 * @words: the calls
 * @next: next stack in a list of stacks that belong to no task
 * @vars: one word for each user with a bit of its own: fgraph_get_task_var()
 */
struct graph_stack {
	union {
		unsigned long		words[GRAPH_STACK_WORDS];
		struct graph_stack	*next;
	};
	unsigned long			vars[GRAPH_USERS];
};

static_assert(sizeof(struct graph_stack) == SZ_4K);
static_assert(offsetof(struct graph_stack, words) == 0);
static_assert(sizeof(struct ftrace_ret_stack) % sizeof(long) == 0);

/* The call at an index of a task's stack. */
static __always_inline struct ftrace_ret_stack *
graph_call_at(const struct task_struct *task, int index)
{
	return (struct ftrace_ret_stack *)(task->ret_stack + index);
}

/* The newest call of a task that has a stack. */
static __always_inline struct ftrace_ret_stack *graph_newest(const struct task_struct *task)
{
	return graph_call_at(task, task->curr_ret_stack);
}

/* The word of a user for a task that has a stack. */
static __always_inline unsigned long *graph_var(const struct task_struct *task, int idx)
{
	return &((struct graph_stack *)task->ret_stack)->vars[idx];
}

/* True if the call began after the user was registered. */
static __always_inline bool graph_call_is_newer(const struct fgraph_ops *gops,
						const struct ftrace_ret_stack *call)
{
	return (s32)(call->seq - gops->since) >= 0;
}

/* True if @gops has to be notified of the end of the call. */
static __always_inline bool graph_is_notified(const struct fgraph_ops *gops,
					      const struct ftrace_ret_stack *call)
{
	return (call->users & gops->user) && graph_call_is_newer(gops, call);
}

#ifdef __LITTLE_ENDIAN
#define GRAPH_HEAD_USERS_SHIFT	0
#define GRAPH_HEAD_WORDS_SHIFT	16
#define GRAPH_HEAD_BELOW_SHIFT	24
#else
#define GRAPH_HEAD_USERS_SHIFT	16
#define GRAPH_HEAD_WORDS_SHIFT	8
#define GRAPH_HEAD_BELOW_SHIFT	0
#endif

static_assert(offsetof(struct ftrace_ret_stack, users) ==
	      offsetof(struct ftrace_ret_stack, head));
static_assert(offsetof(struct ftrace_ret_stack, words) ==
	      offsetof(struct ftrace_ret_stack, head) + 2);
static_assert(offsetof(struct ftrace_ret_stack, below) ==
	      offsetof(struct ftrace_ret_stack, head) + 3);

/* Value of ftrace_ret_stack.head with these users, and with both sizes 0. */
static __always_inline u32 graph_head(u16 users)
{
	return (u32)users << GRAPH_HEAD_USERS_SHIFT;
}

/*
 * Sizes in ftrace_ret_stack.head: @below words of the call below, and those of a call with
 * @more words of data.
 */
static __always_inline u32 graph_sizes(unsigned long below, unsigned int more)
{
	return ((u32)below << GRAPH_HEAD_BELOW_SHIFT) +
	       ((GRAPH_CALL_WORDS + more) << GRAPH_HEAD_WORDS_SHIFT);
}

/*
 * The data that users have reserved follow the call. Each piece begins with a word that holds
 * the number of the user and the size of the piece in words, including that word.
 */
#define GRAPH_DATA_IDX_SHIFT	16

static __always_inline unsigned long *graph_data_begin(const struct ftrace_ret_stack *call)
{
	return (unsigned long *)(call + 1);
}

static __always_inline unsigned long graph_data_head(int idx, unsigned int words)
{
	return (unsigned long)idx << GRAPH_DATA_IDX_SHIFT | words;
}

/* Words in a piece with @size bytes; a multiple of u64, as the next entry contains one. */
static __always_inline unsigned int graph_data_words(unsigned int size)
{
	return round_up(size + sizeof(long), sizeof(u64)) / sizeof(long);
}

/* True if a call can hold @size bytes of data, when no other data is reserved for it. */
static inline bool graph_data_fits(size_t size)
{
	return size <= SZ_4K && GRAPH_CALL_WORDS + graph_data_words(size) <= GRAPH_CALL_WORDS_MAX;
}

/* Make room for a call with @more words of data, and let it be the newest one. */
static __always_inline struct ftrace_ret_stack *
graph_announce(struct task_struct *task, const struct ftrace_ret_stack *newest,
	       unsigned long words, unsigned int more)
{
	struct ftrace_ret_stack *call = (void *)newest + words * sizeof(long);
	unsigned long index = task->curr_ret_stack + words;

	if (unlikely(index > GRAPH_STACK_WORDS - GRAPH_CALL_WORDS - more))
		return NULL;
	call->head = graph_sizes(words, more);
	call->retp = NULL;
	barrier();
	WRITE_ONCE(task->curr_ret_stack, index);
	barrier();
	/* Tell the compiler that the result is not NULL: saves a test in the caller. */
	if (!call)
		__builtin_unreachable();
	return call;
}

/**
 * graph_push_with_data() - push a call with data of its user
 * @task: current, which has a stack
 * @newest: graph_newest() of @task
 * @head: graph_head() of the users of the call; passed by address, so that no register holds
 *	it
 * @idx: &fgraph_ops.idx of the user
 * @size: bytes of data, which are zeroed; best a constant, 0 for no data
 *
 * The caller fills in the other members of the call.
 *
 * Context: any; preemption off.
 * Return: the call; NULL if there is no room.
 */
static __always_inline struct ftrace_ret_stack *
graph_push_with_data(struct task_struct *task, const struct ftrace_ret_stack *newest,
		     const u32 *head, int idx, unsigned int size)
{
	const unsigned int more = size ? graph_data_words(size) : 0;
	unsigned long words = newest->words;
	struct ftrace_ret_stack *call;

	/* Without this, gcc keeps both the byte and the long in a register. */
	OPTIMIZER_HIDE_VAR(words);
	call = graph_announce(task, newest, words, more);
	if (unlikely(!call))
		return NULL;
	task->curr_ret_depth++;
	if (more) {
		*graph_data_begin(call) = graph_data_head(idx, more);
		memset(graph_data_begin(call) + 1, 0, size);
		/* An interrupt that finds a user in the call finds its data as well. */
		barrier();
	}
	/* Set again: an interrupt before the call became the newest one may have written here. */
	call->head = graph_sizes(words, more) + *head;
	return call;
}

/**
 * graph_push() - push a call without data
 * @task: current, which has a stack
 * @newest: graph_newest() of @task
 * @head: graph_head() of the users of the call
 *
 * Context: as for graph_push_with_data().
 * Return: the call; NULL if there is no room.
 */
static __always_inline struct ftrace_ret_stack *
graph_push(struct task_struct *task, const struct ftrace_ret_stack *newest,
	   const u32 *head)
{
	return graph_push_with_data(task, newest, head, 0, 0);
}

/**
 * graph_pop() - remove the newest call
 * @task: current
 * @call: the newest call of @task
 *
 * Context: that of graph_push().
 */
static __always_inline void graph_pop(struct task_struct *task,
				      struct ftrace_ret_stack *call)
{
	int below = task->curr_ret_stack - call->below;

	task->curr_ret_depth--;
#ifdef HAVE_ARCH_GRAPH_RETURNS
	/*
	 * Current may be in an interrupt of a graph_push(), whose new call must not have a stale
	 * @retp until it is filled in: the next interrupt might take it for an abandoned call.
	 */
	WRITE_ONCE(call->retp, NULL);
#endif
	/* Finish with the call before: from here on, an interrupt may overwrite it. */
	barrier();
	WRITE_ONCE(task->curr_ret_stack, below);
}

/**
 * graph_stack_missing() - count a call of current without a stack, and request a stack
 *
 * Context: any, NMI included.
 */
void graph_stack_missing(void);

#endif /* _KERNEL_TRACE_GRAPH_STACK_H */
