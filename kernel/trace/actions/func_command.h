/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Commands on functions: what is written to set_ftrace_filter as "function:command[:count]",
 * where the command is traceon, traceoff, stacktrace, dump, cpudump or snapshot, or as
 * "function:command:system:event[:count]", where it is enable_event or disable_event. It
 * happens whenever the function is entered.
 */
#ifndef _KERNEL_TRACE_FUNC_COMMAND_H
#define _KERNEL_TRACE_FUNC_COMMAND_H

#include <linux/types.h>

struct instance_part;
struct seq_file;
struct trace_array;

/* The commands of an instance go with it. */
extern struct instance_part func_command_part;

/**
 * func_command_write - set or take away a command on functions
 * @tr: the instance it acts on
 * @glob: the functions, as in a filter; with a leading '!': take it away
 * @cmd: name of the command
 * @param: a count, NULL or "" for no limit; before it, for enable_event and disable_event,
 *	"system:event:"; it is changed
 *
 * With a limit and without are two different commands: one does not take the
 * other away.  A function that has the command keeps the count it has.  As in the
 * stock tracer, dump counts to 1 and cpudump does not count.
 *
 * Context: may sleep; takes trace_lock, func_command_lock, events_lock and ftrace_lock.
 * Return: 0; -EINVAL for an unknown command, an event that there is not, a count
 * that is no number or above LONG_MAX, functions that do not exist, that all have
 * the command already, or, when taking away, of which none has it; -ENODEV when no
 * function at all has what is to be taken away; -ENOMEM, or for snapshot what
 * snapshot_use() and snapshot_alloc() say, for an event what event_soft_get() says;
 * what register_ftrace_function() says.
 */
int func_command_write(struct trace_array *tr, const char *glob, const char *cmd, char *param);

/**
 * func_command_show - print one line of the list of commands
 * @m: where to
 * @tr: the instance
 * @n: which line, from 0
 *
 * "function:command:unlimited", or "...:count=3"; "function:command:system:event:..."
 * where an event is named.  With @m NULL nothing is
 * printed: is there such a line?
 *
 * Context: may sleep; takes func_command_lock.
 * Return: false when there is no line @n.
 */
bool func_command_show(struct seq_file *m, struct trace_array *tr, loff_t n);

#endif /* _KERNEL_TRACE_FUNC_COMMAND_H */
