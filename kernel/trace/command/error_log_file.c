// SPDX-License-Identifier: GPL-2.0
/*
 * The file error_log: what was wrong with the last commands. Opening it with
 * O_TRUNC forgets them; what is written is accepted and ignored.
 */
#include <linux/seq_file.h>

#include "error_log.h"
#include "tracefs/files.h"

static int errors_show(struct seq_file *m, const struct trace_node *at)
{
	return error_log_show(m, at->tr);
}

static int errors_truncate(const struct trace_node *at)
{
	error_log_clear(at->tr);
	return 0;
}

static ssize_t errors_write(const struct trace_node *at, const char __user *ubuf,
			    size_t count)
{
	return count;
}

static const struct trace_file error_files[] = {
	{
		.name		= "error_log",
		.mode		= TRACE_FILE_RW,
		.place		= IN_INSTANCE,
		.show		= errors_show,
		.truncate	= errors_truncate,
		.write		= errors_write,
	},
	{ }
};

TRACE_FILES(error_files);
