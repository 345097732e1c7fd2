/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The stack of the traced calls of a task, see graph.h. It is not the stack that the task runs on.
 *
 * task_struct.ret_stack points to it. The pointer is NULL while graph/ has no users, and for a
 * task for which there was no memory. Each call is an entry of the stack, followed by the data that
 * users have reserved for it. The entry of the newest call is at index task_struct.curr_ret_stack,
 * in longs. There is always a newest entry: the one at index 0 belongs to no call, and no return
 * ever matches it. task_struct.curr_ret_depth is the number of entries above it.
 *
 * Only the task itself, and interrupts on top of it, push and pop entries. An interrupt pops what
 * it has pushed before it returns. So no lock is needed, but the order of stores matters: first
 * curr_ret_stack is set to the new entry, then the entry is filled in. In the opposite order, an
 * interrupt in between would push its own entries over it. While the new entry is not filled in
 * yet, an interrupt may walk from it to the entries below, as an unwinder does. So the members
 * that such a walk reads (@words, @below and @retp) are set before curr_ret_stack is; they are set
 * again afterwards, because an interrupt before that store may have overwritten them.
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
 * Number of bits of ftrace_ret_stack.users. Each bit belongs to one user, except the last one: it
 * is shared by all users that get no bit of their own. These users are the sharers. A call lists
 * its sharers, by their &fgraph_ops.idx, in its data.
 */
#define GRAPH_USERS		16
#define GRAPH_SHARED_BIT	(GRAPH_USERS - 1)

/* Size in longs of an entry without data, and of all entries and their data in a stack. */
#define GRAPH_CALL_WORDS	(sizeof(struct ftrace_ret_stack) / sizeof(long))
#define GRAPH_STACK_WORDS	(SZ_4K / sizeof(long) - GRAPH_USERS)

/* Maximum of ftrace_ret_stack.words. */
#define GRAPH_CALL_WORDS_MAX	U8_MAX

/**
 * struct graph_stack - the memory that task_struct.ret_stack points to
 * @words: the entries and their data, as longs
 * @next: while the stack belongs to no task: next stack in a list of such stacks
 * @vars: the variable that each user has for the task, by &fgraph_ops.idx, for users with a bit of
 *	their own: see fgraph_get_task_var()
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

/* The call whose entry is at index @index, in longs, of the stack of @task. */
static __always_inline struct ftrace_ret_stack *
graph_call_at(const struct task_struct *task, int index)
{
	return (struct ftrace_ret_stack *)(task->ret_stack + index);
}

/* The newest call of a task that has a stack. */
static __always_inline struct ftrace_ret_stack *graph_newest_call(const struct task_struct *task)
{
	return graph_call_at(task, task->curr_ret_stack);
}

/* The variable that user @idx has for a task, which has a stack: see fgraph_get_task_var(). */
static __always_inline unsigned long *graph_task_var(const struct task_struct *task, int idx)
{
	return &((struct graph_stack *)task->ret_stack)->vars[idx];
}

/* True if @call began after @gops was registered: only of such calls is @gops notified. */
static __always_inline bool graph_call_began_after(const struct fgraph_ops *gops,
						   const struct ftrace_ret_stack *call)
{
	return (s32)(call->seq - gops->since) >= 0;
}

/* True if @gops has to be notified when @call returns or is abandoned. */
static __always_inline bool graph_is_notified(const struct fgraph_ops *gops,
					      const struct ftrace_ret_stack *call)
{
	return (call->users & gops->user) && graph_call_began_after(gops, call);
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

/*
 * Value of ftrace_ret_stack.head for a call with these @users, whose @words and @below are 0. The
 * head is a union with these three members, so that one store sets all of them.
 */
static __always_inline u32 graph_users_to_head(u16 users)
{
	return (u32)users << GRAPH_HEAD_USERS_SHIFT;
}

/*
 * Value of ftrace_ret_stack.head for a call without users, with @more words of data. @below: size,
 * in words, of the call below it.
 */
static __always_inline u32 graph_sizes_to_head(unsigned long below, unsigned int more)
{
	return ((u32)below << GRAPH_HEAD_BELOW_SHIFT) +
	       ((GRAPH_CALL_WORDS + more) << GRAPH_HEAD_WORDS_SHIFT);
}

/*
 * The data that users have reserved for a call follow its entry, in one piece for each user. A
 * piece begins with a head: a word with the &fgraph_ops.idx of the user, and with the size of the
 * piece in words, including the head.
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

/*
 * Size in words of a piece for @size bytes of data. It is a multiple of a u64, because the entry
 * behind the data contains a u64, which has to be aligned.
 */
static __always_inline unsigned int graph_data_words(unsigned int size)
{
	return round_up(size + sizeof(long), sizeof(u64)) / sizeof(long);
}

/* True if a user can reserve @size bytes of data for a call, when no other user reserves any. */
static inline bool graph_data_fits(size_t size)
{
	return size <= SZ_4K && GRAPH_CALL_WORDS + graph_data_words(size) <= GRAPH_CALL_WORDS_MAX;
}

/*
 * Push an entry with room for @more words of data on top of @newest, whose size is @words words.
 * The caller fills it in. Return: the call; NULL if there is no room.
 */
static __always_inline struct ftrace_ret_stack *
graph_push_entry(struct task_struct *task, const struct ftrace_ret_stack *newest,
		 unsigned long words, unsigned int more)
{
	struct ftrace_ret_stack *call = (void *)newest + words * sizeof(long);
	unsigned long index = task->curr_ret_stack + words;

	if (unlikely(index > GRAPH_STACK_WORDS - GRAPH_CALL_WORDS - more))
		return NULL;
	call->head = graph_sizes_to_head(words, more);
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
 * graph_push_call_with_data() - push a call with data of its first user
 * @task: current, which has a stack
 * @newest: graph_newest_call() of @task
 * @head: graph_users_to_head() of the users of the call; passed by address, so that it occupies
 *	no register meanwhile
 * @idx: &fgraph_ops.idx of the user
 * @size: bytes of data, which are zeroed; best a constant, 0 for no data
 *
 * The caller fills in the other members of the call.
 *
 * Context: any; preemption off.
 * Return: the call; NULL if there is no room.
 */
static __always_inline struct ftrace_ret_stack *
graph_push_call_with_data(struct task_struct *task, const struct ftrace_ret_stack *newest,
			  const u32 *head, int idx, unsigned int size)
{
	const unsigned int more = size ? graph_data_words(size) : 0;
	unsigned long words = newest->words;
	struct ftrace_ret_stack *call;

	/* Without this, gcc uses two registers, for the byte that it loads and for the long. */
	OPTIMIZER_HIDE_VAR(words);
	call = graph_push_entry(task, newest, words, more);
	if (unlikely(!call))
		return NULL;
	task->curr_ret_depth++;
	if (more) {
		*graph_data_begin(call) = graph_data_head(idx, more);
		memset(graph_data_begin(call) + 1, 0, size);
		/* Store the data before the users: an interrupt that sees a user sees its data. */
		barrier();
	}
	/*
	 * Set the sizes again, in case an interrupt has written to the entry before it became the
	 * newest one.
	 */
	call->head = graph_sizes_to_head(words, more) + *head;
	return call;
}

/**
 * graph_push_call() - push a call without data
 * @task: current, which has a stack
 * @newest: graph_newest_call() of @task
 * @head: graph_users_to_head() of the users of the call
 *
 * Context: any; preemption off.
 * Return: the call; NULL if there is no room.
 */
static __always_inline struct ftrace_ret_stack *
graph_push_call(struct task_struct *task, const struct ftrace_ret_stack *newest,
		const u32 *head)
{
	return graph_push_call_with_data(task, newest, head, 0, 0);
}

/**
 * graph_pop_call() - remove the newest call
 * @task: current
 * @call: the newest call of @task
 *
 * Context: any; preemption off.
 */
static __always_inline void graph_pop_call(struct task_struct *task,
					   struct ftrace_ret_stack *call)
{
	int below = task->curr_ret_stack - call->below;

	task->curr_ret_depth--;
#ifdef HAVE_ARCH_GRAPH_RETURNS
	/*
	 * Current may be in an interrupt of a graph_push_call(), which then goes on to use the same
	 * entry. A stale @retp in it might make the next interrupt take the new call, which is not
	 * filled in yet, for an abandoned one.
	 */
	WRITE_ONCE(call->retp, NULL);
#endif
	/* No access to @call may follow: from here on, an interrupt may overwrite it. */
	barrier();
	WRITE_ONCE(task->curr_ret_stack, below);
}

/**
 * graph_note_missing_stack() - count a call as missed because current has no stack; request one
 *
 * Context: any, NMI included.
 */
void graph_note_missing_stack(void);

#endif /* _KERNEL_TRACE_GRAPH_STACK_H */
