/* SPDX-License-Identifier: GPL-2.0 */
/* Statistics of graph/. Only available with CONFIG_FUNCTION_GRAPH_TRACER. */
#ifndef _KERNEL_TRACE_GRAPH_COUNT_H
#define _KERNEL_TRACE_GRAPH_COUNT_H

/**
 * graph_count_missed_calls() - count the calls that were not traced because their task had no stack
 *
 * Context: any.
 * Return: number of such calls since boot.
 */
unsigned long graph_count_missed_calls(void);

/**
 * graph_count_stacks() - count the tasks that have a stack for traced calls
 *
 * Context: any.
 * Return: number of tasks that have a stack at the moment.
 */
int graph_count_stacks(void);

#endif /* _KERNEL_TRACE_GRAPH_COUNT_H */
