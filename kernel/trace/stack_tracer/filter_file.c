// SPDX-License-Identifier: GPL-2.0
/*
 * The file stack_trace_filter: at which functions the stack tracer looks (SPEC T6).
 */
#include <linux/fs.h>
#include <linux/seq_file.h>

#include "functions/filter_files.h"
#include "stack_tracer.h"
#include "tracefs/files.h"

static struct ftrace_ops *tracer_ops(struct trace_array *tr)
{
	return &stack_tracer_ops;
}

static const struct filter_list stack_filter_list = {
	.ops		= tracer_ops,
	.when_empty	= "#### all functions enabled ####\n",
};

static int stack_filter_open(struct inode *inode, struct file *file)
{
	return filter_file_open(inode, file, &stack_filter_list);
}

static const struct file_operations stack_filter_fops = {
	.open		= stack_filter_open,
	.read_iter	= seq_read_iter,
	.splice_read	= copy_splice_read,
	.write		= filter_file_write,
	.llseek		= seq_lseek,
	.release	= filter_file_release,
};

static const struct trace_file stack_filter_files[] = {
	{
		.name	= "stack_trace_filter",
		.mode	= TRACE_FILE_RW,
		.place	= IN_TOP,
		.fops	= &stack_filter_fops,
	},
	{ }
};

TRACE_FILES(stack_filter_files);
