/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Prints records as lines of function_graph (SPEC T3), for that tracer and for latency tracers
 * with option display-graph.
 */
#ifndef _KERNEL_TRACE_GRAPH_LINES_H
#define _KERNEL_TRACE_GRAPH_LINES_H

#include <linux/bits.h>
#include <linux/trace_events.h>
#include <linux/types.h>

struct seq_file;
struct trace_output;

/* Options of function_graph, in its word of trace_array.tracer_opts; see graph_options[]. */
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
/* Not an option; only in tracer.graph_opts: show the time as returned by output_since(). */
#define GRAPH_OPT_RELTIME	BIT(13)

#ifdef CONFIG_FUNCTION_GRAPH_TRACER

/* Index of the word of function_graph in trace_array.tracer_opts; set at boot. */
extern unsigned int graph_tracer_index;

/**
 * graph_line() - print a record as function_graph does
 * @o: the output, at a record
 *
 * An entry and its return become one line if there is no record in between. A record of
 * another type becomes a comment, except TRACE_FN and TRACE_STACK.
 *
 * Context: as for record_print_fn.
 * Return: as for record_print_fn; TRACE_TYPE_UNHANDLED for a record that is not printed here.
 */
enum print_line_t graph_line(struct trace_output *o);

/**
 * graph_header() - print the header above the lines of function_graph
 * @m: file that the header is printed to
 * @o: the output
 *
 * Context: process; may sleep.
 */
void graph_header(struct seq_file *m, struct trace_output *o);

/**
 * graph_line_if_wanted() - call graph_line() if option display-graph is on
 * @o: the output, at a record
 *
 * Context: as for record_print_fn.
 * Return: result of graph_line(); TRACE_TYPE_UNHANDLED if the option is off.
 */
enum print_line_t graph_line_if_wanted(struct trace_output *o);

/**
 * graph_header_if_wanted() - print the header that suits option display-graph
 * @m: file that the header is printed to
 * @o: the output
 *
 * Calls graph_header() if the option is on, otherwise output_column_header().
 *
 * Context: process; may sleep.
 */
void graph_header_if_wanted(struct seq_file *m, struct trace_output *o);

#else /* !CONFIG_FUNCTION_GRAPH_TRACER */

#define graph_line		NULL
#define graph_line_if_wanted	NULL
#define graph_header_if_wanted	NULL

#endif /* CONFIG_FUNCTION_GRAPH_TRACER */

#endif /* _KERNEL_TRACE_GRAPH_LINES_H */
