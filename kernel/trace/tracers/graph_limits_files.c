// SPDX-License-Identifier: GPL-2.0
/*
 * The files set_graph_function, set_graph_notrace (lists of functions, like
 * set_ftrace_filter) and max_graph_depth, which limit what function_graph records (SPEC T3).
 */
#include <linux/ftrace.h>
#include <linux/kstrtox.h>
#include <linux/seq_file.h>
#include <linux/time64.h>

#include "functions/filter_files.h"
#include "graph_limits_set.h"
#include "tracefs/files.h"

static struct ftrace_ops *graph_functions_ops(struct trace_array *tr)
{
	return graph_limits_ops(GRAPH_FUNCTIONS);
}

static void graph_functions_begin(bool empty)
{
	graph_limits_change_begin(GRAPH_FUNCTIONS, empty);
}

static void graph_functions_end(void)
{
	graph_limits_change_end(GRAPH_FUNCTIONS);
}

static struct ftrace_ops *graph_notrace_ops(struct trace_array *tr)
{
	return graph_limits_ops(GRAPH_NOTRACE);
}

static void graph_notrace_begin(bool empty)
{
	graph_limits_change_begin(GRAPH_NOTRACE, empty);
}

static void graph_notrace_end(void)
{
	graph_limits_change_end(GRAPH_NOTRACE);
}

static const struct filter_list graph_functions = {
	.ops		= graph_functions_ops,
	.when_empty	= "#### all functions enabled ####\n",
	.begin		= graph_functions_begin,
	.end		= graph_functions_end,
};

static const struct filter_list graph_notrace = {
	.ops		= graph_notrace_ops,
	.when_empty	= "#### no functions disabled ####\n",
	.begin		= graph_notrace_begin,
	.end		= graph_notrace_end,
};

static int max_graph_depth_show(struct seq_file *m, const struct trace_node *at)
{
	seq_printf(m, "%u\n", graph_limits_depth());
	return 0;
}

static int max_graph_depth_store(const struct trace_node *at, char *text)
{
	unsigned int depth;
	int err = kstrtouint(text, 10, &depth);

	if (!err)
		graph_limits_set_depth(depth);
	return err;
}

static const struct trace_file graph_files[] = {
	{
		.name	= "set_graph_function",
		.mode	= TRACE_FILE_RW,
		.place	= IN_TOP,
		.fops	= &filter_file_fops,
		.data	= &graph_functions,
	}, {
		.name	= "set_graph_notrace",
		.mode	= TRACE_FILE_RW,
		.place	= IN_TOP,
		.fops	= &filter_file_fops,
		.data	= &graph_notrace,
	}, {
		.name	= "max_graph_depth",
		.mode	= TRACE_FILE_RW,
		.place	= IN_TOP,
		.show	= max_graph_depth_show,
		.store	= max_graph_depth_store,
	},
	{ }
};

TRACE_FILES(graph_files);
