// SPDX-License-Identifier: GPL-2.0
/*
 * The data of traced calls: what users reserve for a call, and the sharers of the call (see
 * GRAPH_SHARED_BIT).
 *
 * The code runs in the context of the traced function. It must not sleep, lock, allocate or
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
 * Find the piece of data of user @idx. Return: its head; NULL if the user has no data. Sizes are
 * checked, because an interrupt in the middle of fgraph_reserve_data() may come before the head of
 * the last piece is written: the head has a random value then.
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
 * fgraph_reserve_data() - reserve memory for the call being entered, until it returns
 * @idx: &fgraph_ops.idx of the user
 * @size_bytes: size in bytes
 *
 * A user may reserve memory at most once for each call.
 *
 * Context: the entryfunc of the user.
 * Return: the memory, aligned for a long, with random content; NULL if there is no room.
 */
void *fgraph_reserve_data(int idx, int size_bytes)
{
	struct task_struct *task = current;
	struct ftrace_ret_stack *call = graph_newest_call(task);
	unsigned long *data = graph_data_end(call);
	int words;

	if (size_bytes < 0 || size_bytes > SZ_4K)
		return NULL;
	words = graph_data_words(size_bytes);
	if (call->words + words > GRAPH_CALL_WORDS_MAX ||
	    task->curr_ret_stack + call->words + words > GRAPH_STACK_WORDS)
		return NULL;
	WRITE_ONCE(call->words, call->words + words);
	/* Reserve the memory before writing to it: an interrupt pushes its calls behind it. */
	barrier();
	*data = graph_data_head(idx, words);
	return data + 1;
}
EXPORT_SYMBOL_GPL(fgraph_reserve_data);

/**
 * fgraph_retrieve_data() - find the memory that fgraph_reserve_data() has reserved for the call
 * @idx: &fgraph_ops.idx of the user
 * @size_bytes: set to the size of the memory in bytes, which may have been rounded up; may be NULL
 *
 * Context: the entryfunc or the retfunc of the user.
 * Return: the memory; NULL if nothing was reserved.
 */
void *fgraph_retrieve_data(int idx, int *size_bytes)
{
	unsigned long *data = graph_find_data(graph_newest_call(current), idx);

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
	struct ftrace_ret_stack *call = graph_newest_call(task);
	int index = task->curr_ret_stack - call->below;

	for (; index; index -= call->below) {
		call = graph_call_at(task, index);
		if (graph_is_notified(gops, call))
			return graph_data_of(call, gops);
	}
	return NULL;
}

/**
 * fgraph_get_task_var() - find the variable that a user has for the current task
 * @gops: the user
 *
 * Each user has such a variable, a long, for each task. It is set to 0 when the user is registered,
 * and when the task is created.
 *
 * Context: the entryfunc or the retfunc of the user.
 * Return: the variable; NULL if @gops has none, because it is a sharer (see GRAPH_SHARED_BIT).
 */
unsigned long *fgraph_get_task_var(struct fgraph_ops *gops)
{
	return gops->idx < GRAPH_SHARED_BIT ? graph_task_var(current, gops->idx) : NULL;
}
EXPORT_SYMBOL_GPL(fgraph_get_task_var);

/* ------------------------------------------------------------------ */
/* Sharers								*/

/*
 * Sharers are users without a bit of their own, see GRAPH_SHARED_BIT. A call lists its sharers in
 * its data.
 */

/*
 * Find the next sharer that a call lists. *@data is the piece of data to begin at, and is set to
 * the piece behind that of the sharer. *@idx is set to the &fgraph_ops.idx of the sharer. The
 * sharers are found in the order of their idx, because users reserve their data in that order.
 * Return: false if there are no more sharers.
 */
static bool graph_next_listed_sharer(const struct ftrace_ret_stack *call, unsigned long **data,
				     unsigned int *idx)
{
	unsigned long *end = graph_data_end(call), word;

	while (*data < end) {
		word = **data;
		if (!(word & U16_MAX))
			break;
		*data += word & U16_MAX;
		*idx = word >> GRAPH_DATA_IDX_SHIFT;
		if (*idx > GRAPH_SHARED_BIT)
			return true;
	}
	return false;
}

bool graph_store_sharer(struct ftrace_ret_stack *call, unsigned int idx)
{
	return graph_find_data(call, idx) || fgraph_reserve_data(idx, 0);
}

bool graph_is_after_sharers(const struct fgraph_ops *gops,
			    const struct ftrace_ret_stack *call)
{
	unsigned long *data = graph_data_begin(call);
	unsigned int idx;

	while (graph_next_listed_sharer(call, &data, &idx))
		if (idx >= gops->idx)
			return false;
	return true;
}

void graph_notify_sharers(struct fgraph_ops *gops, const struct ftrace_ret_stack *call,
			  const struct ftrace_return *r, u64 now)
{
	unsigned long *data = graph_data_begin(call);
	unsigned int idx;

	while (graph_next_listed_sharer(call, &data, &idx)) {
		gops = graph_sharer(idx);
		if (graph_call_began_after(gops, call))
			gops->notify(gops, call, r, now);
	}
}

void graph_notify_sharers_abandoned(struct fgraph_ops *gops, struct task_struct *task,
				    const struct ftrace_ret_stack *call)
{
	unsigned long *data = graph_data_begin(call);
	unsigned int idx;

	while (graph_next_listed_sharer(call, &data, &idx)) {
		gops = graph_sharer(idx);
		if (graph_call_began_after(gops, call))
			gops->abandoned(gops, task, call);
	}
}
