/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Commands on functions: actions that are executed whenever a function is entered. They are
 * written to set_ftrace_filter as "function:command[:count]", where the command is traceon,
 * traceoff, stacktrace, dump, cpudump or snapshot; or as "function:command:system:event[:count]",
 * where the command is enable_event or disable_event.
 */
#ifndef _KERNEL_TRACE_FUNC_COMMAND_H
#define _KERNEL_TRACE_FUNC_COMMAND_H

#include <linux/types.h>

struct instance_part;
struct seq_file;
struct trace_array;

/* Removes the commands of an instance together with it. */
extern struct instance_part func_command_part;

/**
 * func_command_write - add or remove a command on functions
 * @tr: instance of the command
 * @glob: the functions, as in a filter; a leading '!' removes the command
 * @cmd: name of the command
 * @param: the count, or NULL or "" for no limit; for enable_event and disable_event it follows
 *	"system:event:"; cut in place
 *
 * A limited and an unlimited command are different commands: removing one does not remove the
 * other. A function that has the command keeps its count. As in the stock tracer, dump has a
 * count of 1, and cpudump has no count.
 *
 * Context: may sleep; takes trace_lock, func_command_lock, events_lock and ftrace_lock.
 * Return: 0; -EINVAL for an unknown command, an unknown event, a count that is not a number or
 * above LONG_MAX, functions that do not exist, or functions that all have the command already;
 * to remove, -EINVAL if none of the functions has the command, -ENODEV if no function at all has
 * it; -ENOMEM; or an errno of snapshot_use(), snapshot_alloc(), event_soft_get() or
 * register_ftrace_function().
 */
int func_command_write(struct trace_array *tr, const char *glob, const char *cmd, char *param);

/**
 * func_command_show - print one line of the list of commands
 * @m: file to print to, or NULL to only check whether the line exists
 * @tr: the instance
 * @n: number of the line, from 0
 *
 * The line is "function:command:unlimited" or "function:command:count=3"; for commands that name
 * an event it has "system:event:" behind the command.
 *
 * Context: may sleep; takes func_command_lock.
 * Return: false if there is no line @n.
 */
bool func_command_show(struct seq_file *m, struct trace_array *tr, loff_t n);

#endif /* _KERNEL_TRACE_FUNC_COMMAND_H */
