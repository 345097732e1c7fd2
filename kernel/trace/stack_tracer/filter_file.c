// SPDX-License-Identifier: GPL-2.0
/*
 * The file stack_trace_filter: the functions at whose calls the stack tracer checks the depth of
 * the stack (SPEC T6).
 */
#include <linux/ftrace.h>

#include "functions/filter_files.h"
#include "stack_tracer.h"
#include "tracefs/files.h"

static struct ftrace_ops *stack_filter_ops(struct trace_array *tr)
{
	return &stack_tracer_ops;
}

static const struct filter_list stack_filter_list = {
	.ops		= stack_filter_ops,
	.when_empty	= "#### all functions enabled ####\n",
};

static const struct trace_file stack_filter_files[] = {
	{
		.name	= "stack_trace_filter",
		.mode	= TRACE_FILE_RW,
		.place	= IN_TOP,
		.fops	= &filter_file_fops,
		.data	= &stack_filter_list,
	},
	{ }
};

TRACE_FILES(stack_filter_files);
