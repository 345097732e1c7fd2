/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The columns of the lines of function_graph, for graph_lines.c. Functions named graph_put_*
 * add text to the line of the output.
 *
 * Context of all functions: as for record_print_fn.
 */
#ifndef _KERNEL_TRACE_GRAPH_COLUMNS_H
#define _KERNEL_TRACE_GRAPH_COLUMNS_H

#include <linux/types.h>

struct ftrace_graph_ret;
struct trace_output;
struct trace_seq;

/**
 * graph_opts() - get the options for the lines of function_graph
 * @o: the output
 *
 * Return: &tracer.graph_opts of the current tracer if not 0, otherwise the options of
 * function_graph in this instance; GRAPH_OPT_* flags.
 */
u32 graph_opts(const struct trace_output *o);

/**
 * graph_put_columns() - print all columns before the duration
 * @o: the output, at a record
 */
void graph_put_columns(struct trace_output *o);

/**
 * graph_has_duration() - true if there is a column of durations
 * @o: the output
 */
bool graph_has_duration(struct trace_output *o);

/**
 * graph_put_duration() - print the duration of a call
 * @o: the output
 * @ret: return of the call
 */
void graph_put_duration(struct trace_output *o, const struct ftrace_graph_ret *ret);

/**
 * graph_put_no_duration() - print an empty column of durations
 * @o: the output
 */
void graph_put_no_duration(struct trace_output *o);

/**
 * graph_put_function() - print the name of a function
 * @o: the output
 * @func: address of the function
 */
void graph_put_function(struct trace_output *o, unsigned long func);

/**
 * graph_has_retval() - true if return values of functions are shown
 * @o: the output
 */
bool graph_has_retval(struct trace_output *o);

/**
 * graph_put_retval() - print a return value, and end the comment around it and the line
 * @o: the output
 * @value: the return value
 */
void graph_put_retval(struct trace_output *o, unsigned long value);

/**
 * graph_put_blanks() - print blanks
 * @s: the line
 * @n: number of blanks; nothing is printed if it is 0 or negative
 */
void graph_put_blanks(struct trace_seq *s, int n);

/**
 * graph_put_cpu() - print the column of the CPU
 * @s: the line
 * @cpu: number of the CPU
 */
void graph_put_cpu(struct trace_seq *s, int cpu);

/**
 * graph_put_task() - print the column of the task
 * @s: the line
 * @pid: PID of the task
 */
void graph_put_task(struct trace_seq *s, pid_t pid);

#endif /* _KERNEL_TRACE_GRAPH_COLUMNS_H */
