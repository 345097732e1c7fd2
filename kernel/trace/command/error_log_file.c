// SPDX-License-Identifier: GPL-2.0
/*
 * The file error_log: the last refused commands. Opening it with O_TRUNC empties the log; writes
 * are accepted and ignored.
 */
#include <linux/seq_file.h>

#include "internal.h"
#include "tracefs/files.h"

static int error_log_file_show(struct seq_file *m, const struct trace_node *at)
{
	return error_log_show(m, at->tr);
}

static int error_log_file_truncate(const struct trace_node *at)
{
	error_log_clear(at->tr);
	return 0;
}

static ssize_t error_log_file_write(const struct trace_node *at, const char __user *ubuf,
				    size_t count)
{
	return count;
}

static const struct trace_file error_files[] = {
	{
		.name		= "error_log",
		.mode		= TRACE_FILE_RW,
		.place		= IN_INSTANCE,
		.show		= error_log_file_show,
		.truncate	= error_log_file_truncate,
		.write		= error_log_file_write,
	},
	{ }
};

TRACE_FILES(error_files);
