/* SPDX-License-Identifier: GPL-2.0 */
/* Setting of the limits of function_graph by the files, see graph_limits.h. */
#ifndef _KERNEL_TRACE_GRAPH_LIMITS_SET_H
#define _KERNEL_TRACE_GRAPH_LIMITS_SET_H

#include <linux/types.h>

struct ftrace_ops;

/**
 * enum graph_list - lists of functions that limit what is recorded
 * @GRAPH_FUNCTIONS: set_graph_function: only these functions and their callees are recorded
 * @GRAPH_NOTRACE: set_graph_notrace: these functions and their callees are not recorded
 * @NR_GRAPH_LISTS: number of lists
 */
enum graph_list {
	GRAPH_FUNCTIONS,
	GRAPH_NOTRACE,
	NR_GRAPH_LISTS
};

/**
 * graph_limits_ops() - get the ops whose filter holds a list
 * @list: the list
 *
 * Context: any.
 */
struct ftrace_ops *graph_limits_ops(enum graph_list list);

/**
 * graph_limits_change_begin() - prepare a change of a list
 * @list: the list
 * @empty: true if the list will be empty, in which case it has no effect from now on
 *
 * The filter of the list may be committed until graph_limits_change_end(). During the change
 * each function is treated by either the old or the new list, and nothing else is recorded.
 *
 * Context: may sleep; returns with a mutex held until graph_limits_change_end(); takes
 * graph_lock and ftrace_lock.
 */
void graph_limits_change_begin(enum graph_list list, bool empty);

/**
 * graph_limits_change_end() - put the new list into effect
 * @list: the list passed to graph_limits_change_begin()
 *
 * Context: may sleep; releases the mutex taken by graph_limits_change_begin(); takes
 * graph_lock and ftrace_lock.
 */
void graph_limits_change_end(enum graph_list list);

/**
 * graph_limits_set_depth() - set max_graph_depth
 * @depth: number of levels of functions to record; 0 for all
 *
 * Context: may sleep.
 */
void graph_limits_set_depth(unsigned int depth);

/**
 * graph_limits_depth() - get max_graph_depth
 *
 * Context: any.
 * Return: number of levels of functions that are recorded; 0 for all.
 */
unsigned int graph_limits_depth(void);

#endif /* _KERNEL_TRACE_GRAPH_LIMITS_SET_H */
