// SPDX-License-Identifier: GPL-2.0
/*
 * Control files about tasks: those that the function tracer, and events, follow, and those
 * that they must not.
 */
#include <linux/seq_file.h>

#include "instance/instance.h"
#include "pids.h"
#include "tracefs/files.h"

static enum trace_pid_type type_of(const struct trace_node *at)
{
	return (enum trace_pid_type)(unsigned long)at->row->data;
}

static int pids_show(struct seq_file *m, const struct trace_node *at)
{
	int pid;

	for (pid = 0; trace_pids_next(at->tr, type_of(at), &pid); pid++)
		seq_printf(m, "%d\n", pid);
	return 0;
}

static int __maybe_unused function_pids_show(struct seq_file *m, const struct trace_node *at)
{
	if (trace_pids_set(at->tr, type_of(at)))
		return pids_show(m, at);
	seq_puts(m, "no pid\n");
	return 0;
}

static ssize_t pids_write(const struct trace_node *at, const char __user *ubuf,
			  size_t count)
{
	return trace_pids_write(at->tr, type_of(at), ubuf, count);
}

static int pids_truncate(const struct trace_node *at)
{
	trace_pids_clear(at->tr, type_of(at));
	return 0;
}

#define PID_FILE(_name, _type, _show)			\
	{						\
		.name		= _name,		\
		.mode		= TRACE_FILE_RW,	\
		.place		= IN_INSTANCE,		\
		.show		= _show,		\
		.write		= pids_write,		\
		.truncate	= pids_truncate,	\
		.data		= (void *)_type,	\
	}

static const struct trace_file pid_files[] = {
#ifdef CONFIG_FUNCTION_TRACER
	PID_FILE("set_ftrace_pid", TRACE_PIDS, function_pids_show),
	PID_FILE("set_ftrace_notrace_pid", TRACE_NO_PIDS, function_pids_show),
#endif
	PID_FILE("set_event_pid", TRACE_EVENT_PIDS, pids_show),
	PID_FILE("set_event_notrace_pid", TRACE_EVENT_NO_PIDS, pids_show),
	{ }
};

TRACE_FILES(pid_files);
