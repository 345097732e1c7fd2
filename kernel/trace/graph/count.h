/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What graph/ counts.
 */
#ifndef _KERNEL_TRACE_GRAPH_COUNT_H
#define _KERNEL_TRACE_GRAPH_COUNT_H

/**
 * graph_missed - how many calls were not waited for because their task had no stack
 *
 * Only with CONFIG_FUNCTION_GRAPH_TRACER, as all that is here.
 *
 * Context: any.
 * Return: their number since boot.
 */
unsigned long graph_missed(void);

/**
 * graph_stacks - how many tasks have a stack now
 *
 * Context: any.
 */
int graph_stacks(void);

#endif /* _KERNEL_TRACE_GRAPH_COUNT_H */
