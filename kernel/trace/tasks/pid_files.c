// SPDX-License-Identifier: GPL-2.0
/*
 * Control files with lists of pids: the tasks that the function tracer, or events, follow, and the
 * tasks that they exclude.
 */
#include <linux/seq_file.h>

#include "instance/instance.h"
#include "internal.h"
#include "pids.h"
#include "tracefs/files.h"

static enum trace_pid_type pid_file_type(const struct trace_node *at)
{
	return (enum trace_pid_type)(unsigned long)at->row->data;
}

static int pid_file_show(struct seq_file *m, const struct trace_node *at)
{
	int pid;

	for (pid = 0; trace_pids_next(at->tr, pid_file_type(at), &pid); pid++)
		seq_printf(m, "%d\n", pid);
	return 0;
}

static int __maybe_unused function_pid_file_show(struct seq_file *m, const struct trace_node *at)
{
	if (trace_pids_are_set(at->tr, pid_file_type(at)))
		return pid_file_show(m, at);
	seq_puts(m, "no pid\n");
	return 0;
}

static ssize_t pid_file_write(const struct trace_node *at, const char __user *ubuf,
			      size_t count)
{
	return trace_pids_write(at->tr, pid_file_type(at), ubuf, count);
}

static int pid_file_truncate(const struct trace_node *at)
{
	trace_pids_clear(at->tr, pid_file_type(at));
	return 0;
}

#define PID_FILE(_name, _type, _show)			\
	{						\
		.name		= _name,		\
		.mode		= TRACE_FILE_RW,	\
		.place		= IN_INSTANCE,		\
		.show		= _show,		\
		.write		= pid_file_write,		\
		.truncate	= pid_file_truncate,	\
		.data		= (void *)_type,	\
	}

static const struct trace_file pid_files[] = {
#ifdef CONFIG_FUNCTION_TRACER
	PID_FILE("set_ftrace_pid", TRACE_PIDS, function_pid_file_show),
	PID_FILE("set_ftrace_notrace_pid", TRACE_NO_PIDS, function_pid_file_show),
#endif
	PID_FILE("set_event_pid", TRACE_EVENT_PIDS, pid_file_show),
	PID_FILE("set_event_notrace_pid", TRACE_EVENT_NO_PIDS, pid_file_show),
	{ }
};

TRACE_FILES(pid_files);
