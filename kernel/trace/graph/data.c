// SPDX-License-Identifier: GPL-2.0
/*
 * Data that users reserve for a traced call, and the numbers of users that have no bit of
 * their own in the call.
 *
 * All of it runs in the context of the traced function. It must not sleep, lock, allocate or
 * print.
 */
#include <linux/export.h>
#include <linux/ftrace.h>
#include <linux/kernel.h>

#include "graph.h"
#include "users.h"

static unsigned long *graph_data_end(const struct ftrace_ret_stack *call)
{
	return (unsigned long *)call + call->words;
}

/*
 * Find the piece of data of user @idx. An interrupt in the middle of fgraph_reserve_data() may
 * find the head of the last piece not written yet, with any content, so sizes are checked.
 */
static unsigned long *graph_find_data(const struct ftrace_ret_stack *call, int idx)
{
	unsigned long *data = graph_data_begin(call), *end = graph_data_end(call);
	unsigned long word, words;

	for (; data < end; data += words) {
		word = READ_ONCE(*data);
		words = word & U16_MAX;
		if (!words || words > end - data)
			return NULL;
		if (word >> GRAPH_DATA_IDX_SHIFT == idx)
			return data;
	}
	return NULL;
}

/**
 * fgraph_reserve_data() - reserve memory that is kept until the function returns
 * @idx: &fgraph_ops.idx
 * @size_bytes: size in bytes
 *
 * To be called at most once for each call.
 *
 * Context: the entryfunc of the user.
 * Return: the memory, aligned for a long, with random content; NULL if there is no room.
 */
void *fgraph_reserve_data(int idx, int size_bytes)
{
	struct task_struct *task = current;
	struct ftrace_ret_stack *call = graph_newest(task);
	unsigned long *data = graph_data_end(call);
	int words;

	if (size_bytes < 0 || size_bytes > SZ_4K)
		return NULL;
	words = graph_data_words(size_bytes);
	if (call->words + words > GRAPH_CALL_WORDS_MAX ||
	    task->curr_ret_stack + call->words + words > GRAPH_STACK_WORDS)
		return NULL;
	WRITE_ONCE(call->words, call->words + words);
	/* Reserve the memory before writing to it: an interrupt must not use it. */
	barrier();
	*data = graph_data_head(idx, words);
	return data + 1;
}
EXPORT_SYMBOL_GPL(fgraph_reserve_data);

/**
 * fgraph_retrieve_data() - find the memory that fgraph_reserve_data() has reserved
 * @idx: &fgraph_ops.idx
 * @size_bytes: receives its size in bytes, which may have been rounded up; may be NULL
 *
 * Context: the entryfunc or the retfunc of the user.
 * Return: the memory; NULL if nothing was reserved.
 */
void *fgraph_retrieve_data(int idx, int *size_bytes)
{
	unsigned long *data = graph_find_data(graph_newest(current), idx);

	if (!data)
		return NULL;
	if (size_bytes)
		*size_bytes = ((*data & U16_MAX) - 1) * sizeof(long);
	return data + 1;
}
EXPORT_SYMBOL_GPL(fgraph_retrieve_data);

void *graph_data_of(const struct ftrace_ret_stack *call, const struct fgraph_ops *gops)
{
	unsigned long *data = graph_find_data(call, gops->idx);

	return data ? data + 1 : NULL;
}

void *graph_outer_data(const struct fgraph_ops *gops)
{
	struct task_struct *task = current;
	struct ftrace_ret_stack *call = graph_newest(task);
	int index = task->curr_ret_stack - call->below;

	for (; index; index -= call->below) {
		call = graph_call_at(task, index);
		if (graph_is_notified(gops, call))
			return graph_data_of(call, gops);
	}
	return NULL;
}

/**
 * fgraph_get_task_var() - find the word that a user has for each task
 * @gops: the user
 *
 * The word is 0 when the user is registered, and when the task is created.
 *
 * Context: the entryfunc or the retfunc of the user.
 * Return: the word of current; NULL if there were too many users for @gops to get a bit of its own.
 */
unsigned long *fgraph_get_task_var(struct fgraph_ops *gops)
{
	return gops->idx < GRAPH_OTHERS ? graph_var(current, gops->idx) : NULL;
}
EXPORT_SYMBOL_GPL(fgraph_get_task_var);

/* ------------------------------------------------------------------ */
/* Users without a bit of their own					*/

/*
 * Find the next user without a bit of its own. Their numbers are above GRAPH_OTHERS and
 * ascend, since users are called in the order of their numbers.
 */
static bool graph_next_other(const struct ftrace_ret_stack *call, unsigned long **data,
			     unsigned int *idx)
{
	unsigned long *end = graph_data_end(call), word;

	while (*data < end) {
		word = **data;
		if (!(word & U16_MAX))
			break;
		*data += word & U16_MAX;
		*idx = word >> GRAPH_DATA_IDX_SHIFT;
		if (*idx > GRAPH_OTHERS)
			return true;
	}
	return false;
}

bool graph_store_other(struct ftrace_ret_stack *call, unsigned int idx)
{
	return graph_find_data(call, idx) || fgraph_reserve_data(idx, 0);
}

bool graph_is_behind_others(const struct fgraph_ops *gops,
			    const struct ftrace_ret_stack *call)
{
	unsigned long *data = graph_data_begin(call);
	unsigned int idx;

	while (graph_next_other(call, &data, &idx))
		if (idx >= gops->idx)
			return false;
	return true;
}

void graph_notify_others(struct fgraph_ops *gops, const struct ftrace_ret_stack *call,
			 const struct ftrace_return *r, u64 now)
{
	unsigned long *data = graph_data_begin(call);
	unsigned int idx;

	while (graph_next_other(call, &data, &idx)) {
		gops = graph_other_user(idx);
		if (graph_call_is_newer(gops, call))
			gops->notify(gops, call, r, now);
	}
}

void graph_notify_others_abandoned(struct fgraph_ops *gops, struct task_struct *task,
				   const struct ftrace_ret_stack *call)
{
	unsigned long *data = graph_data_begin(call);
	unsigned int idx;

	while (graph_next_other(call, &data, &idx)) {
		gops = graph_other_user(idx);
		if (graph_call_is_newer(gops, call))
			gops->abandoned(gops, task, call);
	}
}
