// SPDX-License-Identifier: GPL-2.0
/*
 * What users keep for a call that is waited for: data that they have reserved, and the
 * numbers of those who have no bit of their own in it.
 *
 * Called in the middle of whatever the traced function was called in: as call.c.
 */
#include <linux/export.h>
#include <linux/ftrace.h>
#include <linux/kernel.h>

#include "graph.h"
#include "users.h"

static unsigned long *data_end(const struct ftrace_ret_stack *call)
{
	return (unsigned long *)call + call->words;
}

/*
 * Who interrupts fgraph_reserve_data() may find the last word that says so not written yet,
 * but random.
 */
static unsigned long *find_data(const struct ftrace_ret_stack *call, int idx)
{
	unsigned long *data = graph_data_begin(call), *end = data_end(call);
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
 * fgraph_reserve_data - have something kept until the function returns
 * @idx: &fgraph_ops.idx
 * @size_bytes: how much
 *
 * Once for each call.
 *
 * Context: the entryfunc of the user.
 * Return: the place, aligned for a long; its content is random.  NULL without room.
 */
void *fgraph_reserve_data(int idx, int size_bytes)
{
	struct task_struct *task = current;
	struct ftrace_ret_stack *call = graph_newest(task);
	unsigned long *data = data_end(call);
	int words;

	if (size_bytes < 0 || size_bytes > SZ_4K)
		return NULL;
	words = graph_data_words(size_bytes);
	if (call->words + words > GRAPH_CALL_WORDS_MAX ||
	    task->curr_ret_stack + call->words + words > GRAPH_STACK_WORDS)
		return NULL;
	WRITE_ONCE(call->words, call->words + words);
	/* It is ours before it is written to. */
	barrier();
	*data = graph_data_head(idx, words);
	return data + 1;
}
EXPORT_SYMBOL_GPL(fgraph_reserve_data);

/**
 * fgraph_retrieve_data - find what fgraph_reserve_data() has reserved
 * @idx: &fgraph_ops.idx
 * @size_bytes: set to its size, which may have been rounded up
 *
 * Context: the retfunc of the user, or its entryfunc.
 * Return: the place; NULL if nothing was reserved.
 */
void *fgraph_retrieve_data(int idx, int *size_bytes)
{
	unsigned long *data = find_data(graph_newest(current), idx);

	if (!data)
		return NULL;
	if (size_bytes)
		*size_bytes = ((*data & U16_MAX) - 1) * sizeof(long);
	return data + 1;
}
EXPORT_SYMBOL_GPL(fgraph_retrieve_data);

void *graph_data_of(const struct ftrace_ret_stack *call, const struct fgraph_ops *gops)
{
	unsigned long *data = find_data(call, gops->idx);

	return data ? data + 1 : NULL;
}

void *graph_outer_data(const struct fgraph_ops *gops)
{
	struct task_struct *task = current;
	struct ftrace_ret_stack *call = graph_newest(task);
	int index = task->curr_ret_stack - call->below;

	for (; index; index -= call->below) {
		call = graph_call_at(task, index);
		if (graph_is_told(gops, call))
			return graph_data_of(call, gops);
	}
	return NULL;
}

/**
 * fgraph_get_task_var - a word that a user has for each task
 * @gops: the user
 *
 * 0 when the user comes, or the task.
 *
 * Context: the entryfunc or the retfunc of the user.
 * Return: the place of current's; NULL if there are so many users that this one has none.
 */
unsigned long *fgraph_get_task_var(struct fgraph_ops *gops)
{
	return gops->idx < GRAPH_OTHERS ? graph_var(current, gops->idx) : NULL;
}
EXPORT_SYMBOL_GPL(fgraph_get_task_var);

/* ------------------------------------------------------------------ */
/* Users without a bit of their own					*/

/* Their numbers are above all others, and who is called later has a higher one. */
static bool next_other(const struct ftrace_ret_stack *call, unsigned long **data,
		       unsigned int *idx)
{
	unsigned long *end = data_end(call), word;

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

bool graph_note_other(struct ftrace_ret_stack *call, unsigned int idx)
{
	return find_data(call, idx) || fgraph_reserve_data(idx, 0);
}

bool graph_is_behind_others(const struct fgraph_ops *gops,
			    const struct ftrace_ret_stack *call)
{
	unsigned long *data = graph_data_begin(call);
	unsigned int idx;

	while (next_other(call, &data, &idx))
		if (idx >= gops->idx)
			return false;
	return true;
}

void graph_tell_others(struct fgraph_ops *gops, const struct ftrace_ret_stack *call,
		       const struct ftrace_return *r, u64 now)
{
	unsigned long *data = graph_data_begin(call);
	unsigned int idx;

	while (next_other(call, &data, &idx)) {
		gops = graph_other_user(idx);
		if (graph_knows(gops, call))
			gops->told(gops, call, r, now);
	}
}

void graph_left_to_others(struct fgraph_ops *gops, struct task_struct *task,
			  const struct ftrace_ret_stack *call)
{
	unsigned long *data = graph_data_begin(call);
	unsigned int idx;

	while (next_other(call, &data, &idx)) {
		gops = graph_other_user(idx);
		if (graph_knows(gops, call))
			gops->left(gops, task, call);
	}
}
