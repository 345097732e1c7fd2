/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The columns of function_graph: what its lines are put together from, for
 * graph_lines.c. Each adds to the text of the output.
 *
 * Context of all of them: that of the output.
 */
#ifndef _KERNEL_TRACE_GRAPH_COLUMNS_H
#define _KERNEL_TRACE_GRAPH_COLUMNS_H

#include <linux/types.h>

struct ftrace_graph_ret;
struct trace_output;
struct trace_seq;

/**
 * graph_opts - the options of the tracer, or what the current one has instead
 * @o: the output
 *
 * Return: GRAPH_OPT_*.
 */
u32 graph_opts(const struct trace_output *o);

/**
 * graph_put_columns - all columns that stand before the duration
 * @o: the output, at a record
 */
void graph_put_columns(struct trace_output *o);

/**
 * graph_has_duration - is there a column of durations
 * @o: the output
 */
bool graph_has_duration(struct trace_output *o);

/**
 * graph_put_duration - how long a call took
 * @o: the output
 * @ret: its return
 */
void graph_put_duration(struct trace_output *o, const struct ftrace_graph_ret *ret);

/**
 * graph_put_no_duration - the column of durations of what has none
 * @o: the output
 */
void graph_put_no_duration(struct trace_output *o);

/**
 * graph_put_function - the name of a function
 * @o: the output
 * @func: its address
 */
void graph_put_function(struct trace_output *o, unsigned long func);

/**
 * graph_has_retval - are values shown that functions return
 * @o: the output
 */
bool graph_has_retval(struct trace_output *o);

/**
 * graph_put_retval - such a value, the end of its comment and of the line
 * @o: the output
 * @value: the value
 */
void graph_put_retval(struct trace_output *o, unsigned long value);

/**
 * graph_put_blanks - some blanks
 * @s: where to
 * @n: how many; less than one is none
 */
void graph_put_blanks(struct trace_seq *s, int n);

/**
 * graph_put_cpu - the column of the CPU
 * @s: where to
 * @cpu: the CPU
 */
void graph_put_cpu(struct trace_seq *s, int cpu);

/**
 * graph_put_task - the column of the task
 * @s: where to
 * @pid: the task
 */
void graph_put_task(struct trace_seq *s, pid_t pid);

#endif /* _KERNEL_TRACE_GRAPH_COLUMNS_H */
