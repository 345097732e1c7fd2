// SPDX-License-Identifier: GPL-2.0
/*
 * The files trace_marker and trace_marker_raw, by which programs write to the trace.
 */
#include <linux/fs.h>

#include "internal.h"
#include "tracefs/files.h"

static ssize_t marker_write(struct file *file, const char __user *ubuf,
			    size_t count, loff_t *pos)
{
	const struct trace_node *node = file->private_data;

	return tracing_mark_write(node->tr, ubuf, count);
}

static ssize_t marker_raw_write(struct file *file, const char __user *ubuf,
				size_t count, loff_t *pos)
{
	const struct trace_node *node = file->private_data;

	return tracing_mark_raw_write(node->tr, ubuf, count);
}

static const struct file_operations marker_fops = {
	.open		= trace_stream_open,
	.write		= marker_write,
	.release	= trace_stream_release,
};

static const struct file_operations marker_raw_fops = {
	.open		= trace_stream_open,
	.write		= marker_raw_write,
	.release	= trace_stream_release,
};

static const struct trace_file marker_files[] = {
	{
		.name	= "trace_marker",
		.mode	= 0220,
		.place	= IN_INSTANCE,
		.fops	= &marker_fops,
	}, {
		.name	= "trace_marker_raw",
		.mode	= 0220,
		.place	= IN_INSTANCE,
		.fops	= &marker_raw_fops,
	},
	{ }
};

TRACE_FILES(marker_files);
