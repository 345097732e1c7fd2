/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The lines of function_graph (SPEC T3).
 */
#ifndef _KERNEL_TRACE_OUTPUT_GRAPH_H
#define _KERNEL_TRACE_OUTPUT_GRAPH_H

#include <linux/bits.h>
#include <linux/trace_events.h>
#include <linux/types.h>

struct graph_view;
struct seq_file;
struct trace_reader;

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

/* Enough for graph_usecs(). */
#define GRAPH_USECS_MAX		32

#ifdef CONFIG_FUNCTION_GRAPH_TRACER

/* Which word of trace_array.tracer_opts is the tracer's; set at boot. */
extern unsigned int graph_tracer_index;

/**
 * graph_line - print a record as function_graph does
 * @r: the reader, at a record
 *
 * An entry and its return become one line if nothing is in between; a record of another
 * type becomes a comment, unless it is that of a function or a stack.
 *
 * Context: as for output_fn.
 * Return: as output_fn; TRACE_TYPE_UNHANDLED for what is not printed here.
 */
enum print_line_t graph_line(struct trace_reader *r);

/**
 * graph_header - print what stands above the lines of function_graph
 * @m: where to
 * @r: the reader
 *
 * Context: process.
 */
void graph_header(struct seq_file *m, struct trace_reader *r);

/**
 * graph_line_if_wanted - graph_line(), with option display-graph
 * @r: the reader, at a record
 *
 * Context: as graph_line().
 * Return: as graph_line(); TRACE_TYPE_UNHANDLED without the option.
 */
enum print_line_t graph_line_if_wanted(struct trace_reader *r);

/**
 * graph_header_if_wanted - graph_header(), with option display-graph
 * @m: where to
 * @r: the reader
 *
 * Without, what any other tracer has.
 *
 * Context: process.
 */
void graph_header_if_wanted(struct seq_file *m, struct trace_reader *r);

/**
 * graph_usecs - print a duration as a column
 * @text: GRAPH_USECS_MAX bytes
 * @nsecs: the duration
 *
 * "0.437 us    ": microseconds in at least eight columns, with as many digits behind the
 * point, up to three, as there is room for.
 *
 * Context: any.
 * Return: @text.
 */
char *graph_usecs(char *text, u64 nsecs);

/**
 * graph_view_reset - a reader begins anew
 * @view: trace_reader.graph, one for each CPU, or NULL
 *
 * Context: that of the reader.
 */
void graph_view_reset(struct graph_view *view);

/**
 * graph_view_free - the end of a reader
 * @view: trace_reader.graph, one for each CPU, or NULL
 *
 * Context: may sleep.
 */
void graph_view_free(struct graph_view *view);

#else /* !CONFIG_FUNCTION_GRAPH_TRACER */

static inline void graph_view_reset(struct graph_view *view) { }
static inline void graph_view_free(struct graph_view *view) { }

#define graph_line		NULL
#define graph_line_if_wanted	NULL
#define graph_header_if_wanted	NULL

#endif /* CONFIG_FUNCTION_GRAPH_TRACER */

#endif /* _KERNEL_TRACE_OUTPUT_GRAPH_H */
