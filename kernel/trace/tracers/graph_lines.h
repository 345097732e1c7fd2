/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The lines of function_graph (SPEC T3).
 */
#ifndef _KERNEL_TRACE_GRAPH_LINES_H
#define _KERNEL_TRACE_GRAPH_LINES_H

#include <linux/bits.h>
#include <linux/trace_events.h>
#include <linux/types.h>

struct seq_file;
struct trace_output;

/* The tracer's own options, as they are in its word of trace_array.tracer_opts. */
#define GRAPH_OPT_OVERRUN	BIT(0)
#define GRAPH_OPT_CPU		BIT(1)
#define GRAPH_OPT_OVERHEAD	BIT(2)
#define GRAPH_OPT_PROC		BIT(3)
#define GRAPH_OPT_DURATION	BIT(4)
#define GRAPH_OPT_ABSTIME	BIT(5)
#define GRAPH_OPT_IRQS		BIT(6)
#define GRAPH_OPT_TAIL		BIT(7)
#define GRAPH_OPT_RETVAL	BIT(8)
#define GRAPH_OPT_RETVAL_HEX	BIT(9)
#define GRAPH_OPT_SLEEP_TIME	BIT(10)
#define GRAPH_OPT_GRAPH_TIME	BIT(11)
#define GRAPH_OPT_ARGS		BIT(12)
/* Not an option, but for tracer.graph_opts: the time since the first record. */
#define GRAPH_OPT_RELTIME	BIT(13)

#ifdef CONFIG_FUNCTION_GRAPH_TRACER

/* Which word of trace_array.tracer_opts is the tracer's; set at boot. */
extern unsigned int graph_tracer_index;

/**
 * graph_line - print a record as function_graph does
 * @o: the output, at a record
 *
 * An entry and its return become one line if nothing is in between; a record of another
 * type becomes a comment, unless it is that of a function or a stack.
 *
 * Context: as for record_print_fn.
 * Return: as record_print_fn; TRACE_TYPE_UNHANDLED for what is not printed here.
 */
enum print_line_t graph_line(struct trace_output *o);

/**
 * graph_header - print what stands above the lines of function_graph
 * @m: where to
 * @o: the output
 *
 * Context: process.
 */
void graph_header(struct seq_file *m, struct trace_output *o);

/**
 * graph_line_if_wanted - graph_line(), with option display-graph
 * @o: the output, at a record
 *
 * Context: as graph_line().
 * Return: as graph_line(); TRACE_TYPE_UNHANDLED without the option.
 */
enum print_line_t graph_line_if_wanted(struct trace_output *o);

/**
 * graph_header_if_wanted - graph_header(), with option display-graph
 * @m: where to
 * @o: the output
 *
 * Without, what any other tracer has.
 *
 * Context: process.
 */
void graph_header_if_wanted(struct seq_file *m, struct trace_output *o);

#else /* !CONFIG_FUNCTION_GRAPH_TRACER */

#define graph_line		NULL
#define graph_line_if_wanted	NULL
#define graph_header_if_wanted	NULL

#endif /* CONFIG_FUNCTION_GRAPH_TRACER */

#endif /* _KERNEL_TRACE_GRAPH_LINES_H */
