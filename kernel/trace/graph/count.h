/* SPDX-License-Identifier: GPL-2.0 */
/* Counters of graph/. Available with CONFIG_FUNCTION_GRAPH_TRACER only. */
#ifndef _KERNEL_TRACE_GRAPH_COUNT_H
#define _KERNEL_TRACE_GRAPH_COUNT_H

/**
 * graph_missed() - count the calls that were not traced because their task had no stack
 *
 * Context: any.
 * Return: number of such calls since boot.
 */
unsigned long graph_missed(void);

/**
 * graph_stacks() - count the tasks that have a stack
 *
 * Context: any.
 * Return: number of tasks with a stack now.
 */
int graph_stacks(void);

#endif /* _KERNEL_TRACE_GRAPH_COUNT_H */
