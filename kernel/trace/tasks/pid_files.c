// SPDX-License-Identifier: GPL-2.0
/*
 * Control files about tasks: those that the function tracer follows, and those
 * that it must not.
 */
#include <linux/seq_file.h>

#include "instance/instance.h"
#include "pids.h"
#include "tracefs/files.h"

static int show_pids(struct seq_file *m, struct trace_array *tr,
		     enum trace_pid_type type)
{
	int pid;

	if (!trace_pids_set(tr, type)) {
		seq_puts(m, "no pid\n");
		return 0;
	}
	for (pid = 0; trace_pids_next(tr, type, &pid); pid++)
		seq_printf(m, "%d\n", pid);
	return 0;
}

static int pids_show(struct seq_file *m, const struct trace_node *at)
{
	return show_pids(m, at->tr, TRACE_PIDS);
}

static int no_pids_show(struct seq_file *m, const struct trace_node *at)
{
	return show_pids(m, at->tr, TRACE_NO_PIDS);
}

static ssize_t pids_write(const struct trace_node *at, const char __user *ubuf,
			  size_t count)
{
	return trace_pids_write(at->tr, TRACE_PIDS, ubuf, count);
}

static ssize_t no_pids_write(const struct trace_node *at, const char __user *ubuf,
			     size_t count)
{
	return trace_pids_write(at->tr, TRACE_NO_PIDS, ubuf, count);
}

static int pids_truncate(const struct trace_node *at)
{
	trace_pids_clear(at->tr, TRACE_PIDS);
	return 0;
}

static int no_pids_truncate(const struct trace_node *at)
{
	trace_pids_clear(at->tr, TRACE_NO_PIDS);
	return 0;
}

static const struct trace_file pid_files[] = {
	{
		.name		= "set_ftrace_pid",
		.mode		= TRACE_FILE_RW,
		.place		= IN_INSTANCE,
		.show		= pids_show,
		.write		= pids_write,
		.truncate	= pids_truncate,
	}, {
		.name		= "set_ftrace_notrace_pid",
		.mode		= TRACE_FILE_RW,
		.place		= IN_INSTANCE,
		.show		= no_pids_show,
		.write		= no_pids_write,
		.truncate	= no_pids_truncate,
	},
	{ }
};

TRACE_FILES(pid_files);
