/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The stack of a task on which the calls stand whose return is waited for.
 *
 * task_struct.ret_stack points to it; there is none while nobody uses graph/, or when
 * there was no memory.  The newest call is the one at index curr_ret_stack, in longs,
 * and there always is one: at index 0 stands an entry that no return ever finds.
 * curr_ret_depth counts those above it.
 *
 * Only the task itself pushes and pops, and what interrupts it, which has popped all
 * that it pushed when it returns.  So no lock is needed, but an order: an entry
 * becomes the newest one first, and is filled in then.  The other way round, an
 * interrupt in between would write over what is filled in.  It does so all the same
 * with what was in that memory before, and it may look for the calls below, as an unwinder
 * does: so the fields that these go by, @words, @below and @retp, are set both before and
 * after.
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
 * The bits of ftrace_ret_stack.users: a user each, and the last one for all that come when
 * these have been given out.  Those have their numbers in what they keep for the call.
 */
#define GRAPH_USERS		16
#define GRAPH_OTHERS		(GRAPH_USERS - 1)
/* Users that there can be in all; their numbers are kept in 16 bits. */
#define GRAPH_IDX_MAX		16384

/* In longs: an entry without data, and all entries of a task. */
#define GRAPH_CALL_WORDS	(sizeof(struct ftrace_ret_stack) / sizeof(long))
#define GRAPH_STACK_WORDS	(SZ_4K / sizeof(long) - GRAPH_USERS)

/* The most that ftrace_ret_stack.words can tell. */
#define GRAPH_CALL_WORDS_MAX	U8_MAX

/**
 * struct graph_stack - what task_struct.ret_stack points to
 * @words: the calls
 * @next: links those that belong to no task
 * @vars: a word of each user with a bit of its own for this task: fgraph_get_task_var()
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

/* Is it told of the call, or was that there before the user? */
static __always_inline bool graph_knows(const struct fgraph_ops *gops,
					const struct ftrace_ret_stack *call)
{
	return (s32)(call->seq - gops->since) >= 0;
}

/* Is it one of those who wait for the call? */
static __always_inline bool graph_is_told(const struct fgraph_ops *gops,
					  const struct ftrace_ret_stack *call)
{
	return (call->users & gops->user) && graph_knows(gops, call);
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

/* Who waits for a call, in its ftrace_ret_stack.head; the sizes there are 0. */
static __always_inline u32 graph_head(u16 users)
{
	return (u32)users << GRAPH_HEAD_USERS_SHIFT;
}

/* The sizes there: the words of the call below, and of this one with @more words of data. */
static __always_inline u32 graph_sizes(unsigned long below, unsigned int more)
{
	return ((u32)below << GRAPH_HEAD_BELOW_SHIFT) +
	       ((GRAPH_CALL_WORDS + more) << GRAPH_HEAD_WORDS_SHIFT);
}

/*
 * Behind a call stand the data that users have reserved, each behind a word that
 * says whose it is, and how many words it has together with that one.
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

/* So many words take so many bytes: what comes above has an u64 in it. */
static __always_inline unsigned int graph_data_words(unsigned int size)
{
	return round_up(size + sizeof(long), sizeof(u64)) / sizeof(long);
}

/* Can so many bytes be kept for a call, if nothing else is? */
static inline bool graph_data_fits(size_t size)
{
	return size <= SZ_4K && GRAPH_CALL_WORDS + graph_data_words(size) <= GRAPH_CALL_WORDS_MAX;
}

/* Room for one more, which is the newest from here on; @more words of it are behind it. */
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
	/* Saves the caller's test of what it gets. */
	if (!call)
		__builtin_unreachable();
	return call;
}

/**
 * graph_push_keeping - make room for a call and for data of its user, as the newest one
 * @task: current, which has a stack
 * @newest: graph_newest() of it
 * @head: graph_head() of its users, read when it is needed: so no register is for that
 * @idx: &fgraph_ops.idx of the user
 * @size: bytes of the data, which are 0 from the start; best a constant, 0 for none
 *
 * The caller fills in the rest.
 *
 * Context: any; the caller's own, up to graph_pop().
 * Return: the call; NULL without room.
 */
static __always_inline struct ftrace_ret_stack *
graph_push_keeping(struct task_struct *task, const struct ftrace_ret_stack *newest,
		   const u32 *head, int idx, unsigned int size)
{
	const unsigned int more = size ? graph_data_words(size) : 0;
	unsigned long words = newest->words;
	struct ftrace_ret_stack *call;

	/* Else gcc keeps the byte and the long in a register each. */
	OPTIMIZER_HIDE_VAR(words);
	call = graph_announce(task, newest, words, more);
	if (unlikely(!call))
		return NULL;
	task->curr_ret_depth++;
	if (more) {
		*graph_data_begin(call) = graph_data_head(idx, more);
		memset(graph_data_begin(call) + 1, 0, size);
		/* Who interrupts finds no user of it before its data. */
		barrier();
	}
	/* Once more: whoever came before it was the newest may have written there. */
	call->head = graph_sizes(words, more) + *head;
	return call;
}

/**
 * graph_push - make room for a call, as the newest one
 * @task: as for graph_push_keeping(), and
 * @newest: so is this
 * @head: as well
 *
 * Context: as for that.
 * Return: likewise.
 */
static __always_inline struct ftrace_ret_stack *
graph_push(struct task_struct *task, const struct ftrace_ret_stack *newest,
	   const u32 *head)
{
	return graph_push_keeping(task, newest, head, 0, 0);
}

/**
 * graph_pop - the newest call is over
 * @task: current
 * @call: that call
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
	 * Nor may whoever is interrupted in graph_push() have this in its call, when that
	 * is the newest one and not filled in: the next interrupt might take it for one
	 * that was left.
	 */
	WRITE_ONCE(call->retp, NULL);
#endif
	/* Whoever interrupts from here on may write over it. */
	barrier();
	WRITE_ONCE(task->curr_ret_stack, below);
}

/**
 * graph_stacks_give - see to it that each task has a stack
 *
 * Also tasks that begin from now on, until graph_stacks_take().
 *
 * Context: may sleep; graph_lock held.
 * Return: 0; -ENOMEM, and some tasks may have one.
 */
int graph_stacks_give(void);

/**
 * graph_stacks_take - nobody uses the stacks any more
 *
 * They are freed soon, those of tasks that still return from calls when they have.
 *
 * Context: graph_lock held.
 */
void graph_stacks_take(void);

/* Tasks are to have stacks: somebody uses them.  Changes under graph_lock. */
extern bool graph_stacks_wanted;

/**
 * graph_stacks_clear_var - set a word of all tasks to 0
 * @idx: of which user
 *
 * Context: may sleep; graph_lock held; @idx has no user.
 */
void graph_stacks_clear_var(int idx);

/**
 * graph_stack_missing - current has no stack: count it, and have it given one
 *
 * Context: any, NMI included.
 */
void graph_stack_missing(void);

/* How often that took an interrupt: for tests. */
unsigned int graph_kicks(void);

/**
 * graph_stack_unused - current has returned from its last call, and nobody wants stacks
 *
 * Context: any, NMI included.
 */
void graph_stack_unused(void);

#endif /* _KERNEL_TRACE_GRAPH_STACK_H */
