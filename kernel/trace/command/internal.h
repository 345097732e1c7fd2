/* SPDX-License-Identifier: GPL-2.0 */
/* Private to command/: the entries of the log of refused commands. */
#ifndef _KERNEL_TRACE_COMMAND_INTERNAL_H
#define _KERNEL_TRACE_COMMAND_INTERNAL_H

struct seq_file;
struct trace_array;

/* Number of commands of an instance that are kept. */
#define ERROR_LOG_MAX	8

/**
 * error_log_clear - remove the entries of an instance
 * @tr: the instance
 *
 * Context: may sleep.
 */
void error_log_clear(struct trace_array *tr);

/**
 * error_log_show - print the entries of an instance, oldest first
 * @m: destination
 * @tr: the instance
 *
 * Context: may sleep.
 * Return: 0, as a show function of seq_file.
 */
int error_log_show(struct seq_file *m, struct trace_array *tr);

#endif /* _KERNEL_TRACE_COMMAND_INTERNAL_H */
